"""What the course asks: exercises, the mistakes each one knows, and where to find them."""

import difflib
import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from attn.exercises.examination import Task, examine
from attn.exercises.verdict import Verdict


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that people really give: `wrong` computes it, `says` explains it."""

    id: str
    says: str
    wrong: Callable = field(repr=False)


@dataclass(frozen=True)
class Exercise:
    """One exercise; its prose, starter and solution are in the chapter."""

    id: str
    title: str
    chapter: int
    difficulty: int
    minutes: int
    hints: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    needs: tuple[str, ...] = ()
    section: str | None = None
    task: Task = field(kw_only=True, repr=False)

    def __post_init__(self):
        if not re.fullmatch(rf"{self.chapter:02d}-[a-z0-9]+(-[a-z0-9]+)*", self.id):
            raise ValueError(
                f"an exercise's id is its two-digit chapter, a dash and a name: "
                f"chapter {self.chapter} has {self.id!r}"
            )
        if self.difficulty not in (1, 2, 3):
            raise ValueError(f"difficulty is 1, 2 or 3: {self.id} has {self.difficulty}")
        if not 2 <= len(self.hints) <= 3:
            raise ValueError(f"an exercise has 2 or 3 hints: {self.id} has {len(self.hints)}")
        names = [mistake.id for mistake in self.mistakes]
        if not names or len(set(names)) < len(names):
            raise ValueError(
                f"an exercise knows distinct mistakes, at least one: {self.id}, {names}"
            )


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
    return examine(find(exercise_id), answer)


@cache
def _exercises() -> dict[str, Exercise]:
    """Exercises by id, from every module of this package named after a chapter."""
    found = {}
    modules = sorted(m.name for m in pkgutil.iter_modules(sys.modules[__package__].__path__))
    for name in filter(re.compile(r"ch\d\d").fullmatch, modules):
        for exercise in importlib.import_module(f"{__package__}.{name}").EXERCISES:
            if exercise.id in found:
                raise ValueError(f"two exercises have the id {exercise.id!r}")
            found[exercise.id] = exercise
    return found
