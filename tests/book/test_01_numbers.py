"""Every number in the prose of chapter 1, computed again."""

import math
import re
import sqlite3

import numpy as np
import pytest
from chapter_text import Chapter

from attn import soft_lookup, softmax
from attn.widgets.soft_lookup.weighting import RULES

chapter = Chapter("01-lookup")
says = chapter.says
KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
VALUES = np.array([10.0, 20.0, 30.0])
EAST = np.array([1.0, 0.0])


def wind(degrees):
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def test_an_east_wind_gives_14_248_although_10_is_stored():
    says("the answer is 14.248")
    assert soft_lookup(EAST, KEYS, VALUES) == pytest.approx(14.248, abs=5e-4)


def test_the_best_of_three_keys_has_two_thirds_of_the_weight():
    says("East gets two thirds", "east two times in three", "67 % of the weight")
    assert softmax(KEYS @ EAST)[0] == pytest.approx(0.665, abs=5e-4)


def test_one_point_more_is_e_times_the_weight():
    says(r"$e \approx 2.72$")
    p = softmax(np.array([1.0, 0.0]))
    assert p[0] / p[1] == pytest.approx(2.718, abs=1e-3)


@pytest.mark.parametrize("beta", [0, 0.5, 3, 8])
def test_a_north_wind_gives_20_at_every_sharpness(beta):
    assert soft_lookup(wind(90), KEYS, VALUES, beta=beta) == pytest.approx(20)


def test_sharpness_0_ignores_the_query_and_has_entropy_ln_3():
    p = softmax(0 * (KEYS @ EAST))
    assert -(p * np.log(p)).sum() == pytest.approx(np.log(3))
    assert p @ VALUES == pytest.approx(20)


def test_a_north_east_wind_gives_15_at_sharpness_5():
    says("The wind from the north-east gives 15,")
    assert round(soft_lookup(wind(45), KEYS, VALUES, beta=5.0)) == 15


def test_nearest_jumps_from_10_to_20_between_44_and_46_degrees():
    says("At 44° it says 10, at 46° it says 20")
    assert [soft_lookup(wind(a), KEYS, VALUES, beta=np.inf) for a in (44, 46)] == [10, 20]


def test_at_sharpness_5_the_directions_you_know_give_nearly_what_you_stored():
    says("at β = 5 the directions you know give nearly what you stored")
    answers = [soft_lookup(wind(a), KEYS, VALUES, beta=5.0) for a in (0, 90, 180)]
    assert answers == pytest.approx(VALUES, abs=0.1)


def test_one_sql_statement_is_the_soft_look_up():
    """The statement of the chapter, on a table of its own."""
    (soft,) = re.findall(r'soft = """(.*?)"""', chapter.text, re.DOTALL)
    db = sqlite3.connect(":memory:")
    db.create_function("exp", 1, math.exp)
    db.execute("CREATE TABLE winds (x REAL, y REAL, value REAL)")
    rng = np.random.default_rng(0)
    keys, values = rng.normal(size=(5, 2)), rng.normal(size=5)
    db.executemany("INSERT INTO winds VALUES (?, ?, ?)", np.column_stack([keys, values]).tolist())
    for beta, query in zip((0.0, 1.0, 2.5), rng.normal(size=(3, 2)), strict=True):
        asked = {"qx": query[0], "qy": query[1], "beta": beta}
        found = db.execute(soft, asked).fetchone()[0]
        assert found == pytest.approx(soft_lookup(query, keys, values, beta=beta), rel=1e-12)


def test_a_damaged_pattern_is_repaired_in_one_look_up():
    says("Every sign is that of the first pattern")
    patterns = np.array([[1, 1, 1, 1, -1, -1, -1, -1], [1, -1, 1, -1, 1, -1, 1, -1]])
    damaged = patterns[0] * np.array([1, 1, 1, -1, 1, 1, 1, -1])
    chapter.computes("[1, 1, 1, -1, -1, -1, -1, 1]")
    assert damaged.tolist() == [1, 1, 1, -1, -1, -1, -1, 1]
    repaired = soft_lookup(damaged, patterns, patterns)
    assert (np.sign(repaired) == patterns[0]).all()


def test_keys_of_equal_norm_give_a_gaussian_kernel_the_same_weights():
    q, beta = np.array([0.3, -1.7]), 1.3
    by_distance = softmax(-beta / 2 * ((KEYS - q) ** 2).sum(axis=1))
    np.testing.assert_allclose(by_distance, softmax(beta * KEYS @ q))


