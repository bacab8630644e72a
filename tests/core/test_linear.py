import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import linear_attention, linear_attention_recurrent

seeds = st.integers(0, 2**32 - 1)
dtypes = st.sampled_from([np.float64, np.float32])
sides = st.integers(1, 6)
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)


def draw(seed, lead, n, m, d_k, d_v, dtype=np.float64):
    rng = np.random.default_rng(seed)
    shapes = (*lead, n, d_k), (*lead, m, d_k), (*lead, m, d_v)
    return [rng.standard_normal(s).astype(dtype) for s in shapes]


def by_table(Q, K, V, keep):
    """The same answer with every weight written out."""
    q, k = (np.where(X > 0, X + 1, np.exp(X)) for X in (Q, K))
    table = np.einsum("...id,...jd->...ij", q, k) * keep
    return table / table.sum(-1, keepdims=True) @ V


@given(seeds, leads, sides, sides, sides, sides, dtypes)
def test_linear_attention_equals_its_table_of_weights(
    assert_close, seed, lead, n, m, d_k, d_v, dtype
):
    Q, K, V = draw(seed, lead, n, m, d_k, d_v, dtype)
    assert_close(linear_attention(Q, K, V), by_table(Q, K, V, np.ones((n, m), bool)))


@given(seeds, leads, sides, sides, sides, dtypes)
def test_causal_linear_attention_equals_its_recurrence(
    assert_close, seed, lead, n, d_k, d_v, dtype
):
    Q, K, V = draw(seed, lead, n, n, d_k, d_v, dtype)
    Y, states = linear_attention_recurrent(Q, K, V)
    assert_close(Y, linear_attention(Q, K, V, causal=True))
    assert_close(Y, by_table(Q, K, V, np.tri(n, dtype=bool)))
    assert states.shape == (*lead, n, d_k, d_v)


def test_each_state_is_the_last_one_plus_one_outer_product():
    Q, K, V = draw(0, (), 5, 5, 3, 2)
    _, states = linear_attention_recurrent(Q, K, V)
    features = np.where(K > 0, K + 1, np.exp(K))
    steps = np.diff(states, axis=0, prepend=np.zeros((1, 3, 2)))
    np.testing.assert_allclose(steps, features[:, :, None] * V[:, None, :], atol=1e-13)


def test_leading_axes_of_the_recurrence_broadcast():
    Q, K, V = draw(1, (), 4, 4, 3, 2)
    Y, states = linear_attention_recurrent(np.stack([Q, -Q]), K, V[None, None])
    assert Y.shape == (1, 2, 4, 2)
    assert states.shape == (1, 2, 4, 3, 2)
    np.testing.assert_allclose(Y[0, 1], linear_attention(-Q, K, V, causal=True), atol=1e-13)


def test_the_future_changes_nothing():
    Q, K, V = draw(2, (), 6, 6, 3, 2)
    K2, V2 = K.copy(), V.copy()
    K2[3:], V2[3:] = 50.0, -50.0
    for run in (
        lambda *a: linear_attention(*a, causal=True),
        lambda *a: linear_attention_recurrent(*a)[0],
    ):
        np.testing.assert_array_equal(run(Q, K2, V2)[:3], run(Q, K, V)[:3])


def test_zero_queries_and_keys_give_running_means():
    Z = np.zeros((4, 2))
    V = np.array([[0.0], [2.0], [4.0], [6.0]])
    np.testing.assert_allclose(linear_attention(Z, Z, V, causal=True).ravel(), [0, 1, 2, 3])
    np.testing.assert_allclose(linear_attention(Z, Z, V).ravel(), [3, 3, 3, 3])


def test_large_positive_inputs_do_not_overflow():
    big = np.full((3, 2), 1e4, np.float32)
    np.testing.assert_allclose(linear_attention(big, big, np.ones((3, 1), np.float32)), 1)


@pytest.mark.parametrize("run", [linear_attention_recurrent, linear_attention])
def test_the_causal_form_needs_one_key_for_each_query(run):
    options = {"causal": True} if run is linear_attention else {}
    with pytest.raises(ValueError, match=r"needs n == m: Q is \(2, 3\), K is \(4, 3\)"):
        run(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 1)), **options)


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match=r"share d_k: Q is \(2, 3\), K is \(2, 4\)"):
        linear_attention(np.ones((2, 3)), np.ones((2, 4)), np.ones((2, 1)))
    with pytest.raises(ValueError, match=r"one value: K is \(2, 3\), V is \(5, 1\)"):
        linear_attention_recurrent(np.ones((2, 3)), np.ones((2, 3)), np.ones((5, 1)))
