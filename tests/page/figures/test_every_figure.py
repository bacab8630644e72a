"""What holds for every figure of ``attn.widgets``; a new figure is covered without new code.

A figure is opened once on a desk and once on a phone. It is looked at, everything that can be
touched is touched, and it is looked at again; each test makes one claim about what was seen.
"""

from types import SimpleNamespace

import pytest
from page.cut_words import CUT
from page_limits import MOST_PIXELS, violations

from attn import palette, widgets

# One worker opens a figure for all tests of it.
FIGURES = [
    pytest.param(getattr(widgets, name), id=name, marks=pytest.mark.xdist_group(name))
    for name in widgets.__all__
]
CONTROLS = "input, select, button, [role=slider]"
NAMES = """controls => controls.map((node) => node.ariaLabel
  || [...(node.labels ?? [])].map((label) => label.innerText).join(" ").trim()
  || node.innerText?.trim() || "")"""
# What a finger may hit: a label round a control counts.
TARGETS = """controls => controls.map((node) => {
  const { width, height } = (node.closest("label") ?? node).getBoundingClientRect();
  return [node.outerHTML, width, height];
})"""
# What a reader sees of a figure's state: its words, its controls, its pictures and tables.
SEEN = """root => ({
  words: root.querySelector("output").innerText,
  controls: [...root.querySelectorAll("input, select, button, [role=slider]")].map((node) =>
    [node.value, node.checked, node.disabled, node.ariaSelected, node.ariaValueText]),
  shown: root.querySelector(".attn-stage").innerText,
  drawn: [...root.querySelectorAll("svg")].map((node) =>
    node.innerHTML.replace(/ style=""| data-lm-suppress-shortcuts="true"|attn-[a-z]+-\\d+/g, "")
      .replace(/-?\\d+\\.\\d+/g, (x) => Number(x).toFixed(3))),
})"""
# Each drawing writes the state in words once: the writings are counted as they happen.
COUNT_DRAWINGS = """root => {
  root.drawings = 0;
  new MutationObserver((records) => { root.drawings += records.length; })
    .observe(root.querySelector("output"), { childList: true });
}"""
WEARS = """root => {
  const style = getComputedStyle(root);
  return [style.color, style.backgroundColor, style.colorScheme];
}"""
WIDTHS = """root => [document.documentElement.scrollWidth, root.scrollWidth - root.clientWidth]"""
DRAWINGS = "root => new Promise((tell) => requestAnimationFrame(() => tell(root.drawings)))"


@pytest.fixture(scope="module", params=FIGURES)
def figure(request):
    return request.param()


def words(root):
    return root.locator("output").inner_text()


def nudge(slider):
    """Move a slider by one key press, whichever way it can go."""
    before = slider.get_attribute("aria-valuetext")
    slider.press("ArrowRight")
    if slider.get_attribute("aria-valuetext") == before:
        slider.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") != before


def change_everything(root):
    """Touch each control that can be seen, other than Reset."""
    for slider in root.locator("input[type=range]:visible").all():
        nudge(slider)
    for handle in root.locator("g[role=slider]:visible").all():
        handle.press("ArrowUp")
    for box in root.locator("input[type=checkbox]:visible").all():
        box.click()
    for select in root.locator("select:visible").all():
        select.select_option(index=select.locator("option").count() - 1)
    for button in root.locator("button:visible:not(.attn-reset)").all():
        if button.is_enabled():
            button.click()


@pytest.fixture(scope="module")
def desk(open_shared, figure, axe):
    """What a reader at a desk sees of the figure, in the order of reading and using it."""
    root = open_shared(figure)
    seen = SimpleNamespace(
        title=root.locator(".attn-title").inner_text(),
        requests=list(root.page.record.requests),
        wears=root.evaluate(WEARS),
        box=root.bounding_box(),
        cut=root.evaluate(CUT),
        address=root.page.url,
        authored=root.evaluate(SEEN),
    )
    root.evaluate(COUNT_DRAWINGS)
    first, *others = root.locator("input[type=range]:visible").all()
    nudge(first)
    seen.drawings_of_a_change = root.evaluate(DRAWINGS)
    for slider in others:
        nudge(slider)
    seen.words_after_keys, seen.address_after_keys = words(root), root.page.url
    change_everything(root)
    seen.used = root.evaluate(SEEN)
    seen.cut += root.evaluate(CUT)
    seen.violations = violations(root.page, axe)
    before = root.evaluate(DRAWINGS)
    root.get_by_role("button", name="Reset", exact=True).click()
    seen.drawings_of_a_reset = root.evaluate(DRAWINGS) - before
    seen.reset = root.evaluate(SEEN)
    return seen


