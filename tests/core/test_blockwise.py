import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import attention, blockwise_attention, causal_mask

seeds = st.integers(0, 2**32 - 1)
dtypes = st.sampled_from([np.float64, np.float32])
sides = st.integers(1, 9)
blocks = st.integers(1, 12)
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)


def draw(rng, lead, n, m, d_k=3, d_v=2, dtype=np.float64):
    shapes = (*lead, n, d_k), (*lead, m, d_k), (*lead, m, d_v)
    return [rng.standard_normal(s).astype(dtype) for s in shapes]


@given(seeds, leads, sides, sides, blocks, dtypes)
def test_blocks_of_any_size_give_the_full_answer(assert_close, seed, lead, n, m, block, dtype):
    Q, K, V = draw(np.random.default_rng(seed), lead, n, m, dtype=dtype)
    assert_close(blockwise_attention(Q, K, V, block=block), attention(Q, K, V))
    ours = blockwise_attention(Q, K, V, block=block, scale=2.0)
    assert_close(ours, attention(Q, K, V, scale=2.0))


@given(seeds, leads, sides, st.integers(0, 5), blocks, dtypes)
def test_causal_blocks_equal_the_causal_mask(assert_close, seed, lead, n, extra, block, dtype):
    m = n + extra
    Q, K, V = draw(np.random.default_rng(seed), lead, n, m, dtype=dtype)
    ours = blockwise_attention(Q, K, V, causal=True, block=block)
    assert_close(ours, attention(Q, K, V, mask=causal_mask(n, m)))


@given(seeds, leads, sides, blocks, st.booleans())
def test_masked_blocks_equal_the_mask(assert_close, seed, lead, n, block, causal):
    rng = np.random.default_rng(seed)
    Q, K, V = draw(rng, lead, n, n + 2)
    for shape in ((n, n + 2), (*lead, n, n + 2), (4, *(1 for _ in lead), 1, n + 2)):
        mask = rng.random(shape) < 0.5
        mask[..., 0] = True
        both = mask & causal_mask(n, n + 2) if causal else mask
        ours = blockwise_attention(Q, K, V, mask=mask, causal=causal, block=block)
        assert_close(ours, attention(Q, K, V, mask=both))


def test_leading_axes_broadcast():
    rng = np.random.default_rng(0)
    Q, K, V = (rng.standard_normal(s) for s in ((3, 1, 4, 2), (2, 5, 2), (5, 7)))
    np.testing.assert_allclose(
        blockwise_attention(Q, K, V, block=3), attention(Q, K, V), atol=1e-13
    )


@pytest.mark.parametrize("size", [1e4, -1e4])
def test_huge_scores_do_not_overflow_in_float32(size):
    Q, K = np.full((3, 1), size, np.float32), np.array([[1], [-1]], np.float32)
    expected = [[1.0 if size > 0 else 2.0]] * 3
    np.testing.assert_array_equal(blockwise_attention(Q, K, np.float32([[1], [2]])), expected)


def test_the_future_is_not_even_read_beyond_the_block():
    Q, K, V = draw(np.random.default_rng(1), (), 8, 8)
    out = blockwise_attention(Q, K, V, causal=True, block=4)
    K[4:], V[4:] = np.nan, np.nan
    np.testing.assert_array_equal(blockwise_attention(Q, K, V, causal=True, block=4)[:4], out[:4])


def extra_memory(n, block):
    Q, K, V = draw(np.random.default_rng(2), (2,), n, 1024, d_k=8, d_v=8, dtype=np.float32)
    tracemalloc.start()
    out = blockwise_attention(Q, K, V, block=block)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak - out.nbytes


def test_memory_grows_with_the_block_and_not_with_the_queries():
    table = 16 * 1024 * 4  # block * m float32 numbers
    small, longer, wider = extra_memory(256, 16), extra_memory(1024, 16), extra_memory(256, 64)
    assert table < small < 2 * table
    assert longer < 1.1 * small
    assert 2 * small < wider < 4 * small


def test_a_query_hidden_by_mask_and_causality_together_is_named():
    mask = np.ones((5, 5), bool)
    mask[3, :4] = False
    with pytest.raises(ValueError, match="at least one key: query 3 sees none"):
        blockwise_attention(*[np.ones((5, 2))] * 3, mask=mask, causal=True, block=2)


Z = np.zeros


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"block": 0}, ValueError, "block must be at least 1, got 0"),
        ({"block": 1.5}, TypeError, "block must be a whole number, got 1.5"),
        ({"mask": Z((3, 2))}, TypeError, "a mask must be boolean .*, got dtype float64"),
        ({"mask": Z((3, 2), bool)}, ValueError, "hides every key from query 0$"),
        ({"mask": Z((2, 3), bool)}, ValueError, r"\(..., 3, 2\): mask is \(2, 3\)"),
        ({"causal": True}, ValueError, "as many keys as queries: n=3, m=2"),
        ({"scale": -1.0}, ValueError, "scale must be at least 0 and finite, got -1.0"),
        ({"K": Z((2, 5))}, ValueError, r"share d_k: Q is \(3, 4\), K is \(2, 5\)"),
        ({"V": Z((3, 1))}, ValueError, r"one value: K is \(2, 4\), V is \(3, 1\)"),
    ],
)
def test_a_bad_argument_is_refused_with_what_was_received(options, error, message):
    with pytest.raises(error, match=message):
        blockwise_attention(**({"Q": Z((3, 4)), "K": Z((2, 4)), "V": Z((2, 1))} | options))
