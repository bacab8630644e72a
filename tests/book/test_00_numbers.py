"""Every number in the prose of the warm-up, computed again."""

import numpy as np
import pytest
from book.chapter_text import Chapter

warm_up = Chapter("00-warm-up")


def test_the_three_rules_of_variance_hold():
    warm_up.computes("3 * one", "one + other", "one * other")
    one, other = np.random.default_rng(1).normal(size=(2, 100_000))
    assert (3 * one).var() == pytest.approx(9, rel=0.02)
    assert (one + other).var() == pytest.approx(2, rel=0.02)
    assert (2 * one * other).var() == pytest.approx(4 * 1, rel=0.04)


def test_a_sum_of_two_is_the_root_of_2_times_as_wide():
    warm_up.says(rf"$\sqrt 2 \approx {np.sqrt(2):.2f}$ times")


def test_a_sum_of_64_has_variance_64_and_spread_8():
    warm_up.says(r"a variance near 64, and spreads $\sqrt{64} = 8$ times as far")
    total = np.random.default_rng(2).normal(size=(64, 20_000)).sum(axis=0)
    assert (total.var(), total.std()) == (pytest.approx(64, rel=0.04), pytest.approx(8, rel=0.02))


def descend(step_size, steps):
    """The guesses, from 5.0 on."""
    guesses = [5.0]
    for _ in range(steps):
        guesses.append(guesses[-1] - step_size * 2 * (guesses[-1] - 20))
    return np.array(guesses)


def test_the_first_step_by_hand_is_the_one_that_is_printed():
    warm_up.says("2 · (5 − 20) = −30", "moves by 0.3 · 30 = 9, to 14")
    warm_up.says("leaves 0.4 of the remaining distance")
    guesses = descend(0.3, 9)
    assert guesses[1] == pytest.approx(14)
    np.testing.assert_allclose((20 - guesses[1:]) / (20 - guesses[:-1]), 0.4)
    warm_up.computes("for step in range(10)")
    assert f"{guesses[9]:.2f}" == "20.00"


def test_too_large_a_step_overshoots_and_above_1_it_runs_away():
    warm_up.says("At 0.5, one step is enough; above that, the guess jumps past the mean")
    warm_up.says("above 1 it lands farther away each time")
    assert descend(0.5, 1)[1] == pytest.approx(20)
    for step_size, runs_away in ((0.55, False), (0.95, False), (1.05, True), (2, True)):
        guesses = descend(step_size, 6)
        assert guesses[1] > 20
        assert (np.diff(np.abs(guesses - 20)) > 0).all() == runs_away


def test_the_guess_creeps_up_to_the_mean_and_the_loss_stays():
    warm_up.says("the guess climbs to 20", "the loss is not 0", "the gradient nearly is")
    warm_up.computes("guess, nudge = 5.0, 1e-6", "guess = guess - 0.3 * gradient")
    temperatures, guesses = np.array([10.0, 20.0, 30.0]), [5.0]
    for _ in range(40):
        guesses.append(guesses[-1] - 0.3 * 2 * (guesses[-1] - temperatures).mean())
    assert guesses == sorted(guesses)
    assert guesses[-1] == pytest.approx(temperatures.mean())
    assert ((temperatures - guesses[-1]) ** 2).mean() > 60
