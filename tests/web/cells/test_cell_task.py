"""Cells run as a page runs them, in plain Python: what they see of each other, what they send."""

import itertools
import json

import pytest
from page_tasks import cell

SESSIONS = itertools.count()


@pytest.fixture
def run():
    """Run the code of a cell, by its place; each test has a session of its own."""
    session = f"test {next(SESSIONS)}"

    def run_it(place, code, session=session):
        sent = []
        task = {"code": code, "cell": place, "name": f"cell {place}", "session": session}
        outcome = json.loads(cell.run(task, lambda *one: sent.append(one)))
        return outcome["state"], sent

    return run_it


def shown(result):
    state, sent = result
    assert state == "ran", sent
    return "".join(content for _, content in sent).strip()


def test_a_cell_sees_what_those_above_it_define(run):
    run(1, "x = 3")
    assert shown(run(2, "x + 1")) == "4"


def test_a_cell_above_does_not_see_what_one_below_it_defined(run):
    run(1, "x = 3")
    run(4, "x = 10")
    assert shown(run(2, "x + 1")) == "4"
    assert shown(run(5, "x + 1")) == "11"


def test_a_cell_that_runs_twice_starts_twice_from_the_same_names(run):
    run(1, "x = 3")
    assert shown(run(2, "x += 1\nx")) == "4"
    assert shown(run(2, "x += 1\nx")) == "4"


def test_a_random_generator_draws_the_same_when_a_cell_runs_again(run):
    run(1, "import numpy as np\nrng = np.random.default_rng(0)")
    first = shown(run(2, "rng.normal()"))
    assert shown(run(2, "rng.normal()")) == first
    third = shown(run(3, "rng.normal()"))
    assert third != first
    run(2, "rng.normal()")
    assert shown(run(3, "rng.normal()")) == third


def test_a_function_finds_a_name_that_a_later_cell_binds(run):
    run(1, "def f():\n    return beta")
    run(2, "beta = 2")
    assert shown(run(3, "f()")) == "2"


def test_a_new_session_knows_nothing_of_the_last(run):
    run(1, "x = 3")
    state, sent = run(2, "x", session="another")
    assert state == "error"
    assert "NameError" in sent[-1][1]


def test_a_cell_that_fails_leaves_nothing_to_those_below(run):
    run(1, "x = 1")
    run(2, "x = 2")
    assert run(2, "x = 3\n1 / 0")[0] == "error"
    assert shown(run(3, "x")) == "1"


def test_an_error_names_the_line_of_its_cell_and_of_the_one_that_it_called(run):
    run(1, "def half(x):\n    return x / 0")
    state, sent = run(2, "y = 1\n\nhalf(y)")
    assert state == "error"
    kind, text = sent[-1]
    assert kind == "error"
    assert 'File "cell 2", line 3' in text


def test_printed_text_comes_before_the_value_of_the_last_line(run):
    assert run(1, "print('a', end='')\n[1]")[1] == [("out", "a"), ("value", "[1]\n")]


def test_a_last_line_without_a_value_shows_nothing(run):
    assert run(1, "None")[1] == []
    assert run(2, "x = 1")[1] == []


def test_a_value_whose_text_fails_is_an_error_of_its_cell(run):
    code = "class Odd:\n    def __repr__(self):\n        raise ValueError('no text')\nOdd()"
    state, sent = run(1, code)
    assert state == "error"
    assert "no text" in sent[-1][1]
