"""The page that shows how figures look: still ones, and roles in words and equations."""

import pytest
from page.colours import RGB, hex_to_rgb, nearly_equal
from playwright.sync_api import expect

from attn import palette

PAGE = "book/how-figures-look.html"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_still_figure_s_words_are_in_the_page_s_ink_on_no_card(open_page, theme):
    page = open_page(PAGE, theme=theme)
    figures = page.locator(".attn-figure")
    assert figures.count() == 4
    label = figures.last.locator(".attn-for-desk text", has_text="sharpness β")
    assert nearly_equal(label.evaluate(RGB, "fill"), hex_to_rgb(palette.colours(theme)["ink"]))
    card = figures.last.evaluate("n => getComputedStyle(n.parentElement).backgroundColor")
    assert card == "rgba(0, 0, 0, 0)"


def test_every_picture_has_a_name(open_page):
    page = open_page(PAGE)
    expect(page.locator(".attn-widget svg[role=img]").first).to_be_attached()  # mounts afterwards
    names = page.locator("svg[role=img]").evaluate_all("all => all.map(n => n.ariaLabel)")
    assert all(len(name) > 20 for name in names)


@pytest.mark.parametrize(
    ("letter", "role"), [(role.letter, name) for name, role in palette.ROLES.items()]
)
def test_a_role_has_one_colour_in_words_and_in_equations(open_page, letter, role):
    page = open_page(PAGE, theme="dark")
    word = page.locator(f"li strong.{letter}").first
    symbol = page.locator(f"math .{letter}").first
    expected = hex_to_rgb(palette.ROLES[role].dark)
    assert word.evaluate(RGB, "color") == expected
    assert symbol.evaluate(RGB, "color") == expected
