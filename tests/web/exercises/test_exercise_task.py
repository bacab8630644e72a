"""The part of a run that is plain Python: what a cell sends, and what its run comes to."""

import json

import pytest
from page_tasks import exercise, running

RIGHT = """
import numpy as np
from attn.exercises import check
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""


@pytest.fixture
def run():
    def run_it(source):
        sent = []
        task = {"code": source, "exercise": "01-softmax"}
        outcome = json.loads(exercise.run(task, lambda *one: sent.append(one)))
        return outcome, sent

    return run_it


def test_a_verdict_arrives_as_data_and_is_not_printed(run):
    outcome, sent = run(RIGHT + 'check("01-softmax", softmax)')
    assert outcome["state"] == "passed"
    assert outcome["verdict"]["passed"] is True
    assert sent == []


def test_the_last_check_of_the_exercise_counts(run):
    two = 'check("01-softmax", softmax)\ncheck("01-softmax", lambda x: x)'
    assert run(RIGHT + two)[0]["state"] == "failed"


def test_a_check_with_a_keyword_counts(run):
    assert run(RIGHT + 'check("01-softmax", answer=softmax)')[0]["state"] == "passed"


def test_watching_the_checks_leaves_the_package_as_it_was(run):
    from attn import exercises

    before = exercises.check
    run("from attn.exercises import check\nraise ValueError")
    assert exercises.check is before


def test_output_arrives_line_by_line_and_in_order(run):
    _, sent = run("import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c', end='')")
    assert sent == [("out", "a\n"), ("err", "b\n"), ("out", "c")]


def test_output_before_an_error_comes_before_its_traceback(run):
    _, sent = run("print('a', end='')\n1 / 0")
    assert [kind for kind, _ in sent] == ["out", "error"]


def test_what_exceeds_the_limit_is_counted_not_sent(run):
    _, sent = run("print('x' * 25_000, end='')")
    assert sum(len(text) for kind, text in sent if kind == "out") == running.OUTPUT_LIMIT
    assert sent[-1] == ("note", "\n… 5,000 more characters are not shown.\n")


def test_a_cause_is_shown_without_the_frames_of_others(run):
    _, sent = run(
        "import json\ntry:\n    json.loads('{')\n"
        "except ValueError as e:\n    raise KeyError(1) from e"
    )
    files = {line.split('"')[1] for line in sent[0][1].splitlines() if line.startswith("  File")}
    assert files == {"exercise 01-softmax"}
    assert "direct cause" in sent[0][1]


@pytest.mark.parametrize(
    ("source", "summary"),
    [
        ("x = 1\n1 / 0", "ZeroDivisionError: division by zero (line 2)"),
        ("x = (", "SyntaxError: '(' was never closed (line 1)"),
        ("import sys\nsys.exit(3)", "SystemExit: 3 (line 2)"),
        (
            "class E(Exception):\n    __str__ = lambda self: 1 / 0\nraise E",
            "E: <exception str() failed> (line 3)",
        ),
        ("raise ValueError('one\\ntwo')", "ValueError: one (line 1)"),
        (
            "class V:\n    __repr__ = lambda self: 1 / 0\nV()",
            "ZeroDivisionError: division by zero (line 2)",
        ),
    ],
)
def test_an_error_is_one_line_with_its_place(run, source, summary):
    outcome, _ = run(source)
    assert outcome["state"] == "error"
    assert outcome["summary"] == summary


def test_a_long_error_is_cut_to_a_line_with_its_place(run):
    outcome, _ = run("raise ValueError('x' * 10**7)")
    assert outcome["summary"] == f"ValueError: {'x' * (running.LINE_LIMIT - 12)}… (line 1)"


@pytest.mark.parametrize(
    "error",
    [
        "MemoryError()",
        "ValueError('array is too big; `arr.size * …')",
        "OverflowError(\"cannot fit 'int' into an index-sized integer\")",
    ],
)
def test_a_size_that_memory_cannot_hold_is_known_as_such(run, error):
    assert run(f"raise {error}")[0]["memory"] is True
    assert run("raise ValueError('too big a word')")[0]["memory"] is False


def test_an_interrupt_is_not_an_error(run):
    outcome, sent = run("raise KeyboardInterrupt")
    assert (outcome, sent) == ({"state": "stopped"}, [])


def test_reading_the_keyboard_says_what_to_do_instead(run):
    assert "assign a value" in run("input()")[0]["summary"]


def test_each_run_starts_with_no_names_of_the_last(run):
    run("left_over = 1")
    assert "NameError" in run("left_over")[0]["summary"]


def test_an_empty_cell_is_unanswered(run):
    assert run("")[0]["state"] == run("# nothing\n")[0]["state"] == "unanswered"
