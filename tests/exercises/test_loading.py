"""A check loads the exercise it is asked for, and the course lists every exercise there is."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import attn.exercises
from attn.exercises import catalog

TOP = Path(__file__).resolve().parents[2]
FOLDERS = sorted(Path(attn.exercises.__file__).parent.glob("ch[0-9][0-9]"))
LIST_LOADED = "import sys; print(*(m for m in sys.modules if m.startswith('attn.exercises.ch0')))"


def _loaded_after(statement):
    """The modules of chapters that a fresh Python has loaded after a statement."""
    script = f"from attn.exercises import catalog, check; {statement}; {LIST_LOADED}"
    command = [sys.executable, "-c", script]
    process = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True)
    return process.stdout.split()


def test_a_check_loads_no_other_exercise():
    assert _loaded_after("check('05-split-heads', ...)") == [
        "attn.exercises.ch05",
        "attn.exercises.ch05.split_heads",
    ]


def test_the_import_of_check_loads_no_exercise():
    assert _loaded_after("check") == []


def test_no_two_exercises_have_the_same_id():
    ids = [exercise.id for exercise in catalog()]
    assert sorted(set(ids)) == sorted(ids)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_chapter_lists_each_of_its_exercises_by_the_name_of_its_module(folder):
    package = f"attn.exercises.{folder.name}"
    modules = [import_module(f"{package}.{path.stem}") for path in folder.glob("[a-z]*.py")]
    names = {m.EXERCISE.id: m.__name__ for m in modules if hasattr(m, "EXERCISE")}
    assert sorted(import_module(package).IDS) == sorted(names)
    for exercise_id, name in names.items():
        assert name == f"{package}.{exercise_id[3:].replace('-', '_')}"
