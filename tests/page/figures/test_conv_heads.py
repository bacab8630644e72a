"""The eighth chapter's nine heads in a browser."""

import pytest
from page.figure_text import expect_words, words
from page.page_limits import MOST_PIXELS, violations

from attn.widgets import ConvHeads


def pixel(figure, row, column):
    """A cell of the picture that is drawn on."""
    return figure.locator(f"[data-drags] [aria-label^='row {row}, column {column}:']")


def ink(figure, row, column):
    return pixel(figure, row, column).get_attribute("aria-label").split("ink ")[1]


def middle(cell):
    box = cell.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_it_opens_with_soft_heads_beside_the_convolution(open_figure):
    figure = open_figure(ConvHeads())
    assert words(figure).startswith("α = 3: from pixel (4, 4), head 6 with Δ = (0, 1) looks 83%")
    assert figure.get_by_text("head 6: sum 1.00").is_visible()


def test_sharper_heads_come_nearer(open_figure):
    figure = open_figure(ConvHeads())
    figure.get_by_label("sharpness α").press("End")
    assert "looks over 99% at pixel (4, 5)" in words(figure)
    expect_words(figure, "5.7·10⁻¹³")


def test_a_mouse_draws_a_line_and_erases_it(open_figure):
    figure = open_figure(ConvHeads(picture="own"))
    mouse = figure.page.mouse
    for expected in ("1.00", "0.00"):
        mouse.move(*middle(pixel(figure, 2, 2)))
        mouse.down()
        mouse.move(*middle(pixel(figure, 2, 7)))  # in one leap: what lies between is drawn too
        mouse.up()
        mouse.move(*middle(pixel(figure, 6, 6)))  # with the button up nothing is drawn
        assert [ink(figure, 2, c) for c in range(2, 8)] == [expected] * 6
        assert [ink(figure, 2, 1), ink(figure, 6, 6)] == ["0.00", "0.00"]


def test_a_stroke_outside_the_picture_ends_at_its_edge(open_figure):
    figure = open_figure(ConvHeads(picture="own"))
    mouse = figure.page.mouse
    x, y = middle(pixel(figure, 1, 1))
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 200, y)
    mouse.up()
    assert ink(figure, 1, 1) == "1.00"
    assert ink(figure, 1, 2) == "0.00"


def test_a_finger_draws_where_the_browser_can(open_figure):
    figure = open_figure(ConvHeads(picture="own"), has_touch=True)
    figure.page.touchscreen.tap(*middle(pixel(figure, 5, 5)))
    assert ink(figure, 5, 5) == "1.00"


def test_the_keyboard_draws_with_one_stop_for_the_tab_key(open_figure):
    figure = open_figure(ConvHeads(picture="own"))
    assert figure.locator("[data-drags] [tabindex='0']").count() == 1
    pixel(figure, 4, 4).focus()
    for key in ("Space", "ArrowRight", "Enter", "ArrowDown"):
        figure.page.keyboard.press(key)
    assert [ink(figure, 4, 4), ink(figure, 4, 5), ink(figure, 5, 5)] == ["1.00", "1.00", "0.00"]
    assert "row 5, column 5" in figure.page.evaluate("document.activeElement.ariaLabel")


def test_drawing_on_a_digit_keeps_the_rest_of_it(open_figure):
    figure = open_figure(ConvHeads(picture="0"))
    before = ink(figure, 1, 4)
    pixel(figure, 8, 8).click()
    assert ink(figure, 8, 8) == "1.00"
    assert ink(figure, 1, 4) == before
    assert figure.get_by_label("picture", exact=True).input_value() == "own"


def test_arrow_keys_and_clicks_choose_the_pixel_that_looks(open_figure):
    figure = open_figure(ConvHeads())
    figure.locator("[role=gridcell][aria-label^='pixel (4, 4)']").focus()
    figure.page.keyboard.press("ArrowDown")
    assert "from pixel (5, 4), head 6" in words(figure)
    figure.locator("[role=gridcell][aria-label^='pixel (2, 8)']").click()
    assert "from pixel (2, 8), head 6 with Δ = (0, 1) looks" in words(figure)
    expect_words(figure, "padding", "(2, 9)")


def test_a_head_is_chosen_moved_and_given_another_number(open_figure):
    figure = open_figure(ConvHeads(alpha=30.0))
    heads = figure.locator("button[aria-pressed]")
    heads.nth(0).click()
    assert [h.get_attribute("aria-pressed") for h in heads.all()] == ["true"] + ["false"] * 8
    assert "head 1 with Δ = (−1, −1)" in words(figure)
    assert not figure.get_by_label("head 1: Δ right").is_visible()
    figure.get_by_text("edit this head").click()
    figure.get_by_label("head 1: Δ right").press("End")
    expect_words(figure, "head 1", "(−1, −1)")
    figure.get_by_label("head 1: number").press("Home")
    assert heads.nth(0).inner_text() == "−2"
    assert figure.get_by_label("kernel", exact=True).input_value() == "own"


def test_without_padding_tokens_the_border_is_off(open_figure):
    figure = open_figure(ConvHeads(alpha=30.0))
    assert figure.locator("[data-none]").count() == 0
    figure.get_by_label("padding tokens").uncheck()
    assert "on the border" in words(figure)
    assert figure.locator("[data-none]").count() == 36


def test_what_moves_a_head_unfolds_its_sliders(open_figure):
    offsets = [list(pair) for pair in ConvHeads().offsets]
    offsets[5] = [0.0, 0.5]
    figure = open_figure(ConvHeads(offsets=offsets))
    assert figure.get_by_label("head 6: Δ right").is_visible()
    heads = figure.locator("button[aria-pressed]")
    heads.nth(0).click()
    assert not figure.get_by_label("head 1: Δ right").is_visible()


def test_a_pixel_that_is_off_is_marked_among_the_results(open_figure):
    figure = open_figure(ConvHeads(alpha=30.0))
    dots = figure.locator(".attn-lower circle[data-on]:not(.attn-current)")
    assert dots.count() == 0
    figure.get_by_label("padding tokens").uncheck()
    off = ConvHeads(alpha=30.0, padding=False)
    assert dots.count() == (abs(off.output - off.convolution) > 0.2).sum() > 0


def test_in_the_window_a_click_and_arrow_keys_choose_the_pixel(open_figure):
    figure = open_figure(ConvHeads(view="window"))
    expect_words(figure, "(4, 4)", "64 pixels")
    picture = figure.locator("[role=gridcell]")
    assert picture.count() == 64
    picture.nth(8 * 3 + 5).click()
    assert words(figure).startswith("Pixel (4, 6).")
    figure.page.keyboard.press("ArrowDown")
    assert words(figure).startswith("Pixel (5, 6).")
    figure.get_by_label("kernel").select_option("blur")
    assert figure.locator(".attn-numbers").inner_text().split()[:3] == ["0.0625", "0.125", "0.0625"]


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (360, "dark")])
def test_the_window_fits_the_screen_and_passes_axe(open_figure, axe, width, theme):
    figure = open_figure(ConvHeads(view="window"), width=width, theme=theme)
    assert violations(figure.page, axe) == []
    assert figure.evaluate("root => root.scrollWidth <= root.clientWidth")
    if width > 1000:
        assert figure.bounding_box()["height"] <= MOST_PIXELS
