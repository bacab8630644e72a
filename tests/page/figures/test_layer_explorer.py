"""The layer of chapters 2 to 7 and 10 in a browser."""

import re

import numpy as np
import pytest
from browsers.page_functions import page_function
from page.figure_text import CUT_WORDS, expect_words, words
from page.page_limits import MOST_PIXELS, violations
from playwright.sync_api import expect

from attn.widgets import LayerExplorer
from attn.widgets.layer_explorer import STAGES

OWN = {
    "words": ["left", "right"],
    "X": [[1.0, -0.5], [0.25, 2.0]],
    "W_q": [[2.0, 0.5], [-0.5, 1.0]],
    "W_k": np.eye(2),
    "W_v": np.eye(2),
    "W_o": np.eye(2),
}
DRAW_FINGER = page_function(__file__, "drawFinger")
FOCUSED_SQUARE = page_function(__file__, "focusedSquare")
HAS_FOCUS = page_function(__file__, "hasFocus")
MATRIX_NAMES = page_function(__file__, "matrixNames")
RIBBON_WIDTHS = page_function(__file__, "ribbonWidths")
SQUARE_WIDTHS = page_function(__file__, "squareWidths")


def square(figure, name, row, column):
    """One number of the large picture; a phone has a small one too."""
    place = f'[data-row="{row}"][data-col="{column}"]'
    return figure.locator(f".attn-layer:not(.attn-minimap) [data-matrix={name}] {place}")


def press(figure, name):
    figure.get_by_role("button", name=name, exact=True).click()


def lit(figure, name):
    return figure.locator(f"[data-matrix={name}] .attn-square[data-lit]").count()


@pytest.mark.parametrize("stage", STAGES)
def test_every_number_of_a_stage_is_drawn_and_fits_the_screen(open_figure, stage):
    widget = LayerExplorer(stage=stage)
    figure = open_figure(widget)
    for name in widget.matrices:
        drawn = figure.locator(f"[data-matrix={name}] .attn-square")
        assert drawn.count() == widget.matrix(name).size, name
    assert figure.bounding_box()["height"] <= MOST_PIXELS
    assert figure.evaluate(CUT_WORDS) == []


def test_a_pressed_number_lights_its_sources_and_writes_its_sum(open_figure):
    figure = open_figure(LayerExplorer())
    square(figure, "blends", 2, 0).click()
    said = words(figure)
    expect_words(figure, "walks", "living")
    assert said.endswith("0.87 × 1 + 5 × 0 = 0.87")
    assert (lit(figure, "weights"), lit(figure, "values"), lit(figure, "blends")) == (6, 6, 1)
    assert lit(figure, "scores") == 0


def test_where_from_leads_from_an_output_back_to_the_word(open_figure):
    figure = open_figure(LayerExplorer())
    square(figure, "outputs", 2, 4).click()
    way = []
    ask = figure.get_by_role("button", name="Where from?")
    while ask.is_enabled():
        ask.click()
        way.append(figure.locator(".attn-sum-line").inner_text())
    assert [len(way), way[-1]] == [7, "1, set by hand"]
    expect_words(figure, "walks", "verb")
    assert figure.locator(".attn-past").count() == 8
    press(figure, "Undo")
    expect_words(figure, "walks", "who?")
    press(figure, "end the trace")
    expect_words(figure, "walks", "who?", "cat, 87%")


def test_a_number_from_another_head_brings_that_head_in_front(open_figure):
    figure = open_figure(LayerExplorer(trail=[["joined", 2, 2]]))
    expect_words(figure, "“where?”")
    press(figure, "Where from?")
    where = figure.get_by_role("button", name="where?", exact=True)
    assert where.get_attribute("aria-pressed") == "true"
    expect_words(figure, "walks", "place")


def test_a_number_in_the_sum_can_be_followed(open_figure):
    figure = open_figure(LayerExplorer(trail=[["scores", 2, 1]]))
    figure.locator("output .attn-factor").nth(1).click()
    expect_words(figure, "cat", "who?")


def test_hovering_shows_a_trace_for_as_long_as_it_lasts(open_figure):
    figure = open_figure(LayerExplorer())
    said = words(figure)
    square(figure, "weights", 2, 1).hover()
    preview = figure.locator(".attn-preview")
    expect(preview).to_contain_text(re.compile("walks.*cat.*87%"))
    figure.locator(".attn-title").hover()
    expect(preview).to_be_hidden()
    assert words(figure) == said


def test_the_squares_are_one_tab_stop_and_right_walks_from_X_to_the_blend(open_figure):
    figure = open_figure(LayerExplorer())
    assert figure.locator('.attn-square[tabindex="0"]').count() == 1
    figure.locator('.attn-square[tabindex="0"]').focus()
    met = []
    for _ in range(36):
        figure.page.keyboard.press("ArrowRight")
        name, row, _ = figure.page.evaluate(FOCUSED_SQUARE)
        assert row == 0
        met += [name] if name not in met else []
    assert met == ["X", "queries", "scores", "scaled", "weights", "blends", "joined"]


