"""The pages have one look: its typefaces, its accent, its folds, its search."""

import re
import time

import pytest
from page.page_limits import transfer_sizes
from page.page_loading import wait_until_settled
from playwright.sync_api import expect

from attn.palette import ROLES, colours
from web.builder.paths import SITE

CHAPTER = "book/05-multi-head.html"
MOST_FONT_BYTES = 60 * 1024
FONTS = "**/_static/fonts/*.woff2"
# How far what is in view moved, weighted as browsers do it, without a reader's doing.
SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""
COLOURS = """(parts) => parts.flatMap((part) => [...document.querySelectorAll(part)].flatMap((el) =>
  ["color", "backgroundColor", "borderLeftColor", "outlineColor"].map((property) => [
    part,
    getComputedStyle(el)[property],
  ])))"""
CHROME = (
    ".bd-sidebar-primary a",
    ".bd-sidebar-secondary a",
    ".admonition-title",
    ".admonition",
    "summary",
    ".prev-next-footer a",
    ".bd-footer-content a",
    ".bd-header-article button",
)
OVERLAPS = """() => {
  const fixed = [...document.querySelectorAll("body *")].filter((el) =>
    getComputedStyle(el).position === "fixed" && el.checkVisibility() && el.offsetHeight);
  const controls = document.querySelectorAll(".bd-article :is(input, button, select, .cm-editor)");
  const boxes = [...controls].map((el) => el.getBoundingClientRect());
  return fixed.filter((el) => {
    const box = el.getBoundingClientRect();
    if (box.bottom <= 0 || box.top >= innerHeight) return false;
    return boxes.some((one) => one.width && one.left < box.right && one.right > box.left
      && one.top < box.bottom && one.bottom > box.top);
  }).map((el) => el.id || el.className);
}"""


def rgb(colour):
    return "rgb({}, {}, {})".format(*(int(colour[i : i + 2], 16) for i in (1, 3, 5)))


def font_of(page, selector):
    family = page.locator(selector).first.evaluate("el => getComputedStyle(el).fontFamily")
    return family.split(",")[0].strip('"')


def test_a_page_preloads_the_faces_that_it_uses_within_their_bytes(open_page):
    page = wait_until_settled(open_page(CHAPTER), CHAPTER)
    asked = {n: s for n, s in transfer_sizes(page.record, SITE).items() if n.endswith(".woff2")}
    ours = {name: size for name, size in asked.items() if "_static/fonts/" in name}
    early = page.locator("link[rel=preload][as=font]").evaluate_all("all => all.map((l) => l.href)")
    assert sorted(name.split("/")[-1] for name in ours) == sorted(u.split("/")[-1] for u in early)
    of_text = [size for name, size in ours.items() if not name.endswith("math.woff2")]
    assert sum(of_text) <= MOST_FONT_BYTES
    unread = "[...document.fonts].filter((f) => /Slider/.test(f.family) && f.status === 'error')"
    assert page.evaluate(f"{unread}.length") == 0


def test_text_is_set_in_the_serif_and_what_is_used_in_the_sans(open_page):
    page = wait_until_settled(open_page(CHAPTER), CHAPTER)
    assert font_of(page, ".bd-article > section > p") == "Slider Serif"
    for part in (
        "h1",
        "h2",
        ".attn-widget",
        ".attn-question-title",
        "table",
        ".bd-sidebar-primary",
    ):
        assert font_of(page, part) == "Slider Sans", part


def late(route):
    time.sleep(0.7)  # a browser waits a tenth of a second for an optional font
    route.continue_()


@pytest.mark.parametrize("width", [360, 1280])
def test_a_font_that_comes_late_moves_nothing(open_page, width):
    page = open_page(
        "book/for-teachers.html", width=width, scripts=[f"({SHIFTS})()"], routes={FONTS: late}
    )
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(500)
    assert page.evaluate("shifted") < 0.001


