"""Cells run as a page runs them, in plain Python: which run, what they see of each other, send."""

import itertools
import json

import numpy as np
import pytest
from page_tasks import cell

SESSIONS = itertools.count()


@pytest.fixture(autouse=True)
def _printing():
    """Cells may change how arrays are printed, for the whole process."""
    with np.printoptions():
        yield


class Page:
    """The code of some cells, in a session of their own, and what came of the last run."""

    def __init__(self, *codes):
        self.codes, self.session = list(codes), f"test {next(SESSIONS)}"

    def run(self, place):
        """Run the cell at a place; what it shows."""
        cells = [{"code": code, "name": f"cell {n}"} for n, code in enumerate(self.codes)]
        task = {"cells": cells[: place + 1], "session": self.session}
        self.sent = []
        self.packages = cell.packages(task)
        self.state = json.loads(cell.run(task, lambda *one: self.sent.append(one)))["state"]
        self.ran = [content for kind, content in self.sent if kind == "begin"]
        own = self.sent[self.sent.index(("begin", self.ran[-1])) + 1 :]
        return "".join(content for _, content in own).strip()


def test_a_cell_runs_after_those_above_it():
    page = Page("x = 3", "x += 1", "x")
    assert page.run(2) == "4"
    assert page.ran == [0, 1, 2]


def test_what_ran_is_not_run_again():
    page = Page("x = 3", "x + 1")
    page.run(1)
    assert page.run(1) == "4"
    assert page.ran == [1]


def test_after_an_edit_the_edited_cell_and_all_below_it_run():
    page = Page("x = 1", "y = 2", "z = 3", "x, y, z")
    page.run(3)
    page.codes[1] = "y = 20"
    assert page.run(3) == "(1, 20, 3)"
    assert page.ran == [1, 2, 3]


def test_a_run_of_the_edited_cell_leaves_those_below_it_to_run():
    page = Page("x = 1", "y = x", "y")
    page.run(2)
    page.codes[0] = "x = 5"
    page.run(0)
    assert page.run(2) == "5"
    assert page.ran == [1, 2]


def test_an_edit_that_is_taken_back_before_a_run_leaves_nothing_to_do():
    page = Page("x = 1", "y = x", "y")
    page.run(2)
    page.codes[0] = "x = 5"
    page.codes[0] = "x = 1"
    assert page.run(2) == "1"
    assert page.ran == [2]


def test_an_edit_that_is_taken_back_after_a_run_runs_again_but_nothing_below_it():
    page = Page("x = 1", "y = x", "y")
    page.run(2)
    page.codes[0] = "x = 5"
    page.run(0)
    page.codes[0] = "x = 1"
    assert page.run(2) == "1"
    assert page.ran == [0, 2]


def test_a_cell_above_does_not_see_what_one_below_it_defined():
    page = Page("x = 3", "x + 1", "x = 10", "x + 1")
    page.run(3)
    assert page.run(1) == "4"
    assert page.run(3) == "11"
    assert page.ran == [3]


CHANGES = {
    "a name": ("x = 3", "x += 1", "x"),
    "an array": ("import numpy as np\nx = np.zeros(2)", "x += 1", "x"),
    "a view of an array": (
        "import numpy as np\nx = np.zeros((2, 2))\nrow = x[::-1, 0]",
        "row += 1",
        "x, row",
    ),
    "an array of lists": (
        "import numpy as np\nx = np.array([[None, [1]]], object)\ny = x.squeeze()",
        "y[1].append(1)\ny[0] = 5",
        "x, y",
    ),
    "a part of an array of lists": (
        "import numpy as np\nx = np.array([None, [1], [2]], object)[:0:-1]",
        "x[0].append(1)",
        "x",
    ),
    "a list": ("x = [0]", "x.append(1)", "x"),
    "a list that two names share": ("x = []\ny = {'x': x}", "y['x'].append(1)", "x, y"),
    "a method of a list": ("x = []\nadd = x.append", "add(1)", "x"),
    "a set": ("x = {0}", "x.add(len(x))", "x"),
    "a random generator": (
        "import numpy as np\nrng = np.random.default_rng(0)",
        "drawn = rng.random()",
        "drawn, rng.random()",
    ),
    "a module's generator": (
        "import numpy as np\nnp.random.seed(0)",
        "drawn = np.random.rand()",
        "drawn, np.random.rand()",
    ),
    "how arrays are printed": (
        "import numpy as np",
        "np.set_printoptions(precision=np.get_printoptions()['precision'] // 2)",
        "np.array([1 / 3])",
    ),
    "an instance": (
        "from types import SimpleNamespace\nx = SimpleNamespace(y=[])",
        "x.y.append(1)",
        "x.y",
    ),
    "an instance of the reader's class": (
        "class Box:\n    held = []\nx = Box()",
        "x.held.append(1)",
        "x.held",
    ),
    "a generator": ("x = (n for n in range(9))", "first = next(x)", "first, next(x)"),
    "what a function holds": (
        "def counter():\n    n = 0\n    def count():\n        nonlocal n\n        n += 1\n"
        "        return n\n    return count\nx = counter()",
        "x()",
        "x()",
    ),
    "the default of a function": (
        "def keep(x, seen=[]):\n    seen.append(x)\n    return seen",
        "keep(1)",
        "keep(2)",
    ),
}


