"""A mistake is named if it, and no other, does what the answer does up to the first failure.

Recorded mistakes are turned into others: scaled, negated, transposed, crossed with a second one.
What comes out is either a recorded mistake all the same, or gets plain advice.
"""

import itertools
from functools import cache

import numpy as np
import pytest

from attn.exercises import catalog
from attn.exercises.checking import CHANGES_ITS_INPUT, Outcome, grade
from attn.exercises.checking.probe import run_probe

EXERCISES = list(catalog())
ALTERATIONS = {
    "× 2": lambda array: 2 * array,
    "× 0.5": lambda array: 0.5 * array,
    "negated": lambda array: -array,
    "+ 1": lambda array: array + 1,
    "transposed": lambda array: _transpose_if_square(array),
}
recorded_outcome = cache(run_probe)  # of a reference or a recorded mistake, never of an answer


def _transpose_if_square(array):
    return array.T if array.ndim == 2 and array.shape[0] == array.shape[1] else array


def _map_arrays(result, alter):
    """Alter every array of a result, also within a tuple or a list of arrays."""
    if isinstance(result, tuple | list) and not np.isscalar(result[0]):
        return type(result)(_map_arrays(part, alter) for part in result)
    return alter(np.asarray(result, dtype=float))


def _altered_answers(exercise, mistake):
    """(how, answer) for every alteration of one mistake's result."""
    wrong = mistake.wrong
    if exercise.task.read.__name__ == "truth":
        return [("not", lambda *args, **kwargs: not wrong(*args, **kwargs))]
    return [
        (how, lambda *args, alter=alter, **kwargs: _map_arrays(wrong(*args, **kwargs), alter))
        for how, alter in ALTERATIONS.items()
    ]


def _add_errors(one, two, reference):
    """Two mistakes at once: what each adds to the right result, added up."""

    def answer(*args, **kwargs):
        a, b, right = (np.asarray(f(*args, **kwargs)) for f in (one, two, reference))
        if a.shape != right.shape or b.shape != right.shape:
            return a
        return a + b - right if right.dtype != bool else a & b

    return answer


def _switch_mistakes(one, two, task):
    """One mistake on the first probe that shows it, the other everywhere else."""
    shown = next(p for p in task.probes if not _is_right(one, p, task))
    first = [np.asarray(v) for v in shown.arguments.values()]

    def answer(*args, **kwargs):
        inputs = [np.asarray(v) for v in (*args, *kwargs.values())]
        on_first = len(inputs) == len(first) and all(map(np.array_equal, inputs, first))
        return (one if on_first else two)(*args, **kwargs)

    return answer


def _is_right(function, probe, task):
    functions = (function, task.reference)
    return _agree(*(recorded_outcome(f, probe, task.read) for f in functions), task)


def _agree(one: Outcome, two: Outcome, task, *, text=False):
    """The rule, written once more: equal values, the same type of exception, the same refusal."""
    if text and one.problem != two.problem:
        return False
    if one.kind != two.kind:
        return False
    if one.value is None or two.value is None:
        return one.problem.split(":")[0] == two.problem.split(":")[0]
    if one.value.shape != two.value.shape:
        return False
    relative, absolute = task.tolerance
    values = (outcome.value.astype(float) for outcome in (one, two))
    return np.allclose(*values, rtol=relative, atol=absolute, equal_nan=True)


def _explains(function, answer, task, probes):
    """Whether two functions do the same on these probes; on a failed one also in its words."""
    failed = len(probes) - 1 if len(probes) < len(task.probes) else None
    return all(
        _agree(
            recorded_outcome(function, probe, task.read),
            run_probe(answer, probe, task.read),
            task,
            text=index == failed,
        )
        for index, probe in enumerate(probes)
    )


def _up_to_the_first_failure(answer, task):
    """The probes that an answer passes first, and the one it fails."""
    for count, probe in enumerate(task.probes, start=1):
        wanted = recorded_outcome(task.reference, probe, task.read)
        if not _agree(run_probe(answer, probe, task.read), wanted, task):
            return task.probes[:count]
    return task.probes


def _explaining(exercise, answer, probes):
    """The ids of the mistakes that do what an answer does on these probes."""
    return {
        mistake.id
        for mistake in exercise.mistakes
        for function in mistake.implementations
        if _explains(function, answer, exercise.task, probes)
    }


def _problem_of(exercise, how, answer):
    """What is wrong with the verdict on an answer, or None."""
    verdict, task = grade(exercise, answer), exercise.task
    if verdict.passed:
        return None if _explains(task.reference, answer, task, task.probes) else f"{how}: passes"
    if verdict.mistake is None or verdict.mistake == CHANGES_ITS_INPUT:
        return _problem_of_advice(verdict, how, answer, task)
    (mistake,) = [m for m in exercise.mistakes if m.id == verdict.mistake]
    if not verdict.message.startswith(mistake.says):
        return f"{how}: {mistake.id} is named, something else is said"
    probes = _up_to_the_first_failure(answer, task)
    explaining = _explaining(exercise, answer, probes)
    failed = run_probe(answer, probes[-1], task.read).value
    says_little = task.coarse or failed is None or np.isnan(failed).all()
    if says_little or explaining != {mistake.id}:
        explaining &= _explaining(exercise, answer, task.probes)
    return None if mistake.id in explaining else f"{how}: named {mistake.id}"


def _problem_of_advice(verdict, how, answer, task):
    if verdict.mistake == CHANGES_ITS_INPUT:
        changes = any(run_probe(answer, p, task.read).changed_input for p in task.probes)
        return None if changes else f"{how}: changes no input"
    next_steps = ["read the traceback", *(p.advice for p in task.probes)]
    advised = any(step in verdict.hint for step in next_steps)
    return None if advised else f"{how}: no advice in {verdict.hint!r}"


def _problems(exercise, answers):
    problems = (_problem_of(exercise, how, answer) for how, answer in answers)
    return [problem for problem in problems if problem]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_an_altered_mistake_is_named_rightly_or_advised(exercise):
    for mistake in exercise.mistakes:
        assert _problems(exercise, _altered_answers(exercise, mistake)) == [], mistake.id


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_two_mistakes_by_turns_are_named_rightly_or_advised(exercise):
    answers = (
        (f"{one.id}, then {two.id}", _switch_mistakes(one.wrong, two.wrong, exercise.task))
        for one, two in itertools.permutations(exercise.mistakes, 2)
        if one.id != CHANGES_ITS_INPUT
    )
    assert _problems(exercise, answers) == []


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_two_mistakes_at_once_are_named_rightly_or_advised(exercise):
    answers = (
        (f"{one.id} and {two.id}", _add_errors(one.wrong, two.wrong, exercise.task.reference))
        for one, two in itertools.combinations(exercise.mistakes, 2)
    )
    assert _problems(exercise, answers) == []


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_any_two_mistakes_and_the_right_answer_differ_on_some_probe(exercise):
    task = exercise.task
    ways = [("right", task.reference)]
    ways += [(m.id, f) for m in exercise.mistakes for f in m.implementations]
    alike = [
        f"{one} and {two}"
        for (one, f), (two, g) in itertools.combinations(ways, 2)
        if one != two and _explains(f, g, task, task.probes)
    ]
    assert [pair for pair in alike if CHANGES_ITS_INPUT not in pair] == []
