"""Every number in the prose of chapter 1, computed again."""

import math
import re
import sqlite3

import numpy as np
import pytest
from book.chapter_text import Chapter

from attn import soft_lookup, softmax
from attn.widgets import TableLookup
from attn.widgets.soft_lookup.weighting import RULES

CHAPTER = Chapter("01-lookup")
KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
VALUES = np.array([10.0, 20.0, 30.0])
EAST = np.array([1.0, 0.0])


def wind(degrees):
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


@CHAPTER.number("best-share")
def share_of_the_best_of_three_keys():
    return softmax(KEYS @ EAST)[0]


def test_one_point_more_is_e_times_the_weight():
    p = softmax(np.array([1.0, 0.0]))
    assert p[0] / p[1] == pytest.approx(math.e)


@pytest.mark.parametrize("beta", [0, 0.5, 3, 8])
def test_a_north_wind_gives_20_at_every_sharpness(beta):
    assert soft_lookup(wind(90), KEYS, VALUES, beta=beta) == pytest.approx(20)


def test_sharpness_0_ignores_the_query_and_has_entropy_ln_3():
    p = softmax(0 * (KEYS @ EAST))
    assert -(p * np.log(p)).sum() == pytest.approx(np.log(3))
    assert p @ VALUES == pytest.approx(20)


def test_at_sharpness_5_the_directions_you_know_give_nearly_what_you_stored():
    answers = [soft_lookup(wind(a), KEYS, VALUES, beta=5.0) for a in (0, 90, 180)]
    assert answers == pytest.approx(VALUES, abs=0.1)


def test_one_sql_statement_is_the_soft_lookup():
    """The statement of the chapter, on a table of its own."""
    (soft,) = re.findall(r'soft = """(.*?)"""', CHAPTER.text, re.DOTALL)
    db = sqlite3.connect(":memory:")
    db.create_function("exp", 1, math.exp)
    db.execute("CREATE TABLE notebook (x REAL, y REAL, value REAL)")
    rng = np.random.default_rng(0)
    keys, values = rng.normal(size=(5, 2)), rng.normal(size=5)
    rows = np.column_stack([keys, values]).tolist()
    db.executemany("INSERT INTO notebook VALUES (?, ?, ?)", rows)
    for beta, query in zip((0.0, 1.0, 2.5), rng.normal(size=(3, 2)), strict=True):
        asked = {"qx": query[0], "qy": query[1], "beta": beta}
        found = db.execute(soft, asked).fetchone()[0]
        assert found == pytest.approx(soft_lookup(query, keys, values, beta=beta), rel=1e-12)


def test_a_pattern_damaged_in_two_places_is_repaired_in_one_lookup():
    patterns = np.array([[1, 1, 1, 1, -1, -1, -1, -1], [1, -1, 1, -1, 1, -1, 1, -1]])
    damaged = patterns[0] * np.array([1, 1, 1, -1, 1, 1, 1, -1])
    repaired = soft_lookup(damaged, patterns, patterns)
    assert (np.sign(repaired) == patterns[0]).all()


def test_keys_of_equal_norm_give_a_gaussian_kernel_the_same_weights():
    q, beta = np.array([0.3, -1.7]), 1.3
    by_distance = softmax(-beta / 2 * ((KEYS - q) ** 2).sum(axis=1))
    np.testing.assert_allclose(by_distance, softmax(beta * KEYS @ q))


def test_the_scores_of_an_east_wind_sum_to_nothing_to_divide_by():
    assert (KEYS @ EAST).sum() == 0


def degree_moves():
    """How far the answer moves at sharpness 8 with each degree of the circle."""
    winds = np.stack([wind(angle) for angle in range(361)])
    return np.abs(np.diff(soft_lookup(winds, KEYS, VALUES, beta=8.0)))


@CHAPTER.number("slow-share")
def share_of_the_circle_where_a_degree_moves_the_answer_by_less_than_3_hundredths():
    return (degree_moves() < 0.03).mean()


@CHAPTER.number("degree-move")
def the_largest_move_over_that_share():
    return np.quantile(degree_moves(), 2 / 3)


@CHAPTER.number("east-at-5")
def an_east_wind_at_sharpness_5():
    return soft_lookup(EAST, KEYS, VALUES, beta=5)


