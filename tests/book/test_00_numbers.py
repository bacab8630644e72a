"""Every number in the prose of the warm-up, computed again."""

import numpy as np
import pytest
from book.chapter_text import Chapter

CHAPTER = Chapter("00-warm-up")


def test_the_three_rules_of_variance_hold():
    one, other = np.random.default_rng(1).normal(size=(2, 100_000))
    assert (3 * one).var() == pytest.approx(9, rel=0.02)
    assert (one + other).var() == pytest.approx(2, rel=0.02)
    assert (2 * one * other).var() == pytest.approx(4 * 1, rel=0.04)


def descend(step_size, steps):
    """The guesses, from 5.0 on."""
    guesses = [5.0]
    for _ in range(steps):
        guesses.append(guesses[-1] - step_size * 2 * (guesses[-1] - 20))
    return np.array(guesses)


@CHAPTER.number("remaining")
def what_each_step_leaves_of_the_distance():
    guesses = descend(0.3, 9)
    shares = (20 - guesses[1:]) / (20 - guesses[:-1])
    np.testing.assert_allclose(shares, shares[0])
    return shares[0]


@CHAPTER.number("one-step", "runs-away")
def step_sizes_at_which_the_guess_behaves_otherwise():
    """The largest that does not jump past the mean, and that comes no farther away."""
    sizes = np.arange(0.1, 2, 0.05).round(2)
    paths = [descend(size, 6).round(9) for size in sizes]
    past = [(path > 20).any() for path in paths]
    away = [(np.diff(np.abs(path - 20)) > 0).any() for path in paths]
    return [sizes[np.argmax(found) - 1] for found in (past, away)]


def test_at_a_half_one_step_is_enough():
    assert descend(0.5, 1)[1] == pytest.approx(20)


def test_the_guess_creeps_up_to_the_mean_and_the_loss_stays():
    temperatures, guesses = np.array([10.0, 20.0, 30.0]), [5.0]
    for _ in range(40):
        guesses.append(guesses[-1] - 0.3 * 2 * (guesses[-1] - temperatures).mean())
    assert guesses == sorted(guesses)
    assert guesses[-1] == pytest.approx(temperatures.mean())
    assert ((temperatures - guesses[-1]) ** 2).mean() > 60


test_number = CHAPTER.tests()
