"""Every chapter's exercises in its own words: the starter is not judged, the solution passes."""

import pytest
from exercises.mutation import define, run_limited

from attn.exercises import catalog, check
from web.chapters import contents
from web.chapters.source import read_chapter

EXERCISES = [e for path in contents.chapters() for e in read_chapter(path).exercises]


def _verdict(exercise, cell):
    """What check says of the function that a cell defines; the cell's last line calls check."""
    answer = define(cell.rstrip().rpartition("\n")[0], exercise.function)
    return run_limited(lambda: check(exercise.id, answer))


def test_chapters_hold_the_catalogued_exercises_in_teaching_order():
    assert [exercise.id for exercise in EXERCISES] == [exercise.id for exercise in catalog()]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_a_starter_is_not_judged(exercise):
    assert _verdict(exercise, exercise.starter).passed is None


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_a_solution_passes_within_the_lines_that_a_mutant_may_take(exercise):
    verdict = _verdict(exercise, exercise.solution)
    assert verdict is not None
    assert verdict.passed is True, str(verdict)
