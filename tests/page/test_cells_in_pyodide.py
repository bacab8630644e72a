"""Every cell of the book in the Python that the site serves: plots and figures as built."""

import json
import math
import subprocess
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from web.builder.paths import SITE, TOP
from web.builder.third_party import assets
from web.chapters import contents
from web.chapters.cell_rules import without_magics
from web.chapters.source import code_cells

SCRIPT = Path(__file__).with_name("cells_in_pyodide.mjs")
TASKS = TOP / "web/page_python/page_tasks"
PAGES = {page.stem: code_cells(page.read_text(encoding="utf-8")) for page in contents.pages()}
CELLS = {name: list(map(without_magics, cells)) for name, cells in PAGES.items() if cells}
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
SHOWN_IN_A_KERNEL = ("_view_count", "layout", "tabbable", "tooltip", "_dom_classes")


@pytest.fixture(scope="module")
def sent(tmp_path_factory):
    """What each cell of each page sent: (kind, content)."""
    given = tmp_path_factory.mktemp("cells") / "given.json"
    python = str(SITE / "_static" / "python")
    given.write_text(json.dumps({"python": python, "tasks": str(TASKS), "chapters": CELLS}))
    node = Path(assets.npm()).with_name("node")
    command = [str(node), str(SCRIPT), str(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


def of_kind(cells, kind):
    return [content for cell in cells for one, content in cell if one == kind]


def drawings(cells):
    shown = of_kind(cells, "svg")
    return [one for each in shown for one in each.get("side_by_side", [each])]


def words(svg):
    """What is written on a plot, but for powers: a log axis chooses others in another version."""
    texts = [text for text in svg.find_all("text") if not is_power(text)]
    return [text.get_text(" ", strip=True) for text in texts]


def is_power(text):
    return bool(text.find("tspan")) and not any(letter.isalpha() for letter in text.get_text())


def built(name):
    return BeautifulSoup(
        (SITE / "book" / f"{name}.html").read_text(encoding="utf-8"), "html.parser"
    )


def failed(cells):
    """The errors of a page; what needs torch, or widgets that need a kernel, has no place in it."""
    return [content.strip().splitlines()[-1] for content in of_kind(cells, "error")]


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_fails_only_for_what_a_page_has_not(sent, name):
    absent = (
        "No module named 'torch'",
        "No module named 'attn.nn'",
        "No module named 'ipywidgets'",
    )
    first = [error for error in failed(sent[name]) if not error.startswith("NameError")]
    assert [error for error in first if not error.endswith(absent)] == []
    assert bool(first) >= bool(failed(sent[name]))  # a name is missing where its cell has failed
    assert of_kind(sent[name], "err") == []


@pytest.mark.parametrize("name", CELLS)
def test_a_plot_of_the_page_says_what_the_built_one_says(sent, name):
    svgs = built(name).select(".attn-figure > svg")
    expected = {}
    for svg in svgs:
        narrow = "attn-for-phone" in svg.get("class", [])
        expected.setdefault(svg["aria-label"], {})["narrow" if narrow else "svg"] = words(svg)
    got = {
        one["alt"]: {
            part: words(BeautifulSoup(one[part], "html.parser"))
            for part in ("svg", "narrow")
            if part in one
        }
        for one in drawings(sent[name])
    }
    assert got == {alt: expected[alt] for alt in got}
    assert len(expected) - len(got) <= len(failed(sent[name]))


@pytest.mark.parametrize("name", CELLS)
def test_a_value_of_the_page_is_the_text_of_the_built_one(sent, name):
    texts = built(name).select(".cell_output .text_plain pre")
    expected = [
        text.get_text() for text in texts if not text.find_parent(attrs={"data-needs": True})
    ]
    got = of_kind(sent[name], "value")
    assert [text for text in got if text in expected] == expected


def test_plots_and_figures_were_there_to_compare(sent):
    assert len([one for cells in sent.values() for one in drawings(cells)]) > 20
    assert len([one for cells in sent.values() for one in of_kind(cells, "figure")]) > 40


@pytest.mark.parametrize("name", CELLS)
def test_a_figure_of_the_page_starts_as_the_built_one_does(sent, name):
    page = built(name)
    block = page.find("script", type=STATE)
    models = json.loads(block.string)["state"] if block else {}
    views = [json.loads(view.string)["model_id"] for view in page.find_all("script", type=VIEW)]
    states = [models[view]["state"] for view in views]
    expected = [
        {key: value for key, value in state.items() if not is_of_the_kernel(key)}
        for state in states
        if "_anywidget_id" in state
    ]
    figures = of_kind(sent[name], "figure")
    assert len(figures) == len(expected)
    for figure, state in zip(figures, expected, strict=True):
        assert state["_anywidget_id"].split(".")[-2] == figure["module"]
        assert close(figure["state"], state), figure["module"]


def is_of_the_kernel(key):
    return key in SHOWN_IN_A_KERNEL or key.startswith(("_model", "_view"))


def close(a, b):
    """Equal, but for the last digits of numbers."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(close(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
    return a == b
