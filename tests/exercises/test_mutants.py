"""Break each solution in many small ways: the check must notice.

A change that still passes is an equivalent mutant: it stands in `chNN/equivalent_mutants.py` with
the reason why it is no mistake.
"""

import runpy
from pathlib import Path

import pytest
from exercises import mutation

from attn.exercises import catalog, check
from web.chapters import contents
from web.chapters.source import read_chapter

HERE = Path(__file__).parent
CHAPTERS = contents.chapters()
EXERCISES = [exercise for path in CHAPTERS for exercise in read_chapter(path).exercises]
EQUIVALENT = {
    exercise_id: reasons
    for path in sorted(HERE.glob("ch[0-9][0-9]/equivalent_mutants.py"))
    for exercise_id, reasons in runpy.run_path(path)["EQUIVALENT"].items()
}


def _passes(exercise, source):
    """Whether an answer passes; one that does not come to an end does not."""
    answer = mutation.define(source, exercise.function)
    verdict = mutation.run_limited(lambda: check(exercise.id, answer))
    return verdict is not None and verdict.passed is True


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_a_broken_solution_is_rejected_unless_it_is_no_mistake(exercise):
    mutants = list(mutation.mutants(exercise.solution, exercise.function))
    survivors = {change for change, source in mutants if _passes(exercise, source)}
    equivalent = set(EQUIVALENT.get(exercise.id, {}))
    tried = {change for change, _ in mutants} - equivalent
    assert len(tried) >= 15, f"a solution of {len(tried)} changes is too small to be an exercise"
    passing = "".join(f'\n    "{change}": "",' for change in sorted(survivors - equivalent))
    assert not passing, f"these changes pass: add a probe, or give the reason:{passing}"
    assert sorted(equivalent - survivors) == [], "listed, but not tried any more, or rejected"


def test_every_list_of_equivalents_belongs_to_an_exercise_and_gives_reasons():
    assert set(EQUIVALENT) <= {exercise.id for exercise in catalog()}
    assert all(reason for reasons in EQUIVALENT.values() for reason in reasons.values())


def test_a_change_is_named_by_its_line():
    mutants = dict(mutation.mutants("def half(x):\n    return x / 2\ncheck('x', half)", "half"))
    assert "return x / 2 => return x * 2" in mutants
    assert "return x / 2 => return x / 3" in mutants
    assert "return x / 2 => pass" in mutants
    assert mutation.define(mutants["return x / 2 => return x * 2"], "half")(3) == 6


def test_a_run_is_ended_by_a_count_of_its_lines():
    count_down = mutation.define("def f(n):\n    while n:\n        n -= 1\n    return 'done'", "f")
    assert mutation.run_limited(lambda: count_down(10), most=50) == "done"
    assert mutation.run_limited(lambda: count_down(100), most=50) is None
    assert mutation.run_limited(lambda: count_down(-1)) is None
