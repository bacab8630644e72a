"""The sixth chapter's figure in a browser: pressed, dragged, and by keyboard."""

import pytest
from page.figure_text import expect_words, words

from attn.widgets import MaskEditor


def cell(figure, i, j):
    return figure.locator(f'button[data-i="{i}"][data-j="{j}"]')


def pressed(figure):
    """The mask as rows of 0 and 1."""
    flat = figure.locator(".attn-look").evaluate_all(
        "nodes => nodes.map((node) => Number(node.ariaPressed === 'true'))"
    )
    return ["".join(map(str, flat[at : at + 6])) for at in range(0, 36, 6)]


CAUSAL = ["100000", "110000", "111000", "111100", "111110", "111111"]


def test_it_opens_with_the_causal_mask_and_rows_of_1(open_figure):
    figure = open_figure(MaskEditor())
    assert pressed(figure) == CAUSAL
    assert figure.locator(".attn-mask-grid .attn-sum").all_inner_texts()[1:] == ["1.00"] * 6


def test_a_press_changes_one_cell_and_makes_the_mask_one_s_own(open_figure):
    figure = open_figure(MaskEditor())
    cell(figure, 2, 5).click()
    assert pressed(figure)[2] == "111001"
    assert figure.get_by_label("mask").input_value() == "custom"
    cell(figure, 2, 5).click()
    assert pressed(figure) == CAUSAL


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_arrow_keys_walk_the_grid_and_a_key_changes_a_cell(open_figure, key):
    figure = open_figure(MaskEditor())
    cell(figure, 0, 0).focus()
    for way in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp"):
        figure.page.keyboard.press(way)
    figure.page.keyboard.press(key)
    assert pressed(figure)[0] == "110000"
    assert figure.locator('.attn-look[tabindex="0"]').count() == 1


def test_a_drag_paints_every_cell_it_enters_alike(open_figure):
    figure = open_figure(MaskEditor())
    boxes = [cell(figure, 3, j).bounding_box() for j in range(6)]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    mouse = figure.page.mouse
    mouse.move(*middles[0])
    mouse.down()
    for middle in middles[1:]:
        mouse.move(*middle, steps=3)
    mouse.up()
    assert pressed(figure)[3] == "000000"
    assert "on may look at nothing" in words(figure), "the row that is drawn is followed"
    mouse.move(*middles[2])
    assert pressed(figure)[3] == "000000", "released, it paints no more"
    cell(figure, 3, 1).click()
    assert pressed(figure)[3] == "010000", "and the next press counts"


def test_a_finger_taps(open_figure):
    figure = open_figure(MaskEditor(), width=360, height=740, has_touch=True)
    cell(figure, 0, 3).tap()
    assert pressed(figure)[0] == "100100"


def test_a_query_that_sees_nothing_shows_nan_as_numpy_and_torch_do(open_figure):
    own = [[j <= i and i != 3 for j in range(6)] for i in range(6)]
    figure = open_figure(MaskEditor(kind="custom", own=own, query=4))
    expect_words(figure, "NaN")
    assert cell(figure, 3, 0).inner_text() == "NaN"
    assert figure.locator(".attn-mask-grid .attn-sum").all_inner_texts()[4] == "NaN"


def test_a_leak_is_framed_in_the_grid_and_told_in_the_table(open_figure):
    figure = open_figure(MaskEditor(way="score"))
    assert figure.locator(".attn-mask-grid [data-leak]").count() == 15
    line = figure.locator(".attn-ways tr[data-drawn]").inner_text()
    assert line.startswith("▸ score = 0")
    assert line.split()[-2:] == ["0.062", "0"]


def test_a_window_has_a_slider_only_when_it_is_used(open_figure):
    figure = open_figure(MaskEditor())
    slider = figure.get_by_label("window", exact=True)
    assert not slider.is_visible()
    figure.get_by_label("mask").select_option("window")
    slider.press("Home")
    assert pressed(figure)[2] == "001000"


def test_choosing_padding_fills_up_a_short_sentence(open_figure):
    figure = open_figure(MaskEditor())
    slider = figure.get_by_label("words", exact=True)
    assert not slider.is_visible()
    figure.get_by_label("mask").select_option("padding")
    assert pressed(figure) == ["111000"] * 6
    heads = figure.locator(".attn-mask-grid thead th").all_inner_texts()
    assert heads[:6] == ["the", "cat", "walks", "[pad]", "[pad]", "[pad]"]
    slider.press("ArrowRight")
    assert pressed(figure) == ["111100"] * 6