def test_a_page_is_as_long_in_the_stand_in_as_in_its_own_face(open_page):
    path = "book/for-teachers.html"
    page = wait_until_settled(open_page(path), path)
    own = page.locator(".bd-article").bounding_box()["height"]
    page.add_style_tag(
        content=""":root { --attn-serif: "Serif, third stand-in" !important;
        --attn-sans: "Sans, second stand-in" !important; }"""
    )
    assert page.locator(".bd-article").bounding_box()["height"] == pytest.approx(own, rel=0.1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_chrome_wears_no_role_s_colour_and_no_orange_of_the_theme(open_page, theme):
    page = wait_until_settled(open_page(CHAPTER, theme=theme), CHAPTER)
    taken = {rgb(colours(theme)[name]) for name in ROLES if name != "output"}
    taken |= {"rgb(232, 146, 23)"}  # the theme's
    found = page.evaluate(COLOURS, list(CHROME))
    assert len(found) > 100
    assert [(part, colour) for part, colour in found if colour in taken] == []


def test_nothing_stands_over_a_control_when_a_reader_scrolls_back(open_page):
    page = wait_until_settled(open_page(CHAPTER), CHAPTER)
    for top in range(3000, 9000, 1500):
        page.evaluate("top => scrollTo({ top, behavior: 'instant' })", top)
        page.mouse.wheel(0, -200)
        page.wait_for_timeout(100)
        assert page.evaluate(OVERLAPS) == []
    expect(page.get_by_text("Back to top")).to_be_hidden()


WIDE = ".attn-widget[data-wide]"
LIST = ".bd-sidebar-secondary"


def test_a_wide_figure_uses_the_margin_and_the_contents_list_makes_room(open_page):
    page = wait_until_settled(open_page(CHAPTER), CHAPTER)
    figure = page.locator(WIDE).first
    column = page.locator(".bd-article").bounding_box()
    box = figure.bounding_box()
    assert column["width"] + 100 < box["width"]
    assert box["x"] + box["width"] <= 1280
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    middle = figure.evaluate("el => el.getBoundingClientRect().top + scrollY + 200")
    page.evaluate("top => scrollTo({ top, behavior: 'instant' })", middle)
    expect(page.locator(LIST)).to_be_hidden()
    expect(page.locator(f"{LIST} a:visible")).to_have_count(0)
    below = figure.evaluate("el => el.getBoundingClientRect().bottom + scrollY + 20")
    page.evaluate("top => scrollTo({ top, behavior: 'instant' })", below)
    expect(page.locator(LIST)).to_be_visible()
    expect(page.locator(f"{LIST} a").first).to_be_visible()


@pytest.mark.parametrize("width", [360, 1279])
def test_without_a_margin_a_figure_keeps_to_its_column(open_page, width):
    page = wait_until_settled(open_page(CHAPTER, width=width), CHAPTER)
    box = page.locator(WIDE).first.bounding_box()
    column = page.locator(".bd-article").bounding_box()
    assert box["x"] + box["width"] <= column["x"] + column["width"]


def test_a_page_names_the_modules_of_its_figures_so_that_they_come_together(open_page):
    page = wait_until_settled(open_page(CHAPTER), CHAPTER)
    named = page.locator("link[rel=modulepreload]").evaluate_all("all => all.map((l) => l.href)")
    imported = [url for url in page.record.requests if "/attn/" in url and url.endswith(".js")]
    assert set(imported) <= set(named)
    assert set(named) <= set(page.record.requests)
    names = [url.split("?")[0] for url in page.record.requests]
    assert len(names) == len(set(names))  # with and without a version, a file would come twice


def test_the_modules_of_figures_are_named_after_all_that_the_text_waits_for():
    """Before them, forty modules took a slow network from the styles: text came a second later."""
    head, _, _ = (SITE / CHAPTER).read_text(encoding="utf-8").partition("</head>")
    waited_for, first, rest = head.partition('rel="modulepreload"')
    assert first
    assert 'rel="stylesheet"' in waited_for
    assert not re.search(r'rel="stylesheet"|<script src=', rest)


def test_the_scripts_that_the_text_waits_for_are_asked_for_at_once():
    """One after the other, each took a slow network another round trip before the first text."""
    html = (SITE / CHAPTER).read_text(encoding="utf-8")
    named = re.findall(r'<link rel="preload" href="([^"]+)" as="script" />', html)
    assert named == re.findall(r'<script src="([^"]+)"', html)


def test_a_question_has_no_gap_before_it_is_answered_and_no_fold_after_a_right_answer(open_page):
    path = "book/02-self-attention.html"
    form = open_page(path).locator('[data-question="02-weight-by-hand"]')
    check, fold = form.get_by_role("button", name="Check"), form.locator("details")
    below = form.bounding_box()["y"] + form.bounding_box()["height"]
    button = check.bounding_box()
    assert below - button["y"] - button["height"] < button["height"]
    field = form.get_by_label("Your answer")
    for typed, shown in (("0", False), ("0", True), ("0.288", False)):
        field.fill(typed)
        field.press("Enter")
        expect(fold).to_be_visible(visible=shown)


def test_code_output_question_and_figure_stand_on_different_grounds(open_page):
    path = "book/02-self-attention.html"
    page = wait_until_settled(open_page(path), path)
    parts = (".cell_input pre", ".cell_output pre", ".attn-question", ".attn-widget")
    looks = {
        page.locator(part).first.evaluate(
            "el => { const s = getComputedStyle(el); return [s.backgroundColor, s.borderTopWidth,"
            " s.borderLeftWidth].join(' '); }"
        )
        for part in parts
    }
    assert len(looks) == len(parts)


def test_search_results_are_read_as_text(open_page):
    page = open_page("search.html?q=softmax")
    expect(page.locator("#search-results")).to_contain_text(re.compile(r"\d+ pages found\."))
    excerpts = page.locator(".search .context")
    expect(excerpts.nth(4)).to_be_visible()
    for text in excerpts.all_inner_texts():
        assert re.search(r"\\[(\[a-z]|code-cell|import numpy|Contents\s", text) is None, text
        assert not re.match(r"[.,:;] ", text), text


def test_the_search_finds_what_it_is_asked_for_where_nothing_more_can_be_kept(open_page):
    full = "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }"
    page = open_page("search.html?q=softmax", scripts=[full])
    expect(page.locator("#search-results")).to_contain_text(re.compile(r"\d+ pages found\."))


@pytest.mark.parametrize("word", ["constructor", "__proto__"])
def test_a_word_that_no_page_has_is_not_found(open_page, word):
    page = open_page(f"search.html?q={word}")
    expect(page.locator("#search-results")).to_contain_text("Nothing found")


def test_folds_say_what_is_behind_them_in_one_style(open_page):
    path = "book/09-vs-rnn.html"
    page = wait_until_settled(open_page(path), path)
    said = page.locator(".bd-article summary").all_inner_texts()
    assert any(text.startswith("Going deeper: ") for text in said)
    assert any("Show the code" in text for text in said)
    styles = page.locator(".bd-article details > summary").evaluate_all(
        """all => all.map((el) => { const s = getComputedStyle(el);
        return [s.color, s.fontFamily, s.backgroundColor, s.borderLeftWidth].join(" "); })"""
    )
    assert len(set(styles)) == 1


def test_the_foot_of_a_page_says_what_may_be_done_with_it(open_page):
    foot = open_page("book/notation.html").locator(".bd-footer-content")
    expect(foot).to_contain_text("CC BY 4.0")
    expect(foot).to_contain_text("MIT")
    expect(foot).not_to_contain_text("By the authors")
    for link in foot.locator("a[href*=licence]").all():
        assert link.evaluate("a => fetch(a.href).then((answer) => answer.ok)")


@pytest.mark.parametrize("name", ["07-position", "13-efficient", "notation"])
def test_on_a_phone_each_row_of_a_wide_table_is_a_list(open_page, name):
    tables = open_page(f"book/{name}.html", width=360).locator("table.attn-stacked")
    assert tables.count() > 0
    for table in tables.all():
        box = table.locator("..")
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
        columns = table.locator("thead th").all_text_contents()
        names = table.locator(".attn-column-name:visible")
        assert set(names.all_text_contents()) == set(columns[1:])
    wide = open_page(f"book/{name}.html").locator("table.attn-stacked")
    assert wide.locator(".attn-column-name:visible").count() == 0


def test_who_reads_in_the_dark_prints_on_white(open_page):
    page = wait_until_settled(open_page(CHAPTER, theme="dark"), CHAPTER)
    page.emulate_media(media="print")
    ink, paper, surface = (rgb(colours("light")[name]) for name in ("ink", "paper", "surface"))
    style = "(el) => [getComputedStyle(el).color, getComputedStyle(el).backgroundColor]"
    assert page.locator(".bd-article p").first.evaluate(style)[0] == ink
    assert page.locator("body").evaluate(style)[1] == paper
    assert page.locator("html").evaluate("el => getComputedStyle(el).colorScheme") == "light"
    figure = page.locator(".attn-widget").first
    assert figure.evaluate(style) == [ink, surface]
    # Browsers leave grounds out, and a weight is the ground of its cell.
    assert figure.evaluate("el => getComputedStyle(el).printColorAdjust") == "exact"


def test_a_box_to_think_about_has_a_rule_beside_it_and_no_ground(open_page):
    page = wait_until_settled(open_page("book/10-block.html"), "book/10-block.html")
    style = "el => getComputedStyle(el).backgroundColor"
    for part in (".admonition.note", ".admonition.note > .admonition-title"):
        assert page.locator(part).first.evaluate(style) == "rgba(0, 0, 0, 0)", part


BROKEN = """all => all.filter((el) => el.textContent.length <= 24 && el.getClientRects().length > 1)
  .map((el) => el.textContent)"""


@pytest.mark.parametrize("name", ["02-self-attention", "06-masks", "11-train"])
def test_on_a_phone_short_code_in_a_line_of_text_is_not_broken(open_page, name):
    code = open_page(f"book/{name}.html", width=360).locator(".bd-article code.literal:visible")
    assert code.count() > 20
    assert code.evaluate_all(BROKEN) == []


# Of the controls that end on one line: where their names end.
ROWS = """all => {
  const rows = [];
  for (const el of all) {
    const label = el.querySelector("label");
    const { bottom, height } = el.getBoundingClientRect();
    let row = rows.find((one) => Math.abs(one.bottom - bottom) < height / 4);
    if (!row) rows.push((row = { bottom, names: [] }));
    if (label) row.names.push([label.getBoundingClientRect().bottom, height]);
  }
  return rows.map(({ names }) => names).filter((names) => names.length > 1);
}"""


@pytest.mark.parametrize("name", ["BlockSwitches", "CostTable", "MemoryBill", "TrainLive"])
def test_the_names_of_controls_in_a_row_stand_on_one_line(open_page, name):
    chapter = {"CostTable": "09-vs-rnn", "TrainLive": "11-train", "MemoryBill": "13-efficient"}
    path = f"book/{chapter.get(name, '10-block')}.html"
    figure = open_page(path).locator(f'.attn-widget[data-widget="{name}"]').first
    figure.scroll_into_view_if_needed()
    expect(figure.locator(".attn-control").first).to_be_visible()
    rows = figure.locator(".attn-controls > .attn-control").evaluate_all(ROWS)
    assert rows
    for names in rows:
        ends = [end for end, _ in names]
        assert max(ends) - min(ends) < min(high for _, high in names) / 10, names


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_link_past_the_menu_can_be_read_when_it_has_the_focus(open_page, theme):
    page = wait_until_settled(open_page(CHAPTER, theme=theme), CHAPTER)
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name="Skip to main content")
    expect(link).to_be_focused()
    expect(link).to_have_css("color", rgb(colours(theme)["paper"]))
    expect(link.locator("..")).to_have_css("background-color", rgb(colours(theme)["ink"]))
