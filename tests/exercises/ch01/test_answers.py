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


@pytest.mark.parametrize(
    "shift",
    [
        lambda x: x[..., -1:],
        lambda x: np.median(x, axis=-1, keepdims=True),
        lambda x: np.sort(x, axis=-1)[..., -2:-1],
        lambda x: x.max() - 700,
        lambda x: x[..., :1],
        lambda x: (x.max(axis=-1, keepdims=True) + x.min(axis=-1, keepdims=True)) / 2,
    ],
    ids=[
        "the last",
        "the median",
        "the second largest",
        "one maximum less 700",
        "the first",
        "the middle of the range",
    ],
)
def test_a_shift_that_leaves_large_exponents_does_not_pass(shift):
    def softmax(x):
        e = np.exp(x - shift(x))
        return e / e.sum(axis=-1, keepdims=True)

    verdict = check("01-softmax", softmax)
    assert verdict.passed is False
    assert verdict.mistake in (None, "one-maximum-for-the-whole-array")


@pytest.mark.parametrize("row", [0, 1, -1])
def test_one_row_s_value_is_not_taken_for_the_best_key_s(row):
    verdict = check(
        "01-soft-lookup", lambda query, keys, values, *, beta=1.0: values[row % len(values)]
    )
    assert verdict.mistake is None


def test_the_nearest_key_is_not_taken_for_the_best_scoring():
    def soft_lookup(query, keys, values, *, beta=1.0):
        return values[np.argmin(((keys - query) ** 2).sum(axis=-1))]

    assert check("01-soft-lookup", soft_lookup).mistake is None


def test_the_two_worst_keys_are_not_taken_for_the_first_two():
    def sharpness(query, keys, ratio):
        return np.log(ratio) / np.diff(np.sort(keys @ query))[0]

    assert check("01-sharpness", sharpness).mistake is None


@pytest.mark.parametrize("beta_counts", [True, False])
def test_shares_of_the_scores_are_named_in_a_lookup_too(beta_counts):
    def soft_lookup(query, keys, values, *, beta=1.0):
        scores = (beta if beta_counts else 1) * (keys @ query)
        weights = scores / scores.sum()
        return weights @ values

    verdict = check("01-soft-lookup", soft_lookup)
    assert verdict.mistake == "forgets-the-exponential"
    assert verdict.message.startswith("You divide the scores by their sum.")


def test_a_division_by_the_root_comes_two_chapters_early():
    def soft_lookup(query, keys, values, *, beta=1.0):
        scores = beta * (keys @ query) / np.sqrt(keys.shape[1])
        e = np.exp(scores - scores.max())
        return e / e.sum() @ values

    assert check("01-soft-lookup", soft_lookup).mistake == "scales-the-scores"


def test_scores_by_distance_are_told_of_it_and_the_hint_the_cure():
    def soft_lookup(query, keys, values, *, beta=1.0):
        e = np.exp(-beta * ((keys - query) ** 2).sum(axis=1))
        return e / e.sum() @ values

    verdict = check("01-soft-lookup", soft_lookup)
    assert verdict.mistake == "scores-by-distance"
    assert "dot product" not in verdict.message
    assert "dot product" in verdict.hint


def test_a_lookup_with_right_scores_is_told_to_look_at_its_weights():
    def soft_lookup(query, keys, values, *, beta=1.0):
        scores = beta * (keys @ query)
        weights = np.exp(scores) / scores.sum()
        return weights @ values

    message = check("01-soft-lookup", soft_lookup).message
    assert message.endswith("Your scores are right; look at your weights next.")


def test_one_number_in_an_array_is_told_that_only_the_shape_is_wrong():
    def sharpness(query, keys, ratio):
        second, best = np.sort(keys @ query)[-2:]
        return np.array([np.log(ratio) / (best - second)])

    verdict = check("01-sharpness", sharpness)
    assert "The value is right; return one number, not an array of one." in verdict.message
    doubled = check("01-sharpness", lambda *given: 2 * sharpness(*given))
    assert "The value is right" not in doubled.message
