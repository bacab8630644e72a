"""Every number in the prose of chapter 1, computed again."""

import math
import re
import sqlite3

import numpy as np
import pytest
from book.chapter_text import Chapter

from attn import soft_lookup, softmax
from attn.exercises import catalog
from attn.widgets import TableLookup
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
    says("East gets two thirds", "67% of the weight")
    assert softmax(KEYS @ EAST)[0] == pytest.approx(0.665, abs=5e-4)


def test_one_point_more_is_e_times_the_weight():
    says(r"one point more than another gets $e \approx 2.72$ times its weight")
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
    says("A north-east wind gives 15.01,")
    assert soft_lookup(wind(45), KEYS, VALUES, beta=5.0) == pytest.approx(15.01, abs=5e-3)


def test_nearest_jumps_from_10_to_20_between_44_and_46_degrees():
    says("10 at 44°, 20 at 46°")
    assert [soft_lookup(wind(a), KEYS, VALUES, beta=np.inf) for a in (44, 46)] == [10, 20]


def test_at_sharpness_5_the_directions_you_know_give_nearly_what_you_stored():
    says("at β = 5 the winds you know give back nearly what you stored")
    answers = [soft_lookup(wind(a), KEYS, VALUES, beta=5.0) for a in (0, 90, 180)]
    assert answers == pytest.approx(VALUES, abs=0.1)


def test_one_sql_statement_is_the_soft_lookup():
    """The statement of the chapter, on a table of its own."""
    (soft,) = re.findall(r'soft = """(.*?)"""', chapter.text, re.DOTALL)
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


def test_a_damaged_pattern_is_repaired_in_one_lookup():
    says("Every sign is now that of the first pattern")
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
    says("over two thirds of the circle, turning one degree further moves the answer by")
    says("moves the answer by less than 0.03 °C")
    winds = np.stack([wind(angle) for angle in range(361)])
    moves = np.abs(np.diff(soft_lookup(winds, KEYS, VALUES, beta=8.0)))
    assert (moves < 0.03).mean() == pytest.approx(2 / 3, abs=0.01)


@pytest.mark.parametrize(("beta", "low", "high"), [(0.5, 17, 23), (2, 11, 29)])
def test_the_curves_are_described_as_they_are(beta, low, high):
    chapter.computes(f"wave between {low} and {high}")
    answers = soft_lookup(np.stack([wind(a) for a in range(360)]), KEYS, VALUES, beta=beta)
    assert (round(answers.min()), round(answers.max())) == (low, high)


def test_without_north_and_south_a_north_east_wind_counts_as_an_east_wind():
    says("a north-east wind is looked up as an east wind")
    chapter.computes("wind(45) @ W, keys, values, beta=5")
    only = np.diag([1.0, 0.0])
    moved = wind(45) @ only
    assert moved / np.linalg.norm(moved) == pytest.approx(EAST)
    says("its norm is now 0.71, so it gets 10.30, where east itself got 10.07")
    assert np.linalg.norm(moved) == pytest.approx(0.71, abs=5e-3)
    assert soft_lookup(moved, KEYS, VALUES, beta=5) == pytest.approx(10.30, abs=5e-3)
    assert soft_lookup(EAST, KEYS, VALUES, beta=5) == pytest.approx(10.07, abs=5e-3)


def test_a_south_wind_adds_a_key_and_no_value():
    chapter.computes("np.vstack([keys, [0.0, -1.0]])", "np.append(values, 10.0)")
    keys, values = np.vstack([KEYS, [0.0, -1.0]]), np.append(VALUES, 10.0)
    chapter.computes("before = soft_lookup(wind(270)", "after = soft_lookup(wind(270)")
    says("returns nearly the same value as the east wind does")
    before = soft_lookup(wind(270), KEYS, VALUES, beta=5.0)
    after, east = (soft_lookup(wind(a), keys, values, beta=5.0) for a in (270, 0))
    assert (before, after) == (pytest.approx(20), pytest.approx(10.13, abs=5e-3))
    assert after == pytest.approx(east, abs=0.1)


def test_a_shift_of_all_scores_and_a_longer_query_do_what_the_text_says():
    says("shift all scores by the same number, and no weight changes")
    says("Doubling the query's norm would do the same as doubling β")
    scores = KEYS @ wind(30)
    np.testing.assert_allclose(softmax(scores - 7), softmax(scores))
    longer = soft_lookup(2 * wind(30), KEYS, VALUES, beta=1.5)
    assert longer == pytest.approx(soft_lookup(wind(30), KEYS, VALUES, beta=3.0))


def test_three_rules_share_a_wind_from_30_degrees_differently():
    says("Softmax still gives west about 9%, the other two give it nothing")
    says("about 53, 63 and 68%")
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


def test_the_minutes_of_the_exercises_are_the_sum_of_their_own():
    minutes = sum(exercise.minutes for exercise in catalog() if exercise.chapter == 1)
    says(f"plus {minutes} for the exercises")


def test_the_first_figure_shows_what_its_three_things_to_try_say():
    says("all three lookups return its 20")
    assert TableLookup().query_angle == 90
    assert TableLookup().answers == pytest.approx({"exact": 20, "nearest": 20, "soft": 20})
    says("*Exact* finds no row")
    assert TableLookup(query_angle=45).answers["exact"] is None
    says("*nearest* answer jumps by 10 °C; the *soft* one moves by less than 1 °C")
    one, other = (TableLookup(query_angle=angle).answers for angle in (44, 46))
    assert other["nearest"] - one["nearest"] == 10
    assert 0 < other["soft"] - one["soft"] < 1


def test_the_figure_came_closer_than_sharpness_1_because_of_its_5():
    says("it multiplies every score by 5 before exponentiating")
    figure = TableLookup(query_angle=0)
    assert figure.beta == 5
    assert 10 < figure.answers["soft"] < soft_lookup(EAST, KEYS, VALUES)


def test_a_sharp_soft_lookup_is_a_dictionary():
    chapter.computes("for beta in (1, 5, 20, 1000)")
    says("At β = 20 the stored values are back to three decimals", "back to the last digit")
    at_20, at_1000 = (soft_lookup(KEYS, KEYS, VALUES, beta=beta) for beta in (20, 1000))
    assert at_20.round(3).tolist() == VALUES.tolist() != at_20.tolist()
    assert at_1000.tolist() == VALUES.tolist()
    says("$e^{-1000}$ is too small for a floating-point number")
    assert softmax(1000 * KEYS @ EAST).tolist() == [1, 0, 0]


def test_keys_of_equal_norm_score_highest_with_themselves():
    says("Keys of equal norm in different directions always do")
    keys = np.random.default_rng(0).normal(size=(50, 4))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    assert (np.argmax(keys @ keys.T, axis=1) == np.arange(50)).all()


def test_a_wind_that_is_not_in_the_table_gets_an_answer_as_firm_as_any():
    says("*Soft* says 20.00", "East and west score 0, north scores −1")
    south = TableLookup(query_angle=-90)
    assert south.scores == pytest.approx([0, -1, 0])
    assert south.answers["exact"] is None
    assert f"{south.answers['soft']:.2f}" == "20.00"
    assert south.answers["soft"] == pytest.approx(TableLookup(query_angle=90).answers["soft"])
    says("share nearly all the weight, and the mean of 10 and 30 is 20")
    assert south.weights["soft"][[0, 2]].sum() > 0.99
