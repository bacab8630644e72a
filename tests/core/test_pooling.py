import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import attention_pool

seeds = st.integers(0, 2**32 - 1)
sides = st.integers(1, 5)
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)


def draw(seed, lead, n, d, a):
    rng = np.random.default_rng(seed)
    shapes = (*lead, n, d), (a,), (d, a), (d, a)
    return [rng.standard_normal(s) for s in shapes]


@given(seeds, leads, sides, sides, sides)
def test_each_weight_is_a_gated_hidden_layer_on_one_instance(seed, lead, n, d, a):
    H, w, W_tanh, W_gate = draw(seed, lead, n, d, a)
    pooled, weights = attention_pool(H, w, W_tanh, W_gate=W_gate)
    assert (pooled.shape, weights.shape) == ((*lead, d), (*lead, n))
    for at in np.ndindex(lead):
        gates = 1 / (1 + np.exp(-H[at] @ W_gate))
        shares = np.exp((np.tanh(H[at] @ W_tanh) * gates) @ w)
        np.testing.assert_allclose(weights[at], shares / shares.sum(), rtol=1e-12)
        mean = sum(share * h for share, h in zip(weights[at], H[at], strict=True))
        np.testing.assert_allclose(pooled[at], mean, atol=1e-13)


@given(seeds, st.integers(2, 6))
def test_the_order_of_a_bag_does_not_matter(seed, n):
    H, w, W_tanh, W_gate = draw(seed, (), n, 3, 2)
    order = np.random.default_rng(seed).permutation(n)
    pooled, weights = attention_pool(H, w, W_tanh, W_gate=W_gate)
    again, moved = attention_pool(H[order], w, W_tanh, W_gate=W_gate)
    np.testing.assert_allclose(again, pooled, atol=1e-13)
    np.testing.assert_allclose(moved, weights[order], atol=1e-13)


@given(seeds, st.integers(1, 4), st.integers(1, 4))
def test_hidden_instances_count_for_nothing(seed, kept, hidden):
    H, w, W_tanh, _ = draw(seed, (2,), kept + hidden, 3, 2)
    mask = np.arange(kept + hidden) < kept
    pooled, weights = attention_pool(H, w, W_tanh, mask=mask)
    assert (weights[:, kept:] == 0).all()
    alone, _ = attention_pool(H[:, :kept], w, W_tanh)
    np.testing.assert_allclose(pooled, alone, atol=1e-13)


def test_a_question_of_zeros_gives_the_mean():
    pooled, _ = attention_pool([[1.0, 2.0], [3.0, 6.0]], [0.0], np.ones((2, 1)))
    np.testing.assert_array_equal(pooled, [2.0, 4.0])


def test_a_closed_gate_also_gives_the_mean():
    H = np.array([[1.0], [3.0]])
    pooled, _ = attention_pool(H, [5.0], [[1.0]], W_gate=[[-1e4]])
    np.testing.assert_array_equal(pooled, [2.0])


H = np.ones((2, 3, 4))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"W_tanh": np.ones((3, 1))},
            ValueError,
            r"H is \(2, 3, 4\), w is \(1,\), W_tanh is \(3, 1\)",
        ),
        (
            {"W_gate": np.ones((4, 2))},
            ValueError,
            r"W_gate must be \(4, 1\): H is .*W_gate is \(4, 2\)",
        ),
        ({"H": np.ones((2, 0, 4))}, ValueError, r"at least one instance: H is \(2, 0, 4\)"),
        ({"w": np.ones((1, 1))}, ValueError, r"w must be \(a,\): w is \(1, 1\)"),
        ({"mask": np.ones(3)}, TypeError, "a mask must be boolean .*, got dtype float64"),
        ({"mask": np.ones(2, bool)}, ValueError, r"\(..., n\) = \(..., 3\): mask is \(2,\)"),
        ({"mask": np.ones((5, 3), bool)}, ValueError, r"= \(2, 3\): mask is \(5, 3\)"),
        ({"mask": [[True] * 3, [False] * 3]}, ValueError, "one instance: .* hides all of bag 1$"),
    ],
)
def test_a_bad_argument_is_refused_with_what_was_received(options, error, message):
    with pytest.raises(error, match=message):
        attention_pool(**({"H": H, "w": np.ones(1), "W_tanh": np.ones((4, 1))} | options))
