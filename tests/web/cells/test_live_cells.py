"""Where the page's own buttons stand, which run all of its cells."""

import pytest
from docutils import nodes
from docutils.utils import new_document

from web.cells.live_cells import in_sight, live_cell


def section(title, *content):
    return nodes.section("", nodes.title("", title), *content)


@pytest.fixture
def cell():
    return live_cell()


def page(*sections):
    """A document, held so that its nodes keep their parents."""
    document = new_document("a page")
    document += section("Masks", *sections)
    return document


def test_the_buttons_stand_before_the_cell_itself(cell):
    page(section("A sentence", nodes.paragraph(), cell))
    assert in_sight(cell) is cell


def test_the_buttons_stand_before_a_note_that_holds_the_cell(cell):
    note = nodes.note("", cell)
    page(section("A sentence", note))
    assert in_sight(cell) is note


def test_the_buttons_stand_before_a_fold_and_not_in_it(cell):
    fold = section("Going deeper: why", section("A part of it", nodes.note("", cell)))
    page(section("A sentence", nodes.paragraph(), fold))
    assert in_sight(cell) is fold
