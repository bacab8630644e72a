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
