"""What the course computes holds on older processors too: each is tried in a process of its own."""

import ast
import json
import re
from pathlib import Path

import pytest
from book.chapter_text import BOOK
from processors.instruction_sets import older, run_python

from web.chapters.source import code_cells

RUN_CELLS = str(Path(__file__).with_name("run_cells.py"))
COMPUTING = (
    "tests/core",
    "tests/minilm",
    "tests/nn",
    *sorted(f"tests/book/{p.name}" for p in BOOK.parent.glob("tests/book/test_*_numbers.py")),
)
NUMBER = re.compile(r"(\d+\.?\d*(?:e[-+]?\d+)?)")
TINY = 1e-9  # what is left of a sum of ordinary numbers that should be 0
LIVE = 0.15  # by the processor, chapter 9's GRU is at 0.91 to 1.00 after 200 steps
pytestmark = pytest.mark.matrix
on_older_processors = pytest.mark.parametrize("capability", older())


def rest_on_training(sources):
    """For each cell, whether it trains or uses a name that a cell which does has bound."""
    bound, answers = set(), []
    for source in sources:
        nodes = list(ast.walk(ast.parse(source)))
        names = [node for node in nodes if isinstance(node, ast.Name)]
        stored = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        loaded = {name.id for name in names} - stored
        steps = any(isinstance(node, ast.Attribute) and node.attr == "backward" for node in nodes)
        trains = steps or any(name in bound or name.startswith("train_") for name in loaded)
        bound = bound | stored if trains else bound - stored
        answers.append(trains)
    return answers


def same_text(one, other, slack=0.0):
    """Whether two texts differ in nothing but rounding errors, and in numbers by up to `slack`."""
    parts, others = NUMBER.split(one), NUMBER.split(other)
    if parts[::2] != others[::2]:
        return False
    pairs = zip(parts[1::2], others[1::2], strict=True)
    return all(a == b or _same_number(float(a), float(b), slack) for a, b in pairs)


def _same_number(a, b, slack):
    return max(a, b) < TINY or abs(a - b) <= slack


@pytest.fixture(scope="module")
def pages():
    """The source of each page's cells."""
    cells = {path.stem: code_cells(path.read_text(encoding="utf-8")) for path in BOOK.glob("*.md")}
    return {name: sources for name, sources in sorted(cells.items()) if sources}


def texts(pages, capability=None):
    finished = run_python(RUN_CELLS, capability=capability, input=json.dumps(pages))
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


@pytest.fixture(scope="module")
def native(pages):
    """What each cell prints on this processor."""
    return texts(pages)


@pytest.mark.xdist_group("cells on older processors")  # one run on this one serves them all
@on_older_processors
def test_cells_print_the_same(capability, pages, native):
    there = texts(pages, capability)
    differing = [
        f"{name}, on this processor:\n{here}\nwith {capability}:\n{text}"
        for name, sources in pages.items()
        for trains, here, text in zip(
            rest_on_training(sources), native[name], there[name], strict=True
        )
        if not same_text(here, text, LIVE if trains else 0.0)
    ]
    assert not differing, "\n".join(differing)


@on_older_processors
def test_what_computes_and_trains_passes(capability):
    options = ["-q", "-p", "no:cacheprovider", "-m", "not matrix"]
    finished = run_python("-m", "pytest", *options, *COMPUTING, capability=capability)
    assert finished.returncode == 0, f"with {capability}:\n{finished.stdout}"


@on_older_processors
def test_both_libraries_use_the_older_instructions(capability):
    program = (
        "import numpy, torch\n"
        "print(torch.backends.cpu.get_cpu_capability())\n"
        "print(*numpy.show_config(mode='dicts')['SIMD Extensions'].get('found', []))\n"
    )
    torch_s, numpy_s = run_python("-c", program, capability=capability).stdout.splitlines()
    assert torch_s == capability
    assert numpy_s == {"DEFAULT": "", "AVX2": "X86_V3"}[capability]
