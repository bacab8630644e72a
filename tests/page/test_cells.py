"""Cells that are run, edited, stopped and reset on the built site, in a real browser."""

import json
import re

import pytest
from browsers.site_server import serve, shared_page
from page.cell_page import CellsOfPage
from page.exercise_page import SAVES_DATA, ExerciseOnPage
from page.held_downloads import HeldDownloads
from page.page_limits import violations
from playwright.sync_api import expect

from web.builder.paths import SITE, TOP

# One worker starts Python once for most of them.
pytestmark = pytest.mark.xdist_group("live cells")
CHAPTER = "book/01-lookup.html"
FOLDED, EXACT, NEAREST, BY_HAND, BETA = 1, 2, 5, 6, 7  # some of its cells
PLOT = 10
CHANGE_THEME = "(theme) => { document.documentElement.dataset.theme = theme; }"
ENDLESS = "print('before')\nwhile True:\n    pass"


@pytest.fixture(scope="module")
def opened(browser, site):
    """One page with a started Python, which each test finds as it was built."""
    with shared_page(browser, site, CHAPTER) as page:
        yield page


@pytest.fixture
def cells(opened):
    found = CellsOfPage(opened)
    found.allow_time()
    yield found
    found.reset_page()


def test_cells_are_numbered_in_their_order_from_1(opened):
    roots = opened.locator(".attn-cell").all()
    numbers = [root.get_attribute("data-cell") for root in roots]
    assert numbers == [str(n) for n in range(1, len(roots) + 1)]


def test_no_figure_takes_the_classes_of_cells_for_its_own():
    sources = [p for p in (TOP / "attn/widgets").rglob("*") if p.suffix in (".js", ".css")]
    taken = [p.name for p in sources if re.search(r"attn-cells?\b(?!-)", p.read_text("utf-8"))]
    assert len(sources) > 50
    assert taken == []


def test_before_a_run_a_cell_has_no_state_and_no_python_is_fetched(open_page):
    page = open_page(CHAPTER)
    cells = CellsOfPage(page)
    assert set(cells.states) == {None}
    expect(cells[NEAREST].button("Run")).to_be_attached()
    expect(cells[NEAREST].button("Edit")).to_be_attached()
    assert not [url for url in page.record.requests if "/python/" in url or "page-cells" in url]


def test_the_buttons_do_not_move_the_page(open_page):
    page = open_page(CHAPTER)
    with_scripts = page.evaluate("document.documentElement.scrollHeight")
    page.locator(".attn-cell-bar").evaluate_all("bars => bars.forEach((bar) => bar.remove())")
    assert page.evaluate("document.documentElement.scrollHeight") == with_scripts


def test_a_run_first_runs_those_above_and_leaves_what_they_show(cells, opened):
    above = opened.locator('.attn-cell[data-cell="2"] .attn-cell-output pre')
    above.evaluate("node => { node.dataset.mine = 1; }")
    cells[NEAREST].run()
    assert cells.states[:NEAREST] == ["ran"] * NEAREST
    assert set(cells.states[NEAREST:]) == {None}
    assert above.get_attribute("data-mine") == "1"


def test_while_it_runs_a_cell_is_busy_and_can_be_stopped(cells):
    one = cells[EXACT]
    one.write(ENDLESS)
    one.button("Run").click()
    expect(one.root).to_have_attribute("data-state", "running")
    expect(one.root).to_have_attribute("aria-busy", "true")
    expect(one.output).to_have_text("before\n")
    one.button("Stop").click()
    one.finish("stopped")
    assert one.root.get_attribute("aria-busy") is None
    expect(one.button("Stop")).to_be_hidden()


def test_the_output_is_replaced_and_reset_brings_back_code_and_output(cells):
    one = cells[NEAREST]
    code, built = one.code.text_content(), one.output.inner_text()
    one.change("44, 46", "45, 47")
    one.run()
    assert "47°" in one.output.inner_text()
    one.button("Reset").click()
    assert one.state is None
    assert one.output.inner_text() == built
    assert one.code.text_content() == code
    expect(one.editor).to_be_hidden()
    expect(one.button("Run")).to_be_focused()


def test_undo_brings_back_what_reset_took(cells):
    one = cells[NEAREST]
    one.write("print('mine')")
    one.button("Reset").click()
    one.button("Undo").click()
    assert one.code.text_content() == "print('mine')"
    one.run()
    assert one.output.inner_text().strip() == "mine"


def test_after_an_edit_those_below_that_ran_are_marked_until_they_run_again(cells):
    cells[BETA].run()
    cells[BY_HAND].change("wind(0)", "wind(90)")
    assert cells.states[BY_HAND - 2 : BETA + 1] == ["ran", "stale", "stale", None]
    assert cells[BETA].status.inner_text() == "Made before your change."
    cells[BY_HAND].run()
    assert cells[BETA].state == "stale"
    before = cells[BETA].output.inner_text()
    cells[BETA].run()
    assert cells[BETA].output.inner_text() != before
    assert "stale" not in cells.states


