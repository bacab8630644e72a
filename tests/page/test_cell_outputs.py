"""What a cell's run shows in a page: plots built from a list of what may be, figures alive."""

import json
import re

import pytest
from browsers.page_functions import page_function
from page_tasks import display
from playwright.sync_api import expect

from attn.plot import picture
from attn.widgets import HeadBrowser, SoftLookup
from web.builder.paths import TOP

SHOW_SVG = page_function(__file__, "showSvg")
BUILT_SVG = page_function(__file__, "builtSvg")
LOOKS = page_function(__file__, "looks")
BROKEN = page_function(__file__, "brokenReferences")
INVENTORY = page_function(__file__, "inventory")
MOUNT = page_function(__file__, "mount")
CHAPTER = "book/04-scaling.html"


def show(page, site, output):
    page.evaluate(SHOW_SVG, [site, output])
    return page.locator("#shown")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_a_plot_that_is_drawn_again_looks_as_the_built_one(open_page, site, width, theme):
    page = open_page(CHAPTER, width=width, theme=theme)
    built = page.locator("figure.attn-figure").first
    shown = show(page, site, built.evaluate(BUILT_SVG)).locator(".attn-figure")
    assert shown.evaluate(LOOKS) == built.evaluate(LOOKS)
    assert shown.get_attribute("class") == built.get_attribute("class")
    visible = shown.get_by_role("img")
    expect(visible).to_have_count(1)
    label = built.get_by_role("img").get_attribute("aria-label")
    expect(visible).to_have_attribute("aria-label", label)
    kind = "attn-for-phone" if width == 360 else "attn-for-desk"
    expect(visible).to_have_class(kind)


def test_the_rule_that_chooses_a_drawing_is_the_one_of_the_book():
    module = (TOP / "web/cells/svg-output.mjs").read_text(encoding="utf-8")
    rule = re.search(r"export const EITHER =(.*?);\n\n", module, re.DOTALL)[1]
    assert "".join(re.findall(r'"([^"]*)"', rule)) == picture._EITHER


def test_plots_keep_to_their_own_parts(open_page, site):
    page = open_page(CHAPTER)
    output = page.locator("figure.attn-figure").first.evaluate(BUILT_SVG)
    both = {"side_by_side": [{"name": name, **output} for name in ("left", "right")]}
    shown = show(page, site, both)
    assert shown.locator("strong").all_text_contents() == ["left", "right"]
    broken = shown.evaluate(BROKEN)
    assert (broken["twice"], broken["lost"]) == ([], [])
    assert broken["count"] > 10


