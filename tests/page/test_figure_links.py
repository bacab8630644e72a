"""Prose that sets a figure: pressed by mouse and keyboard, opened by an address, read as text."""

import json
import re

import pytest
from browsers.page_functions import page_function
from browsers.polling import eventually
from page.page_loading import wait_until_settled
from playwright.sync_api import expect

from web.builder.paths import SITE
from web.chapters import contents
from web.figures.link_syntax import read_link, rebuild, set_figure
from web.figures.live_figures import STATE, VIEW

CHAPTER = "book/01-lookup.html"
TURN = "Turn the query to 90°"
NAMES = [path.stem for path in contents.chapters() if path.stem[:2] > "00"]
PAGES = ["tour.html", *(f"{name}.html" for name in NAMES)]
LISTEN = page_function(__file__, "listen")
STYLE = page_function(__file__, "styleOf")
FIGURE = '.attn-widget[data-widget="SoftLookup"]'
IN_VIEW = page_function(__file__, "isInView")
END_EARLY = page_function(__file__, "endAnEarlierScroll")
WRITE_ADDRESS = page_function(__file__, "writeAddress")
ASKED = page_function(__file__, "changesAsked")
PARTED = page_function(__file__, "partedFromSign")


@pytest.fixture
def lookup(open_page):
    """``lookup(width=360)``: chapter 1, settled."""
    return lambda path=CHAPTER, **options: wait_until_settled(open_page(path, **options), CHAPTER)


def angle(page):
    return page.get_by_role("slider", name="query direction").last


def press(page, how):
    button = page.get_by_role("button", name=TURN)
    if how == "mouse":
        button.click()
    else:
        button.focus()
        page.keyboard.press(how)


@pytest.mark.parametrize("how", ["mouse", "Enter", "Space"])
def test_a_press_sets_the_figure_shows_it_and_keeps_the_focus(lookup, how):
    page = lookup()
    press(page, how)
    expect(angle(page)).to_have_value("90")
    expect(page.locator(f"{FIGURE} output")).to_contain_text("the answer is 20.00")
    eventually("the figure in view", lambda: page.locator(FIGURE).evaluate(IN_VIEW))
    assert page.url.endswith("#SoftLookup?query_angle=90&beta=3")
    if how != "mouse":
        expect(page.get_by_role("button", name=TURN)).to_be_focused()


@pytest.mark.parametrize("is_early", [False, True], ids=["at-rest", "an-earlier-scroll-ends"])
def test_who_was_taken_far_away_can_return_to_the_words(lookup, is_early):
    page = lookup(height=400)
    if is_early:
        page.evaluate(END_EARLY)
    button, back = (page.get_by_role("button", name=name) for name in (TURN, "Back to the text"))
    button.focus()
    expect(back).to_have_count(0)
    page.keyboard.press("Enter")
    expect(back).to_be_visible()
    back.click()
    expect(button).to_be_focused()
    expect(button).to_be_in_viewport()
    expect(back).to_have_count(0)


def test_on_a_phone_the_way_back_is_a_bar_below_what_is_in_view(lookup):
    """A smaller one, in the middle, hid some of a line and left the rest of it to be read."""
    page = lookup(width=360, height=500)
    page.get_by_role("button", name=TURN).click()
    back = page.get_by_role("button", name="Back to the text")
    expect(back).to_be_visible()
    eventually("the bar at the edge", lambda: round(bottom(back)) == 500)
    bar, figure = back.bounding_box(), page.locator(FIGURE).bounding_box()
    assert bar["x"] == pytest.approx(figure["x"], abs=2)
    assert bar["width"] == pytest.approx(figure["width"], abs=4)
    back.evaluate("el => el.parentElement.scrollIntoView({ block: 'end', behavior: 'instant' })")
    words = page.locator(f"{FIGURE} output")
    eventually("the words above the bar", lambda: bottom(words) <= back.bounding_box()["y"])


def bottom(part):
    box = part.bounding_box()
    return box["y"] + box["height"]


def test_the_figure_glides_and_is_read_out_once_when_it_has_arrived(lookup):
    page = lookup()
    page.evaluate(LISTEN)
    press(page, "mouse")
    expect(angle(page)).to_have_value("90")
    expect(page.locator(f"{FIGURE} output")).not_to_have_attribute("aria-busy", "true")
    heard = page.evaluate("window.heard")
    assert len({words for words, _ in heard}) > 2
    # The last words may be there a frame before the figure: rounded, they are the same.
    assert [words for words, busy in heard if busy != "true"] in ([], [heard[-1][0]])


def test_with_reduced_motion_it_is_there_at_once(lookup):
    page = lookup(reduced_motion="reduce")
    page.evaluate(LISTEN)
    press(page, "mouse")
    expect(angle(page)).to_have_value("90")
    assert len(page.evaluate("window.heard")) == 1


