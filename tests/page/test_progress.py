"""A reader's progress in a real browser: ticks, overview, export, import, clear and undo."""

import json

from playwright.sync_api import expect

from attn.exercises import catalog
from attn.exercises.checking.verdict import HEADINGS

CHAPTER = "book/01-lookup.html"
START = "book/index.html"
EXERCISES = sum(exercise.chapter == 1 for exercise in catalog())
VERDICT = (
    "detail => document.dispatchEvent(new CustomEvent('attn:progress', {detail}))"  # as a cell does
)


def solve(page, *ids):
    for exercise in ids:
        page.evaluate(VERDICT, {"id": exercise, "passed": True, "starter": "abc"})


def start_page(page, site):
    page.goto(site + START)
    page.locator("#your-progress details").first.wait_for()
    return page.locator("#your-progress")


def test_a_solved_exercise_is_counted_in_the_sidebar_and_on_the_start_page(open_page, site):
    page = open_page(CHAPTER)
    assert page.locator(".attn-tick").count() == 0
    solve(page, "01-softmax", "01-soft-lookup")
    page.locator(".attn-tick", has_text=f"2/{EXERCISES}").wait_for()
    section = start_page(page, site)
    assert f"2 of {EXERCISES}" in section.locator("summary").first.inner_text()
    assert page.locator(".attn-tick").first.inner_text() == f"2/{EXERCISES}"


def test_a_chapter_with_all_exercises_solved_gets_a_tick(open_page, site):
    page = open_page(CHAPTER)
    ids = page.locator(".attn-exercise").evaluate_all(
        "cells => cells.map((c) => c.dataset.exercise)"
    )
    solve(page, *ids)
    page.locator(".attn-tick", has_text="✓").wait_for()


def test_the_export_is_a_progress_file_with_the_readers_name(open_page, site, tmp_path):
    page = open_page(CHAPTER)
    solve(page, "01-softmax")
    section = start_page(page, site)
    section.get_by_label("Your name").fill("Ada")
    section.get_by_label("Your name").press("Tab")
    with page.expect_download() as waiting:
        section.get_by_role("button", name="Export").click()
    waiting.value.save_as(tmp_path / "ada.json")
    exported = json.loads((tmp_path / "ada.json").read_text())
    assert exported["format"] == "attn-progress"
    assert exported["version"] == 1
    assert exported["name"] == "Ada"
    assert exported["exercises"]["01-softmax"]["passed"] is True
    assert exported["exercises"]["01-softmax"]["tries"] == 1

    from attn.exercises.progress import read_progress, report

    assert "Ada" in report([read_progress(tmp_path / "ada.json")])


def test_clearing_can_be_undone(open_page, site):
    page = open_page(CHAPTER)
    solve(page, "01-softmax")
    section = start_page(page, site)
    section.get_by_role("button", name="Clear").click()
    assert f"0 of {EXERCISES}" in section.locator("summary").first.inner_text()
    section.get_by_role("button", name="Undo").click()
    assert f"1 of {EXERCISES}" in section.locator("summary").first.inner_text()


def progress_file(path, *exercises, **more):
    entry = {"passed": True, "tries": 2, "at": "2026-01-01T00:00:00.000Z", "starter": "abc"}
    record = {"format": "attn-progress", "version": 1, "name": "", **more}
    path.write_text(json.dumps(record | {"exercises": dict.fromkeys(exercises, entry)}))
    return path


def test_undo_brings_back_all_that_was_cleared_and_keeps_what_came_since(open_page, site, tmp_path):
    page = open_page(CHAPTER)
    solve(page, "01-softmax")
    section = start_page(page, site)
    for name in ("Clear", "Clear", "Undo"):
        section.get_by_role("button", name=name).click()
    expect(section.locator("summary").first).to_contain_text(f"1 of {EXERCISES}")
    section.get_by_role("button", name="Clear").click()
    file = progress_file(tmp_path / "other.json", "01-general-score")
    section.locator("input[type=file]").set_input_files(file)
    expect(section.get_by_role("status")).to_contain_text("Imported")
    section.get_by_role("button", name="Undo").click()
    expect(section.locator("summary").first).to_contain_text(f"2 of {EXERCISES}")


