"""The first chapter's table, from Python."""

import math
import sqlite3

import numpy as np
import pytest
from traitlets import TraitError

import attn
from attn.widgets import TableLookup

KINDS = ("exact", "nearest", "soft")


@pytest.fixture
def notebook():
    """The figure's own table in a database that knows `exp`."""
    db = sqlite3.connect(":memory:")
    db.create_function("exp", 1, math.exp)
    db.execute("CREATE TABLE notebook (key TEXT, x REAL, y REAL, value REAL)")
    figure = TableLookup()
    rows = zip(figure.labels, figure.key_vectors, figure.values, strict=True)
    db.executemany("INSERT INTO notebook VALUES (?, ?, ?, ?)", [(k, *xy, v) for k, xy, v in rows])
    yield db
    db.close()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("angle", [-180, -130, -60, 0, 30, 44, 46, 90, 135, 180])
def test_the_statement_it_shows_returns_its_answer(notebook, kind, angle):
    figure = TableLookup(kind=kind, query_angle=angle)
    row = notebook.execute(figure.sql).fetchone()
    expected = figure.answers[kind]
    # The statement has the query rounded to two decimals, as a reader sees it.
    assert row is None if expected is None else row[0] == pytest.approx(expected, abs=0.15)


def test_asked_for_a_row_that_is_there_all_three_find_it():
    assert TableLookup(query_angle=90).answers == pytest.approx(dict.fromkeys(KINDS, 20.0))


def test_only_the_exact_lookup_can_find_nothing():
    for angle in range(-180, 181, 5):
        answers = TableLookup(query_angle=angle).answers
        assert (answers["exact"] is None) == (angle % 90 != 0 or angle == -90)
        assert None not in (answers["nearest"], answers["soft"])


def test_south_is_a_tie_of_east_and_west():
    figure = TableLookup(query_angle=-90)
    assert figure.answers == {"exact": None, "nearest": 10, "soft": pytest.approx(20)}


def test_the_soft_answer_is_attn_s_own():
    figure = TableLookup(query_angle=33, beta=2.5)
    keys, values = np.array(figure.key_vectors), np.array(figure.values)
    expected = attn.soft_lookup(figure.query, keys, values, beta=2.5)
    assert figure.answers["soft"] == pytest.approx(float(expected), abs=1e-12)


def test_of_two_rows_with_one_key_the_first_answers():
    twice = {"key_vectors": [[1, 0], [1, 0]], "values": [1, 2], "labels": ["east", "east"]}
    answers = TableLookup(query_angle=0, **twice).answers
    assert (answers["exact"], answers["nearest"]) == (1, 1)


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"values": [1, 2]}, "3 key_vectors, 2 values, 3 labels"),
        ({"beta": 41}, "beta must be between 0 and 40, not 41"),
        ({"query_angle": 200}, r"query_angle \(degrees\) must be between -180 and 180, not 200"),
        ({"kind": "fuzzy"}, "fuzzy"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        TableLookup(**traits)
