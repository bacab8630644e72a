"""The fifth chapter's figure in a browser."""

import pytest
from page.figure_text import words
from page_functions import page_function
from page_limits import MOST_PIXELS

from attn.widgets import HeadSplitter

COUNT_MESSAGES = page_function(__file__, "countMessages")
SHAPES_OUTSIDE = page_function(__file__, "shapesOutside")


def maps(figure):
    return figure.locator(".attn-heat")


def test_arrow_keys_move_the_number_of_heads_and_keep_their_place(open_figure):
    figure = open_figure(HeadSplitter())
    slider = figure.get_by_label("number of heads")
    assert maps(figure).count() == 2
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "4"
    assert maps(figure).count() == 4
    assert slider.evaluate("node => node === document.activeElement")
    slider.press("Home")
    assert maps(figure).count() == 1
    assert words(figure).startswith("1 head, nothing is cut")


def test_each_map_has_queries_keys_and_row_sums_of_1(open_figure):
    figure = open_figure(HeadSplitter(heads=4))
    for one in maps(figure).all():
        assert one.locator("tbody th").all_inner_texts() == "the cat walks on the street".split()
        assert set(one.locator("tbody .attn-sum").all_inner_texts()) == {"1.00"}


def test_a_cut_sequence_shows_each_head_its_own_words_and_no_influence(open_figure):
    figure = open_figure(HeadSplitter(heads=2))
    figure.get_by_label("how to cut").select_option("sequence")
    seen = [one.locator("tbody th").all_inner_texts() for one in maps(figure).all()]
    assert seen == [["the", "cat", "walks"], ["on", "the", "street"]]
    assert "is exactly 0 after 1 to 6 layers" in words(figure)
    label = figure.locator("svg").nth(1).get_attribute("aria-label")
    assert label.endswith("after 1 to 6 layers: 0, 0, 0, 0, 0, 0.")


def test_a_switch_takes_a_head_s_squares_out_of_the_drawing(open_figure):
    figure = open_figure(HeadSplitter(heads=4))
    hollow = figure.locator("rect.attn-square[data-off]")
    assert hollow.count() == 0
    switch = figure.get_by_role("checkbox", name="head 1")
    switch.press("Space")
    assert hollow.count() == 6 * 2 + 2 * 8
    assert "Head 1 is off" in words(figure)
    assert switch.evaluate("node => node === document.activeElement")
    figure.get_by_role("button", name="Reset", exact=True).click()
    assert hollow.count() == 0


def test_another_cut_starts_with_every_head_on(open_figure):
    figure = open_figure(HeadSplitter(heads=4))
    figure.get_by_role("checkbox", name="head 4").click()
    assert "Head 4 is off" in words(figure)
    figure.get_by_label("how to cut").select_option("sequence")
    assert "off" not in words(figure)
    figure.get_by_role("checkbox", name="head 1").click()
    figure.get_by_label("number of heads").press("ArrowLeft")
    assert "off" not in words(figure)


def test_another_number_of_heads_with_all_of_them_on_is_one_message(open_figure):
    figure = open_figure(HeadSplitter())
    figure.page.evaluate(COUNT_MESSAGES)
    figure.get_by_label("number of heads").press("ArrowRight")
    assert figure.page.evaluate("messages") == 1
    figure.get_by_label("how to cut").select_option("sequence")
    assert figure.page.evaluate("messages") == 2


def test_on_a_phone_the_columns_stand_over_the_drawing_that_they_change(open_figure):
    figure = open_figure(HeadSplitter(), width=360, height=740)
    order = [
        figure.get_by_label("number of heads"),
        maps(figure).first,
        figure.get_by_label("columns of W_o"),
        figure.locator("svg").first,
        figure.locator("output"),
    ]
    tops = [one.bounding_box()["y"] for one in order]
    assert tops == sorted(tops)


@pytest.mark.parametrize("d_out", [4, 8, 12])
def test_the_drawing_is_to_scale(open_figure, d_out):
    figure = open_figure(HeadSplitter(d_out=d_out))
    assert figure.locator("rect.attn-square").count() == 6 * 8 + 8 * d_out + 6 * d_out
    assert f"times W_o, (8, {d_out})" in figure.locator("svg").first.get_attribute("aria-label")


@pytest.mark.parametrize("cut", ["embedding", "sequence"])
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_it_fits_the_screen_in_every_state(open_figure, heads, cut):
    figure = open_figure(HeadSplitter(heads=heads, cut=cut, d_out=12, on=[False, True] * 2))
    assert figure.bounding_box()["height"] <= MOST_PIXELS
    outside = figure.locator("svg").evaluate_all(SHAPES_OUTSIDE)
    assert sum(outside) == 0
