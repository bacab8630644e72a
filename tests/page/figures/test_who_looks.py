"""The sixth chapter's second figure in a browser: step by step, all at once, one for all."""

from page.figure_text import words

from attn.widgets import WhoLooks


def test_each_step_of_the_writer_adds_a_row(open_figure):
    figure = open_figure(WhoLooks())
    later = figure.locator(".attn-asked .attn-cell[data-hidden]")
    assert later.count() == 8
    figure.get_by_label("row").press("End")
    assert later.count() == 0
    assert "“le chat noir” is written, and the writer looks most at sleeps" in words(figure)


def test_another_second_word_makes_another_third_row(open_figure):
    figure = open_figure(WhoLooks(step=3))
    before = figure.locator(".attn-asked tbody tr").nth(2).inner_text()
    figure.get_by_label("second word written").select_option("noir")
    assert figure.locator(".attn-asked tbody tr").nth(2).inner_text() != before


def test_self_attention_has_all_rows_and_pooling_one(open_figure):
    figure = open_figure(WhoLooks())
    who = figure.get_by_label("who asks")
    for kind, rows in (("self", 4), ("pooling", 1)):
        who.select_option(kind)
        sums = figure.locator(".attn-asked tbody .attn-sum").all_inner_texts()
        assert sums == ["1.00"] * rows
    assert not figure.get_by_label("row", exact=True).is_visible()
