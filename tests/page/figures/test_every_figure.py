"""What holds for every figure of ``attn.widgets``; a new figure is covered without new code.

A figure is opened once on a desk and once on a phone. It is looked at, everything that can be
touched is touched, and it is looked at again; each test makes one claim about what was seen.
"""

from types import SimpleNamespace

import pytest
from browsers.page_functions import page_function
from page.figure_text import CUT_WORDS, SMALL_WORDS, words
from page.page_limits import violations

from attn import palette, widgets

# One worker opens a figure for all tests of it.
FIGURES = [
    pytest.param(getattr(widgets, name), id=name, marks=pytest.mark.xdist_group(name))
    for name in widgets.__all__
]
SCREEN, HEADER = 800, 48  # pixels: of the window here, and of what the site keeps above a figure
CONTROLS = "input, select, button, [role=slider]"
CONTROL_NAMES = page_function(__file__, "controlNames")
TARGET_SIZES = page_function(__file__, "targetSizes")
VISIBLE_STATE = page_function(__file__, "visibleState")
COUNT_DRAWINGS = page_function(__file__, "countDrawings")
DRAWINGS_SO_FAR = page_function(__file__, "drawingsSoFar")
DRAWINGS_OF_RESET = page_function(__file__, "drawingsOfReset")
THEME_COLOURS = page_function(__file__, "themeColours")
WIDTHS = page_function(__file__, "widths")
MOUNT_FROM_TEXT = page_function(__file__, "mountFromText")


@pytest.fixture(scope="module", params=FIGURES)
def figure(request):
    return request.param()


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
    root = open_shared(figure, reduced_motion="reduce")
    seen = SimpleNamespace(
        title=root.locator(".attn-title").inner_text(),
        requests=list(root.page.record.requests),
        wears=root.evaluate(THEME_COLOURS),
        box=root.bounding_box(),
        cut=root.evaluate(CUT_WORDS),
        address=root.page.url,
        authored=root.evaluate(VISIBLE_STATE),
    )
    root.evaluate(COUNT_DRAWINGS)
    first, *others = root.locator("input[type=range]:visible").all()
    nudge(first)
    seen.drawings_of_a_change = root.evaluate(DRAWINGS_SO_FAR)
    for slider in others:
        nudge(slider)
    seen.words_after_keys, seen.address_after_keys = words(root), root.page.url
    change_everything(root)
    seen.used = root.evaluate(VISIBLE_STATE)
    seen.cut += root.evaluate(CUT_WORDS)
    seen.violations = violations(root.page, axe)
    seen.drawings_of_a_reset = root.evaluate(DRAWINGS_OF_RESET)
    seen.reset = root.evaluate(VISIBLE_STATE)
    return seen


@pytest.fixture(scope="module")
def phone(open_shared, figure):
    """What a reader with a phone sees of it, in the dark."""
    root = open_shared(figure, width=360, height=740, theme="dark")
    controls = root.locator(CONTROLS)
    seen = SimpleNamespace(
        names=controls.evaluate_all(CONTROL_NAMES),
        targets=controls.locator("visible=true").evaluate_all(TARGET_SIZES),
        wears=root.evaluate(THEME_COLOURS),
        widths=[root.evaluate(WIDTHS)],
        cut=root.evaluate(CUT_WORDS),
        small=root.evaluate(SMALL_WORDS, 12),
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
    assert desk.box["width"] in (688, 896), "the site's column, or with its margin"
    assert desk.box["height"] <= SCREEN - HEADER


def test_no_words_of_a_picture_are_cut(desk, phone):
    assert (desk.cut, phone.cut) == ([], [])


def test_on_a_phone_the_words_of_a_picture_can_be_read(phone):
    assert phone.small == []


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


def test_in_a_notebook_the_text_alone_renders_and_leaves_nothing_behind(browser, figure):
    context = browser.new_context()
    page = context.new_page()
    page.add_style_tag(content=figure._css)
    said, listening, left, nodes = page.evaluate(MOUNT_FROM_TEXT, [figure._esm, figure.get_state()])
    context.close()
    assert len(said) > 20
    assert listening > 0
    assert (left, nodes) == (0, 0)
