"""The book tests itself: each cell that a page can run shows in it what it was built with.

All cells of a chapter are run in one go, in a real browser. Text is equal to the built text; a
number in it agrees to 1e-9, and the size of a rounding error by its order of magnitude.
"""

import re

import pytest
from browsers.page_functions import page_function
from page.cell_page import CellsOfPage
from page.page_loading import wait_until_settled
from playwright.sync_api import expect

from web.chapters import contents

SHOWN = page_function(__file__, "shownByCells")
STATES = page_function(__file__, "statesOfCells")
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
ROUNDING = 1e-13  # what the page's NumPy and the build's, each rounding its own way, may differ by


def agree(ours: str, theirs: str) -> bool:
    """Whether two written numbers are the same number."""
    a, b = float(ours), float(theirs)
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b)) or max(abs(a), abs(b)) < ROUNDING


def differences(shown: str, built: str) -> list[str]:
    """The lines that differ in more than the last digits of a number."""
    ours, theirs = shown.splitlines(), built.splitlines()
    if len(ours) != len(theirs):
        return [f"{len(ours)} lines, built were {len(theirs)}", *ours]
    return [
        f"{mine!r}, built was {its!r}"
        for mine, its in zip(ours, theirs, strict=True)
        if NUMBER.split(mine) != NUMBER.split(its)
        or not all(map(agree, NUMBER.findall(mine), NUMBER.findall(its)))
    ]


@pytest.mark.matrix  # test_cells_in_pyodide.py asks the same of the page's Python, without a page
@pytest.mark.parametrize("chapter", contents.chapters(), ids=lambda path: path.stem)
def test_every_cell_shows_in_the_page_what_it_was_built_with(open_page, chapter):
    path = f"book/{chapter.stem}.html"
    page = wait_until_settled(open_page(path), path)
    cells = CellsOfPage(page)
    built = page.evaluate(SHOWN)
    assert built, "no cell of this chapter runs in the page"
    cells.run_all()
    assert set(page.evaluate(STATES)) == {"ran"}, cells.status.inner_text()
    for what, drawn in {"pictures": ".attn-figure", "figures": ".attn-widget"}.items():
        there = page.locator(f".attn-cell:not([data-needs]) .attn-cell-output {drawn}")
        expect(there).to_have_count(sum(one[what] for one in built))  # they come a little later
    shown = page.evaluate(SHOWN)
    found = {
        ours["cell"]: differences(ours["text"], its["text"])
        for ours, its in zip(shown, built, strict=True)
    }
    assert {cell: lines for cell, lines in found.items() if lines} == {}
    for what in ("pictures", "figures"):
        assert [one[what] for one in shown] == [one[what] for one in built], what
