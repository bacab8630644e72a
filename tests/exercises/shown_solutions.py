"""Every solution as its page shows it, run as the page runs it.

The Python that the site serves runs this file: tests/page/test_core_in_pyodide.py asks for it. Its
name keeps it from being collected here, where test_solutions.py reads the chapters' sources and
no site need be built.
"""

import json
import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from page_tasks.exercise import run

from attn.exercises import catalog

TOP = Path(__file__).resolve().parents[2]
RUNNABLE = [exercise for exercise in catalog() if not exercise.needs]
SHOWN = re.compile(r'id="sol-(\d\d-[\w-]+)".*?<div class="cell_input.*?<pre>(.*?)</pre>', re.DOTALL)


@cache
def shown_solutions():
    """The solutions of the built site: exercise -> code, without the marks of its colours."""
    pages = (page.read_text(encoding="utf-8") for page in (TOP / "_build/html/book").glob("*.html"))
    found = {name: code for page in pages for name, code in SHOWN.findall(page)}
    return {name: unescape(re.sub(r"<[^>]*>", "", code)) for name, code in found.items()}


@pytest.mark.parametrize("exercise", RUNNABLE, ids=lambda exercise: exercise.id)
def test_the_shown_solution_passes(exercise):
    output = []
    task = {"code": shown_solutions()[exercise.id], "exercise": exercise.id}
    outcome = json.loads(run(task, lambda *one: output.append(one)))
    assert outcome["state"] == "passed", (outcome, output)


def test_every_catalogued_exercise_is_on_a_page_with_its_solution():
    assert set(shown_solutions()) == {exercise.id for exercise in catalog()}
