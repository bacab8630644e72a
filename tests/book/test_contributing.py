"""CONTRIBUTING says which files a new part touches: each part has those files, and no others."""

import re
from pathlib import Path

import pytest

from attn import nn, widgets
from attn.exercises import catalog
from attn.nn import experiments
from web.chapters import contents

TOP = Path(__file__).resolve().parents[2]
TEXT = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
LISTS = dict(re.findall(r"\*\*Add an? ([\w ]+)\.\*\*[\s\S]*?\n\n((?:- .*\n)+)", TEXT))
EXPERIMENTS = sorted(set(experiments.MODULES.values()))
TWINS = sorted({getattr(nn, name).__module__.rpartition(".")[2] for name in nn.__all__})
FIGURES = sorted({getattr(widgets, n).__module__.rpartition(".")[2] for n in widgets.__all__})
NUMBERED = re.compile(r"(?:^|/)(?:ch|test_)?\d\d[-_/]")


def named(part):
    """The files and folders that the list of one part names, as written."""
    names = re.findall(r"`([\w./-]+)`", LISTS[part])
    return [name for name in names if "/" in name or re.search(r"\.(yml|md)$", name)]


def missing(part, *, name, number="01"):
    """What a part that is there lacks, of the files that the list names for it."""
    patterns = [file.replace("NN-name", f"{number}-*") for file in named(part)]
    patterns = [pattern.replace("NN", number).replace("name", name) for pattern in patterns]
    return [pattern for pattern in patterns if not list(TOP.glob(pattern))]


def is_of_a_part(file):
    """Whether a file carries the number of a chapter, or the name of a part."""
    name = Path(file).name.split(".")[0].removeprefix("test_")
    names = {name, Path(file).parent.name}
    return bool(NUMBERED.search(file)) or not names.isdisjoint({*FIGURES, *EXPERIMENTS, *TWINS})


@pytest.mark.parametrize("path", contents.chapters(), ids=lambda path: path.stem)
def test_a_chapter_has_the_files_that_are_listed(path):
    assert missing("chapter", name=path.stem[3:], number=contents.number(path.stem)) == []


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "kit_sampler"])
def test_a_figure_has_the_files_that_are_listed(name):
    assert missing("figure", name=name) == []


@pytest.mark.parametrize("exercise", list(catalog()), ids=lambda exercise: exercise.id)
def test_an_exercise_has_the_files_that_are_listed(exercise):
    number, _, name = exercise.id.partition("-")
    assert missing("exercise", name=name.replace("-", "_"), number=number) == []


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_has_the_files_that_are_listed(name):
    assert missing("experiment", name=name) == []


@pytest.mark.parametrize("name", TWINS)
def test_a_twin_has_the_files_that_are_listed(name):
    assert missing("torch twin", name=name) == []


def test_a_file_of_a_part_is_listed():
    """A function of the core is no such part: its module and its test bear the names of twins."""
    found = [path for top in ("attn", "book", "tests") for path in (TOP / top).rglob("*.*")]
    files = [path.relative_to(TOP).as_posix() for path in found if "__pycache__" not in path.parts]
    ours = [file for file in files if is_of_a_part(file) and "core/" not in file]
    assert len(ours) > 200
    listed = [re.escape(name) for part in LISTS for name in named(part)]
    listed = [name.replace("NN", r"\d\d").replace("name", r"[\w-]+") for name in listed]
    listed += [name.removesuffix("py") + "mjs" for name in listed]  # what a test runs in its page
    known = re.compile("|".join(f"{name}(?:/.*)?" for name in listed))
    assert [file for file in ours if not known.fullmatch(file)] == []


def test_every_other_path_that_is_named_exists():
    paths = re.findall(r"`((?:attn|web|book|tests|benchmarks)/[\w./-]*)`", TEXT)
    assert len(paths) > 20
    assert [p for p in paths if not re.search(r"NN|name", p) and not (TOP / p).exists()] == []
