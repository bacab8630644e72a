import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import additive_scores

sides = st.integers(1, 5)


@given(st.integers(0, 2**32 - 1), sides, sides, sides, sides, sides)
def test_each_score_is_a_hidden_layer_on_one_query_and_one_key(seed, n, m, d_q, d_k, a):
    rng = np.random.default_rng(seed)
    shapes = (2, n, d_q), (m, d_k), (d_q, a), (d_k, a), (a,)
    Q, K, W_q, W_k, w = (rng.standard_normal(s) for s in shapes)
    scores = additive_scores(Q, K, W_q, W_k, w)
    assert scores.shape == (2, n, m)
    for b, i, j in np.ndindex(2, n, m):
        hidden = [
            math.tanh(sum(Q[b, i] * W_q[:, u]) + sum(K[j] * W_k[:, u])) * w[u] for u in range(a)
        ]
        assert scores[b, i, j] == pytest.approx(sum(hidden), abs=1e-12)


def test_opposite_query_and_key_score_0():
    Q = np.array([[0.3, -2.0]])
    np.testing.assert_array_equal(additive_scores(Q, -Q, np.eye(2), np.eye(2), [1, 1]), [[0]])


def test_huge_inputs_saturate_at_the_sum_of_w():
    scores = additive_scores([[1e4]], [[1e4]], np.ones((1, 3)), np.ones((1, 3)), [1, 2, 3])
    np.testing.assert_array_equal(scores, [[6]])


ONE = np.ones((1, 1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (ONE, ONE, np.ones((2, 1)), ONE, [1]),
            r"\(1, 1\): Q is \(1, 1\), w is \(1,\), W_q is \(2, 1\)",
        ),
        (
            (ONE, ONE, ONE, np.ones((1, 2)), [1]),
            r"\(1, 1\): K is \(1, 1\), w is \(1,\), W_k is \(1, 2\)",
        ),
        ((ONE, ONE, ONE, ONE, ONE), r"w must be \(a,\): w is \(1, 1\)"),
        (([1], ONE, ONE, ONE, [1]), r"Q must be \(..., n, d\): Q is \(1,\)"),
    ],
)
def test_a_shape_that_does_not_fit_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        additive_scores(*arguments)
