"""What holds for every page of the site; a new chapter is covered without new code.

Each page is opened once per theme. Bytes, requests, console messages, policy reports and
accessibility violations are gated; times are not.
"""

import pytest
from gates import IDS_SEEN_TWICE, MOST_BYTES, transferred, violations
from serve import SITE

# The top page only leads to the start page.
PAGES = sorted(
    str(path.relative_to(SITE))
    for path in SITE.glob("**/*.html")
    if "_static" not in path.parts and path != SITE / "index.html"
)
# The stock-widget page also loads Jupyter's own html-manager, and only that page does.
STOCK = "book/own-notebook.html"


def settled(page):
    """The page after its scripts and fonts arrived, scrolled through once as a reader would."""
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    return page


def expected_parts(path) -> int:
    """How many figures and exercises the page's own HTML announces."""
    html = (SITE / path).read_text(encoding="utf-8")
    return html.count('class="attn-exercise"') + html.count('"_anywidget_id": "attn.widgets.')


def test_the_site_has_pages_and_starts_at_its_start_page(open_page):
    assert "book/01-lookup.html" in PAGES
    page = open_page("")
    page.wait_for_url("**/book/index.html")


def unused(page, path) -> list[str]:
    """Parts of the site that the page loaded and has no use for."""
    asked = transferred(page.record, SITE)
    used = {
        "_static/vendor/mathjax": page.locator("mjx-container").count(),
        "_static/stock-widgets/": path == STOCK,
        "_static/exercises/": page.locator(".attn-exercise").count(),
        "_static/python/": False,
        "_static/attn/": page.locator(".attn-widget").count(),
        "fontawesome": False,
    }
    return [name for part, count in used.items() if not count for name in asked if part in name]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_on_a_desk_in_the_light(open_page, axe, path):
    page = settled(open_page(path, width=1280, theme="light"))
    sizes = transferred(page.record, SITE)
    heaviest = sorted(sizes.items(), key=lambda item: -item[1])[:8]
    assert sum(sizes.values()) <= MOST_BYTES, heaviest
    assert unused(page, path) == []
    assert page.context.cookies() == []
    assert page.evaluate(IDS_SEEN_TWICE) == []
    assert page.locator(".attn-widget, .attn-exercise").count() == expected_parts(path)
    assert violations(page, axe) == []


@pytest.mark.parametrize("path", PAGES)
def test_a_page_on_a_phone_in_the_dark(open_page, axe, path):
    page = settled(open_page(path, width=360, height=740, theme="dark"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    wide = page.locator(".attn-widget").evaluate_all(
        "roots => roots.filter((el) => el.scrollWidth > el.clientWidth)"
        ".map((el) => el.dataset.widget)"
    )
    assert wide == []
    assert violations(page, axe) == []