def test_without_north_and_south_a_north_east_wind_counts_as_an_east_wind():
    moved = wind(45) @ np.diag([1.0, 0.0])
    assert np.linalg.norm(moved) == pytest.approx(np.sqrt(0.5))
    assert moved / np.linalg.norm(moved) == pytest.approx(EAST)


def test_a_south_wind_adds_a_key_and_no_value():
    keys, values = np.vstack([KEYS, [0.0, -1.0]]), np.append(VALUES, 10.0)
    before = soft_lookup(wind(270), KEYS, VALUES, beta=5.0)
    after, east = (soft_lookup(wind(a), keys, values, beta=5.0) for a in (270, 0))
    assert before == pytest.approx(20)
    assert after == pytest.approx(east, abs=0.1)


def test_a_shift_of_all_scores_changes_no_weight_and_a_longer_query_is_a_sharper_one():
    scores = KEYS @ wind(30)
    np.testing.assert_allclose(softmax(scores - 7), softmax(scores))
    longer = soft_lookup(2 * wind(30), KEYS, VALUES, beta=1.5)
    assert longer == pytest.approx(soft_lookup(wind(30), KEYS, VALUES, beta=3.0))


@CHAPTER.number("softmax-east", "relu-east", "sparsemax-east")
def three_rules_share_a_wind_from_30_degrees_differently():
    assert list(RULES) == ["softmax", "relu", "sparsemax"]
    return [RULES[rule](KEYS @ wind(30))[0] for rule in RULES]


@CHAPTER.number("softmax-west")
def only_softmax_gives_west_something():
    softmax_west, *others = (RULES[rule](KEYS @ wind(30))[2] for rule in RULES)
    assert others == [0, 0]
    return softmax_west


def test_a_gap_of_1_needs_a_sharpness_of_ln_10_for_ten_times_the_weight():
    p = softmax(np.log(10) * np.array([1.0, 0.0, -0.5]))
    assert p[0] / p[1] == pytest.approx(10)


def test_the_slope_of_the_answer_is_a_covariance():
    q, beta, step = wind(30), 2.0, 1e-6
    p = softmax(beta * KEYS @ q)
    formula = beta * (p * (VALUES - p @ VALUES)) @ KEYS
    moved = [soft_lookup(q + s * np.eye(2), KEYS, VALUES, beta=beta) for s in (step, -step)]
    np.testing.assert_allclose((moved[0] - moved[1]) / (2 * step), formula, atol=1e-6)


def test_the_first_figure_opens_at_north_and_exact_finds_no_north_east():
    assert TableLookup().query_angle == 90
    assert TableLookup().answers == pytest.approx({"exact": 20, "nearest": 20, "soft": 20})
    assert TableLookup(query_angle=45).answers["exact"] is None


@CHAPTER.number("nearest-jump", "soft-move")
def moves_from_44_to_46_degrees():
    one, other = (TableLookup(query_angle=angle).answers for angle in (44, 46))
    return [other[kind] - one[kind] for kind in ("nearest", "soft")]


@CHAPTER.number("first-figure-sharpness")
def sharpness_of_the_first_figure():
    figure = TableLookup(query_angle=0)
    assert 10 < figure.answers["soft"] < soft_lookup(EAST, KEYS, VALUES), "it came closer"
    return figure.beta


def test_a_sharp_soft_lookup_is_a_dictionary_to_three_decimals_then_to_the_last_digit():
    at_20, at_1000 = (soft_lookup(KEYS, KEYS, VALUES, beta=beta) for beta in (20, 1000))
    assert at_20.round(3).tolist() == VALUES.tolist() != at_20.tolist()
    assert at_1000.tolist() == VALUES.tolist()
    assert softmax(1000 * KEYS @ EAST).tolist() == [1, 0, 0]


def test_keys_of_equal_norm_score_highest_with_themselves():
    keys = np.random.default_rng(0).normal(size=(50, 4))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    assert (np.argmax(keys @ keys.T, axis=1) == np.arange(50)).all()


@CHAPTER.number("south-without-key")
def a_wind_that_is_not_in_the_table_gets_an_answer_as_firm_as_any():
    south = TableLookup(query_angle=-90)
    assert south.scores == pytest.approx([0, -1, 0])
    assert south.answers["exact"] is None
    assert south.weights["soft"][[0, 2]].sum() > 0.99
    return south.answers["soft"]


test_number = CHAPTER.tests()
