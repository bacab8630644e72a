"""MemoryBill in a browser."""

from page.figure_text import expect_words

from attn.widgets import MemoryBill


def test_doubling_the_text_quadruples_the_table_and_doubles_the_rest(open_figure):
    figure = open_figure(MemoryBill())
    number = figure.locator(".attn-bar .attn-number")
    before = number.all_inner_texts()
    figure.get_by_label("tokens n").press("ArrowRight")
    after = number.all_inner_texts()
    assert (before[0], after[0]) == ("16.8 MB", "33.6 MB")
    assert (before[1], after[1]) == ("134 MB", "537 MB")
    assert before[4] == after[4]


def test_shared_keys_make_the_cache_smaller(open_figure):
    figure = open_figure(MemoryBill())
    figure.get_by_label("keys and values").select_option("8")
    expect_words(figure, "8.39\N{NO-BREAK SPACE}MB")
