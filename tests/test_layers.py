"""Who may import whom: book → attn → exercises → core ← widgets, and nn apart from core."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from web.builder.paths import TOP
from web.builder.python_imports import imports
from web.chapters import contents
from web.chapters.cell_rules import without_magics
from web.chapters.source import code_cells


def modules_of(source):
    """The modules that a source text imports, those named after ``from … import`` included."""
    for module, name in imports(ast.parse(source)):
        yield module
        path = TOP.joinpath(*module.split("."), name or "")
        if path.is_dir() or path.with_suffix(".py").is_file():
            yield f"{module}.{name}" if name else module


def is_public(module):
    """attn, or a part of it by name; the core's names are had from attn itself."""
    return (module.count(".") < 2 and module != "attn.core") or module == "attn.nn.experiments"


def test_the_packages_import_each_other_as_the_contracts_in_pyproject_say():
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", contents.pages(), ids=lambda p: p.name)
def test_a_chapter_imports_public_names_only(path):
    cells = map(without_magics, code_cells(path.read_text(encoding="utf-8")))
    found = {module for cell in cells for module in modules_of(cell)}
    assert [m for m in found if m.split(".")[0] == "attn" and not is_public(m)] == []


@pytest.mark.parametrize("start", ["attn", "attn.exercises"])
def test_importing_needs_numpy_only(start):
    heavy = ["torch", "matplotlib", "ipywidgets", "anywidget"]
    script = f"import sys, {start}; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=TOP
    )
    assert run.stdout.strip() == "[]"
