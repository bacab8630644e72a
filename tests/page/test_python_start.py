"""How Python starts in the page: when the reader means to run something, and not before."""

import pytest
from page.exercise_page import CHAPTER, SAVES_DATA, ExerciseOnPage

RECORD_WORDS = """
window.said = [];
new MutationObserver(() => {
  for (const line of document.querySelectorAll(".attn-exercise-line")) {
    if (line.textContent && said.at(-1) !== line.textContent) said.push(line.textContent);
  }
}).observe(document, { childList: true, subtree: true, characterData: true });
"""
# Each Python of a page lives in a worker: who makes one starts one.
COUNT_WORKERS = """
window.workers = 0;
window.Worker = class extends Worker {
  constructor(...given) { super(...given); window.workers += 1; }
};
"""
# Timers of a page fire in order: whatever a mouse that rests would have started has been started.
LATER = "() => new Promise((go) => setTimeout(() => go(window.workers), 500))"


@pytest.fixture
def context(browser):
    opened = browser.new_context(viewport={"width": 1280, "height": 900})
    yield opened
    opened.close()


def visit(context, site, *scripts):
    """A page with an editor in view, that keeps what it asks for and what it says."""
    page = context.new_page()
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    for script in (RECORD_WORDS, COUNT_WORKERS, *scripts):
        page.add_init_script(script)
    page.goto(site + CHAPTER)
    return page, ExerciseOnPage(page).show()


def asked_for_python(page):
    return [url for url in page.asked if "/_static/python/" in url]


@pytest.mark.parametrize("sign", ["focus", "hover", "tab to Run"])
def test_a_reader_who_means_to_run_starts_python(context, site, sign):
    page, exercise = visit(context, site)
    assert asked_for_python(page) == []
    with page.expect_request("**/_static/python/*.whl"):
        if sign == "focus":
            exercise.editor.focus()
        elif sign == "hover":
            exercise.root.locator(".attn-exercise-editor").hover()
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
    exercise.root.locator(".attn-exercise-editor").hover()
    exercise.button("Hint").click()
    assert page.evaluate(LATER) == 0
    assert asked_for_python(page) == []
    with page.expect_request("**/_static/python/*.whl"):
        exercise.button("Run").click()


def test_hints_and_solutions_are_no_sign(context, site):
    page, exercise = visit(context, site)
    exercise.button("Hint").click()
    exercise.button("Solution").click()
    assert page.evaluate(LATER) == 0


def test_downloading_is_said_on_the_first_visit_and_not_on_the_next(context, site):
    page, exercise = visit(context, site)
    exercise.button("Run").click()
    exercise.finish("unanswered")
    assert any(words.startswith("Downloading Python") for words in page.evaluate("said"))
    again, exercise = visit(context, site)
    exercise.button("Run").click()
    exercise.finish("unanswered")
    assert "Starting Python…" in again.evaluate("said")
    assert [words for words in again.evaluate("said") if "Downloading" in words] == []
    assert exercise.root.locator(".attn-exercise-phase").text_content() == ""
