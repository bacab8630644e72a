"""Which cells a page cannot run, and why."""

import pytest

from web.cells.cell_needs import cell_needs
from web.chapters import contents
from web.chapters.source import Cell, read_blocks


@pytest.mark.parametrize(
    ("cells", "needs"),
    [
        (["import torch"], [["torch"]]),
        (["from torch.nn import functional as F"], [["torch"]]),
        (["from attn.nn.experiments import order"], [["torch"]]),
        (["from attn import nn"], [["torch"]]),
        (["import attn.minilm"], [["minilm"]]),
        (["import sklearn"], [["sklearn"]]),
        (["import numpy as np\nimport math\nfrom attn import softmax"], [[]]),
        (["def later():\n    import torch"], [["torch"]]),
    ],
)
def test_an_import_that_a_page_lacks_is_a_need(cells, needs):
    assert cell_needs(cells) == needs


@pytest.mark.parametrize(
    ("below", "needs"),
    [
        ("y = x + 1", ["torch"]),
        ("x = x + 1", ["torch"]),
        ("def f():\n    return x", ["torch"]),
        ("[x for _ in range(2)]", ["torch"]),
        ("x += 1", ["torch"]),
        ("for i in range(2):\n    x = i\n    print(x)", []),
        ("for x in range(2):\n    print(x)", []),
        ("for i in x:\n    print(i)", ["torch"]),
        ("for i in range(2):\n    print(x)\n    x = i", ["torch"]),
        ("with open(x) as f:\n    pass", ["torch"]),
        ("with open('a') as x:\n    print(x)", []),
        ("x = 1\ny = x", []),
        ("def f(x):\n    return x", []),
        ("[x for x in range(2)]", []),
        ("print('x')", []),
    ],
)
def test_whoever_uses_a_name_needs_what_its_cell_needs(below, needs):
    assert cell_needs(["import torch\nx = torch.ones(1)", below])[1] == needs


def test_needs_travel_over_several_cells_and_end_where_the_name_is_bound_anew():
    cells = ["import torch\nx = 1", "y = x", "z = y", "y = 2", "y + 1", "z"]
    assert cell_needs(cells) == [["torch"], ["torch"], ["torch"], [], [], ["torch"]]


@pytest.mark.parametrize("chapter", contents.chapters(), ids=lambda path: path.stem)
def test_only_torch_keeps_a_cell_of_the_book_from_running_in_the_page(chapter):
    blocks = read_blocks(chapter.read_text(encoding="utf-8"))
    plain = [
        b for b in blocks if isinstance(b, Cell) and not {"exercise", "solution"} & set(b.tags)
    ]
    needs = cell_needs([cell.source for cell in plain])
    assert {need for one in needs for need in one} <= {"torch", "minilm"}