def test_keys_pin_ask_undo_and_end(open_figure):
    figure = open_figure(LayerExplorer())
    square(figure, "weights", 2, 1).focus()
    keys = figure.page.keyboard
    keys.press("Enter")
    expect_words(figure, "attention", "walks", "cat", "87%")
    keys.press("Enter")
    expect_words(figure, "score", "walks", "cat")
    assert figure.page.evaluate(FOCUSED_SQUARE) == ["scaled", 2, 1]
    keys.press("Backspace")
    expect_words(figure, "attention")
    keys.press("Escape")
    expect_words(figure, "walks", "who?")
    keys.press("PageDown")
    keys.press("PageUp")
    assert figure.page.evaluate(FOCUSED_SQUARE)[0] == "scaled"


def test_a_square_says_its_row_its_column_and_its_number(open_figure):
    figure = open_figure(LayerExplorer())
    assert square(figure, "weights", 2, 1).get_attribute("aria-label") == "walks, cat: 0.87"
    assert square(figure, "weights", 0, 4).get_attribute("aria-label") == "the (1), the (5): 0.17"
    grid = figure.locator("[data-matrix=W_q]")
    assert grid.get_attribute("aria-label") == "W_q (8, 2), on its side here"


def test_a_word_is_followed_by_pressing_it(open_figure):
    figure = open_figure(LayerExplorer())
    figure.locator(".attn-ribbon-word").nth(1).click()
    expect_words(figure, "cat", "who?", "walks, 87%")
    widths = figure.locator(".attn-ribbon").evaluate_all(RIBBON_WIDTHS)
    assert widths.index(max(widths)) == 2


def test_a_head_is_chosen_by_its_question(open_figure):
    figure = open_figure(LayerExplorer())
    press(figure, "where?")
    expect_words(figure, "walks", "where?", "street, 87%")


def test_the_slider_moves_the_weights_and_keeps_its_focus(open_figure):
    figure = open_figure(LayerExplorer())
    slider = figure.get_by_label("how strongly a verb asks who?")
    slider.press("Home")
    expect_words(figure, "walks", "who?", "17%")
    assert slider.evaluate(HAS_FOCUS)


def test_a_mask_is_hatched_and_its_switch_keeps_the_focus(open_figure):
    figure = open_figure(LayerExplorer(stage=6))
    hatched = figure.locator('[data-matrix=scaled] .attn-square[style*="url"]')
    assert hatched.count() == 15
    switch = figure.get_by_label("look only back")
    switch.press("Space")
    assert hatched.count() == 0
    assert switch.evaluate(HAS_FOCUS)


def test_steps_show_what_has_been_made_so_far(open_figure):
    figure = open_figure(LayerExplorer(), reduced_motion="reduce")
    later = figure.locator(".attn-matrix[data-later]")
    press(figure, "score")
    assert words(figure).startswith("Step 2, score:")
    names = later.evaluate_all(MATRIX_NAMES)
    assert names == ["scaled", "weights", "blends", "joined", "outputs"]
    assert figure.locator(".attn-copy").count() == 0
    for _ in range(5):
        press(figure, "next step")
    assert later.count() == 0
    expect_words(figure, "walks", "who?")


def test_play_goes_on_by_itself_until_it_is_paused(open_figure):
    figure = open_figure(LayerExplorer())
    press(figure, "▶ Play")
    assert words(figure).startswith("Step 1, project:")
    assert figure.locator(".attn-copy").count() > 0
    figure.locator(".attn-step-name", has_text="score").and_(
        figure.locator('[aria-pressed="true"]')
    ).wait_for()
    press(figure, "❚❚ Pause")
    assert figure.get_by_role("button", name="▶ Play", exact=True).count() == 1
    expect(figure.locator(".attn-copy")).to_have_count(0)


def test_folded_it_is_one_word_s_line(open_figure):
    figure = open_figure(LayerExplorer(folded=True))
    assert "Tinted" not in words(figure)
    assert figure.locator("[data-matrix=weights] .attn-square").count() == 6
    assert figure.bounding_box()["height"] <= 450
    figure.locator(".attn-ribbon-word").nth(5).click()
    assert figure.locator(".attn-word").all_text_contents() == ["street"]
    press(figure, "Unfold")
    assert figure.locator("[data-matrix=weights] .attn-square").count() == 36


def test_what_an_earlier_stage_had_is_not_marked_as_new(open_figure):
    """A link in chapter 7 goes back to stage 6, and the mask is no news there."""
    widget = LayerExplorer(stage=7)
    widget.stage = 6
    figure = open_figure(widget)
    assert figure.locator(".attn-new").count() == 0
    assert "Tinted" not in words(figure)
    assert open_figure(LayerExplorer(stage=6)).locator(".attn-new").count() == 1