def test_scores_divided_by_their_sum_can_be_negative_or_nothing():
    first, second = np.array([3.0, -1.0]) / np.sum([3.0, -1.0])
    says(f"the scores (3, −1) would get the weights {first:g} and −{-second:g}", "$1 + 0 - 1 = 0$")
    assert (KEYS @ EAST).tolist() == [1, 0, -1]


def test_at_sharpness_8_the_answer_hardly_moves_for_two_directions_in_three():
    says("for two directions out of three, another degree moves the answer by less than 0.03")
    winds = np.stack([wind(angle) for angle in range(361)])
    moves = np.abs(np.diff(soft_lookup(winds, KEYS, VALUES, beta=8.0)))
    assert (moves < 0.03).mean() == pytest.approx(2 / 3, abs=0.01)


@pytest.mark.parametrize(("beta", "low", "high"), [(0.5, 17, 23), (2, 11, 29)])
def test_the_curves_are_described_as_they_are(beta, low, high):
    chapter.computes(f"wave between {low} and {high}")
    answers = soft_lookup(np.stack([wind(a) for a in range(360)]), KEYS, VALUES, beta=beta)
    assert (round(answers.min()), round(answers.max())) == (low, high)


def test_only_east_west_changes_the_answer_at_45_degrees_and_not_at_90():
    def look_up(angle, W):
        return softmax(5 * (KEYS @ (wind(angle) @ W))) @ VALUES

    only = np.diag([1.0, 0.0])
    assert look_up(45, only) != pytest.approx(look_up(45, np.eye(2)), abs=0.5)
    assert look_up(90, only) == pytest.approx(20)
    assert look_up(90, np.eye(2)) == pytest.approx(20)


def test_a_south_wind_adds_a_key_and_no_value():
    chapter.computes("np.vstack([keys, [0.0, -1.0]])", "np.append(values, 10.0)")
    keys, values = np.vstack([KEYS, [0.0, -1.0]]), np.append(VALUES, 10.0)
    chapter.computes("before = soft_lookup(wind(270)", "after = soft_lookup(wind(270)")
    says("returns nearly what the east wind returns", "east and west balanced")
    before = soft_lookup(wind(270), KEYS, VALUES, beta=5.0)
    after, east = (soft_lookup(wind(a), keys, values, beta=5.0) for a in (270, 0))
    assert (before, after) == (pytest.approx(20), pytest.approx(10.13, abs=5e-3))
    assert after == pytest.approx(east, abs=0.1)


def test_a_shift_of_all_scores_and_a_longer_query_do_what_the_text_says():
    says("shift all scores by the same number, and no weight changes")
    says("A query twice as long would do what a doubled β does")
    scores = KEYS @ wind(30)
    np.testing.assert_allclose(softmax(scores - 7), softmax(scores))
    longer = soft_lookup(2 * wind(30), KEYS, VALUES, beta=1.5)
    assert longer == pytest.approx(soft_lookup(wind(30), KEYS, VALUES, beta=3.0))


def test_three_rules_share_a_wind_from_30_degrees_differently():
    says("Softmax still gives west about 9 %, the other two give it nothing")
    says("about 53, 63 and 68 %")
    east, west = zip(*(RULES[rule](KEYS @ wind(30))[[0, 2]] for rule in RULES), strict=True)
    assert list(RULES) == ["softmax", "relu", "sparsemax"]
    assert [round(100 * share) for share in east] == [53, 63, 68]
    assert [round(100 * share) for share in west] == [9, 0, 0]
    assert west[1:] == (0, 0)


def test_a_gap_of_1_needs_a_sharpness_of_ln_10_for_ten_times_the_weight():
    says(rf"A gap of 1 needs $\beta = \ln 10 \approx {np.log(10):.2f}$ for ten times the weight")
    p = softmax(2.3026 * np.array([1.0, 0.0, -0.5]))
    assert p[0] / p[1] == pytest.approx(10, rel=1e-4)


def test_the_slope_of_the_answer_is_a_covariance():
    says(r"$\beta \sum_j p_j\,(v_j - y)\,k_j$")
    q, beta, step = wind(30), 2.0, 1e-6
    p = softmax(beta * KEYS @ q)
    formula = beta * (p * (VALUES - p @ VALUES)) @ KEYS
    moved = [soft_lookup(q + s * np.eye(2), KEYS, VALUES, beta=beta) for s in (step, -step)]
    np.testing.assert_allclose((moved[0] - moved[1]) / (2 * step), formula, atol=1e-6)
