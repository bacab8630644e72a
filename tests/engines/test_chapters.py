"""Every chapter in three engines, as a reader meets it; a new chapter is covered without new code.

A chapter is opened once in each engine; all that holds for it is tried on that opening.
"""

import pytest
from engines.tab import Tab

from web.paths import SITE

ANNOUNCED = "application/vnd.jupyter.widget-view+json"
CHAPTERS = sorted(
    path.name
    for path in SITE.glob("book/[0-9][0-9]-*.html")
    if ANNOUNCED in path.read_text(encoding="utf-8")
)
VIEWS = f'script[type="{ANNOUNCED}"]'
READY = f"""() => {{
  const figures = document.querySelectorAll(".attn-widget output");
  return document.readyState === "complete"
    && document.documentElement.dataset.theme !== "auto"
    && figures.length === document.querySelectorAll('{VIEWS}').length
    && [...figures].every((output) => output.innerText.length > 20)
    && [...document.querySelectorAll(".math")].every((m) => m.querySelector("mjx-container"));
}}"""
# A control of a figure, as a reader finds it: what it is, and whether it can be used now.
CONTROLS = """(figure) => {
  const root = document.querySelectorAll(".attn-widget")[figure];
  return [...root.querySelectorAll("input, select, button, [role=slider]")].map((node, at) => ({
    at,
    kind: node.matches("g") ? "handle" : node.type,
    reset: node.matches(".attn-reset"),
    usable: !node.disabled && node.getClientRects().length > 0 && node.tabIndex >= 0,
  }));
}"""
MARK = """(figure, at) => {
  const root = document.querySelectorAll(".attn-widget")[figure];
  document.querySelector("[data-tried]")?.removeAttribute("data-tried");
  root.querySelectorAll("input, select, button, [role=slider]")[at].dataset.tried = "";
}"""
WORDS = "(figure) => document.querySelectorAll('.attn-widget output')[figure].innerText"
SAYS = f"(figure, words) => ({WORDS})(figure) === words"
FOLLOWED = f"""(figure, before) => ({WORDS})(figure) !== before
  ? "other words" : window.framesLeft === 0 && "the same words" """
# A figure draws with the next frame; a busy machine draws fewer, and they are counted, not timed.
FRAMES = 12
# A page that went on counting would be drawn sixty times a second for as long as it is open.
COUNT_FRAMES = """(frames) => {
  const counting = window.framesLeft > 0;
  window.framesLeft = frames;
  const next = () => { if (--window.framesLeft > 0) requestAnimationFrame(next); };
  if (!counting) requestAnimationFrame(next);
}"""
MOVERS = {"range", "handle"}  # a figure that has some answers to both
TRIED = "[data-tried]"
KEYS = {
    "range": ("ArrowRight", "ArrowLeft"),
    "handle": ("ArrowUp", "ArrowLeft"),
    "select-one": ("ArrowDown", "ArrowUp"),
    "checkbox": ("Space",),
    "button": ("Enter",),
    "submit": ("Enter",),
}
RIGHT_ANSWERS = """() => [...document.querySelectorAll("form.attn-question")].map((form) => ({
  id: form.dataset.question,
  choice: form.dataset.kind === "choice",
  right: form.querySelector("[data-feedback][data-right]").dataset.feedback,
}))"""
SIZES = """() => [...new Set(
  [...document.querySelectorAll("mjx-container")].map((formula) => formula.style.fontSize))]"""
# In a column without width a line breaks wherever it may: signs that then part from their formula.
PARTED = """() => {
  const signs = /^[,.;:!?)\\]}”’…%–—-]/;
  const style = document.createElement("style");
  style.textContent = ".bd-article :is(p, li, td, dd, legend, label) { width: 1px !important; }";
  document.head.append(style);
  const parted = [];
  for (const formula of document.querySelectorAll(".bd-article mjx-container:not([display])")) {
    const walker = document.createTreeWalker(formula.closest(".bd-article"), NodeFilter.SHOW_TEXT);
    walker.currentNode = formula;
    let next = walker.nextNode();
    while (next && formula.contains(next)) next = walker.nextNode();
    if (!next || !signs.test(next.data)) continue;
    const range = document.createRange();
    range.setStart(next, 0);
    range.setEnd(next, 1);
    const [sign, box] = [range.getBoundingClientRect(), formula.getBoundingClientRect()];
    const together = sign.top < box.bottom && sign.bottom > box.top;
    if (sign.width && !together) {
      parted.push(formula.parentElement.outerHTML + JSON.stringify([sign, box]));
    };
  }
  style.remove();
  return parted;
}"""
# A slider of 0 to 1 beside a figure's own, that tells where it was pressed.
PROBE_SLIDER = """() => {
  const range = document.querySelector(".attn-widget input[type=range]");
  const probe = range.cloneNode();
  Object.assign(probe, { id: "probe", min: 0, max: 1, step: "any", value: 1 });
  probe.addEventListener("pointerdown", (event) => { probe.dataset.x = event.clientX; });
  range.after(probe);
}"""
# A press puts the thumb's middle there, and the thumb never leaves the slider: hence its width.
THUMB = """() => {
  const probe = document.querySelector("#probe");
  const { left, width } = probe.getBoundingClientRect();
  const [x, value] = [Number(probe.dataset.x) - left, probe.valueAsNumber];
  probe.remove();
  return (x - value * width) / (0.5 - value);
}"""
# Boxes of a figure that scroll, or cut what they hold: as it opens, and after each of its buttons.
CUT = """async (figure) => {
  const root = document.querySelectorAll(".attn-widget")[figure];
  const drawn = () => new Promise((go) => requestAnimationFrame(go));
  const cut = (after) => [...root.querySelectorAll("*")]
    .filter((box) => /auto|scroll|hidden/.test(getComputedStyle(box).overflow))
    .filter((box) => box.clientWidth > 1)
    .filter((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
    .map((box) => `${after}: ${box.className} is ${[box.scrollWidth, box.clientWidth]} wide, `
      + `${[box.scrollHeight, box.clientHeight]} high`);
  const found = cut("as it opens");
  for (const button of root.querySelectorAll("button")) {
    button.click();
    await drawn();
    found.push(...cut(button.textContent));
  }
  return found;
}"""
RESET = "(figure) => document.querySelectorAll('.attn-widget .attn-reset')[figure].click()"
STATE = "(id) => document.querySelector(`[data-question='${id}']`).dataset.state"


