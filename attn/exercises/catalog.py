"""Every exercise of the course, found by its chapter's folder, and the check of an answer."""

import difflib
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import cache

from attn.exercises.checking import Exercise, Verdict, grade


def catalog() -> Iterator[Exercise]:
    """Every exercise of the course, by chapter, each chapter in its teaching order."""
    yield from _exercises().values()


def find(exercise_id: str) -> Exercise:
    """The exercise with this id; a KeyError lists the ids nearest to an unknown one."""
    known = _exercises()
    if exercise_id in known:
        return known[exercise_id]
    near = difflib.get_close_matches(str(exercise_id), known, n=3, cutoff=0.4)
    raise KeyError(
        f"no exercise has the id {exercise_id!r}; "
        + (f"near ids: {', '.join(near)}" if near else f"ids: {', '.join(known)}")
    )


def check(exercise_id: str, answer: object) -> Verdict:
    """Judge an answer to an exercise, and name its mistake if it makes a known one.

    Examples
    --------
    >>> check("01-softmax", ...).passed is None
    True
    """
    return grade(find(exercise_id), answer)


@cache
def _exercises() -> dict[str, Exercise]:
    """Exercises by id, from every folder here that is named after a chapter: ch01, ch02, …"""
    found = {}
    folders = sorted(m.name for m in pkgutil.iter_modules(sys.modules[__package__].__path__))
    for name in filter(re.compile(r"ch\d\d").fullmatch, folders):
        for exercise in importlib.import_module(f"{__package__}.{name}").EXERCISES:
            if exercise.id in found:
                raise ValueError(f"two exercises have the id {exercise.id!r}")
            found[exercise.id] = exercise
    return found
