"""Tables of answers, each with the verdict that it must get."""

import pytest

from attn.exercises import check

PASSES, UNNAMED = "passes", "unnamed"  # an unnamed answer fails, and no mistake is named


def judged(table):
    """A test of every answer: exercise -> PASSES, UNNAMED or a mistake's id -> answers."""
    cases = [
        pytest.param(exercise, verdict, answer, id=f"{exercise}-{verdict}-{number}")
        for exercise, verdicts in table.items()
        for verdict, answers in verdicts.items()
        for number, answer in enumerate(answers)
    ]

    @pytest.mark.parametrize(("exercise", "verdict", "answer"), cases)
    def test(exercise, verdict, answer):
        found = check(exercise, answer)
        assert found.passed is (verdict == PASSES), str(found)
        assert found.mistake == (None if verdict in (PASSES, UNNAMED) else verdict), str(found)

    return test