@pytest.fixture(scope="module")
def phone(open_shared, figure):
    """What a reader with a phone sees of it, in the dark."""
    root = open_shared(figure, width=360, height=740, theme="dark")
    controls = root.locator(CONTROLS)
    seen = SimpleNamespace(
        names=controls.evaluate_all(NAMES),
        targets=controls.locator("visible=true").evaluate_all(TARGETS),
        wears=root.evaluate(WEARS),
        widths=[root.evaluate(WIDTHS)],
    )
    change_everything(root)
    seen.widths.append(root.evaluate(WIDTHS))
    return seen


def test_it_says_something_in_words_and_numbers(desk):
    assert len(desk.title) > 8
    said = desk.authored["words"]
    assert len(said) > 20
    assert any(letter.isdigit() for letter in said)


def test_a_page_loads_the_styles_of_its_figure_and_no_other(desk, figure):
    own = figure._anywidget_id.split(".")[-2]
    styles = {url.split("/attn/")[1] for url in desk.requests if url.endswith(".css")}
    assert styles == {"kit/style.css", f"{own}/style.css"}


def test_arrow_keys_move_sliders_and_words_and_stay_on_the_page(desk):
    assert desk.words_after_keys != desk.authored["words"]
    assert desk.address_after_keys == desk.address


def test_reset_returns_to_the_author_s_state(desk):
    assert desk.used["words"] != desk.authored["words"]
    assert desk.reset == desk.authored


def test_a_change_draws_once_and_so_does_a_reset_of_many(desk):
    assert (desk.drawings_of_a_change, desk.drawings_of_a_reset) == (1, 1)


def test_on_a_desk_it_fits_the_screen(desk):
    assert desk.box["width"] == 688, "the site's column"
    assert desk.box["height"] <= MOST_PIXELS


def test_no_words_of_a_picture_are_cut(desk):
    assert desk.cut == []


def test_axe_finds_nothing_after_a_reader_touched_everything(desk):
    """As it opens, axe sees it in both themes on its page of the site."""
    assert desk.violations == []


def test_it_wears_its_theme_s_colours(desk, phone):
    for seen, theme in ((desk, "light"), (phone, "dark")):
        shades = palette.colours(theme)
        assert seen.wears == [css(shades["ink"]), css(shades["surface"]), theme]


def css(colour):
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


def test_a_phone_can_hold_it_in_every_state(phone):
    assert [page for page, _ in phone.widths] == [360, 360]
    assert all(over <= 0 for _, over in phone.widths), phone.widths


def test_every_control_has_a_name_and_room_for_a_finger(phone):
    assert len(phone.names) >= 2
    assert all(phone.names), phone.names
    assert [html for html, *sides in phone.targets if min(sides) < 24] == []


IN_A_NOTEBOOK = """async ([text, values]) => {
  const heard = {};
  const model = {
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; },
    on: (event, f) => { (heard[event] ??= []).push(f); },
    off: (event, f) => { heard[event] = heard[event].filter((g) => g !== f); },
    save_changes: () => {},
  };
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const stop = (await import(url)).default.render({ model, el: document.body });
  const said = document.querySelector("output").innerText;
  const listening = Object.keys(heard).length;
  stop();
  return [said, listening, Object.values(heard).flat().length, document.body.childElementCount];
}"""


def test_in_a_notebook_the_text_alone_renders_and_leaves_nothing_behind(browser, figure):
    context = browser.new_context()
    page = context.new_page()
    page.add_style_tag(content=figure._css)
    said, listening, left, nodes = page.evaluate(IN_A_NOTEBOOK, [figure._esm, figure.get_state()])
    context.close()
    assert len(said) > 20
    assert listening > 0
    assert (left, nodes) == (0, 0)
