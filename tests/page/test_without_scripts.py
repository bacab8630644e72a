"""A reader whose browser runs no scripts: what is there is readable, what is missing is said."""

import pytest
from playwright.sync_api import expect
from serve import SITE

CHAPTERS = sorted(path.name for path in SITE.glob("book/[0-9][0-9]-*.html"))


@pytest.fixture(params=CHAPTERS)
def page(request, open_page):
    """A chapter without scripts, in a system that is dark: it stays light, and readable."""
    return open_page(f"book/{request.param}", java_script_enabled=False, theme="dark")


def test_each_formula_is_mathml_and_no_tex_is_seen(page):
    formulas = page.locator(".bd-article .math.nohighlight")
    drawn = page.locator(".bd-article math")
    assert drawn.count() == formulas.count() > 0
    assert [tex for tex in formulas.all() if tex.is_visible()] == []
    seen = [one for one in drawn.all() if one.is_visible()]
    assert all(one.bounding_box()["width"] > 3 for one in seen)
    assert len(seen) > 0


def test_what_is_missing_is_said_where_it_would_be(page):
    views = page.locator('script[type="application/vnd.jupyter.widget-view+json"]').count()
    parts = views + page.locator(".attn-exercise, .attn-question").count()
    waiting = page.locator(".attn-waiting, .attn-exercise-needs")
    assert waiting.count() == parts
    for sentence in waiting.all():
        expect(sentence).to_be_visible()
    if parts:
        expect(page.locator(".attn-noscript")).to_contain_text("Scripts are off")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_on_a_phone_the_page_is_no_wider_than_the_screen(open_page, chapter):
    page = open_page(f"book/{chapter}", width=360, height=740, java_script_enabled=False)
    assert page.locator("html").evaluate("page => page.scrollWidth") == 360


def test_the_page_is_light_as_one_piece(page):
    assert page.locator("html").get_attribute("data-theme") == "light"


def test_with_scripts_no_such_sentence_is_left(open_page):
    page = open_page("book/01-lookup.html")
    page.locator(".attn-widget output").first.wait_for()
    expect(page.locator(".attn-waiting")).to_have_count(0)
    assert page.locator(".attn-noscript").count() == 0
