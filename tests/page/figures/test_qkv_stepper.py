"""Six steps in a browser: by keyboard, step by step."""

import pytest
from page.figure_text import words
from page_limits import MOST_PIXELS

from attn.widgets import QKVStepper

AUTHORED = (
    "Step 1, project, reads X, W_q, W_k and W_v and writes Q, K and V: "
    "walks (2.00, 0.00) becomes the query (0.00, 4.00); every token gets a key and a value. "
    "In the end walks looks most at cat, 94%, and leaves as (0.53, 0.94)."
)


def marked(figure, mark):
    cards = figure.locator(f'.attn-card[data-mark="{mark}"] caption')
    return [text.split()[0] for text in cards.all_inner_texts()]


def test_it_opens_in_the_author_s_state_and_says_so(open_figure):
    figure = open_figure(QKVStepper())
    assert words(figure) == AUTHORED
    assert marked(figure, "reads") == ["X"]
    assert marked(figure, "writes") == ["Q", "K", "V"]
    assert figure.locator('.attn-entries[data-mark="reads"]').count() == 3


def test_next_walks_through_all_six_steps_by_keyboard(open_figure):
    figure = open_figure(QKVStepper())
    button = figure.get_by_role("button", name="Next")
    seen = [marked(figure, "writes")]
    for _ in range(5):
        button.press("Enter")
        seen.append(marked(figure, "writes"))
    assert seen == [["Q", "K", "V"], ["S"], ["S"], ["A"], ["a"], ["Y"]]
    assert button.is_disabled()
    assert words(figure).endswith("looks most at cat, 94%, and leaves as (0.53, 0.94).")


def test_numbers_of_later_steps_are_not_shown_yet(open_figure):
    figure = open_figure(QKVStepper())
    weights = figure.locator(".attn-card:has(.attn-sum)")
    assert not weights.locator("td.attn-cell span").first.is_visible()
    assert weights.locator(".attn-tag").inner_text() == "step 4"
    for _ in range(3):
        figure.get_by_role("button", name="Next").click()
    assert weights.locator("td.attn-cell span").first.is_visible()
    assert weights.locator("tbody .attn-sum").all_inner_texts() == ["1.00"] * 3


def test_every_entry_has_a_slider_that_arrow_keys_move(open_figure):
    figure = open_figure(QKVStepper())
    address = figure.page.url
    for name in ("W_q", "W_k", "W_v"):
        for entry in ("[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]"):
            slider = figure.get_by_label(f"{name}{entry}")
            before = float(slider.input_value())
            slider.press("ArrowLeft")
            assert float(slider.input_value()) == pytest.approx(before - 0.1)
    assert figure.page.url == address


def test_a_query_of_zero_looks_at_everyone_alike(open_figure):
    figure = open_figure(QKVStepper())
    figure.get_by_label("W_q[0, 1]").fill("0")
    for _ in range(3):
        figure.get_by_role("button", name="Next").click()
    assert "walks looks 33% at cat, 33% at walks and 33% at street" in words(figure)
    assert "In the end walks has no preference, 33% each" in words(figure)


def test_a_negative_entry_sends_walks_away(open_figure):
    figure = open_figure(QKVStepper())
    figure.get_by_label("W_q[0, 1]").fill("-2")
    assert "walks looks most at street, 94%" in words(figure)


def test_another_word_can_be_followed(open_figure):
    figure = open_figure(QKVStepper())
    figure.get_by_label("word to follow").select_option("street")
    assert "street (0.00, −1.00) becomes the query (0.00, 0.00)" in words(figure)
    assert figure.locator("tr[data-on] th").all_inner_texts() == ["street"] * 6


def test_on_a_desk_no_card_needs_scrolling(open_figure):
    figure = open_figure(QKVStepper(), width=1280)
    boxes = figure.locator(".attn-card .attn-scroll")
    assert boxes.count() == 9
    assert boxes.evaluate_all("all => all.every((box) => box.scrollWidth <= box.clientWidth)")


@pytest.mark.parametrize("step", range(6))
def test_on_a_desk_every_step_fits_the_screen(open_figure, step):
    assert open_figure(QKVStepper(step=step)).bounding_box()["height"] <= MOST_PIXELS


def test_each_matrix_stands_between_what_it_takes_and_what_it_makes(open_figure):
    figure = open_figure(QKVStepper())
    box = {
        name: figure.locator(f'[data-card="{name}"]').bounding_box()
        for name in ("X", "W_q", "Q", "S")
    }
    edges = [box[name]["x"] for name in ("X", "W_q", "Q", "S")]
    assert edges == sorted(edges)
    assert box["W_q"]["y"] == box["Q"]["y"] == box["S"]["y"]
