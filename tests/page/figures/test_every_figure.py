"""What holds for every figure of ``attn.widgets``; a new figure is covered without new code."""

import pytest
from gates import MOST_PIXELS, violations

from attn import palette, widgets

FIGURES = [getattr(widgets, name) for name in widgets.__all__]
CONTROLS = "input, select, button, [role=slider]"
NAMES = """controls => controls.map((node) => node.ariaLabel
  || [...(node.labels ?? [])].map((label) => label.innerText).join(" ").trim()
  || node.innerText?.trim() || "")"""
# What a finger may hit: a label round a control counts.
TARGET = "node => (node.closest('label') ?? node).getBoundingClientRect().toJSON()"
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
DRAWINGS = "root => new Promise((tell) => requestAnimationFrame(() => tell(root.drawings)))"


@pytest.fixture(params=FIGURES, ids=lambda cls: cls.__name__)
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


def test_it_opens_and_says_something_in_words_and_numbers(open_figure, figure):
    root = open_figure(figure)
    assert len(root.locator(".attn-title").inner_text()) > 8
    said = words(root)
    assert len(said) > 20
    assert any(letter.isdigit() for letter in said)


def test_a_page_loads_the_styles_of_its_figure_and_no_other(open_figure, figure):
    root = open_figure(figure)
    own = figure._anywidget_id.split(".")[-2]
    styles = {url.split("/attn/")[1] for url in root.page.record.requests if url.endswith(".css")}
    assert styles == {"kit/kit.css", f"{own}.css"}


def test_arrow_keys_move_sliders_and_words_and_stay_on_the_page(open_figure, figure):
    root = open_figure(figure)
    address, before = root.page.url, words(root)
    for slider in root.locator("input[type=range]:visible").all():
        nudge(slider)
    assert words(root) != before
    assert root.page.url == address


def test_reset_returns_to_the_author_s_state(open_figure, figure):
    root = open_figure(figure)
    authored = root.evaluate(SEEN)
    change_everything(root)
    assert root.evaluate(SEEN)["words"] != authored["words"]
    root.get_by_role("button", name="Reset", exact=True).click()
    assert root.evaluate(SEEN) == authored


def test_a_change_draws_once_and_so_does_a_reset_of_many(open_figure, figure):
    root = open_figure(figure)
    root.evaluate(COUNT_DRAWINGS)
    nudge(root.locator("input[type=range]:visible").first)
    assert root.evaluate(DRAWINGS) == 1
    change_everything(root)
    before = root.evaluate(DRAWINGS)
    root.get_by_role("button", name="Reset", exact=True).click()
    assert root.evaluate(DRAWINGS) == before + 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_can_hold_it_in_every_state(open_figure, figure, theme):
    root = open_figure(figure, width=360, height=740, theme=theme)
    for change in (lambda root: None, change_everything):
        change(root)
        assert root.page.evaluate("document.documentElement.scrollWidth") == 360
        assert root.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_every_control_has_a_name_and_room_for_a_finger(open_figure, figure):
    root = open_figure(figure, width=360, height=740)
    controls = root.locator(CONTROLS)
    names = controls.evaluate_all(NAMES)
    assert len(names) >= 2
    assert all(names), names
    for control in root.locator(CONTROLS).locator("visible=true").all():
        box = control.evaluate(TARGET)
        assert min(box["width"], box["height"]) >= 24, control.evaluate("node => node.outerHTML")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_wears_its_theme_s_colours(open_figure, figure, theme):
    root = open_figure(figure, theme=theme)
    style = root.evaluate(
        "node => { const s = getComputedStyle(node);"
        " return [s.color, s.backgroundColor, s.colorScheme]; }"
    )
    shades = palette.colours(theme)
    assert style == [css(shades["ink"]), css(shades["surface"]), theme]


def css(colour):
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


def test_on_a_desk_it_fits_the_screen(open_figure, figure):
    root = open_figure(figure)
    assert root.bounding_box()["width"] == 688, "the site's column"
    assert root.bounding_box()["height"] <= MOST_PIXELS


def test_axe_finds_nothing_after_a_reader_touched_everything(open_figure, figure, axe):
    """As it opens, axe sees it in both themes on its page of the site."""
    root = open_figure(figure)
    change_everything(root)
    assert violations(root.page, axe) == []


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