def test_an_edit_that_is_taken_back_leaves_nothing_marked(cells):
    cells[BETA].run()
    cells[BY_HAND].change("wind(0)", "wind(90)")
    cells[BY_HAND].button("Reset").click()
    assert "stale" not in cells.states


def test_a_changed_cell_above_runs_and_shows_what_it_gives_now(cells):
    cells[BY_HAND].change("wind(0)", "wind(90)")
    cells[BETA].run()
    assert cells[BY_HAND].state == "ran"
    assert "20.000" in cells[BY_HAND].output.inner_text()


def test_an_error_names_the_line_of_the_cell(cells):
    one = cells[NEAREST]
    one.write("x = 1\n\nx / 0")
    one.run("error")
    assert "ZeroDivisionError: division by zero (line 3)" in one.status.inner_text()
    assert 'File "cell 5", line 3' in one.output.inner_text()


def test_below_an_error_a_cell_is_not_run_and_says_why(cells):
    cells[NEAREST].write("1 / 0")
    cells[BETA].run("error")
    assert "cell 5, above, ended in an error" in cells[BETA].status.inner_text()
    assert cells[BY_HAND].state is None
    cells[NEAREST].button("Reset").click()
    cells[BETA].run()


def test_what_a_cell_shows_does_not_depend_on_what_ran_below_it(cells):
    cells[BETA].run()
    cells[BETA].write("keys = values = None")
    cells[BETA].run()
    cells[NEAREST].run()


def test_what_is_changed_in_place_does_not_add_up(cells):
    cells[NEAREST].write("xs, counts = [], np.zeros(2)")
    cells[BY_HAND].write("xs.append(1)\ncounts += 1\nxs, counts")
    for _ in range(2):
        cells[BY_HAND].run()
        expect(cells[BY_HAND].output).to_have_text("([1], array([1., 1.]))\n")


def test_a_run_never_unfolds_code_but_edit_does(cells):
    fold = cells[FOLDED].root.locator("details")
    cells[FOLDED].run()
    assert fold.get_attribute("open") is None
    cells[FOLDED].button("Edit").click()
    expect(cells[FOLDED].editor).to_be_focused()
    fold.evaluate("fold => { fold.open = false; }")


def test_run_all_runs_every_cell_and_reset_the_page_takes_all_back(cells, opened):
    shown = [one.inner_text() for one in opened.locator(".attn-cell-output").all()]
    cells.run_all()
    assert set(cells.states) == {"ran"}
    assert "cells ran" in cells.status.inner_text()
    cells.reset_page()
    assert set(cells.states) == {None}
    assert [one.inner_text() for one in opened.locator(".attn-cell-output").all()] == shown


def test_run_all_stops_at_an_error_and_says_where(cells):
    cells[NEAREST].write("1 / 0")
    cells.run_all()
    assert "Cell 5 ended in an error" in cells.status.inner_text()
    assert cells.states[NEAREST - 2 : NEAREST + 1] == ["ran", "error", None]


def test_undo_brings_back_the_edits_of_the_page(cells):
    cells[NEAREST].write("print('five')")
    cells[EXACT].write("print('two')")
    cells.reset_page()
    assert "print" in cells[NEAREST].code.text_content()
    cells.button("Undo").click()
    expect(cells[NEAREST].code).to_have_text("print('five')")
    expect(cells[EXACT].code).to_have_text("print('two')")


def test_cells_and_exercises_do_not_see_each_other_s_names(cells, opened):
    cells[NEAREST].run()
    exercise = ExerciseOnPage(opened)
    exercise.run("keys", "error")
    assert "NameError" in exercise.status.inner_text()
    exercise.run("mine = 1", "unanswered")
    cells[BY_HAND].write("mine")
    cells[BY_HAND].run("error")
    exercise.button("Reset").click()


def test_printed_html_stays_text(cells, opened):
    cells[NEAREST].write("print('<img src=x onerror=\"window.hacked = 1\">')\n'<b>bold</b>'")
    cells[NEAREST].run()
    assert cells[NEAREST].output.locator("img, b").count() == 0
    assert opened.evaluate("window.hacked") is None


def test_run_stays_where_it_was_when_reset_comes(cells):
    """It moved to the left, and a second press in the same place met Edit."""
    one = cells[NEAREST]
    before = one.button("Run").bounding_box()["x"]
    one.run()
    expect(one.button("Reset")).to_be_visible()
    assert one.button("Run").bounding_box()["x"] == before


def test_the_keyboard_alone_is_enough(cells, opened):
    keys, one = opened.keyboard, cells[NEAREST]
    one.button("Run").focus()
    keys.press("Enter")
    one.finish()
    expect(one.button("Run")).to_be_focused()
    keys.press("Tab")
    expect(one.button("Edit")).to_be_focused()
    keys.press("Enter")
    expect(one.editor).to_be_focused()
    assert one.editor.get_attribute("aria-label") == "Code of cell 5"
    keys.press("Control+A")
    keys.insert_text("6 * 7")
    keys.press("Control+Enter")
    one.finish()
    assert one.output.inner_text().strip() == "42"
    for name in ("Edit", "Run", "Reset"):
        keys.press("Shift+Tab")
        expect(one.button(name)).to_be_focused()
    keys.press("Enter")
    expect(one.button("Run")).to_be_focused()


