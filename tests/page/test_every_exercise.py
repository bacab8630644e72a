"""Every exercise of every chapter, solved in the page with the solution that the page shows."""

import json

import pytest
from page.exercise_page import ExerciseOnPage
from serve import SITE

from attn.exercises import catalog

NEEDS = {exercise.id: exercise.needs for exercise in catalog()}
COURSE = json.loads((SITE / "_static/progress/course.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("chapter", COURSE, ids=lambda chapter: chapter["page"])
def test_each_solution_passes_in_the_page(open_page, chapter):
    page = open_page(chapter["page"])
    for exercise in chapter["exercises"]:
        if NEEDS[exercise["id"]]:
            continue
        one = ExerciseOnPage(page, exercise["id"])
        one.run(one.shown_solution(), "passed")
        assert exercise["title"] in one.status.inner_text()


def test_the_course_has_every_catalogued_exercise():
    assert {e["id"] for chapter in COURSE for e in chapter["exercises"]} == set(NEEDS)
