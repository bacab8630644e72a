"""What is hidden takes no part in an answer, whatever it holds; what is seen does, NaN included."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import attn

seeds = st.integers(0, 2**32 - 1)
sides = st.integers(1, 6)
dtypes = st.sampled_from([np.float64, np.float32])
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)
STRANGE = np.array([np.nan, np.inf, -np.inf])
NONE = pytest.approx(np.nan, nan_ok=True)


def scatter_non_finite(rng, array, share=0.3):
    """Replace some entries by NaN and infinities."""
    spots = rng.random(array.shape) < share
    array[spots] = rng.choice(STRANGE, spots.sum())
    return array


def draw_mask(rng, shape):
    mask = rng.random(shape) < 0.5
    mask[..., rng.integers(shape[-1])] = True
    return mask


def draw(seed, lead, n, m, dtype, values=scatter_non_finite, keys=lambda rng, K: K):
    rng = np.random.default_rng(seed)
    shapes = (*lead, n, 3), (*lead, m, 3), (*lead, m, 2)
    Q, K, V = (rng.standard_normal(s).astype(dtype) for s in shapes)
    return rng, Q, keys(rng, K), values(rng, V)


def without_the_hidden(function, Q, K, V, mask):
    """Each query alone, with the keys and values that it sees and no others."""
    mask = np.broadcast_to(mask, (*Q.shape[:-1], K.shape[-2]))
    rows = np.empty((*Q.shape[:-1], V.shape[-1]), V.dtype)
    with np.errstate(invalid="ignore"):
        for *at, i in np.ndindex(*Q.shape[:-1]):
            at = tuple(at)
            seen = mask[at][i]
            rows[at][i] = function(Q[at][i : i + 1], K[at][seen], V[at][seen])[0]
    return rows


def torch_attention(Q, K, V):
    torch = pytest.importorskip("torch", reason="torch is the other side of this comparison")
    tensors = map(torch.from_numpy, (Q, K, V))
    return torch.nn.functional.scaled_dot_product_attention(*tensors).numpy()


def assert_same(ours, theirs):
    tolerance = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-5}[ours.dtype]
    assert ours.dtype == theirs.dtype
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


@given(seeds, leads, sides, sides, dtypes, st.integers(1, 7))
def test_strange_values_reach_only_those_who_see_them(seed, lead, n, m, dtype, block):
    rng, Q, K, V = draw(seed, lead, n, m, dtype)
    mask = draw_mask(rng, (n, m))
    expected = without_the_hidden(attn.attention, Q, K, V, mask)
    with np.errstate(invalid="ignore"):  # a query may see both infinities
        masked = attn.attention(Q, K, V, mask=mask)
        biased = attn.attention(Q, K, V, bias=np.where(mask, 0.0, -np.inf))
        blocks = attn.blockwise_attention(Q, K, V, mask=mask, block=block)
    for ours in (masked, biased, blocks):
        assert_same(ours, expected)


@given(seeds, leads, sides, sides, dtypes)
def test_torch_given_only_what_is_seen_agrees(seed, lead, n, m, dtype):
    rng, Q, K, V = draw(seed, lead, n, m, dtype, keys=scatter_non_finite)
    mask = draw_mask(rng, (n, m))
    seen = mask.any(0) & np.isfinite(K).all((-1, *range(K.ndim - 2)))
    V[..., seen, :], mask[:, ~seen] = rng.standard_normal((*lead, seen.sum(), 2)), False
    if not mask.any(1).all():
        return
    expected = without_the_hidden(torch_attention, Q, K, V, mask)
    assert np.isfinite(expected).all()
    assert_same(attn.attention(Q, K, V, mask=mask), expected)
    assert_same(attn.blockwise_attention(Q, K, V, mask=mask, block=2), expected)


@given(seeds, leads, sides, st.integers(0, 4), dtypes, st.integers(1, 7))
def test_strange_keys_and_values_of_the_future_leave_the_past_alone(
    seed, lead, n, extra, dtype, block
):
    m = n + extra
    _, Q, K, V = draw(seed, lead, n, m, dtype, keys=lambda rng, K: scatter_non_finite(rng, K, 0.1))
    mask = attn.causal_mask(n, m)
    with np.errstate(invalid="ignore"):  # what a query sees may be infinite here
        scores = np.where(mask, Q @ K.swapaxes(-1, -2), -np.inf)
        assume(not np.isneginf(scores).all(axis=-1).any())  # such a query is refused
        expected = without_the_hidden(attn.attention, Q, K, V, mask)
        full = attn.attention(Q, K, V, mask=mask)
        blocks = attn.blockwise_attention(Q, K, V, causal=True, block=block)
        pieces = attn.KeyValueCache().step(Q, K, V)
    for ours in (full, blocks, pieces):
        assert_same(ours, expected)


@given(seeds, leads, sides)
def test_linear_attention_does_not_read_ahead(seed, lead, n):
    _, Q, K, V = draw(seed, lead, n, n, np.float64, values=lambda rng, V: V)
    at = np.random.default_rng(seed).integers(n)
    clean = attn.linear_attention(Q, K, V, causal=True)
    K[..., at, :], V[..., at, :] = np.nan, np.inf
    for Y in (
        attn.linear_attention(Q, K, V, causal=True),
        attn.linear_attention_recurrent(Q, K, V)[0],
    ):
        np.testing.assert_allclose(Y[..., :at, :], clean[..., :at, :], atol=1e-13)
        assert np.isnan(Y[..., at:, :]).all()


@given(seeds, st.booleans(), st.integers(1, 4), st.integers(1, 4))
def test_hidden_instances_of_a_bag_may_hold_anything(seed, gated, kept, hidden):
    rng = np.random.default_rng(seed)
    H = rng.standard_normal((2, kept + hidden, 3))
    w, W_tanh, W_gate = (rng.standard_normal(s) for s in (2, (3, 2), (3, 2)))
    gate = W_gate if gated else None
    alone = attn.attention_pool(H[:, :kept], w, W_tanh, W_gate=gate)
    H[:, kept:] = rng.choice(STRANGE, (2, hidden, 3))
    mask = np.arange(kept + hidden) < kept
    pooled, weights = attn.attention_pool(H, w, W_tanh, W_gate=gate, mask=mask)
    np.testing.assert_allclose(pooled, alone[0], atol=1e-13)
    np.testing.assert_allclose(weights[:, :kept], alone[1], atol=1e-13)
    assert (weights[:, kept:] == 0).all()
    H[0, 0, 0] = np.nan
    assert np.isnan(attn.attention_pool(H, w, W_tanh, mask=mask)[0][0]).all()


@pytest.mark.parametrize("rotary", [False, True])
def test_padding_of_a_memory_may_hold_anything(rotary):
    rng = np.random.default_rng(4)
    W = [rng.standard_normal((4, 4)) for _ in range(4)]
    X, memory = rng.standard_normal((2, 3, 4)), rng.standard_normal((2, 5, 4))
    options = {"heads": 2, "rotary": rotary}
    alone = attn.multi_head_attention(X[:1], *W, memory=memory[:1, :2], **options)
    memory[0, 2:] = [[np.nan], [np.inf], [-np.inf]]
    mask = attn.padding_mask([2, 5], 5)
    out = attn.multi_head_attention(X, *W, memory=memory, mask=mask, **options)
    np.testing.assert_allclose(out[:1], alone, atol=1e-13)
    assert np.isfinite(out[1]).all()


def test_the_closed_form_of_one_hidden_nan():
    Q, K, V = np.zeros((2, 1)), np.zeros((3, 1)), np.array([[1.0], [3.0], [np.nan]])
    mask = np.array([[True, True, False], [True, False, True]])
    for function in (attn.attention, attn.blockwise_attention):
        assert function(Q, K, V, mask=mask).ravel().tolist() == [2.0, NONE]
    V[2] = -np.inf
    assert attn.attention(Q, K, V, mask=mask).ravel().tolist() == [2.0, -np.inf]


def test_strange_values_are_left_as_they_were():
    V = np.array([[1.0], [np.nan]])
    V.flags.writeable = False
    attn.attention(np.zeros((2, 1)), np.zeros((2, 1)), V, mask=attn.causal_mask(2))
    np.testing.assert_array_equal(V, [[1.0], [np.nan]])
