"""Six steps in a browser: by keyboard, step by step."""

import pytest
from page.figure_text import expect_words, words
from page.page_limits import MOST_PIXELS

from attn.widgets import QKVStepper

AUTHORED = ("Step 1, project", "“walks” (1, 0)", "(5, 0)")


def marked(figure, mark):
    """The columns of the table that a step reads or writes, by their heads."""
    heads = figure.locator(f'.attn-ledger thead th[data-mark="{mark}"]')
    return [head.get_attribute("data-column") for head in heads.all()]


def shown(figure, column):
    return figure.locator(f'.attn-ledger tbody [data-column="{column}"]').all_inner_texts()


def test_it_opens_in_the_author_s_state_and_says_so(open_figure):
    figure = open_figure(QKVStepper())
    expect_words(figure, *AUTHORED)
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
    assert seen == [["Q", "K", "V"], ["S"], ["scaled"], ["A"], ["parts"], []]
    assert button.is_disabled()
    assert figure.locator('.attn-ledger tfoot [data-column="Y"]').inner_text() == "(0.87, 0)"
    expect_words(figure, "“cat”, 87%", "(0.87, 0)")


def test_numbers_of_later_steps_are_not_shown_yet(open_figure):
    figure = open_figure(QKVStepper())
    assert shown(figure, "A") == [""] * 6
    for _ in range(3):
        figure.get_by_role("button", name="Next").click()
    assert shown(figure, "A") == ["0.025", "0.873", "0.025", "0.025", "0.025", "0.025"]
    assert figure.locator('.attn-ledger tfoot [data-column="Y"]').inner_text() == ""


def test_every_entry_has_a_slider_that_arrow_keys_move(open_figure):
    figure = open_figure(QKVStepper())
    address = figure.page.url
    for name in ("W_q", "W_k", "W_v"):
        for entry in ("[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]"):
            slider = figure.get_by_label(f"{name}{entry}")
            before = float(slider.input_value())
            slider.press("ArrowLeft")
            assert float(slider.input_value()) == pytest.approx(before - 0.5)
    assert figure.page.url == address


def test_a_query_of_zero_looks_at_everyone_alike(open_figure):
    figure = open_figure(QKVStepper(step=3))
    figure.get_by_label("W_q[0, 0]").fill("0")
    assert shown(figure, "A") == ["0.167"] * 6
    figure.get_by_label("word to follow").select_option("cat")
    assert "87% at “walks”" in words(figure)


def test_a_negative_entry_sends_walks_away(open_figure):
    figure = open_figure(QKVStepper(step=3))
    figure.get_by_label("W_q[0, 0]").fill("-5")
    assert "20% at “the”, 0.6% at “cat”, 20% at “walks”" in words(figure)


def test_another_word_can_be_followed(open_figure):
    figure = open_figure(QKVStepper())
    figure.get_by_label("word to follow").select_option("street")
    expect_words(figure, "“street” (0, 0)", "(0, 0)")
    assert figure.locator("tr[data-on] th").all_inner_texts() == ["street"]


def test_on_a_desk_the_table_needs_no_scrolling(open_figure):
    figure = open_figure(QKVStepper(step=5), width=1280)
    box = figure.locator(".attn-scroll")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")


@pytest.mark.parametrize("step", range(6))
def test_on_a_desk_every_step_fits_the_screen(open_figure, step):
    assert open_figure(QKVStepper(step=step)).bounding_box()["height"] <= MOST_PIXELS


def test_the_steps_stand_from_left_to_right(open_figure):
    figure = open_figure(QKVStepper(step=5))
    names = ("X", "Q", "K", "V", "S", "scaled", "A", "parts")
    heads = [figure.locator(f'thead [data-column="{name}"]').bounding_box()["x"] for name in names]
    assert heads == sorted(heads)


@pytest.mark.parametrize("step", range(6))
def test_on_a_phone_next_and_what_is_written_are_on_one_screen(open_figure, step):
    figure = open_figure(QKVStepper(step=step), width=360)
    top = figure.get_by_role("button", name="Next").bounding_box()["y"]
    table = figure.locator(".attn-ledger")
    box = table.bounding_box()
    assert box["y"] + box["height"] - top < 500
    assert table.evaluate("table => table.offsetWidth <= table.parentElement.clientWidth")
    column = figure.locator('.attn-ledger [data-mark="writes"]').first
    assert column.is_visible()
