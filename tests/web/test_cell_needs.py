"""Which cells a page cannot run, and why."""

import pytest

from web.chapters.cell_needs import MODULES, cell_needs
from web.paths import TOP


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


def test_of_the_course_s_own_package_every_part_is_sorted_in():
    """A new part of the package is in the page or not: someone decides."""
    parts = {p.stem for p in (TOP / "attn").iterdir() if p.suffix in ("", ".py")}
    known = {name.removeprefix("attn.") for name in MODULES if name.startswith("attn.")}
    in_every_page = {"__init__", "core", "exercises"}
    assert parts - {"__pycache__"} == known | in_every_page
