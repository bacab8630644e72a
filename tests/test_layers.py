"""Who may import whom: book → attn → exercises → core ← widgets, and nn apart from core."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from web.chapters import contents
from web.chapters.cell_rules import without_magics
from web.chapters.source import code_cells

ROOT = Path(__file__).parents[1]
STDLIB = set(sys.stdlib_module_names)


def imported(source, package):
    """Every module that a source text imports, at any depth, as absolute dotted names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join(parts) if node.level else ""
            module = ".".join(p for p in (base, node.module) if p)
            yield module
            yield from (f"{module}.{a.name}" for a in node.names if is_module(f"{module}.{a.name}"))


def is_module(name):
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def imports_of(folder):
    """(file, module) for each import under attn/<folder>."""
    for path in sorted((ROOT / "attn" / folder).rglob("*.py")):
        package = ".".join(path.relative_to(ROOT).parent.parts)
        for module in imported(path.read_text(encoding="utf-8"), package):
            yield path.relative_to(ROOT).as_posix(), module


def inside(module, *packages):
    return any(module == p or module.startswith(p + ".") for p in packages)


def strangers(folder, *allowed, public_root=False):
    """Imports under a folder that are neither standard library nor allowed."""
    return [
        (file, module)
        for file, module in imports_of(folder)
        if module.split(".")[0] not in STDLIB
        and not inside(module, *allowed)
        and not (public_root and module == "attn")
    ]


def is_public(module):
    """attn, or a part of it by name; the core's names are had from attn itself."""
    return (module.count(".") < 2 and module != "attn.core") or module == "attn.nn.experiments"


def test_core_knows_numpy_and_itself_only():
    assert strangers("core", "attn.core", "numpy") == []


def test_nn_knows_torch_and_not_the_core():
    assert strangers("nn", "attn.nn", "attn.data", "torch", "numpy", "tqdm") == []


def test_exercises_know_the_core_and_public_names_only():
    assert strangers("exercises", "attn.exercises", "attn.core", "numpy", public_root=True) == []


def test_widgets_never_import_nn_nor_torch():
    found = [m for _, m in imports_of("widgets")]
    assert not [m for m in found if inside(m, "attn.nn", "torch", "attn.exercises")]


def test_the_public_module_takes_its_names_from_the_core_alone():
    source = (ROOT / "attn" / "__init__.py").read_text(encoding="utf-8")
    assert [m for m in imported(source, "attn") if not inside(m, "attn.core")] == []


@pytest.mark.parametrize("path", contents.pages(), ids=lambda p: p.name)
def test_a_chapter_imports_public_names_only(path):
    cells = map(without_magics, code_cells(path.read_text(encoding="utf-8")))
    found = {module for cell in cells for module in imported(cell, "")}
    assert [m for m in found if inside(m, "attn") and not is_public(m)] == []


@pytest.mark.parametrize("start", ["attn", "attn.exercises"])
def test_importing_needs_numpy_only(start):
    heavy = ["torch", "matplotlib", "ipywidgets", "anywidget"]
    script = f"import sys, {start}; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert run.stdout.strip() == "[]"


def test_the_reader_of_imports_sees_every_form():
    source = (
        "import attn.nn\ndef f():\n    from attn import core\n    from .softmax import softmax\n"
    )
    expected = {"attn.nn", "attn", "attn.core", "attn.core.softmax"}
    assert set(imported(source, "attn.core")) == expected