@pytest.fixture(scope="session", params=CHAPTERS)
def chapter(request, engine, reader):
    """A chapter in the reader's tab, drawn."""
    reader.complaints()
    reader.go(engine.isolated + "book/" + request.param)
    reader.wait(READY)
    return reader


def said(tab: Tab, figure: int) -> str:
    return tab.evaluate(WORDS, figure)


def by_keyboard(tab, kind):
    """Press one key after the other on the control; the second undoes the first."""
    for key in KEYS[kind]:
        tab.focus(TRIED)
        yield tab.key(key)


def by_pointer(tab, kind):
    if kind == "range":
        yield tab.press(TRIED, across=0.2)
        yield tab.press(TRIED, across=0.7)
    elif kind == "handle":
        yield tab.drag(TRIED, (-30, 40))
    elif kind != "select-one":  # its list opens outside the page
        yield tab.press(TRIED)


def follows(tab, figure, before) -> bool:
    """Whether the words change within some frames."""
    tab.evaluate(COUNT_FRAMES, FRAMES)
    seen = tab.wait(FOLLOWED, figure, before)
    return seen == "other words"


def reset(tab, figure, authored):
    tab.evaluate(RESET, figure)
    tab.wait(SAYS, figure, authored, saw=f"() => ({WORDS})({figure})")


def answering(tab, figure, authored, way) -> set[str]:
    """The kinds of control that the figure's words follow, used in this way."""
    kinds, tried = set(), set()
    for control in tab.evaluate(CONTROLS, figure):
        kind = control["kind"]
        known = kind in kinds or (kind in tried and kind not in MOVERS)
        if known or control["reset"] or not control["usable"]:
            continue
        tried.add(kind)
        tab.evaluate(MARK, figure, control["at"])
        if any(follows(tab, figure, authored) for _ in way(tab, kind)):
            kinds.add(kind)
        reset(tab, figure, authored)
    return kinds


def test_chapters_were_found():
    assert CHAPTERS[0] == "01-lookup.html"


def test_each_figure_answers_the_keyboard_and_the_pointer_in_words(chapter):
    figures = chapter.count(".attn-widget")
    assert figures == chapter.count(VIEWS) > 0
    for figure in range(figures):
        authored = said(chapter, figure)
        there = {control["kind"] for control in chapter.evaluate(CONTROLS, figure)}
        for way in (by_keyboard, by_pointer):
            answered = answering(chapter, figure, authored, way)
            chapter.press(".attn-widget .attn-reset", figure)
            assert answered >= there & MOVERS, f"{way.__name__}: {authored}"
            assert answered, f"{way.__name__}: {authored}"
    assert chapter.complaints() == []


def test_each_question_takes_its_right_answer(chapter):
    questions = chapter.evaluate(RIGHT_ANSWERS)
    assert len(questions) >= 2
    for question in questions:
        form = f"[data-question='{question['id']}']"
        if question["choice"]:
            chapter.press(f"{form} label:has(input[value='{question['right']}'])")
        else:
            chapter.press(f"{form} .attn-question-number input")
            chapter.write(question["right"])
        chapter.press(f"{form} .attn-question-check")
        assert chapter.evaluate(STATE, question["id"]) == "passed", chapter.text(form)
        assert "Right" in chapter.text(f"{form} [role=status]")
    assert chapter.complaints() == []


def test_formulas_have_one_size(chapter):
    assert len(chapter.evaluate(SIZES)) == 1, chapter.evaluate(SIZES)


def test_a_sign_stays_on_the_line_of_its_formula(chapter):
    assert chapter.evaluate(PARTED) == []


def test_on_a_desk_no_part_of_a_figure_is_cut(chapter):
    for figure in range(chapter.count(".attn-widget")):
        assert chapter.evaluate(CUT, figure) == []
    assert chapter.complaints() == []


@pytest.mark.parametrize("chapter", CHAPTERS[:1], indirect=True)
def test_a_thumb_is_24_pixels_wide(chapter):
    chapter.evaluate(PROBE_SLIDER)
    chapter.press("#probe", across=0.25)
    assert abs(chapter.evaluate(THUMB) - 24) < 1
