"""Chapter 1: answers in another style, and answers that were once told of another's mistake."""

import numpy as np
from exercises.answers import PASSES, UNNAMED, judged

from attn.exercises import check


def _nan_to_zero(x):
    return np.nan_to_num(np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True))


def _shifted_by(shift):
    def softmax(x):
        e = np.exp(x - shift(x))
        return e / e.sum(axis=-1, keepdims=True)

    return softmax


def _answer(query, keys, values, beta):
    e = np.exp(beta * (keys @ query) - (beta * (keys @ query)).max())
    return e @ values / e.sum()


def _central_difference(step):
    def slope(query, keys, values, *, beta=1.0):
        nudges = step * np.eye(len(query))
        up, down = (
            [_answer(query + sign * nudge, keys, values, beta) for nudge in nudges]
            for sign in (1, -1)
        )
        return (np.array(up) - np.array(down)) / (2 * step)

    return slope


def _forward_difference(query, keys, values, *, beta=1.0):
    here = _answer(query, keys, values, beta)
    nudges = 1e-6 * np.eye(len(query))
    return [(_answer(query + n, keys, values, beta) - here) / 1e-6 for n in nudges]


def _search_for_the_sharpness(query, keys, ratio):
    scores = np.sort(keys @ query)[::-1]
    low, high = 0.0, 1e6
    for _ in range(200):
        beta = (low + high) / 2
        low, high = (beta, high) if beta * (scores[0] - scores[1]) < np.log(ratio) else (low, beta)
    return high


def _one_row(row):
    return lambda query, keys, values, *, beta=1.0: values[row % len(values)]


def _nearest_key(query, keys, values, *, beta=1.0):
    return values[np.argmin(((keys - query) ** 2).sum(axis=-1))]


def _shares_of_the_scores(beta_counts):
    def soft_lookup(query, keys, values, *, beta=1.0):
        scores = (beta if beta_counts else 1) * (keys @ query)
        return scores / scores.sum() @ values

    return soft_lookup


def _scaled_lookup(query, keys, values, *, beta=1.0):
    return _answer(query, keys, values, beta / np.sqrt(keys.shape[1]))


def _lookup_by_distance(query, keys, values, *, beta=1.0):
    e = np.exp(-beta * ((keys - query) ** 2).sum(axis=1))
    return e / e.sum() @ values


test_an_answer = judged(
    {
        "01-softmax": {
            UNNAMED: [
                _nan_to_zero,
                _shifted_by(lambda x: x[..., -1:]),
                _shifted_by(lambda x: np.median(x, axis=-1, keepdims=True)),
                _shifted_by(lambda x: np.sort(x, axis=-1)[..., -2:-1]),
                _shifted_by(lambda x: x[..., :1]),
                _shifted_by(
                    lambda x: (x.max(axis=-1, keepdims=True) + x.min(axis=-1, keepdims=True)) / 2
                ),
            ],
            "one-maximum-for-the-whole-array": [_shifted_by(lambda x: x.max() - 700)],
            "forgets-the-exponential": [lambda x: x / x.sum(axis=-1, keepdims=True)],
            "divides-by-the-sum-of-scores": [lambda x: np.exp(x) / x.sum(axis=-1, keepdims=True)],
        },
        "01-soft-lookup": {
            UNNAMED: [*map(_one_row, (0, 1, -1)), _nearest_key],
            "forgets-the-exponential": [*map(_shares_of_the_scores, (True, False))],
            "scales-the-scores": [_scaled_lookup],
            "scores-by-distance": [_lookup_by_distance],
        },
        "01-sharpness": {
            PASSES: [_search_for_the_sharpness],
            UNNAMED: [
                # the two worst keys instead of the two best
                lambda query, keys, ratio: np.log(ratio) / np.diff(np.sort(keys @ query))[0]
            ],
        },
        "01-general-score": {
            UNNAMED: [
                lambda query, keys, W: keys @ (query @ np.linalg.inv(W)),
                lambda query, keys, W: keys @ (np.linalg.inv(W) @ query),
            ],
        },
        "01-slope": {PASSES: [*map(_central_difference, (1e-6, 1e-5)), _forward_difference]},
    }
)


def test_a_lookup_with_right_scores_is_told_to_look_at_its_weights():
    def soft_lookup(query, keys, values, *, beta=1.0):
        scores = beta * (keys @ query)
        weights = np.exp(scores) / scores.sum()
        return weights @ values

    message = check("01-soft-lookup", soft_lookup).message
    assert message.endswith("Your scores are right; look at your weights next.")


def test_one_number_in_an_array_is_told_that_only_the_shape_is_wrong():
    def sharpness(query, keys, ratio):
        return np.array([_search_for_the_sharpness(query, keys, ratio)])

    assert "The value is right" in check("01-sharpness", sharpness).message
    doubled = check("01-sharpness", lambda *given: 2 * sharpness(*given))
    assert "The value is right" not in doubled.message
