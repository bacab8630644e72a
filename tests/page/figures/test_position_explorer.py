"""The seventh chapter's figure in a browser."""

import pytest
from page.figure_text import CUT_WORDS, expect_words, words
from page.page_limits import MOST_PIXELS

from attn.widgets import PositionExplorer

KINDS = ["sinusoidal", "learned", "rotary", "alibi"]


def shown_controls(figure):
    return figure.locator("input[type=range]:visible").evaluate_all(
        "nodes => nodes.map((node) => node.labels[0].innerText)"
    )


def test_it_opens_with_sinusoids_and_a_key_three_places_on(open_figure):
    figure = open_figure(PositionExplorer())
    expect_words(figure, "12", "15", "3 places", "1.96")


def test_an_arrow_key_moves_the_key_and_the_query_s_own_slider_does_not_move_the_product(
    open_figure,
):
    figure = open_figure(PositionExplorer())
    figure.get_by_label("offset δ").press("ArrowRight")
    expect_words(figure, "16", "4 places", "2.27")
    figure.get_by_label("query at").press("End")
    expect_words(figure, "23", "27", "2.27")


def test_each_encoding_shows_the_controls_that_it_has(open_figure):
    figure = open_figure(PositionExplorer())
    choose = figure.get_by_label("encoding")
    always = ["query at", "offset δ"]
    own = {"sinusoidal": ["size d", "base"], "learned": [], "alibi": ["head"]}
    for kind, more in (own | {"rotary": ["size d", "base"]}).items():
        choose.select_option(kind)
        assert shown_controls(figure) == always + more, kind


def test_rotary_hands_coincide_two_places_before(open_figure):
    figure = open_figure(PositionExplorer(kind="rotary"))
    figure.get_by_label("offset δ").fill("-2")
    assert "all hands coincide" in words(figure)
    dial = figure.locator("svg[aria-label^='Clocks']")
    assert "between the hands of query and key lie 0°, 0°" in dial.get_attribute("aria-label")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("position", [8, 23])
def test_every_encoding_fits_the_screen_at_the_ends_of_its_sliders(open_figure, kind, position):
    figure = open_figure(PositionExplorer(kind=kind, position=position, offset=-8))
    assert figure.bounding_box()["height"] <= MOST_PIXELS
    assert figure.evaluate(CUT_WORDS) == []


def heights(figure):
    """The columns' heights in pixels."""
    return figure.locator(".attn-column").evaluate_all(
        "nodes => nodes.map((node) => parseFloat(node.style.height))"
    )


def test_the_columns_of_an_untrained_row_stay_low(open_figure):
    figure = open_figure(PositionExplorer(kind="learned", position=8))
    trained = max(heights(figure))
    figure.get_by_label("query at").fill("20")
    assert max(heights(figure)) < trained / 3


def test_the_fastest_clock_is_large_and_its_hand_turns_with_the_query(open_figure):
    figure = open_figure(PositionExplorer())
    radii = figure.locator(".attn-dial").evaluate_all(
        "nodes => nodes.map((n) => +n.getAttribute('r'))"
    )
    assert len(radii) == 4
    assert radii[0] > 2 * max(radii[1:])
    hand = figure.locator(".attn-hand[data-role=query]").first
    assert hand.evaluate("node => node.style.transform") == "rotate(12rad)"
    figure.get_by_label("query at").press("ArrowRight")
    assert hand.evaluate("node => node.style.transform") == "rotate(13rad)"


def test_play_moves_the_query_on_until_it_is_paused(open_figure):
    figure = open_figure(PositionExplorer(position=22))
    figure.get_by_role("button", name="Play").click()
    figure.get_by_text("Query at position 23").wait_for()
    figure.get_by_role("button", name="Play").wait_for()
    figure.get_by_role("button", name="Play").click()
    figure.get_by_text("Query at position 8").wait_for()
    figure.get_by_role("button", name="Pause").click()
    assert figure.get_by_role("button", name="Play").is_visible()


def test_on_a_phone_the_query_s_slider_and_the_clocks_share_a_screen(open_figure):
    figure = open_figure(PositionExplorer(), width=360, height=740)
    slider = figure.get_by_label("query at").bounding_box()
    clocks = figure.locator("svg[aria-label^='Clocks']").bounding_box()
    assert clocks["y"] + clocks["height"] - slider["y"] <= 640
