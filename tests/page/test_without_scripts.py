"""A reader whose browser runs no scripts: what is there is readable, what is missing is said."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from web.builder.paths import SITE

# One worker opens a chapter for all that is said of it.
CHAPTERS = [
    pytest.param(path.name, id=path.name, marks=pytest.mark.xdist_group(f"no scripts {path.name}"))
    for path in sorted(SITE.glob("book/[0-9][0-9]-*.html"))
]


# Whether each is seen, and how wide it is.
SHOWN = "all => all.map((it) => it.checkVisibility() && it.getBoundingClientRect().width)"


@pytest.fixture(scope="module")
def opened(browser, site):
    """Pages by their width, in a system that is dark: without scripts they stay light."""
    sizes = ((1280, 900), (360, 740))
    contexts = {
        width: browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark",
            java_script_enabled=False,
        )
        for width, height in sizes
    }
    yield {width: context.new_page() for width, context in contexts.items()}
    for context in contexts.values():
        context.close()


@pytest.fixture(scope="module", params=CHAPTERS)
def chapter(request, opened, site):
    """A chapter on a desk and on a phone, opened once for what is said of it below."""
    for page in opened.values():
        page.goto(f"{site}book/{request.param}", wait_until="load")
    return SimpleNamespace(desk=opened[1280], phone=opened[360])


def test_each_formula_is_drawn_and_no_tex_is_seen(chapter):
    drawn = chapter.desk.locator(".bd-article math").evaluate_all(SHOWN)
    assert not any(chapter.desk.locator(".bd-article math annotation").evaluate_all(SHOWN))
    seen = [width for width in drawn if width is not False]
    assert len(seen) > 0
    assert min(seen) > 3


def test_what_is_missing_is_said_where_it_would_be(chapter):
    page = chapter.desk
    views = page.locator('script[type="application/vnd.jupyter.widget-view+json"]').count()
    own = ".attn-exercise, .attn-question, .attn-model[data-state=idle]"
    parts = views + page.locator(own).count()
    page.locator("details").evaluate_all("all => all.forEach((fold) => { fold.open = true; })")
    waiting = page.locator(".attn-waiting, .attn-exercise-needs").evaluate_all(SHOWN)
    assert len(waiting) == parts
    assert all(waiting)
    if parts:
        expect(page.locator(".attn-noscript")).to_contain_text("Scripts are off")


def test_on_a_phone_the_page_is_no_wider_than_the_screen(chapter):
    assert chapter.phone.locator("html").evaluate("page => page.scrollWidth") == 360


def test_the_page_is_light_as_one_piece(chapter):
    assert chapter.desk.locator("html").get_attribute("data-theme") == "light"


def test_with_scripts_no_such_sentence_is_left(open_page):
    page = open_page("book/01-lookup.html")
    page.locator(".attn-widget output").first.wait_for()
    expect(page.locator(".attn-waiting")).to_have_count(0)
    assert page.locator(".attn-noscript").count() == 0
