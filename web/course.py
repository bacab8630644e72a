"""What the site must know of the course that it shows.

``course.py`` at the top of the project fills it in, as its ``COURSE``. Nothing else of the course
is known here: `web` imports no part of the course's package.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol


class Task(Protocol):
    """What an exercise asks for; ``name`` is what the reader defines."""

    @property
    def name(self) -> str: ...


class Exercise(Protocol):
    """What pages, notebooks and the reader of chapters need of an exercise."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def difficulty(self) -> int: ...
    @property
    def minutes(self) -> int: ...
    @property
    def hints(self) -> tuple[str, ...]: ...
    @property
    def needs(self) -> tuple[str, ...]: ...
    @property
    def section(self) -> str | None: ...
    @property
    def task(self) -> Task: ...


@dataclass(frozen=True)
class Figures:
    """The live figures: a folder each below ``folder``, a class each in ``names``."""

    folder: Path
    names: Callable[[], list[str]]
    create: Callable[[str], Any]
    modules: Callable[[str], list[str]]  # that this module imports, itself last


@dataclass(frozen=True)
class RealModel:
    """A model that pages run: its code, its numbers, and the figure that shows a sentence."""

    code: tuple[Path, ...]  # folders
    made_from: Callable[[], list[bytes] | None]  # what decides its numbers; None without weights
    numbers: Callable[[], Mapping[str, bytes]]
    longest: Callable[[], int]  # tokens in a sentence
    figure: str
    figure_state: Callable[[], dict[str, Any]]


@dataclass(frozen=True)
class Packages:
    """Which parts of the package a page's Python has, by the first part of a path in it."""

    for_exercises: frozenset[str]
    for_no_page: frozenset[str]
    commands: tuple[str, ...]  # run in a terminal
    missing: Mapping[str, str]  # what a page lacks for a module


@dataclass(frozen=True)
class Course:
    """All that `web` asks of a course. What takes time to import is asked for by a call."""

    package: Path
    exercises: Callable[[], Iterable[Exercise]]
    verdict_headings: Callable[[], Mapping[str, str]]
    role_letters: Callable[[], Mapping[str, str]]  # "query" -> "q", for the class of its colour
    palette: Callable[[], str]  # as a style sheet
    figures: Figures
    real_model: RealModel
    packages: Packages


@cache
def course() -> Course:
    """The course of this project."""
    return importlib.import_module("course").COURSE


def exercises_by_id() -> dict[str, Exercise]:
    return {exercise.id: exercise for exercise in course().exercises()}
