import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import KeyValueCache, attention, causal_mask, rotate

seeds = st.integers(0, 2**32 - 1)
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)
pieces = st.lists(st.integers(1, 4), min_size=1, max_size=4)


def draw(seed, lead, n, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((*lead, n, d)).astype(dtype) for d in (4, 4, 3)]


def cuts(lengths):
    stops = np.cumsum(lengths)
    return [slice(stop - n, stop) for stop, n in zip(stops, lengths, strict=True)]


@given(seeds, leads, pieces, st.sampled_from([np.float32, np.float64]))
def test_feeding_pieces_equals_one_causal_pass(assert_close, seed, lead, lengths, dtype):
    n = sum(lengths)
    Q, K, V = draw(seed, lead, n, dtype)
    cache = KeyValueCache()
    rows = [cache.step(*(a[..., cut, :] for a in (Q, K, V))) for cut in cuts(lengths)]
    assert_close(np.concatenate(rows, axis=-2), attention(Q, K, V, mask=causal_mask(n)))
    assert len(cache) == n
    np.testing.assert_array_equal(cache.keys, K)
    np.testing.assert_array_equal(cache.values, V)


@given(seeds, pieces)
def test_rotary_queries_continue_after_the_cached_keys(seed, lengths):
    n = sum(lengths)
    Q, K, V = draw(seed, (2,), n)
    cache, rows = KeyValueCache(), []
    for cut in cuts(lengths):
        places = len(cache) + np.arange(cut.stop - cut.start)
        rows.append(cache.step(rotate(Q[:, cut], places), rotate(K[:, cut], places), V[:, cut]))
    full = attention(rotate(Q), rotate(K), V, mask=causal_mask(n))
    np.testing.assert_allclose(np.concatenate(rows, axis=-2), full, atol=1e-13)


def test_an_empty_cache_holds_nothing():
    cache = KeyValueCache()
    assert (len(cache), cache.keys, cache.values) == (0, None, None)


def test_clearing_starts_over():
    cache = KeyValueCache()
    cache.step([[0.0]], [[0.0]], [[2.0]])
    cache.clear()
    assert (len(cache), cache.keys, cache.values) == (0, None, None)
    np.testing.assert_array_equal(cache.step([[0.0]], [[0.0]], [[4.0]]), [[4.0]])


def test_the_cache_keeps_its_own_copy():
    K, V, cache = np.zeros((1, 1)), np.ones((1, 1)), KeyValueCache()
    cache.step(K, K, V)
    K[:], V[:] = 9.0, 9.0
    np.testing.assert_array_equal(cache.step([[0.0]], [[0.0]], [[3.0]]), [[2.0]])


def test_only_the_last_queries_need_to_ask():
    Q, K, V = draw(0, (), 6)
    last = KeyValueCache().step(Q[-2:], K, V)
    np.testing.assert_allclose(last, attention(Q, K, V, mask=causal_mask(6))[-2:], atol=1e-14)


Z = np.zeros


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ((Z((1, 5)), Z((1, 5)), Z((1, 3))), r"new keys .*: the cache holds \(2, 4\), .* \(1, 5\)"),
        (
            (Z((1, 4)), Z((1, 4)), Z((1, 2))),
            r"new values .*: the cache holds \(2, 3\), .* \(1, 2\)",
        ),
        ((Z((1, 4)), Z((2, 1, 4)), Z((2, 1, 3))), r"the cache holds \(2, 4\), .* \(2, 1, 4\)"),
        ((Z((1, 4)), Z((1, 4)), Z((2, 3))), r"one value: K is \(1, 4\), V is \(2, 3\)"),
        ((Z((1, 5)), Z((1, 4)), Z((1, 3))), r"share d_k: Q is \(1, 5\), K is \(3, 4\)"),
        ((Z((4, 4)), Z((1, 4)), Z((1, 3))), "as many keys as queries: n=4, m=3"),
    ],
)
def test_a_refused_step_leaves_the_cache_as_it_was(step, message):
    cache = KeyValueCache()
    cache.step(Z((2, 4)), Z((2, 4)), Z((2, 3)))
    with pytest.raises(ValueError, match=message):
        cache.step(*step)
    assert len(cache) == 2
    assert cache.keys.shape == (2, 4)
    assert cache.values.shape == (2, 3)