def test_an_import_that_does_not_fit_says_so_and_keeps_the_progress(open_page, site, tmp_path):
    page = open_page(CHAPTER)
    section = start_page(page, site)
    cells = {f"01-lookup/{n}": {"text": "x" * 2_000_000, "version": "ab"} for n in (1, 2, 3)}
    file = progress_file(tmp_path / "large.json", "01-softmax", cells=cells)
    section.locator("input[type=file]").set_input_files(file)
    expect(section.get_by_role("status")).to_contain_text("One changed cell was not")
    expect(section.locator("summary").first).to_contain_text(f"1 of {EXERCISES}")
    with page.expect_download() as waiting:
        section.get_by_role("button", name="Export").click()
    waiting.value.save_as(tmp_path / "again.json")
    assert len(json.loads((tmp_path / "again.json").read_text())["cells"]) == 2


def test_an_import_adds_and_a_wrong_file_says_why(open_page, site, tmp_path):
    page = open_page(CHAPTER)
    solve(page, "01-softmax")
    section = start_page(page, site)
    file = progress_file(tmp_path / "other.json", "01-general-score")
    section.locator("input[type=file]").set_input_files(file)
    section.get_by_role("status").get_by_text("Imported").wait_for()
    assert f"2 of {EXERCISES}" in section.locator("summary").first.inner_text()
    (tmp_path / "wrong.json").write_text("[]")
    section.locator("input[type=file]").set_input_files(tmp_path / "wrong.json")
    section.get_by_role("status").get_by_text("Not imported").wait_for()
    assert f"2 of {EXERCISES}" in section.locator("summary").first.inner_text()


def test_a_second_tab_hears_of_it(open_page, site):
    first = open_page(CHAPTER)
    second = first.context.new_page()
    section = start_page(second, site)
    solve(first, "01-softmax")
    section.locator("summary", has_text=f"1 of {EXERCISES}").wait_for()


def test_the_overview_says_how_an_exercise_went_in_the_words_of_a_verdict(open_page, site):
    page = open_page(CHAPTER)
    solve(page, "01-softmax")
    page.evaluate(VERDICT, {"id": "01-slope", "passed": False, "starter": "abc"})
    lines = start_page(page, site).locator("details").first.locator("li").all_text_contents()
    ends = [(line.split()[0], line.rpartition(" (")[2]) for line in lines]
    words = {state: HEADINGS[state].split(" ", 1) for state in ("passed", "failed")}
    wanted = [(mark, f"{text.lower()})") for mark, text in words.values()]
    assert sorted(ends) == sorted([*wanted, *[("○", "not tried)")] * 3])


def card(page, name):
    return page.locator("#the-chapters li", has_text=name)


def test_a_chapter_s_card_has_its_progress_once_there_is_some(open_page, site):
    page = open_page(CHAPTER)
    start_page(page, site)
    assert page.locator(".attn-card-progress, .attn-continue").count() == 0
    solve(page, "01-softmax")
    bar = card(page, "1 · Lookup").get_by_role("progressbar")
    bar.wait_for()
    assert bar.get_attribute("aria-label") == "1 · Lookup: 1 of 5 exercises solved"
    assert page.locator(".attn-card-progress").count() == 1
    page.locator("#your-progress").get_by_role("button", name="Clear").click()
    bar.wait_for(state="detached")


def test_the_start_page_leads_back_to_the_exercise_worked_on_last(open_page, site):
    page = open_page(CHAPTER)
    solve(page, "01-softmax")
    draft = json.dumps({"text": "x", "edited": True, "undo": None, "at": 4e12})
    page.evaluate("draft => localStorage.setItem('attn:draft:01-slope:abc', draft)", draft)
    start_page(page, site)
    page.get_by_role("link", name="Continue where you left off: 1 · Lookup").click()
    page.wait_for_url(f"**/{CHAPTER}#ex-01-slope")
