"""How far down the first thing to move stands, on a laptop of 1280 × 800 pixels."""

import pytest
from page.page_loading import wait_until_settled

from web.chapters import contents

SCREEN = 800
START = "book/index.html"
NAMES = [path.stem for path in contents.chapters() if path.stem[:2] > "00"]
CHAPTERS = [f"book/{name}.html" for name in NAMES]


def first_figure(page):
    """From the top of the title to the bottom of the first figure."""
    box = page.locator(".attn-widget").first.bounding_box()
    title = page.locator(".bd-article h1").bounding_box()
    return box["y"] + box["height"] - title["y"]


def test_there_are_chapters():
    assert len(CHAPTERS) >= 9


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_has_a_whole_figure_within_a_screen_and_a_half(open_page, path):
    page = wait_until_settled(open_page(path, height=SCREEN), path)
    assert first_figure(page) <= 1.5 * SCREEN


def test_the_first_screen_of_the_start_page_holds_buttons_and_figure(open_page):
    page = wait_until_settled(open_page(START, height=SCREEN), START)
    figure = page.locator(".attn-widget").first.bounding_box()
    assert figure["y"] + figure["height"] <= SCREEN
    for name in ("Start chapter 1", "Take the tour, 15 minutes", "Warm-up, 10 minutes"):
        button = page.get_by_role("link", name=name, exact=True)
        assert button.bounding_box()["y"] < SCREEN / 2
