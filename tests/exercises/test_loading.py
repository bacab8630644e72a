"""A check loads the exercise it is asked for, and the course lists every exercise there is."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import attn.exercises
from attn.exercises import Exercise
from attn.exercises.catalog import find

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


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_chapter_lists_each_of_its_exercises_once(folder):
    package = f"attn.exercises.{folder.name}"
    modules = [import_module(f"{package}.{path.stem}") for path in folder.glob("[a-z]*.py")]
    ids = [module.EXERCISE.id for module in modules if hasattr(module, "EXERCISE")]
    listed = import_module(package).EXERCISES
    assert sorted(f"{folder.name[2:]}-{name}" for name in listed) == sorted(ids)


def test_an_exercise_has_its_id_and_its_chapter_from_its_place():
    exercise = find("05-split-heads")
    assert (exercise.id, exercise.chapter) == ("05-split-heads", 5)


def test_an_exercise_outside_a_chapter_is_refused():
    with pytest.raises(ValueError, match=r"chNN\.its_name: attn\.exercises\.lost"):
        Exercise.of("attn.exercises.lost")