@pytest.mark.parametrize("codes", CHANGES.values(), ids=CHANGES)
def test_what_cells_show_does_not_depend_on_what_ran_before(codes):
    page = Page(*codes)
    expected = [page.run(place) for place in range(3)]
    assert page.run(1) == expected[1]
    assert page.run(1) == expected[1]
    assert page.run(2) == expected[2]
    assert page.run(2) == expected[2]
    assert page.run(0) == expected[0]
    assert page.run(2) == expected[2]


def test_where_no_copy_can_be_made_the_cells_above_run_again():
    page = Page("x = iter_of = (n for n in range(9))", "next(x)", "next(x)")
    page.run(2)
    assert page.run(2) == "1"
    assert page.ran == [0, 1, 2]


def test_what_is_too_large_for_a_copy_is_made_again(monkeypatch):
    monkeypatch.setattr(cell, "ROOM", 100_000)
    page = Page("import numpy as np", "x = np.zeros(20_000)", "x[0] += 1", "x[0]")
    for _ in range(2):
        assert page.run(3) == "np.float64(1.0)"
    assert page.ran == [1, 2, 3]
    monkeypatch.setattr(cell, "ROOM", 1_000_000)
    page.session += " with more room"
    page.run(3)
    page.run(3)
    assert page.ran == [3]


def test_a_large_array_that_stays_the_same_is_copied_once(monkeypatch):
    monkeypatch.setattr(cell, "ROOM", 1_000_000)
    page = Page("import numpy as np\nx = np.zeros(80_000)", "x.sum()", "x.sum()", "x.sum()")
    for place in (3, 1, 2, 3):
        page.run(place)
    assert page.ran == [3]


def test_an_array_that_cannot_be_written_to_stays_so():
    page = Page("import numpy as np\nx = np.eye(2)\nx.flags.writeable = False", "x[0] = 1")
    for _ in range(2):
        page.run(1)
        assert page.state == "error"


def test_names_that_share_an_array_share_it_in_any_order_of_its_axes():
    page = Page("import numpy as np\nx = np.asfortranarray(np.eye(3))\nt = x.T[1:]", "t[:] = 2\nx")
    first = page.run(1)
    assert page.run(1) == first


def test_a_function_finds_a_name_that_a_later_cell_binds():
    page = Page("def f():\n    return beta", "beta = 2", "f()")
    assert page.run(2) == "2"
    assert page.run(2) == "2"


def test_a_new_session_knows_nothing_of_the_last():
    page = Page("x = 3", "'x' in globals()")
    page.run(0)
    page.codes[0] = ""
    page.session += " anew"
    assert page.run(1) == "False"
    assert page.ran == [0, 1]


def test_below_a_cell_that_fails_nothing_runs():
    page = Page("x = 1", "x = 2\n1 / 0", "x")
    page.run(2)
    assert (page.state, page.ran) == ("error", [0, 1])
    page.codes[1] = "x += 1"
    assert page.run(2) == "2"


def test_the_packages_are_those_of_the_cells_that_have_to_run():
    page = Page("if False:\n    import matplotlib", "from attn import softmax", "1")
    page.run(1)
    assert page.packages == ["matplotlib", "attn-book"]
    page.run(2)
    assert page.packages == []


def test_an_error_names_the_line_of_its_cell_and_of_the_one_that_it_called():
    page = Page("def half(x):\n    return x / 0", "y = 1\n\nhalf(y)")
    page.run(1)
    kind, text = page.sent[-1]
    assert kind == "error"
    assert 'File "cell 1", line 3' in text


def test_printed_text_comes_before_the_value_of_the_last_line():
    page = Page("print('a', end='')\n[1]")
    page.run(0)
    assert page.sent == [("begin", 0), ("out", "a"), ("value", "[1]\n")]


def test_a_last_line_without_a_value_shows_nothing():
    page = Page("None", "x = 1")
    assert page.run(0) == page.run(1) == ""


def test_a_value_whose_text_fails_is_an_error_of_its_cell():
    page = Page("class Odd:\n    def __repr__(self):\n        raise ValueError('no text')\nOdd()")
    assert "no text" in page.run(0)
    assert page.state == "error"
