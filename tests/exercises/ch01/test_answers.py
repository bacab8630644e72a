"""Chapter 1: answers that were once told of a mistake they do not make."""

import numpy as np
import pytest

from attn.exercises import check


def test_nan_replaced_by_zero_is_not_a_shift_of_the_numerator():
    def softmax(x):
        return np.nan_to_num(np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True))

    assert check("01-softmax", softmax).mistake is None


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_inverse_of_the_matrix_is_not_its_transpose(side):
    def general_score(query, keys, W):
        turned = np.linalg.inv(W)
        return keys @ (query @ turned if side == "left" else turned @ query)

    assert check("01-general-score", general_score).mistake is None


def _answer(query, keys, values, beta):
    e = np.exp(beta * (keys @ query) - (beta * (keys @ query)).max())
    return e @ values / e.sum()


@pytest.mark.parametrize("step", [1e-6, 1e-5])
def test_a_slope_may_be_measured_instead_of_derived(step):
    def slope(query, keys, values, *, beta=1.0):
        nudges = step * np.eye(len(query))
        up, down = (
            [_answer(query + sign * nudge, keys, values, beta) for nudge in nudges]
            for sign in (1, -1)
        )
        return (np.array(up) - np.array(down)) / (2 * step)

    assert check("01-slope", slope).passed is True


def test_a_forward_difference_is_close_enough_too():
    def slope(query, keys, values, *, beta=1.0):
        here = _answer(query, keys, values, beta)
        nudges = 1e-6 * np.eye(len(query))
        return [(_answer(query + n, keys, values, beta) - here) / 1e-6 for n in nudges]

    assert check("01-slope", slope).passed is True


def test_the_sharpness_may_be_searched_for():
    def sharpness(query, keys, ratio):
        scores = np.sort(keys @ query)[::-1]
        low, high = 0.0, 1e6
        for _ in range(200):
            beta = (low + high) / 2
            low, high = (
                (beta, high) if beta * (scores[0] - scores[1]) < np.log(ratio) else (low, beta)
            )
        return high

    assert check("01-sharpness", sharpness).passed is True


def test_shares_of_the_scores_and_half_a_softmax_are_two_mistakes():
    shares = check("01-softmax", lambda x: x / x.sum(axis=-1, keepdims=True))
    half = check("01-softmax", lambda x: np.exp(x) / x.sum(axis=-1, keepdims=True))
    assert (shares.mistake, half.mistake) == (
        "forgets-the-exponential",
        "divides-by-the-sum-of-scores",
    )
    assert "That sums to 1, but a negative score gets a negative weight" in shares.message
