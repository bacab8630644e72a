"""Exercises that are run on the built site, in a real browser: output, verdicts, errors, limits."""

import pytest
from browsers.page_functions import page_function, page_script
from browsers.site_server import shared_page
from page.exercise_page import CHAPTER, SAVES_DATA, ExerciseOnPage
from page.page_limits import violations
from playwright.sync_api import expect

# One worker starts Python once for all of them.
pytestmark = pytest.mark.xdist_group("exercise cells")
RECORD_PROGRESS = page_script(__file__, "recordProgress")
CHANGE_THEME = page_function(__file__, "changeTheme")
RIGHT = """def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""


@pytest.fixture(scope="module")
def shared(browser, site):
    """One page with a started Python, for tests that leave nothing behind but text."""
    with shared_page(browser, site, CHAPTER, RECORD_PROGRESS) as page:
        yield page


@pytest.fixture
def softmax(shared):
    return ExerciseOnPage(shared)


def started_pythons(page):
    return sum(url.endswith(".wasm") for url in page.record.requests)


def test_before_a_run_there_is_no_state(softmax):
    softmax.show()
    assert softmax.state is None
    assert softmax.root.get_attribute("aria-busy") is None


def test_the_starter_runs_as_it_is_and_is_unanswered(softmax):
    softmax.show()
    softmax.button("Run").click()
    assert softmax.state == "running"
    assert softmax.root.get_attribute("aria-busy") == "true"
    expect(softmax.root.locator(".attn-run-phase")).to_contain_text("MB")
    softmax.finish("unanswered")
    assert softmax.root.get_attribute("aria-busy") is None


def test_all_exercises_of_a_page_share_one_python(shared, softmax):
    softmax.answer(RIGHT, "passed")
    ExerciseOnPage(shared, "01-soft-lookup").run("1 + 1", "unanswered")
    assert started_pythons(shared) == 1


def test_each_verdict_is_reported_to_the_page(shared, softmax):
    shared.evaluate("window.progress.length = 0")
    softmax.answer(RIGHT, "passed")
    softmax.answer("def softmax(x):\n    return x", "failed")
    reported = shared.evaluate("window.progress")
    assert [(one["id"], one["passed"]) for one in reported] == [
        ("01-softmax", True),
        ("01-softmax", False),
    ]
    assert all(len(one["starter"]) == 10 for one in reported)


def test_a_verdict_on_another_exercise_is_not_an_answer_to_this_one(softmax):
    softmax.run('from attn.exercises import check\ncheck("01-general-score", 3)', "unanswered")
    assert "01-general-score" in softmax.status.inner_text()


def test_the_last_expression_is_shown_as_in_a_notebook(softmax):
    softmax.run("import numpy as np\nprint('first')\nnp.arange(3)", "unanswered")
    assert softmax.output.inner_text().split("\n")[:2] == ["first", "array([0, 1, 2])"]


def test_a_syntax_error_points_at_the_place(softmax):
    softmax.run("x = 1\ny = (2,\n", "error")
    assert "line 2" in softmax.status.inner_text()
    assert 'File "exercise 01-softmax", line 2' in softmax.output.inner_text()
    assert "    ^" in softmax.output.inner_text()


def test_a_traceback_has_the_readers_lines_only(softmax):
    softmax.run("import attn\n\ndef f(x):\n    return attn.softmax(x)\n\nf([])", "error")
    shown = softmax.output.inner_text()
    files = {line.split('"')[1] for line in shown.splitlines() if line.startswith("  File")}
    assert files == {"exercise 01-softmax"}
    assert "return attn.softmax(x)" in shown
    assert "^^^^" in shown


def test_a_reader_can_read_the_sources_of_this_project(softmax):
    softmax.run("import attn, inspect\nprint(inspect.getsource(attn.softmax))", "unanswered")
    assert "def softmax(x" in softmax.output.inner_text()


def test_printed_html_stays_text(shared, softmax):
    softmax.run("print('<img src=x onerror=\"window.hacked = 1\">')\n'<b>bold</b>'", "unanswered")
    assert "<img src=x" in softmax.output.inner_text()
    assert softmax.output.locator("img, b").count() == 0
    assert shared.evaluate("window.hacked") is None


def test_html_in_an_error_stays_text(shared, softmax):
    softmax.run("raise ValueError('<img src=x onerror=\"window.hacked = 1\">')", "error")
    assert softmax.root.locator("img").count() == 0
    assert "<img" in softmax.status.inner_text()


def test_a_flood_of_output_is_cut_with_a_note(softmax):
    softmax.run("for i in range(20_000):\n    print('0123456789')", "unanswered")
    shown = softmax.output.text_content()
    assert len(shown) < 21_000
    assert "200,000 more characters are not shown" in shown


def test_an_array_of_2_gb_is_an_error_in_words_and_the_next_run_works(softmax):
    softmax.run("import numpy as np\nnp.ones(2**28)", "error")
    assert "Out of memory" in softmax.status.inner_text()
    softmax.answer(RIGHT, "passed")


def test_with_isolation_the_time_limit_interrupts_and_python_stays(shared, softmax):
    assert shared.evaluate("crossOriginIsolated")
    before = started_pythons(shared)
    softmax.write("print('before')\nwhile True:\n    pass")
    softmax.root.evaluate("root => { root.dataset.timeLimit = 3; }")
    softmax.button("Run").click()
    softmax.finish("stopped")
    assert "after 3 seconds" in softmax.status.inner_text()
    assert softmax.output.inner_text().strip() == "before"
    softmax.answer(RIGHT, "passed")
    assert started_pythons(shared) == before


def test_the_keyboard_alone_is_enough(shared, softmax):
    keys = shared.keyboard
    softmax.write("1 + 1")
    keys.press("Shift+Enter")
    softmax.finish("unanswered")
    assert softmax.output.inner_text().strip() == "2"
    keys.press("Tab")
    expect(softmax.button("Run")).to_be_focused()
    keys.press("Enter")
    softmax.finish("unanswered")
    expect(softmax.button("Run")).to_be_focused()
    keys.press("Tab")
    expect(softmax.button("Hint")).to_be_focused()
    assert softmax.text == "1 + 1"


def test_axe_finds_nothing_in_an_exercise_with_a_verdict_a_hint_and_the_solution(
    shared, softmax, axe
):
    softmax.answer("def softmax(x):\n    return x", "failed")
    softmax.button("Hint").click()
    softmax.button("Solution").click()
    if not softmax.solution.is_visible():  # unless it is earned, it is asked for twice
        softmax.button("Solution").click()
    expect(softmax.solution).to_be_visible()
    for theme in ("light", "dark"):
        shared.evaluate(CHANGE_THEME, theme)
        for part in ('[data-exercise="01-softmax"]', "#sol-01-softmax"):
            assert violations(shared, axe, part) == [], theme


def test_a_download_that_fails_says_so_and_can_be_tried_again(open_page):
    page = open_page(CHAPTER, scripts=[SAVES_DATA])
    page.route("**/*.whl", lambda route: route.abort())
    one = ExerciseOnPage(page).show()
    one.button("Run").click()
    one.finish("error")
    assert "could not be started" in one.status.inner_text()
    page.unroute("**/*.whl")
    one.button("Try again").click()
    one.finish("unanswered")
    page.record.console.clear()  # the browser and Pyodide report the failed request there too
