"""Chapter 4: answers that were once told of a mistake they do not make."""

import numpy as np
import pytest

from attn.exercises import check


def _dots(Q, K):
    return (Q * K).sum(axis=-1)


@pytest.mark.parametrize(
    "measure",
    [
        lambda s, d_k: ((s - s.mean()) ** 2).sum(),
        lambda s, d_k: (s / np.sqrt(d_k)).var(),
        lambda s, d_k: np.abs(s - s.mean()).mean(),
    ],
    ids=["no division", "scaled scores", "mean absolute deviation"],
)
def test_another_measure_of_spread_is_not_taken_for_a_known_one(measure):
    verdict = check("04-score-variance", lambda Q, K: measure(_dots(Q, K), Q.shape[-1]))
    assert verdict.passed is False
    assert verdict.mistake is None


@pytest.mark.parametrize(
    "spread",
    [
        lambda x: np.sqrt(x.var()),
        lambda x: np.sqrt((x**2).mean()),
        lambda x: float(np.sqrt(sum(e * e for row in x for e in row) / x.size)),
    ],
    ids=["root of the variance", "root mean square", "a loop"],
)
def test_any_right_way_to_a_spread_predicts_the_scale(spread):
    verdict = check(
        "04-predict-scale", lambda Q, K: (len(Q[0]) * spread(Q) ** 2 * spread(K) ** 2) ** -0.5
    )
    assert verdict.passed is True, str(verdict)


@pytest.mark.parametrize("number", [2, 4])
def test_a_scale_for_other_sizes_is_not_taken_for_a_known_mistake(number):
    verdict = check("04-predict-scale", lambda Q, K: 1 / (number * Q.std() * K.std()))
    assert verdict.passed is False
    assert verdict.mistake is None
