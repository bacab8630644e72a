"""CONTRIBUTING says which files a new part touches: each part that exists has those files."""

import re
from pathlib import Path

import contents
import pytest

from attn import nn, widgets
from attn.exercises import catalog

TOP = Path(__file__).resolve().parents[2]
TEXT = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
TWINS = [getattr(nn, name) for name in nn.__all__]
FIGURES = [getattr(widgets, name) for name in widgets.__all__ if name != "KitSampler"]


def named(part):
    """The files that the list of one part names, as written."""
    lines = re.search(rf"\*\*Add an? {part}\.\*\*[\s\S]*?\n\n((?:- .*\n)+)", TEXT)[1]
    names = re.findall(r"`([\w./]+(?:NN|name)?[\w./-]*)`", lines)
    return [name for name in names if "/" in name or name.startswith("_")]


def missing(part, *, name, number="01"):
    """The files of a part that is there, of those that the list names for it."""
    patterns = [file.replace("NN-name", f"{number}-*") for file in named(part)]
    patterns = [pattern.replace("NN", number).replace("name", name) for pattern in patterns]
    return [pattern for pattern in patterns if not list(TOP.glob(pattern))]


@pytest.mark.parametrize("path", contents.chapters(), ids=lambda path: path.stem)
def test_a_chapter_has_the_files_that_are_listed(path):
    assert "book/NN-name.md" in named("chapter")
    assert missing("chapter", name=path.stem[3:], number=contents.number(path.stem)) == []


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.__name__)
def test_a_figure_has_the_files_that_are_listed(figure):
    assert "attn/widgets/js/name.css" in named("figure")
    assert missing("figure", name=figure.__module__.rpartition(".")[2]) == []


@pytest.mark.parametrize("exercise", list(catalog()), ids=lambda exercise: exercise.id)
def test_an_exercise_has_the_files_that_are_listed(exercise):
    assert "attn/exercises/chNN/name.py" in named("exercise")
    number, _, name = exercise.id.partition("-")
    assert missing("exercise", name=name.replace("-", "_"), number=number) == []


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.__name__)
def test_a_twin_has_the_files_that_are_listed(twin):
    assert "attn/nn/name.py" in named("torch twin")
    assert missing("torch twin", name=twin.__module__.rpartition(".")[2]) == []


def test_every_other_path_that_is_named_exists():
    paths = re.findall(r"`((?:attn|web|book|tests|benchmarks)/[\w./-]*)`", TEXT)
    assert len(paths) > 20
    assert [p for p in paths if not re.search(r"NN|name", p) and not (TOP / p).exists()] == []
