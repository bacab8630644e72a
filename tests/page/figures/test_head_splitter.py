"""The fifth chapter's figure in a browser."""

import pytest
from browsers.page_functions import page_function
from page.figure_text import expect_words, words
from page.page_limits import MOST_PIXELS

from attn.widgets import HeadSplitter

COUNT_MESSAGES = page_function(__file__, "countMessages")
SHAPES_OUTSIDE = page_function(__file__, "shapesOutside")


def maps(figure):
    return figure.locator(".attn-heat")


def test_arrow_keys_move_the_number_of_heads_and_keep_their_place(open_figure):
    figure = open_figure(HeadSplitter(heads=2))
    slider = figure.get_by_label("number of heads")
    assert maps(figure).count() == 2
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "4"
    assert maps(figure).count() == 4
    assert slider.evaluate("node => node === document.activeElement")
    slider.press("Home")
    assert maps(figure).count() == 1
    expect_words(figure, "1 head")


def test_each_map_has_queries_keys_and_row_sums_of_1(open_figure):
    figure = open_figure(HeadSplitter(heads=4))
    for one in maps(figure).all():
        assert one.locator("tbody th").all_inner_texts() == "the cat walks on the street".split()
        assert set(one.locator("tbody .attn-sum").all_inner_texts()) == {"1.00"}


def test_a_cut_sequence_shows_each_head_its_own_words_and_no_influence(open_figure):
    figure = open_figure(HeadSplitter(heads=2))
    figure.get_by_label("what is cut").select_option("sequence")
    seen = [one.locator("tbody th").all_inner_texts() for one in maps(figure).all()]
    assert seen == [["the", "cat", "walks"], ["on", "the", "street"]]
    assert "is exactly 0, even after 6 layers" in words(figure)
    label = figure.locator(".attn-reaches").get_attribute("aria-label")
    assert label.endswith("after 1 to 6 layers: 0, 0, 0, 0, 0, 0.")


def takes_home(figure):
    rows = figure.locator(".attn-entry").all()
    names = [row.locator(".attn-entry-name").inner_text() for row in rows]
    return dict(zip(names, [row.locator(".attn-total").inner_text() for row in rows], strict=True))


def test_heads_are_named_and_the_row_of_walks_is_framed(open_figure):
    figure = open_figure(HeadSplitter())
    cards = figure.locator(".attn-head-card")
    names = [card.locator("label").inner_text() for card in cards.all()]
    assert names == ["head 1: who?", "head 2: where?", "head 3: which noun?", "head 4: on what?"]
    assert set(figure.locator("tr[data-on] th").all_inner_texts()) == {"walks"}


def test_a_switch_takes_from_walks_what_its_head_brought(open_figure):
    figure = open_figure(HeadSplitter())
    assert takes_home(figure)["living"] == "0.87"
    hollow = figure.locator("rect.attn-square[data-off]")
    assert hollow.count() == 0
    switch = figure.get_by_role("checkbox", name="head 1")
    switch.press("Space")
    assert takes_home(figure)["living"] == "0.00"
    assert takes_home(figure)["moves"] == "0.45"
    assert hollow.count() == 8 * 2 + 6 * 2  # its columns of W_q and of X W_q
    assert "Without head 1, walks loses 0.87 of living" in words(figure)
    assert switch.evaluate("node => node === document.activeElement")
    figure.get_by_role("button", name="Reset", exact=True).click()
    assert hollow.count() == 0


def test_the_cut_columns_stand_apart(open_figure):
    figure = open_figure(HeadSplitter(heads=1), reduced_motion="reduce")
    head = figure.locator("rect.attn-square[data-head='1']")
    assert head.count() == 0
    figure.get_by_label("number of heads").press("End")
    assert head.count() == 8 * 2 + 6 * 2
    assert head.first.evaluate("node => getComputedStyle(node).transform") == (
        "matrix(1, 0, 0, 1, 9, 0)"
    )


def test_another_cut_starts_with_every_head_on(open_figure):
    figure = open_figure(HeadSplitter(heads=4))
    figure.get_by_role("checkbox", name="head 4").click()
    assert "Without head 4" in words(figure)
    figure.get_by_label("what is cut").select_option("sequence")
    assert "Without" not in words(figure)
    figure.get_by_role("checkbox", name="head 1").click()
    figure.get_by_label("number of heads").press("ArrowLeft")
    assert "Without" not in words(figure)


def test_another_number_of_heads_with_all_of_them_on_is_one_message(open_figure):
    figure = open_figure(HeadSplitter(heads=2))
    figure.page.evaluate(COUNT_MESSAGES)
    figure.get_by_label("number of heads").press("ArrowRight")
    assert figure.page.evaluate("messages") == 1
    figure.get_by_label("what is cut").select_option("sequence")
    assert figure.page.evaluate("messages") == 2


PHONE = {"width": 360, "height": 740}
SCREEN = PHONE["height"] - 64  # under the page's header


def reach(*parts):
    """From the top of the highest to the end of the lowest, in pixels."""
    boxes = [part.bounding_box() for part in parts]
    return max(b["y"] + b["height"] for b in boxes) - min(b["y"] for b in boxes)


def test_on_a_phone_the_controls_stand_over_what_they_change(open_figure):
    figure = open_figure(HeadSplitter(), **PHONE)
    order = [
        figure.get_by_label("number of heads"),
        figure.locator("svg").first,
        figure.locator(".attn-reaches"),
        figure.locator(".attn-home"),
        maps(figure).first,
        figure.locator("output"),
    ]
    tops = [one.bounding_box()["y"] for one in order]
    assert tops == sorted(tops)
    assert reach(*order[:4]) < SCREEN


@pytest.mark.parametrize("i", range(4))
def test_on_a_phone_each_switch_and_what_walks_takes_home_are_on_one_screen(open_figure, i):
    figure = open_figure(HeadSplitter(), **PHONE)
    switch = figure.get_by_role("checkbox", name=f"head {i + 1}")
    assert reach(switch, figure.locator(".attn-home")) < SCREEN


@pytest.mark.parametrize("cut", ["columns", "sequence"])
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_it_fits_the_screen_in_every_state(open_figure, heads, cut):
    figure = open_figure(HeadSplitter(heads=heads, cut=cut, on=[False, True] * 2))
    assert figure.bounding_box()["height"] <= MOST_PIXELS
    outside = figure.locator("svg").evaluate_all(SHAPES_OUTSIDE)
    assert sum(outside) == 0