@pytest.mark.parametrize("width", [620, 680, 700, 720, 760])
def test_play_never_stands_over_a_word(open_figure, width):
    """A scroll bar takes some pixels: the row of words and the buttons must give way, not wrap."""
    figure = open_figure(LayerExplorer(stage=2), width=width)
    play = figure.locator(".attn-play").bounding_box()
    word = figure.locator(".attn-ribbon-word").first.bounding_box()
    above, below = play["y"] + play["height"] <= word["y"], word["y"] + word["height"] <= play["y"]
    assert above or below


def test_a_reader_s_own_numbers_are_drawn(open_figure):
    figure = open_figure(LayerExplorer(**OWN))
    assert figure.get_by_label("W_q[0, 0]").get_attribute("aria-valuetext") == "2.0"
    assert figure.locator("[data-matrix=X] .attn-square").count() == 4
    assert figure.evaluate(CUT_WORDS) == []


# --- on a phone ------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES)
def test_a_phone_shows_every_matrix_large_with_its_numbers(open_figure, stage):
    widget = LayerExplorer(stage=stage)
    figure = open_figure(widget, width=360, height=740)
    large = figure.locator(".attn-small")
    seen = set()
    for _ in widget.matrices:
        seen |= set(large.locator("[data-matrix]").evaluate_all(MATRIX_NAMES))
        sizes = large.locator(".attn-square").evaluate_all(SQUARE_WIDTHS)
        assert min(sizes) > 18
        assert figure.evaluate(CUT_WORDS) == []
        assert figure.page.evaluate("document.documentElement.scrollWidth") == 360
        press(figure, "next matrix")
    assert seen == set(widget.matrices)


def test_on_a_phone_a_trace_changes_the_matrix_by_itself(open_figure):
    figure = open_figure(LayerExplorer(), width=360, height=740)
    assert figure.locator(".attn-station-name").inner_text() == "7 of 10 · weights (6, 6)"
    square(figure, "weights", 2, 1).click()
    press(figure, "Where from?")
    press(figure, "Where from?")
    assert figure.locator(".attn-station-name").inner_text() == "5 of 10 · scores (6, 6)"


def test_on_a_phone_the_small_map_leads_to_a_matrix(open_figure):
    figure = open_figure(LayerExplorer(), width=360, height=740)
    figure.locator(".attn-minimap [data-matrix=outputs] .attn-square").first.click()
    assert figure.locator(".attn-station-name").inner_text() == "10 of 10 · outputs Y (6, 8)"


def test_when_the_page_becomes_narrow_the_layer_is_shown_in_parts(open_figure):
    figure = open_figure(LayerExplorer())
    assert figure.locator(".attn-minimap").count() == 0
    figure.page.set_viewport_size({"width": 360, "height": 740})
    figure.locator(".attn-minimap").wait_for()
    figure.page.set_viewport_size({"width": 1280, "height": 800})
    expect(figure.locator(".attn-minimap")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_a_trace_on_a_desk_or_a_phone(open_figure, axe, theme):
    for width in (1280, 360):
        figure = open_figure(
            LayerExplorer(stage=10, trail=[["block", 2, 6]]), width=width, theme=theme
        )
        assert violations(figure.page, axe) == []


def test_a_finger_drawn_sideways_turns_to_the_next_matrix(open_figure):
    figure = open_figure(LayerExplorer(), width=360, has_touch=True)
    name = figure.locator(".attn-station-name")
    before = name.inner_text()
    figure.locator(".attn-station").evaluate(DRAW_FINGER, [-90, 8])
    after = name.inner_text()
    assert after != before
    figure.locator(".attn-station").evaluate(DRAW_FINGER, [90, -8])
    expect(name).to_have_text(before)
    figure.locator(".attn-station").evaluate(DRAW_FINGER, [20, 120])
    expect(name).to_have_text(before)


def test_another_head_comes_to_the_front_in_a_transition(open_figure):
    figure = open_figure(LayerExplorer())
    picture = figure.locator(".attn-layer")
    press(figure, "where?")
    assert picture.get_attribute("data-turning") == ""
    moved = square(figure, "weights", 2, 1)
    assert "fill" in moved.evaluate("el => getComputedStyle(el).transitionProperty")
    expect(picture).not_to_have_attribute("data-turning", "")
    assert "fill" not in moved.evaluate("el => getComputedStyle(el).transitionProperty")


def test_with_less_motion_another_head_is_there_at_once(open_figure):
    figure = open_figure(LayerExplorer(), reduced_motion="reduce")
    press(figure, "where?")
    moved = square(figure, "weights", 2, 1)
    assert "fill" not in moved.evaluate("el => getComputedStyle(el).transitionProperty")


@pytest.mark.parametrize("width", [1280, 760])
def test_the_block_s_sums_name_what_they_add(open_figure, width):
    names = ".attn-aside"
    figure = open_figure(LayerExplorer(stage=10), width=width)
    assert figure.locator(names).all_text_contents() == ["+ X + positions", "+ add, norm"]
    assert figure.evaluate(CUT_WORDS) == []
    assert open_figure(LayerExplorer(stage=7), width=width).locator(names).count() == 0
