"""A verdict says the same on the page and in a notebook, and the class report counts its tries."""

import json

from browsers.polling import eventually
from page.exercise_page import CHAPTER, ExerciseOnPage

from attn.exercises import check
from attn.exercises.checking.verdict import COLUMNS, HINT
from attn.exercises.progress import read_progress, report

IN_VIEW = "card => card.getBoundingClientRect().bottom <= innerHeight"
FITS = "box => box.scrollWidth <= box.clientWidth"
RECORD = "localStorage.getItem('attn:progress')"


def in_notebook(page, verdict):
    """The words of a verdict's card as a notebook shows them: heading, message, table by rows."""
    card = page.context.new_page()
    card.set_content(verdict._repr_html_())
    return _words(card.locator(".attn-verdict"))


def _words(card):
    rows = card.locator("tr").all()
    return {
        "state": card.get_attribute("data-state"),
        "paragraphs": card.locator("p").all_inner_texts(),
        "table": [row.locator("th, td").all_inner_texts() for row in rows],
        "fold": card.locator("details").all_text_contents(),
    }


def test_page_notebook_and_report_agree_on_a_verdict_and_its_tries(open_page, tmp_path):
    softmax = ExerciseOnPage(open_page(CHAPTER))
    softmax.answer("def softmax(x):\n    return ...", "unanswered")
    softmax.answer("softmax = undefined", "error")
    wrong = check("01-softmax", lambda x: x * 0)
    softmax.answer("def softmax(x):\n    return x * 0", "failed")
    shown = _words(softmax.root.locator(".attn-verdict"))
    assert shown == in_notebook(softmax.page, wrong)
    assert shown["table"][0] == list(COLUMNS)
    assert shown["paragraphs"][0] == wrong.heading
    assert shown["fold"] == [HINT + wrong.hint]
    softmax.page.set_viewport_size({"width": 360, "height": 700})
    assert softmax.root.locator(".attn-verdict-table").evaluate(FITS)
    softmax.answer("from attn import softmax", "passed")
    softmax.answer("def softmax(x):\n    return x * 0", "failed")
    eventually(
        "the verdict in view", lambda: softmax.root.locator(".attn-verdict").evaluate(IN_VIEW)
    )

    record = softmax.page.evaluate(RECORD)
    entry = json.loads(record)["exercises"]["01-softmax"]
    assert {"passed": entry["passed"], "tries": entry["tries"]} == {"passed": True, "tries": 3}
    file = tmp_path / "ada.json"
    file.write_text(record)
    (row,) = [line for line in report([read_progress(file)]).splitlines() if "softmax" in line]
    assert row.split() == ["01-softmax", "✓3", "1/1"]
