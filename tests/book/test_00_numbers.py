"""Every number in the prose of the warm-up, computed again."""

import numpy as np
import pytest
from prose import Chapter

warm_up = Chapter("00-warm-up")


def test_the_three_rules_of_variance_hold():
    warm_up.computes("3 * one", "one + other", "one * other")
    one, other = np.random.default_rng(1).normal(size=(2, 100_000))
    assert (3 * one).var() == pytest.approx(9, rel=0.02)
    assert (one + other).var() == pytest.approx(2, rel=0.02)
    assert (2 * one * other).var() == pytest.approx(4 * 1, rel=0.04)


def test_a_sum_of_two_is_the_root_of_2_times_as_wide():
    warm_up.says(r"$\sqrt 2 \approx 1.41$ times")
    assert np.sqrt(2) == pytest.approx(1.41, abs=0.005)


def test_the_guess_creeps_up_to_the_mean_and_the_loss_stays():
    warm_up.says("creeps up to 20, the mean", "The loss is not 0", "the gradient is, nearly")
    warm_up.computes("guess, nudge = 5.0, 1e-6", "guess = guess - 0.3 * gradient")
    temperatures, guesses = np.array([10.0, 20.0, 30.0]), [5.0]
    for _ in range(40):
        guesses.append(guesses[-1] - 0.3 * 2 * (guesses[-1] - temperatures).mean())
    assert guesses == sorted(guesses)
    assert guesses[-1] == pytest.approx(temperatures.mean())
    assert ((temperatures - guesses[-1]) ** 2).mean() > 60