def test_axe_finds_nothing_in_cells_that_ran_failed_and_are_out_of_date(cells, opened, axe):
    cells[BETA].run()
    cells[NEAREST].write("1 / 0")
    cells[NEAREST].run("error")
    cells[BY_HAND].button("Edit").click()
    expect(cells[BY_HAND].editor).to_be_focused()
    assert cells[BETA].state == "stale"
    for theme in ("light", "dark"):
        opened.evaluate(CHANGE_THEME, theme)
        for number in (EXACT, NEAREST, BY_HAND, BETA):
            assert violations(opened, axe, f'[data-cell="{number}"]') == [], (theme, number)
        assert violations(opened, axe, ".attn-cells") == [], theme
    opened.evaluate(CHANGE_THEME, "light")


def test_edits_are_kept_over_a_reload_and_say_that_they_were_not_run(open_page):
    page = open_page(CHAPTER)
    one = CellsOfPage(page)[NEAREST]
    one.write("print('kept')")
    page.reload()
    expect(one.code).to_have_text("print('kept')")
    expect(one.status).to_have_text("Changed, not run yet.")
    assert one.state is None


def test_an_edit_of_a_cell_that_the_chapter_changed_since_is_kept_and_asked_about(open_page):
    draft = json.dumps({"text": "print('old')", "edited": True, "undo": None, "at": 1})
    page = open_page(
        CHAPTER,
        scripts=[f"localStorage.setItem('attn:cell:01-lookup/5:0000000000', {draft!r});"],
    )
    one = CellsOfPage(page)[NEAREST]
    expect(one.root.locator(".attn-notice")).to_contain_text("has changed since you edited it")
    expect(one.code).to_have_text("print('old')")
    one.button("Take the new one").click()
    expect(one.code).to_contain_text("SELECT value")


def test_on_a_phone_the_buttons_are_in_sight_and_nothing_is_wider_than_the_page(open_page):
    page = open_page(CHAPTER, width=360, height=740, has_touch=True, is_mobile=True)
    cells = CellsOfPage(page)
    one = cells[NEAREST]
    one.root.scroll_into_view_if_needed()
    assert (
        one.root.locator(".attn-cell-bar").evaluate("bar => getComputedStyle(bar).opacity") == "1"
    )
    one.change("44, 46", "44, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56")
    one.run()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_without_isolation_stop_replaces_python_and_the_cells_know(open_page):
    server, address = serve(SITE, isolated=False)
    page = open_page(CHAPTER, origin=address)
    cells = CellsOfPage(page)
    cells[EXACT].run()
    cells[NEAREST].write(ENDLESS)
    cells[NEAREST].button("Run").click()
    expect(cells[NEAREST].output).to_have_text("before\n")
    cells[NEAREST].button("Stop").click()
    cells[NEAREST].finish("stopped")
    assert cells[EXACT].state is None, "its run is lost with the worker"
    cells[NEAREST].button("Reset").click()
    cells[NEAREST].run()
    assert cells[EXACT].state == "ran"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("isolated", [True, pytest.param(False, marks=pytest.mark.matrix)])
def test_stop_ends_a_download_and_keeps_what_the_cells_above_made(open_page, isolated):
    server, address = serve(SITE, isolated=isolated)
    page = open_page(CHAPTER, origin=address)
    cells = CellsOfPage(page)
    cells.allow_time()
    cells[EXACT].run()
    held = HeldDownloads(page.context, "**/matplotlib-*.whl")
    code = "import matplotlib\nprint(len(notebook))"
    cells[NEAREST].write(code)
    cells[NEAREST].button("Run").click()
    expect(cells[NEAREST].status).to_contain_text("matplotlib")
    cells[NEAREST].button("Stop").click()
    cells[NEAREST].finish("stopped")
    assert cells[EXACT].state == "ran", "its run is kept"
    held.release()
    cells[NEAREST].run()
    expect(cells[NEAREST].output).to_have_text("3\n")
    server.shutdown()
    server.server_close()


def test_a_download_that_fails_says_so_and_can_be_tried_again(open_page):
    page = open_page(CHAPTER, scripts=[SAVES_DATA])
    page.route("**/*.whl", lambda route: route.abort())
    one = CellsOfPage(page)[FOLDED]
    one.run("error")
    assert "could not be started" in one.status.inner_text()
    page.unroute("**/*.whl")
    one.run()
    page.record.console.clear()  # the browser and Pyodide report the failed request there too


def test_a_cell_that_needs_torch_says_where_it_runs_and_keeps_its_output(open_page):
    page = open_page("book/06-masks.html")
    root = page.locator('.attn-cell[data-needs="torch"]').last
    expect(root).to_contain_text("needs PyTorch")
    expect(root).to_contain_text("make lab")
    assert root.get_by_role("button", name="Run").count() == 0
    assert root.locator(".attn-cell-output").inner_text() != ""
