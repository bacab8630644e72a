"""Exercises on the built site, in a real browser: edit, run, check, keep."""

import threading

import pytest
from gates import violations
from page.exercise_page import CHAPTER, ExerciseOnPage
from playwright.sync_api import expect
from serve import SITE, make_server

from attn.exercises import catalog, check

# One worker starts Python once for all of them.
pytestmark = pytest.mark.xdist_group("exercise cells")
BYTES_OF_PYTHON = "/_static/python/"
EXERCISES = {exercise.id: exercise for exercise in catalog()}
WATCH_PROGRESS = """
window.progress = [];
document.addEventListener("attn:progress", (event) => window.progress.push(event.detail));
"""
# Put on a theme, and wait until colours that fade have arrived.
WEAR = """async (theme) => {
  document.documentElement.dataset.theme = theme;
  await new Promise((go) => requestAnimationFrame(go));
  await Promise.all(document.getAnimations().map((one) => one.finished));
}"""
RIGHT = """def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""


@pytest.fixture(scope="module")
def shared(browser, site):
    """One page with a started Python, for tests that leave nothing behind but text."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.requested, page.complaints = [], []
    page.on("request", lambda request: page.requested.append(request.url))
    page.on("console", lambda m: m.type in ("warning", "error") and page.complaints.append(m.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.add_init_script(WATCH_PROGRESS)
    page.goto(site + CHAPTER)
    page.before_the_first_run = list(page.requested)
    yield page
    context.close()
    assert [url for url in page.requested if not url.startswith((site, "data:"))] == []
    assert page.complaints == []


@pytest.fixture
def softmax(shared):
    return ExerciseOnPage(shared)


@pytest.fixture(scope="module")
def plain_host():
    """The site on a host that sends no special headers: the page is not cross-origin isolated."""
    server = make_server(SITE, port=0, prefix="/elsewhere/", isolated=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/elsewhere/"
    server.shutdown()
    server.server_close()


# Running


def test_before_a_run_nothing_of_python_is_fetched_and_there_is_no_state(shared, softmax):
    softmax.show()
    assert softmax.state is None
    assert softmax.root.get_attribute("aria-busy") is None
    assert [url for url in shared.requested if BYTES_OF_PYTHON in url] == []


def test_the_starter_runs_as_it_is_and_is_unanswered(softmax):
    softmax.show()
    softmax.button("Run").click()
    assert softmax.state == "running"
    assert softmax.root.get_attribute("aria-busy") == "true"
    expect(softmax.root.locator(".attn-exercise-phase")).to_contain_text("MB")
    softmax.finish("unanswered")
    assert softmax.root.get_attribute("aria-busy") is None


def test_all_exercises_of_a_page_share_one_python(shared, softmax):
    softmax.answer(RIGHT, "passed")
    assert sum(url.endswith(".wasm") for url in shared.requested) == 1


def test_a_wrong_answer_is_named_as_it_is_outside_the_page(softmax):
    mistake = next(m for m in EXERCISES["01-softmax"].mistakes if "sum" in m.id)
    verdict = check("01-softmax", mistake.wrong)
    assert verdict.mistake == mistake.id
    softmax.answer(
        "def softmax(x):\n    return np.exp(x) / x.sum(axis=-1, keepdims=True)", "failed"
    )
    assert mistake.says in softmax.status.inner_text()


def test_each_verdict_is_told_to_the_page(shared, softmax):
    shared.evaluate("window.progress.length = 0")
    softmax.answer(RIGHT, "passed")
    softmax.answer("def softmax(x):\n    return x", "failed")
    told = shared.evaluate("window.progress")
    assert [(one["id"], one["passed"]) for one in told] == [
        ("01-softmax", True),
        ("01-softmax", False),
    ]
    assert all(len(one["starter"]) == 10 for one in told)


def test_a_verdict_on_another_exercise_is_not_an_answer_to_this_one(softmax):
    softmax.run('from attn.exercises import check\ncheck("01-general-score", 3)', "unanswered")
    assert "01-general-score" in softmax.status.inner_text()


def test_a_check_that_is_not_the_last_line_still_counts(softmax):
    code = softmax.shown_solution() + "\nprint('after')"
    softmax.run(code, "passed")
    assert softmax.output.inner_text().strip() == "after"


def test_the_last_expression_is_shown_as_in_a_notebook(softmax):
    softmax.run("import numpy as np\nprint('first')\nnp.arange(3)", "unanswered")
    assert softmax.output.inner_text().split("\n")[:2] == ["first", "array([0, 1, 2])"]


def test_each_run_starts_with_no_names_of_the_last(softmax):
    softmax.run("left_over = 1", "unanswered")
    softmax.run("left_over", "error")
    assert "NameError" in softmax.status.inner_text()


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
    started = sum(url.endswith(".wasm") for url in shared.requested)
    softmax.root.evaluate("root => root.dataset.timeLimit = 0.5")
    softmax.run("print('before')\nwhile True:\n    pass", "stopped")
    softmax.root.evaluate("root => delete root.dataset.timeLimit")
    assert "after 0.5 seconds" in softmax.status.inner_text()
    assert softmax.output.inner_text().strip() == "before"
    softmax.answer(RIGHT, "passed")
    assert sum(url.endswith(".wasm") for url in shared.requested) == started


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
        shared.evaluate(WEAR, theme)
        for part in ('[data-exercise="01-softmax"]', "#sol-01-softmax"):
            assert violations(shared, axe, part) == [], theme


def test_without_isolation_stop_ends_an_endless_loop_and_the_text_stays(open_page, plain_host):
    page = open_page(CHAPTER, origin=plain_host)
    assert not page.evaluate("crossOriginIsolated")
    one = ExerciseOnPage(page)
    endless = "print('before')\nwhile True:\n    pass"
    one.write(endless)
    one.button("Run").click()
    expect(one.output).to_contain_text("before")
    one.button("Stop").click()
    one.finish("stopped")
    assert one.text == endless
    expect(one.button("Stop")).to_be_hidden()
    one.answer(RIGHT, "passed")


def test_a_download_that_fails_says_so_and_can_be_tried_again(open_page):
    page = open_page(CHAPTER)
    page.route("**/*.whl", lambda route: route.abort())
    one = ExerciseOnPage(page).show()
    one.button("Run").click()
    one.finish("error")
    assert "could not be started" in one.status.inner_text()
    page.unroute("**/*.whl")
    one.button("Try again").click()
    one.finish("unanswered")
    page.record.console.clear()  # the browser and Pyodide report the failed request there too


# Help


def test_hints_come_one_at_a_time(open_page):
    one = ExerciseOnPage(open_page(CHAPTER)).show()
    hints = one.root.locator(".attn-exercise-hints li")
    for shown, hint in enumerate(EXERCISES["01-softmax"].hints, start=1):
        one.button("Hint").click()
        expect(hints).to_have_count(shown)
        assert hints.last.inner_text() == hint
    one.button("Hint").click(force=True)
    expect(hints).to_have_count(len(EXERCISES["01-softmax"].hints))


def test_the_solution_asks_once_before_it_is_earned(open_page):
    one = ExerciseOnPage(open_page(CHAPTER)).show()
    expect(one.solution).to_be_hidden()
    one.button("Solution").click()
    expect(one.solution).to_be_hidden()
    expect(one.status).to_contain_text("again")
    one.button("Solution").click()
    expect(one.solution.locator(".cell_input")).to_be_visible()
    one.button("Solution").click()
    expect(one.solution).to_be_hidden()


def test_a_link_to_a_solution_opens_it(open_page):
    one = ExerciseOnPage(open_page(CHAPTER + "#sol-01-softmax"))
    expect(one.solution).to_be_visible()
    other = ExerciseOnPage(one.page, "01-soft-lookup")
    expect(other.solution).to_be_hidden()
    one.page.evaluate("location.hash = 'sol-01-soft-lookup'")
    expect(other.solution.locator(".cell_input")).to_be_visible()


def test_the_section_that_explains_is_one_link_away(open_page):
    one = ExerciseOnPage(open_page(CHAPTER))
    href = one.root.locator(".attn-exercise-facts a").get_attribute("href")
    assert one.page.locator(href).count() == 1


# Keeping the reader's work


def test_a_reload_keeps_the_text(open_page):
    one = ExerciseOnPage(open_page(CHAPTER))
    one.write("my answer")
    one.page.reload()
    one.show()
    assert one.text == "my answer"


def test_reset_shows_the_starter_and_undo_brings_the_text_back(open_page):
    one = ExerciseOnPage(open_page(CHAPTER)).show()
    starter = one.text
    one.write("my answer")
    one.button("Reset").click()
    assert one.text == starter
    one.page.reload()
    one.show()
    assert one.text == starter
    one.button("Undo").click()
    assert one.text == "my answer"
    expect(one.button("Undo")).to_be_hidden()


def test_reset_works_before_the_editor_is_there(open_page):
    page = open_page(CHAPTER)
    one = ExerciseOnPage(page).show()
    starter = one.text
    one.write("my answer")
    one.wait_until_stored("my answer")
    page.route("**/editor.mjs", lambda route: None)
    page.goto(page.record.origin + CHAPTER, wait_until="load")
    kept = one.root.locator(".attn-exercise-starter pre")
    expect(kept).to_have_text("my answer")
    one.button("Reset").click()
    expect(kept).to_have_text(starter.strip())


def test_a_page_without_the_editors_code_still_has_a_text_area(open_page):
    page = open_page("book/index.html")
    page.route("**/editor.mjs", lambda route: route.abort())
    page.goto(page.record.origin + CHAPTER)
    one = ExerciseOnPage(page).show()
    one.editor.fill("my answer")
    page.reload()
    one.show()
    assert one.editor.input_value() == "my answer"
    page.record.console.clear()


def serve_changed_starter(page):
    """From now on the page comes with another starter."""

    def change(route):
        answer = route.fetch()
        text = answer.text().replace("Turn rows of scores", "A new starter")
        route.fulfill(response=answer, body=text.replace('"version": "', '"version": "f'))

    page.route("**/" + CHAPTER, change)


@pytest.mark.parametrize(("choice", "kept"), [("Keep mine", True), ("Take the new one", False)])
def test_a_changed_starter_overwrites_nothing_unasked(open_page, choice, kept):
    one = ExerciseOnPage(open_page(CHAPTER))
    one.write("my answer")
    one.wait_until_stored("my answer")
    serve_changed_starter(one.page)
    one.page.reload()
    one.show()
    assert one.text == "my answer"
    one.button(choice).click()
    assert (one.text == "my answer") == kept
    assert ("A new starter" in one.text) != kept
    one.page.reload()
    one.show()
    assert (one.text == "my answer") == kept
    expect(one.button(choice)).to_be_hidden()


@pytest.mark.parametrize(
    ("obstacle", "reason"),
    [
        (
            "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })",
            "may not store",
        ),
        (
            "Storage.prototype.setItem = () => { throw new DOMException("
            "'x', 'QuotaExceededError') }",
            "full",
        ),
    ],
)
def test_a_browser_that_keeps_nothing_is_said_to(open_page, obstacle, reason):
    page = open_page("book/index.html")
    page.add_init_script(obstacle)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(page.record.origin + CHAPTER)
    one = ExerciseOnPage(page)
    one.write("my answer")
    expect(one.root.locator(".attn-exercise-notice")).to_contain_text(reason)
    assert one.text == "my answer"
    page.record.console.clear()  # the theme itself complains of a storage that throws


def test_a_second_tab_is_followed(open_page):
    first = ExerciseOnPage(open_page(CHAPTER)).show()
    page = first.page.context.new_page()
    page.goto(first.page.url)
    ExerciseOnPage(page).write("from the second tab")
    expect(first.root.locator(".cm-content")).to_have_text("from the second tab")


def test_a_tab_that_missed_the_news_asks_before_it_overwrites(open_page):
    first = ExerciseOnPage(open_page("book/index.html"))
    first.page.add_init_script(
        "addEventListener('storage', (event) => event.stopImmediatePropagation(), true)"
    )
    first.page.goto(first.page.record.origin + CHAPTER)
    first.show()
    page = first.page.context.new_page()
    page.goto(first.page.url)
    second = ExerciseOnPage(page)
    second.write("from the second tab")
    second.wait_until_stored("from the second tab")
    first.write("written without knowing")
    expect(first.root.locator(".attn-exercise-notice")).to_contain_text("another tab")
    first.button("Take the other one").click()
    assert first.text == "from the second tab"
    first.button("Undo").click()
    assert first.text == "written without knowing"


# Everyone can read and use it


def test_without_javascript_starter_and_solution_are_readable(open_page):
    page = open_page(CHAPTER, java_script_enabled=False)
    one = ExerciseOnPage(page)
    expect(one.root.locator(".attn-exercise-starter pre")).to_be_visible()
    expect(one.solution.locator(".cell_input pre")).to_be_visible()
    assert one.root.get_by_role("button").count() == 0


def test_an_exercise_that_needs_torch_does_not_offer_to_run(open_page):
    page = open_page("book/index.html")

    def need_torch(route):
        answer = route.fetch()
        route.fulfill(
            response=answer, body=answer.text().replace('"needs": []', '"needs": ["torch"]')
        )

    page.route("**/" + CHAPTER, need_torch)
    page.goto(page.record.origin + CHAPTER)
    one = ExerciseOnPage(page)
    one.root.scroll_into_view_if_needed()
    expect(one.root.locator(".attn-exercise-starter pre")).to_be_visible()
    expect(one.button("Hint")).to_be_visible()
    assert one.button("Run").count() == 0


def test_tab_indents_only_for_those_who_ask(open_page):
    one = ExerciseOnPage(open_page(CHAPTER))
    one.write("x = 1")
    one.page.keyboard.press("Tab")
    expect(one.button("Run")).to_be_focused()
    one.root.get_by_role("checkbox", name="Tab indents").check()
    one.editor.focus()
    one.page.keyboard.press("Tab")
    expect(one.editor).to_be_focused()
    assert one.text == "    x = 1"
    one.page.keyboard.press("Escape")
    one.page.keyboard.press("Tab")
    expect(one.button("Run")).to_be_focused()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_can_hold_it(open_page, theme):
    page = open_page(CHAPTER, width=360, height=740, theme=theme)
    one = ExerciseOnPage(page)
    one.write("x = '" + "long " * 60 + "'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert one.root.evaluate("root => root.scrollWidth <= root.clientWidth")
    size = one.root.locator(".cm-content").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size >= 16
    heights = [
        b.bounding_box()["height"] for b in one.root.get_by_role("button").all() if b.is_visible()
    ]
    assert min(heights) >= 24


def test_print_shows_the_code_and_no_buttons(open_page):
    one = ExerciseOnPage(open_page(CHAPTER)).show()
    one.page.emulate_media(media="print")
    expect(one.root.locator(".cm-content")).to_be_visible()
    expect(one.root.locator(".attn-exercise-bar")).to_be_hidden()


def test_a_page_without_exercises_loads_nothing_of_them(open_page):
    page = open_page("book/notation.html")
    assert [u for u in page.record.requests if "/exercises/" in u or "/editor/" in u] == []
