"""What holds for every page of the site; a new chapter is covered without new code.

Each page is opened once on a desk and once on a phone. Bytes, requests, console messages, policy
reports and accessibility violations are gated; times are not. The page is scrolled through as by a
reader, so that everything that waits to be seen is there; bytes are weighed before and after.
Of axe-core's rules, contrast is asked of two pages; of all, in the dark, with the matrix.
"""

import pytest
from browsers.page_functions import page_function
from browsers.polling import eventually
from page.page_limits import (
    CONTRAST,
    MOST_BYTES,
    MOST_BYTES_READ,
    MOST_PIXELS,
    REPEATED_IDS,
    WIDE_FORMULAS,
    transfer_sizes,
    violations,
)
from page.page_loading import scroll_through, wait_until_settled
from playwright.sync_api import expect

from web.builder.paths import SITE
from web.chapters import contents

# The top page only leads to the start page.
PAGES = sorted(
    str(path.relative_to(SITE))
    for path in SITE.glob("**/*.html")
    if "_static" not in path.parts and path != SITE / "index.html"
)
TALL_FIGURES = page_function(__file__, "tallFigures")
WIDE_FIGURES = page_function(__file__, "wideFigures")
FIRST_FIGURE = page_function(__file__, "firstFigure")
CUT_OFF = page_function(__file__, "cutOff")
WITHOUT_CUE = page_function(__file__, "withoutCue")
OF_A_PHONE = ("target-size", "scrollable-region-focusable")  # of axe-core's rules
# The stock-widget page also loads Jupyter's own html-manager, and only that page does.
STOCK = "book/own-notebook.html"
START = "book/index.html"
# Every numbered chapter but the warm-up.
CHAPTERS = [f"book/{path.stem}.html" for path in contents.chapters() if path.stem[:2] > "00"]
SCREEN = 800  # pixels, on a laptop
# What page scripts build from the elements that they share with figures.
WITH_ELEMENTS = ".attn-exercise, .attn-question, #your-progress, .attn-cell"


def weigh(page):
    sizes = transfer_sizes(page.record, SITE)
    return sum(sizes.values()), sorted(sizes.items(), key=lambda item: -item[1])[:8]


def test_the_site_has_pages_and_starts_at_its_start_page(open_page):
    assert "book/01-lookup.html" in PAGES
    page = open_page("")
    page.wait_for_url("**/book/index.html")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_whose_questions_were_answered(open_page, axe, theme):
    """A choice, and a number that cannot be read: axe sees what the page says to them."""
    page = open_page("book/02-self-attention.html", theme=theme, width=360, height=740)
    for form in page.locator("form.attn-question").all():
        choices = form.locator("input[type=radio]")
        if choices.count():
            choices.last.check()
        else:
            form.get_by_label("Your answer").fill("a lot")
        form.get_by_role("button", name="Check").click()
        expect(form.get_by_role("status")).not_to_be_empty()
    assert violations(page, axe, "form.attn-question") == []


def unused(page, path) -> list[str]:
    """Parts of the site that the page loaded and has no use for."""
    asked = transfer_sizes(page.record, SITE)
    used = {
        "_static/formulas/formulas.css": page.locator("math").count(),
        "_static/fonts/math": page.locator("math").count(),
        "_static/stock-widgets/": path == STOCK,
        "_static/exercises/": page.locator(".attn-exercise, #your-progress").count(),
        "_static/python/": False,
        "_static/attn/": page.locator(f".attn-widget, {WITH_ELEMENTS}").count(),
        "fontawesome": False,
    }
    return [name for part, count in used.items() if not count for name in asked if part in name]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_on_a_desk_in_the_light(open_page, axe, path):
    page = wait_until_settled(open_page(path, height=SCREEN), path)
    weight, heaviest = weigh(page)
    stock = 360 * 1024 if path == STOCK else 0  # Jupyter's own widgets, on one page
    assert weight <= MOST_BYTES + stock, heaviest
    if path in CHAPTERS:
        assert page.evaluate(FIRST_FIGURE) <= 1.5 * SCREEN, "down to the end of the first figure"
        assert page.evaluate(CUT_OFF) == []
    scroll_through(page, path)
    weight, heaviest = weigh(page)
    assert weight <= MOST_BYTES_READ + stock, heaviest
    assert unused(page, path) == []
    assert page.context.cookies() == []
    assert page.evaluate(REPEATED_IDS) == []
    assert page.locator(".attn-widget").evaluate_all(TALL_FIGURES, MOST_PIXELS) == []
    assert page.evaluate(WIDE_FORMULAS) == []
    assert violations(page, axe, without=[CONTRAST]) == []


ALWAYS = (START, "book/01-lookup.html")
OTHERS = [path for path in PAGES if path not in ALWAYS]


@pytest.mark.parametrize(
    ("path", "theme"),
    [(path, theme) for path in ALWAYS for theme in ("light", "dark")]
    + [
        pytest.param(path, "dark", marks=pytest.mark.matrix) for path in PAGES if path not in ALWAYS
    ],
)
def test_a_page_has_contrast(open_page, axe, path, theme):
    page = scroll_through(open_page(path, theme=theme), path)
    assert violations(page, axe, only=[CONTRAST]) == []


@pytest.mark.parametrize("path", PAGES)
def test_a_page_on_a_phone_in_the_dark(open_page, axe, path):
    page = wait_until_settled(open_page(path, width=360, height=740, theme="dark"), path)
    if path in CHAPTERS:  # boxes are looked at once the page is loaded
        eventually("every box that scrolls to show it", lambda: page.evaluate(WITHOUT_CUE) == [])
    scroll_through(page, path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator(".attn-widget").evaluate_all(WIDE_FIGURES) == []
    assert violations(page, axe, only=OF_A_PHONE) == []


def test_the_first_screen_of_the_start_page_holds_buttons_and_figure(open_page):
    page = wait_until_settled(open_page(START, height=SCREEN), START)
    figure = page.locator(".attn-widget").first.bounding_box()
    assert figure["y"] + figure["height"] <= SCREEN
    for name in ("Start chapter 1", "Take the tour, 15 minutes", "Warm-up, 10 minutes"):
        button = page.get_by_role("link", name=name, exact=True)
        assert button.bounding_box()["y"] < SCREEN / 2


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_search_dialog_when_it_is_open(open_page, axe, theme):
    page = wait_until_settled(open_page(START, theme=theme), START)
    page.locator(".search-button__button").locator("visible=true").first.click()
    expect(page.get_by_role("searchbox").first).to_be_focused()
    found = violations(page, axe, ".search-button__wrapper")
    # The theme puts its search outside every landmark; the rest is ours to keep.
    assert [one for one in found if not one.startswith("region:")] == []
