"""Every exercise of the course, and the check of an answer.

The exercise 05-split-heads is the module ch05/split_heads; ch05 lists its exercises in teaching
order. A module is loaded when its exercise is asked for: a page waits for one, not for all.
"""

import difflib
import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib import import_module

from attn.exercises.checking import Exercise, Verdict, grade


def catalog() -> Iterator[Exercise]:
    """Every exercise of the course, by chapter, each chapter in its teaching order."""
    yield from map(find, _ids())


def find(exercise_id: str) -> Exercise:
    """The exercise with this id; a KeyError lists the ids nearest to an unknown one."""
    chapter, _, name = str(exercise_id).partition("-")
    if chapter in _chapters() and exercise_id in _ids_of(chapter):
        return import_module(f"{__package__}.ch{chapter}.{name.replace('-', '_')}").EXERCISE
    ids = list(_ids())
    near = difflib.get_close_matches(str(exercise_id), ids, n=3, cutoff=0.4)
    raise KeyError(
        f"no exercise has the id {exercise_id!r}; "
        + (f"near ids: {', '.join(near)}" if near else f"ids: {', '.join(ids)}")
    )


def check(exercise_id: str, answer: object) -> Verdict:
    """Judge an answer to an exercise, and name its mistake if it makes a known one.

    Examples
    --------
    >>> check("01-softmax", ...).passed is None
    True
    """
    return grade(find(exercise_id), answer)


def _ids() -> Iterator[str]:
    for chapter in _chapters():
        yield from _ids_of(chapter)


def _ids_of(chapter: str) -> list[str]:
    return [f"{chapter}-{n}" for n in import_module(f"{__package__}.ch{chapter}").EXERCISES]


def _chapters() -> list[str]:
    """The two digits of every folder here that is named after a chapter: ch01, ch02, …"""
    folders = (module.name for module in pkgutil.iter_modules(sys.modules[__package__].__path__))
    return sorted(folder[2:] for folder in folders if re.fullmatch(r"ch\d\d", folder))
