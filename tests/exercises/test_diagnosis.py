"""A mistake is named only if it does what the answer does, on every probe.

Recorded mistakes are turned into others: scaled, negated, transposed, crossed with a second one.
What comes out is either a recorded mistake all the same, or gets plain advice.
"""

import itertools

import numpy as np
import pytest

from attn.exercises import catalog
from attn.exercises.checking import CHANGES_ITS_INPUT, Outcome, grade
from attn.exercises.checking.probe import run_probe

EXERCISES = list(catalog())


def _each(result, change):
    """Change every array of a result, also within a tuple or a list of arrays."""
    if isinstance(result, tuple | list) and not np.isscalar(result[0]):
        return type(result)(_each(part, change) for part in result)
    return change(np.asarray(result, dtype=float))


def _bent(wrong, change):
    return lambda *args, **kwargs: _each(wrong(*args, **kwargs), change)


def _turned(array):
    return array.T if array.ndim == 2 and array.shape[0] == array.shape[1] else array


def _opposite(wrong):
    return lambda *args, **kwargs: not wrong(*args, **kwargs)


def _variants_of_one(exercise, mistake):
    """(how, answer) for every change of one mistake."""
    if exercise.task.read.__name__ == "truth":
        return [("not", _opposite(mistake.wrong))]
    changes = {
        "× 2": lambda a: 2 * a,
        "× 0.5": lambda a: 0.5 * a,
        "negated": lambda a: -a,
        "+ 1": lambda a: a + 1,
        "transposed": _turned,
    }
    return [(how, _bent(mistake.wrong, change)) for how, change in changes.items()]


def _both(one, two, reference):
    """Two errors at once: what each adds to the right result, added up."""

    def answer(*args, **kwargs):
        a, b, right = (np.asarray(f(*args, **kwargs)) for f in (one, two, reference))
        if a.shape != right.shape or b.shape != right.shape:
            return a
        return a + b - right if right.dtype != bool else a & b

    return answer


def _by_turns(one, two, task):
    """One mistake on the first probe that shows it, the other everywhere else."""
    shown = next(p for p in task.probes if _differs(one, task, p))
    first = [np.asarray(v) for v in shown.arguments.values()]

    def answer(*args, **kwargs):
        given = [np.asarray(v) for v in (*args, *kwargs.values())]
        here = len(given) == len(first) and all(map(np.array_equal, given, first))
        return (one if here else two)(*args, **kwargs)

    return answer


def _differs(function, task, probe):
    return not _agree(
        run_probe(function, probe, task.read), run_probe(task.reference, probe, task.read), task
    )


def _agree(one: Outcome, two: Outcome, task):
    """The rule, written once more: equal values, the same type of exception, the same refusal."""
    if one.kind != two.kind:
        return False
    if one.kind == "returned":
        if one.value.shape != two.value.shape:
            return False
        relative, absolute = task.tolerance
        one, two = (o.value.astype(float) for o in (one, two))
        return np.allclose(one, two, rtol=relative, atol=absolute, equal_nan=True)
    return one.problem.split(":")[0] == two.problem.split(":")[0]


def _explains(way, answer, task):
    pairs = [(run_probe(way, p, task.read), run_probe(answer, p, task.read)) for p in task.probes]
    return all(_agree(one, two, task) for one, two in pairs)


def _told_wrongly(exercise, how, answer):
    """A line about a verdict that names what does not explain the answer, else None."""
    verdict, task = grade(exercise, answer), exercise.task
    if verdict.passed:
        return None if _explains(task.reference, answer, task) else f"{how}: passes"
    if verdict.mistake is None or verdict.mistake == CHANGES_ITS_INPUT:
        return _advised_wrongly(verdict, how, answer, task)
    (mistake,) = [m for m in exercise.mistakes if m.id == verdict.mistake]
    if not verdict.message.startswith(mistake.says):
        return f"{how}: {mistake.id} is named, something else is said"
    if any(_explains(way, answer, task) for way in mistake.implementations):
        return None
    return f"{how}: told that it {mistake.id}"


def _advised_wrongly(verdict, how, answer, task):
    if verdict.mistake == CHANGES_ITS_INPUT:
        changes = any(run_probe(answer, p, task.read).changed_input for p in task.probes)
        return None if changes else f"{how}: changes no input"
    next_steps = ["read the traceback", *(p.advice for p in task.probes)]
    advised = any(step in verdict.message for step in next_steps)
    return None if advised else f"{how}: no advice in {verdict.message!r}"


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_a_changed_mistake_is_named_rightly_or_advised(exercise):
    said = [
        _told_wrongly(exercise, f"{mistake.id}, {how}", answer)
        for mistake in exercise.mistakes
        for how, answer in _variants_of_one(exercise, mistake)
    ]
    assert [line for line in said if line] == []


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_two_mistakes_at_once_are_named_rightly_or_advised(exercise):
    task, said = exercise.task, []
    for one, two in itertools.permutations(exercise.mistakes, 2):
        pair = f"{one.id} and {two.id}"
        if one.id != CHANGES_ITS_INPUT:
            turns = _by_turns(one.wrong, two.wrong, task)
            said.append(_told_wrongly(exercise, f"{pair} by turns", turns))
        both = _both(one.wrong, two.wrong, task.reference)
        said.append(_told_wrongly(exercise, f"{pair} at once", both))
    assert [line for line in said if line] == []
