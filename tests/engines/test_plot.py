"""A plot that a cell's run draws is put into the page by each of three engines."""

from browsers.page_functions import page_function
from engines.conftest import in_full
from page import test_cell_outputs

CHAPTER = "book/04-scaling.html"
SHOW_AGAIN = page_function(test_cell_outputs.__file__, "showAgain")
LOOKS = page_function(test_cell_outputs.__file__, "looksOf")


@in_full
def test_a_plot_that_is_drawn_again_looks_as_the_built_one(engine, open_tab):
    tab = open_tab()
    tab.go(engine.isolated + CHAPTER)
    tab.evaluate(SHOW_AGAIN, "figure.attn-figure")
    tab.wait("() => document.querySelector('#shown svg')")
    built = tab.evaluate(LOOKS, "figure.attn-figure")
    assert len(built) > 20
    assert tab.evaluate(LOOKS, "#shown figure.attn-figure") == built
    assert tab.complaints() == []
