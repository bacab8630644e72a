"""Figures that come late do not move who reads below them, whatever the browser does."""

from page.page_loading import wait_until_settled

CHAPTER = "book/01-lookup.html"
READ = "#exercises"
LIKE_SAFARI = "document.documentElement.style.overflowAnchor = 'none'"
TOP = f"() => document.querySelector('{READ}').getBoundingClientRect().top"
HEIGHT = "() => document.documentElement.scrollHeight"


def test_a_reader_stays_where_they_are_when_figures_above_come_late(open_page):
    held = []
    page = open_page(
        CHAPTER, routes={"**/drawing.js": lambda route: held.append(route)}, reduced_motion="reduce"
    )
    page.evaluate(LIKE_SAFARI)
    page.locator(READ).evaluate("(section) => section.scrollIntoView()")
    before, height = page.evaluate(TOP), page.evaluate(HEIGHT)
    for route in held:
        route.continue_()
    wait_until_settled(page, CHAPTER)
    assert page.evaluate(HEIGHT) > height + 500, "the figures came, and take their room"
    assert abs(page.evaluate(TOP) - before) < 1
