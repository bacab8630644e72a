"""Every chapter in three engines, as a reader meets it; a new chapter is covered without new code.

A chapter is opened once in each engine; all that holds for it is tried on that opening. Questions
and layout are tried in Chromium, in the two others with the matrix, as is every figure in all.
"""

import pytest
from browsers.page_functions import page_function
from engines.conftest import in_full

from web.builder.paths import SITE

ANNOUNCED = "application/vnd.jupyter.widget-view+json"
CHAPTERS = sorted(
    path.name
    for path in SITE.glob("book/[0-9][0-9]-*.html")
    if ANNOUNCED in path.read_text(encoding="utf-8")
)
VIEWS = f'script[type="{ANNOUNCED}"]'
IS_READY = page_function(__file__, "isReady")
IS_NEAR = page_function(__file__, "isNear")
CONTROLS_OF = page_function(__file__, "controlsOf")
MARK_CONTROL = page_function(__file__, "markControl")
CAPTION_OF = page_function(__file__, "captionOf")
HAS_CAPTION = page_function(__file__, "hasCaption")
CAPTION_CHANGE = page_function(__file__, "captionChange")
COUNT_FRAMES = page_function(__file__, "countFrames")
RESET_FIGURE = page_function(__file__, "resetFigure")
RIGHT_ANSWERS = page_function(__file__, "rightAnswers")
FORMULA_SIZES = page_function(__file__, "formulaSizes")
PARTED_SIGNS = page_function(__file__, "partedSigns")
ADD_PROBE_SLIDER = page_function(__file__, "addProbeSlider")
THUMB_WIDTH = page_function(__file__, "thumbWidth")
CUT_BOXES = page_function(__file__, "cutBoxes")
# A figure draws with the next frame; a busy machine draws fewer, and they are counted, not timed.
FRAMES = 12
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
STATE = "(id) => document.querySelector(`[data-question='${id}']`).dataset.state"


@pytest.fixture(scope="session", params=CHAPTERS)
def chapter(request, engine, reader):
    """A chapter in the reader's tab, drawn."""
    reader.complaints()
    reader.go(engine.isolated + "book/" + request.param)
    reader.wait(IS_READY)
    return reader


def by_keyboard(tab, kind):
    """Press one key after the other on the control; the second undoes the first."""
    for key in KEYS[kind]:
        tab.focus(TRIED)
        yield tab.key(key)


def by_pointer(tab, kind):
    if tab.is_covered(TRIED):  # words lie close, or a fold was closed: a reader takes another
        return
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
    seen = tab.wait(CAPTION_CHANGE, figure, before)
    return seen == "another"


def reset(tab, figure, authored):
    tab.evaluate(RESET_FIGURE, figure)
    tab.wait(HAS_CAPTION, figure, authored)


def answering(tab, figure, authored, way, among=KEYS) -> set[str]:
    """The kinds of control, of those given, that the figure's words follow, used in this way."""
    kinds, tried = set(), set()
    for control in tab.evaluate(CONTROLS_OF, figure):
        kind = control["kind"]
        known = kind in kinds or (kind in tried and kind not in MOVERS)
        if known or kind not in among or control["reset"] or not control["usable"]:
            continue
        tried.add(kind)
        tab.evaluate(MARK_CONTROL, figure, control["at"])
        if any(follows(tab, figure, authored) for _ in way(tab, kind)):
            kinds.add(kind)
        reset(tab, figure, authored)
    return kinds


def has_slider(tab, figure) -> bool:
    kinds = (control["kind"] for control in tab.evaluate(CONTROLS_OF, figure) if control["usable"])
    return "range" in kinds


def test_it_opens_with_a_clean_console_and_a_slider_answers(chapter):
    figures = range(chapter.count(".attn-widget"))
    assert len(figures) == chapter.count(VIEWS) > 0
    figure = next(one for one in figures if has_slider(chapter, one))
    chapter.wait(IS_NEAR, figure)
    authored = chapter.evaluate(CAPTION_OF, figure)
    for way in (by_keyboard, by_pointer):
        answered = answering(chapter, figure, authored, way, among={"range"})
        assert answered == {"range"}, f"{way.__name__}: {authored}"
    assert chapter.complaints() == []


@pytest.mark.matrix
def test_each_figure_answers_the_keyboard_and_the_pointer_in_words(chapter):
    figures = chapter.count(".attn-widget")
    assert figures == chapter.count(VIEWS) > 0
    for figure in range(figures):
        chapter.wait(IS_NEAR, figure)
        authored = chapter.evaluate(CAPTION_OF, figure)
        there = {control["kind"] for control in chapter.evaluate(CONTROLS_OF, figure)}
        for way in (by_keyboard, by_pointer):
            answered = answering(chapter, figure, authored, way)
            chapter.press(".attn-widget .attn-reset", figure)
            assert answered >= there & MOVERS, f"{way.__name__}: {authored}"
            # A list opens outside the page, and a grid has no control: keys reach both.
            assert answered or there <= {"select-one", "button", "submit"}, authored
    assert chapter.complaints() == []


@in_full
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


@in_full
def test_formulas_are_as_large_as_the_text_around_them(chapter):
    assert chapter.evaluate(FORMULA_SIZES) == ["1.02"]  # of its size, so that letters are as high


@in_full
def test_a_sign_stays_on_the_line_of_its_formula(chapter):
    assert chapter.evaluate(PARTED_SIGNS) == []


@in_full
def test_on_a_desk_no_part_of_a_figure_is_cut(chapter):
    for figure in range(chapter.count(".attn-widget")):
        assert chapter.evaluate(CUT_BOXES, figure) == []
    assert chapter.complaints() == []


@in_full
@pytest.mark.parametrize("chapter", CHAPTERS[:1], indirect=True)
def test_a_thumb_is_24_pixels_wide(chapter):
    chapter.evaluate(ADD_PROBE_SLIDER)
    chapter.press("#probe", across=0.25)
    assert abs(chapter.evaluate(THUMB_WIDTH) - 24) < 1