def test_an_address_opens_the_page_with_that_state(lookup):
    page = lookup(f"{CHAPTER}#SoftLookup?query_angle=90&beta=2.5")
    expect(angle(page)).to_have_value("90")
    expect(page.get_by_role("slider", name="sharpness")).to_have_value("2.5")
    page.wait_for_function(IN_VIEW, arg=page.locator(FIGURE).element_handle())
    page.locator(FIGURE).get_by_role("button", name="Reset").click()
    expect(angle(page)).to_have_value("0")


def test_an_address_written_on_the_open_page_is_followed_too(lookup):
    page = lookup()
    page.evaluate("location.hash = '#SoftLookup?query_angle=45'")
    expect(angle(page)).to_have_value("45")


NOT_STATES = [
    "SoftLookup?query_angle=270",
    "SoftLookup?query_angle=north",
    "SoftLookup?query_angle",
    "SoftLookup?no_such=1",
    "SoftLookup?_spec=1",
    "SoftLookup?labels=",
    "SoftLookup-2?query_angle=90",
    "NoFigure?query_angle=90",
    "SoftLookup?%E0%A4%A",
    "?query_angle=90",
]


def test_an_address_that_is_no_state_leaves_the_page_as_it_is(lookup):
    page = lookup(f"{CHAPTER}#{NOT_STATES[0]}")
    words = page.locator(f"{FIGURE} output")
    for fragment in NOT_STATES:
        page.evaluate(WRITE_ADDRESS, fragment)
        expect(page.get_by_role("button", name=TURN)).to_be_enabled()
        assert angle(page).input_value() == "0", fragment
        assert "the answer is 14.25" in words.inner_text(), fragment


@pytest.mark.matrix  # the build refuses what a figure's traits refuse
@pytest.mark.parametrize("name", PAGES)
def test_every_link_asks_for_what_python_says_and_its_figure_can_show_it(open_page, site, name):
    path = f"book/{name}"
    page = wait_until_settled(open_page(path, reduced_motion="reduce"), path)
    html = (SITE / path).read_text(encoding="utf-8")
    models = json.loads(re.search(rf'<script type="{re.escape(STATE)}">(.*?)</script>', html)[1])
    ids = [json.loads(v)["model_id"] for v in re.findall(f"{re.escape(VIEW)}(.*?)</script>", html)]
    states = [models["state"][model]["state"] for model in ids]
    page.locator("details").evaluate_all("all => all.forEach((fold) => { fold.open = true; })")
    buttons = page.locator(".attn-set[role]")
    assert buttons.count() > 0
    folds = page.locator("details.attn-deeper")
    folds.evaluate_all("all => all.forEach((fold) => { fold.open = true; })")
    for at in range(buttons.count()):
        button = buttons.nth(at)
        figure, asked = button.get_attribute("data-figure"), button.get_attribute("data-state")
        link = read_link(f"#{figure}?{asked}")
        kind = [s for s in states if s["_anywidget_id"].endswith(f".{link.figure}")]
        state = kind[link.number - 1]
        made = rebuild(state)
        set_figure(made, link.pairs)
        script = f"{site}_static/figures/figure-state.mjs"
        changes = page.evaluate(ASKED, [script, state, asked])
        assert changes == made.get_state(list(changes)), asked
        button.click()  # a figure that could not draw this would say so in the console
        made.close()


def test_without_scripts_it_is_text(browser, site):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site}{CHAPTER}")
        assert reads_as_text(page.locator(".attn-set", has_text=TURN))


def test_on_paper_it_is_text(lookup):
    page = lookup()
    button = page.get_by_role("button", name=TURN)
    assert not reads_as_text(button)
    page.emulate_media(media="print")
    assert reads_as_text(button)


def reads_as_text(button):
    style = button.evaluate(STYLE)
    is_bare = style["marks"] == ["none", "rgba(0, 0, 0, 0)", "0px"]
    return is_bare and style["own"] == style["around"]


def test_on_a_phone_a_long_one_breaks_with_its_line_and_keeps_its_full_stop(open_page):
    path = "book/13-efficient.html"
    page = wait_until_settled(open_page(path, width=360), path)
    links = page.locator(".attn-set[role]")
    assert max(links.evaluate_all("all => all.map((one) => one.getClientRects().length)")) > 1
    assert links.evaluate_all(PARTED) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_it_can_be_touched_and_the_page_is_no_wider(lookup, theme):
    page = lookup(width=360, height=740, theme=theme)
    box = page.get_by_role("button", name=TURN).bounding_box()
    assert box["height"] >= 24
    assert box["x"] + box["width"] <= 360
    assert page.locator("html").evaluate("page => page.scrollWidth") == 360
    press(page, "mouse")
    expect(angle(page)).to_have_value("90")
