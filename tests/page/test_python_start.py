"""How Python starts in the page: when the reader means to run something, and not before."""

import pytest
from browsers.page_functions import page_function, page_script
from browsers.site_server import watch
from page.cell_page import CellsOfPage
from page.exercise_page import CHAPTER, SAVES_DATA, ExerciseOnPage

RECORD_LINES = page_script(__file__, "recordLines")
COUNT_WORKERS = page_script(__file__, "countWorkers")
WORKERS_LATER = page_function(__file__, "workersLater")


@pytest.fixture
def context(browser):
    opened = browser.new_context(viewport={"width": 1280, "height": 900})
    yield opened
    opened.close()


def visit(context, site, *scripts):
    """A page with an editor in view, that keeps what it asks for and what it says."""
    page = watch(context.new_page(), site)
    for script in (RECORD_LINES, COUNT_WORKERS, *scripts):
        page.add_init_script(script)
    page.goto(site + CHAPTER)
    return page, ExerciseOnPage(page).show()


def requests_for_python(page):
    return [url for url in page.record.requests if "/_static/python/" in url]


@pytest.mark.parametrize("sign", ["focus", "hover", "tab to Run"])
def test_a_reader_who_means_to_run_starts_python(context, site, sign):
    page, exercise = visit(context, site)
    assert requests_for_python(page) == []
    with page.expect_request("**/_static/python/*.whl"):
        if sign == "focus":
            exercise.editor.focus()
        elif sign == "hover":
            exercise.root.locator(".attn-editor").hover()
        else:
            exercise.button("Run").focus()
    assert page.evaluate("workers") == 1


def test_a_run_takes_the_python_that_was_started_before(context, site):
    page, exercise = visit(context, site)
    exercise.editor.focus()
    exercise.button("Run").click()
    exercise.finish("unanswered")
    assert page.evaluate("workers") == 1


def test_who_saves_data_downloads_python_with_the_first_run_and_not_before(context, site):
    page, exercise = visit(context, site, SAVES_DATA)
    exercise.editor.focus()
    page.keyboard.type("# about to run")
    exercise.root.locator(".attn-editor").hover()
    exercise.button("Hint").click()
    assert page.evaluate(WORKERS_LATER) == 0
    assert requests_for_python(page) == []
    with page.expect_request("**/_static/python/*.whl"):
        exercise.button("Run").click()


def test_hints_and_solutions_are_no_sign(context, site):
    page, exercise = visit(context, site)
    exercise.button("Hint").click()
    exercise.button("Solution").click()
    assert page.evaluate(WORKERS_LATER) == 0


def test_downloading_is_said_on_the_first_visit_and_not_on_the_next(context, site):
    page, exercise = visit(context, site)
    exercise.button("Run").click()
    exercise.finish("unanswered")
    assert any(line.startswith("Downloading Python") for line in page.evaluate("lines"))
    again, exercise = visit(context, site)
    exercise.button("Run").click()
    exercise.finish("unanswered")
    assert "Starting Python…" in again.evaluate("lines")
    assert [line for line in again.evaluate("lines") if "Downloading" in line] == []
    assert exercise.root.locator(".attn-run-phase").text_content() == ""


def visit_cells(context, site, *scripts):
    page, _ = visit(context, site, *scripts)
    return page, CellsOfPage(page)


@pytest.mark.parametrize("sign", ["tab to Run", "tab to Edit", "hover over Run", "hover over all"])
def test_a_reader_who_comes_to_a_cell_s_buttons_starts_python(context, site, sign):
    page, cells = visit_cells(context, site)
    assert requests_for_python(page) == []
    with page.expect_request("**/_static/python/*.whl"):
        if sign.startswith("tab"):
            cells[2].button(sign.removeprefix("tab to ")).focus()
        elif sign == "hover over Run":
            cells[2].button("Run").hover()
        else:
            cells.button("Run all cells").hover()
    assert page.evaluate("workers") == 1


def test_reading_a_cell_is_no_sign(context, site):
    page, cells = visit_cells(context, site)
    cells[2].code.hover()
    cells[2].code.click()
    cells.button("Reset the page").hover()
    assert page.evaluate(WORKERS_LATER) == 0
    assert requests_for_python(page) == []


def test_who_saves_data_may_edit_a_cell_without_python(context, site):
    page, cells = visit_cells(context, site, SAVES_DATA)
    cells.button("Run all cells").hover()
    cells[2].write("1 + 1")
    assert page.evaluate(WORKERS_LATER) == 0
    assert requests_for_python(page) == []
    with page.expect_request("**/_static/python/*.whl"):
        cells[2].button("Run").click()


def damage(fault):
    """Answer for a file: it is missing, cut, corrupt at the same length, or of another type."""

    def answer(route):
        if fault == "missing":
            return route.fulfill(status=404)
        response = route.fetch()
        body, kind = response.body(), response.headers["content-type"]
        if fault == "cut":
            body = body[:-100]
        elif fault == "corrupt":
            body = body[:-100] + bytes(100)
        else:
            kind = "application/octet-stream"
        return route.fulfill(status=200, body=body, headers={"content-type": kind})

    return answer


def test_a_file_of_python_that_is_not_well_ends_the_start_in_words(context, site):
    page, exercise = visit(context, site, SAVES_DATA)
    button = "Run"
    for file, fault, words in [
        ("*.wasm", "missing", "is missing: the site answers 404"),
        ("*.wasm", "cut", "arrived damaged"),
        ("*.wasm", "corrupt", "arrived damaged"),
        ("stdlib-*.zip", "cut", "arrived damaged"),
    ]:
        pattern = f"**/_static/python/**/{file}"
        page.route(pattern, damage(fault))
        exercise.button(button).click()
        exercise.finish("error")
        said = exercise.status.inner_text()
        assert "Python could not be started" in said
        assert words in said
        page.unroute(pattern)
        button = "Try again"
    # Once it is well, any type will do: not every host knows the one of WebAssembly.
    page.route("**/_static/python/**/*.wasm", damage("another type"))
    exercise.button(button).click()
    exercise.finish("unanswered")
