"""Exercises on the built site that are not run: help, kept work, and everyone who reads them."""

import pytest
from page.exercise_page import CHAPTER, SAVES_DATA, ExerciseOnPage
from playwright.sync_api import expect

from attn.exercises import catalog

HINTS = next(exercise for exercise in catalog() if exercise.id == "01-softmax").hints


@pytest.fixture
def open_exercise(open_page):
    """An exercise whose reader saves data: nothing here is run, so no Python has to start."""

    def open_it(path=CHAPTER, *, scripts=(), **options):
        return ExerciseOnPage(open_page(path, scripts=[SAVES_DATA, *scripts], **options))

    return open_it


# Help


def test_hints_come_one_at_a_time(open_exercise):
    one = open_exercise().show()
    hints = one.root.locator(".attn-exercise-hints li")
    for shown, hint in enumerate(HINTS, start=1):
        one.button("Hint").click()
        expect(hints).to_have_count(shown)
        assert hints.last.inner_text() == hint
    one.button("Hint").click(force=True)
    expect(hints).to_have_count(len(HINTS))


def test_the_solution_asks_once_before_it_is_earned(open_exercise):
    one = open_exercise().show()
    expect(one.solution).to_be_hidden()
    one.button("Solution").click()
    expect(one.solution).to_be_hidden()
    expect(one.status).to_contain_text("again")
    one.button("Solution").click()
    expect(one.solution.locator(".cell_input")).to_be_visible()
    one.button("Solution").click()
    expect(one.solution).to_be_hidden()


def test_a_link_to_a_solution_opens_it(open_exercise):
    one = open_exercise(CHAPTER + "#sol-01-softmax")
    expect(one.solution).to_be_visible()
    other = ExerciseOnPage(one.page, "01-soft-lookup")
    expect(other.solution).to_be_hidden()
    one.page.evaluate("location.hash = 'sol-01-soft-lookup'")
    expect(other.solution.locator(".cell_input")).to_be_visible()


def test_the_section_that_explains_is_one_link_away(open_exercise):
    one = open_exercise()
    href = one.root.locator(".attn-exercise-facts a").get_attribute("href")
    assert one.page.locator(href).count() == 1


# Keeping the reader's work


def test_a_reload_keeps_the_text(open_exercise):
    one = open_exercise()
    one.write("my answer")
    one.page.reload()
    one.show()
    assert one.text == "my answer"


def test_reset_shows_the_starter_and_undo_brings_the_text_back(open_exercise):
    one = open_exercise().show()
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


def test_reset_works_before_the_editor_is_there(open_exercise):
    one = open_exercise().show()
    starter = one.text
    one.write("my answer")
    one.wait_until_stored("my answer")
    one.page.route("**/editor.mjs", lambda route: None)
    one.page.goto(one.page.url, wait_until="load")
    kept = one.root.locator(".attn-exercise-starter pre")
    expect(kept).to_have_text("my answer")
    one.button("Reset").click()
    expect(kept).to_have_text(starter.strip())


def test_a_page_without_the_editors_code_still_has_a_text_area(open_exercise):
    one = open_exercise(routes={"**/editor.mjs": lambda route: route.abort()}).show()
    one.editor.fill("my answer")
    one.page.reload()
    one.show()
    assert one.editor.input_value() == "my answer"
    one.page.record.console.clear()


def serve_changed_starter(page):
    """From now on the page comes with another starter."""

    def change(route):
        answer = route.fetch()
        text = answer.text().replace("Turn rows of scores", "A new starter")
        route.fulfill(response=answer, body=text.replace('"version": "', '"version": "f'))

    page.route("**/" + CHAPTER, change)


@pytest.mark.parametrize(("choice", "kept"), [("Keep mine", True), ("Take the new one", False)])
def test_a_changed_starter_overwrites_nothing_unasked(open_exercise, choice, kept):
    one = open_exercise()
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
def test_a_browser_that_keeps_nothing_is_said_to(open_exercise, obstacle, reason):
    one = open_exercise(scripts=[obstacle])
    one.page.on("dialog", lambda dialog: dialog.accept())
    one.write("my answer")
    expect(one.root.locator(".attn-notice")).to_contain_text(reason)
    assert one.text == "my answer"
    one.page.record.console.clear()  # the theme itself complains of a storage that throws


def test_a_second_tab_is_followed(open_exercise):
    first = open_exercise().show()
    page = first.page.context.new_page()
    page.goto(first.page.url)
    ExerciseOnPage(page).write("from the second tab")
    expect(first.root.locator(".cm-content")).to_have_text("from the second tab")


def test_a_tab_that_missed_the_news_asks_before_it_overwrites(open_exercise):
    deaf = "addEventListener('storage', (event) => event.stopImmediatePropagation(), true)"
    first = open_exercise(scripts=[deaf]).show()
    page = first.page.context.new_page()
    page.goto(first.page.url)
    second = ExerciseOnPage(page)
    second.write("from the second tab")
    second.wait_until_stored("from the second tab")
    first.write("written without knowing")
    expect(first.root.locator(".attn-notice")).to_contain_text("another tab")
    first.button("Take the other one").click()
    assert first.text == "from the second tab"
    first.button("Undo").click()
    assert first.text == "written without knowing"


# Everyone can read and use it


def test_without_javascript_starter_and_solution_are_readable(open_exercise):
    one = open_exercise(java_script_enabled=False)
    expect(one.root.locator(".attn-exercise-starter pre")).to_be_visible()
    expect(one.solution.locator(".cell_input pre")).to_be_visible()
    assert one.root.get_by_role("button").count() == 0


def test_an_exercise_that_needs_torch_does_not_offer_to_run(open_exercise):
    def need_torch(route):
        answer = route.fetch()
        route.fulfill(
            response=answer, body=answer.text().replace('"needs": []', '"needs": ["torch"]')
        )

    one = open_exercise(routes={"**/" + CHAPTER: need_torch})
    one.root.scroll_into_view_if_needed()
    expect(one.root.locator(".attn-exercise-starter pre")).to_be_visible()
    expect(one.button("Hint")).to_be_visible()
    assert one.button("Run").count() == 0


def test_tab_indents_only_for_those_who_ask(open_exercise):
    one = open_exercise()
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
def test_a_phone_can_hold_it(open_exercise, theme):
    one = open_exercise(width=360, height=740, theme=theme)
    one.write("x = '" + "long " * 60 + "'")
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert one.root.evaluate("root => root.scrollWidth <= root.clientWidth")
    size = one.root.locator(".cm-content").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size >= 16
    heights = [
        b.bounding_box()["height"] for b in one.root.get_by_role("button").all() if b.is_visible()
    ]
    assert min(heights) >= 24


def test_print_shows_the_code_and_no_buttons(open_exercise):
    one = open_exercise().show()
    one.page.emulate_media(media="print")
    expect(one.root.locator(".cm-content")).to_be_visible()
    expect(one.root.locator(".attn-exercise-bar")).to_be_hidden()
