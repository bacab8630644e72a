"""Every number in the prose of chapter 1, computed again."""

import numpy as np
import pytest
from prose import Chapter

from attn import soft_lookup, softmax

says = Chapter("01-lookup").says
KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
VALUES = np.array([10.0, 20.0, 30.0])
EAST = np.array([1.0, 0.0])


def wind(degrees):
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def test_an_east_wind_gives_14_248_although_10_is_stored():
    says("the answer is 14.248")
    assert soft_lookup(EAST, KEYS, VALUES) == pytest.approx(14.248, abs=5e-4)


def test_the_best_of_three_keys_has_two_thirds_of_the_weight():
    says("East gets two thirds")
    says("67 % of the weight")
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
    says("The wind from the north-east gives 15.")
    assert round(soft_lookup(wind(45), KEYS, VALUES, beta=5.0)) == 15


def test_nearest_jumps_from_10_to_20_between_44_and_46_degrees():
    says("At 44° it says 10, at 46° it says 20")
    assert [soft_lookup(wind(a), KEYS, VALUES, beta=np.inf) for a in (44, 46)] == [10, 20]


def test_a_damaged_pattern_is_repaired_in_one_look_up():
    patterns = np.array([[1, 1, 1, 1, -1, -1, -1, -1], [1, -1, 1, -1, 1, -1, 1, -1]])
    damaged = patterns[0] * np.array([1, 1, 1, -1, 1, 1, 1, -1])
    assert (np.sign(soft_lookup(damaged, patterns, patterns)) == patterns[0]).all()


def test_the_scores_of_an_east_wind_cancel():
    says("$1 + 0 - 1 = 0$")
    assert (KEYS @ EAST).sum() == 0


def test_only_east_west_changes_the_answer_at_45_degrees_and_not_at_90():
    def look_up(angle, W):
        return softmax(5 * (KEYS @ (W.T @ wind(angle)))) @ VALUES

    only = np.diag([1.0, 0.0])
    assert look_up(45, only) != pytest.approx(look_up(45, np.eye(2)), abs=0.5)
    assert look_up(90, only) == pytest.approx(20)
    assert look_up(90, np.eye(2)) == pytest.approx(20)


def test_relu_and_sparsemax_give_west_nothing():
    from attn.widgets.shares import RULES

    for rule in ("relu", "sparsemax"):
        assert RULES[rule](KEYS @ EAST)[2] == 0