HOSTILE = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 viewBox="0 0 10 10" onload="window.taken = 1" class="attn-for-phone" style="position: fixed">
<script>window.taken = 2</script>
<style>* { color: red } @import "http://elsewhere.test/x.css";</style>
<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="window.taken = 3"/>
</body></foreignObject>
<image href="http://elsewhere.test/1.png" width="1" height="1"/>
<image xlink:href="data:image/svg+xml;base64,PHN2Zy8+" width="1" height="1"/>
<use xlink:href="http://elsewhere.test/2.svg#x"/>
<a href="javascript:window.taken = 4" target="_top"><path id="kept" d="M 0 0 L 1 1"/></a>
<path d="M 0 0" onclick="window.taken = 5" style="fill: url(http://elsewhere.test/3.svg#a)"/>
<path d="M 1 1" fill="url(http://elsewhere.test/4.svg#a)" filter="url(#f)"/>
<path d="M 2 2" style="fill: red; background: url(http://elsewhere.test/5.png); cursor: none"/>
<path d="M 3 3" style="stroke: \\75 rl(http://elsewhere.test/6.png)"/>
<set attributeName="href" to="javascript:window.taken = 6"/>
<animate attributeName="href" values="javascript:window.taken = 7"/>
<text x="1" y="1"><tspan>a &lt;b&gt;word&lt;/b&gt;</tspan></text>
</svg>"""


def test_nothing_that_acts_or_asks_another_host_gets_into_the_page(open_page, site):
    page = open_page(CHAPTER)
    shown = show(page, site, {"svg": HOSTILE, "alt": 'A "plot" <b>'})
    found = shown.evaluate(INVENTORY)
    assert {one for one in found if "=" not in one} == {
        "svg",
        "image",
        "use",
        "g",
        "path",
        "text",
        "tspan",
    }
    said = " ".join(found)
    for word in (
        "elsewhere",
        "javascript",
        "onload",
        "onclick",
        "taken",
        "url(",
        "cursor",
        "filter",
    ):
        assert word not in said
    names = {one.split("=")[0] for one in found if "=" in one}
    assert names <= {
        "viewBox",
        "style",
        "role",
        "aria-label",
        "id",
        "d",
        "width",
        "height",
        "x",
        "y",
    }
    assert shown.locator("text").text_content() == "a <b>word</b>"
    assert shown.get_by_role("img", name='A "plot" <b>').count() == 1
    shown.locator("path").first.dispatch_event("click")
    assert page.evaluate("window.taken") is None
    # Reading the text makes a browser say what its policy forbids; it is not in the page.
    assert all("inline" in line for line in page.record.console)
    page.record.console.clear()
    assert shown.locator("svg").evaluate("svg => getComputedStyle(svg).position") == "static"


def svg(content):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{content}</svg>'


def tower(part, content, levels, copies):
    """Parts that show the one below them some times each, and the highest is shown."""
    floors = [part.format(0, '<path d="M 0 0 L 9 9"/>')]
    floors += [part.format(k + 1, content.format(k) * copies) for k in range(levels)]
    return svg(f"<defs>{''.join(floors)}</defs>{content.format(levels)}")


TOWERS = {
    "use": ('<g id="a{}">{}</g>', '<use href="#a{}"/>'),
    "pattern": ('<pattern id="a{}">{}</pattern>', '<path d="M 0 0" fill="url(#a{})"/>'),
    "clip": (
        '<clipPath id="a{}">{}</clipPath>',
        '<path d="M 0 0" style="fill: red; clip-path: url(#a{})"/>',
    ),
}


def test_a_drawing_that_would_hold_up_the_page_is_refused_in_words(open_page, site):
    page = open_page(CHAPTER)
    long = "M 0 0" + " L 9 9" * 100_000
    drawings = {
        **{name: (tower(*parts, 9, 10), "more than a page can") for name, parts in TOWERS.items()},
        "chain": (tower(*TOWERS["use"], 200, 1), "nested too deeply"),
        "marker": (
            svg(f'<path id="a" d="{long}"/>' + '<use href="#a"/>' * 100),
            "more than a page can",
        ),
        "crowd": (svg("<path/>" * 100_000), "more than a page can"),
    }
    for name, (text, words) in drawings.items():
        said = show(page, site, {"svg": text, "alt": ""}).inner_text()
        assert said.startswith("This plot cannot be shown: it"), name
        assert words in said, name
    for text in (svg('<g id="a"><use href="#a"/></g>'), tower(*TOWERS["use"], 3, 10)):
        assert show(page, site, {"svg": text, "alt": ""}).locator("svg").count() == 1


def test_a_picture_in_a_plot_is_shown(open_page, site):
    from matplotlib.figure import Figure

    fig = Figure()
    fig.subplots().imshow([[0, 1], [2, 3]])
    sent = []
    display.show(fig, lambda *one: sent.append(one))
    page = open_page("book/13-efficient.html")  # which has no plot, and no style of one
    shown = show(page, site, sent[0][1])
    join = "element => getComputedStyle(element).strokeLinejoin"
    assert shown.locator("path").first.evaluate(join) == "round"
    assert page.locator("body").evaluate(join) == "miter"  # a plot's style is not the page's
    image = shown.locator(".attn-for-desk image")  # its page is wide
    assert image.get_attribute("href").startswith("data:image/png;base64,")
    assert image.evaluate("image => image.getBoundingClientRect().width") > 50


@pytest.mark.parametrize(
    ("svg", "words"),
    [
        ("<svg", "it is not SVG"),
        ("<p xmlns='http://www.w3.org/1999/xhtml'>no</p>", "it is not SVG"),
        (f"<svg xmlns='http://www.w3.org/2000/svg'>{' ' * 6_000_000}</svg>", "it has 6.0 MB"),
    ],
    ids=["cut off", "a paragraph", "too large"],  # not the six megabytes themselves
)
def test_what_is_no_plot_is_a_sentence(open_page, site, svg, words):
    page = open_page(CHAPTER)
    assert words in show(page, site, {"svg": svg, "alt": "x"}).get_by_role("alert").text_content()


def sent_by(widget):
    return json.loads(json.dumps(display.figure(widget)))


def test_a_figure_is_as_alive_as_the_built_one_and_links_set_it_meanwhile(open_page, site):
    page = open_page("book/01-lookup.html")
    built = page.locator('.attn-widget[data-widget="SoftLookup"]').first
    button = page.locator('.attn-set[data-figure="SoftLookup"]').first
    page.evaluate(MOUNT, [site, sent_by(SoftLookup(beta=3, query_angle=-45))])
    shown = page.locator("#shown .attn-widget")
    expect(shown).to_have_count(1)
    words, before = shown.locator("output").first, built.locator("output").first.text_content()
    start = words.text_content()
    shown.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    expect(words).not_to_have_text(start)
    moved = words.text_content()
    button.click()
    expect(words).not_to_have_text(moved)
    assert built.locator("output").first.text_content() == before
    page.evaluate("takeAway()")
    expect(page.locator("#shown > *")).to_have_count(0)
    button.click()
    expect(built.locator("output").first).not_to_have_text(before)


def answer_from_sources(route):
    path = TOP / "attn/widgets" / route.request.url.split("/_static/attn/")[1]
    route.fulfill(path=path)


def test_a_figure_with_data_files_has_them_from_the_site(open_page, site):
    page = open_page(CHAPTER, routes={"**/_static/attn/head_browser/**": answer_from_sources})
    page.evaluate(MOUNT, [site, sent_by(HeadBrowser(layer=4, head=2))])
    words = page.locator('#shown .attn-widget[data-widget="HeadBrowser"] output').first
    words.scroll_into_view_if_needed()
    expect(words).to_contain_text("animal")


def test_a_figure_that_is_on_no_page_says_so(open_page, site):
    page = open_page(CHAPTER)
    state = sent_by(SoftLookup())["state"] | {"_anywidget_id": "attn.widgets.no_dial.NoDial"}
    page.evaluate(MOUNT, [site, {"module": "no_dial", "state": state}])
    said = page.locator("#shown").get_by_role("alert").text_content()
    assert "NoDial is on no page of this site" in said
    page.evaluate("takeAway()")
    assert page.locator("#shown > *").count() == 0
    page.record.console.clear()  # the browser's own words on a file that is not there
