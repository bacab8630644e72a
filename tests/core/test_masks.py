import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import attention, causal_mask, padding_mask, sliding_window_mask

sizes = st.integers(0, 8)


@given(sizes, sizes)
def test_a_causal_query_sees_itself_and_what_came_before(n, extra):
    m = n + extra
    mask = causal_mask(n, m)
    expected = [[j <= i + extra for j in range(m)] for i in range(n)]
    assert mask.shape == (n, m)
    assert mask.dtype == bool
    assert mask.tolist() == expected


def test_one_query_after_a_cache_sees_every_key():
    assert causal_mask(1, 5).all()


def test_a_rectangular_causal_mask_is_the_last_rows_of_the_square_one():
    np.testing.assert_array_equal(causal_mask(3, 7), causal_mask(7)[-3:])


@given(st.lists(st.integers(0, 6), min_size=1, max_size=4))
def test_a_padding_mask_counts_the_real_keys(lengths):
    mask = padding_mask(lengths, 6)
    assert mask.shape == (len(lengths), 1, 6)
    assert mask.sum(-1).ravel().tolist() == lengths
    assert not (~mask[..., :-1] & mask[..., 1:]).any()


def test_padding_masks_take_one_length_many_axes_or_none():
    assert padding_mask(2, 3).tolist() == [[True, True, False]]
    assert padding_mask(np.ones((2, 4), np.uint8), 3).shape == (2, 4, 1, 3)
    assert padding_mask([], 3).shape == (0, 1, 3)


def test_padded_keys_do_not_change_the_answer():
    rng = np.random.default_rng(0)
    Q, K, V = (rng.standard_normal(s) for s in ((2, 3, 4), (2, 6, 4), (2, 6, 2)))
    out = attention(Q, K, V, mask=padding_mask([2, 5], 6))
    for b, length in enumerate([2, 5]):
        alone = attention(Q[b], K[b, :length], V[b, :length])
        np.testing.assert_allclose(out[b], alone, rtol=1e-12)


@given(sizes, st.integers(1, 9))
def test_a_sliding_window_counts_the_query_itself(n, window):
    causal, both = sliding_window_mask(n, window), sliding_window_mask(n, window, causal=False)
    assert causal.tolist() == [[0 <= i - j < window for j in range(n)] for i in range(n)]
    assert both.tolist() == [[abs(i - j) < window for j in range(n)] for i in range(n)]


def test_a_window_as_long_as_the_sequence_is_the_causal_mask():
    np.testing.assert_array_equal(sliding_window_mask(5, 5), causal_mask(5))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: causal_mask(3, 2), ValueError, "as many keys as queries: n=3, m=2"),
        (lambda: causal_mask(-1), ValueError, "n must be at least 0, got -1"),
        (lambda: causal_mask(2.0), TypeError, "n must be a whole number, got 2.0"),
        (lambda: padding_mask([1, 7], 6), ValueError, "from 0 to m=6, got 7"),
        (lambda: padding_mask([-1], 6), ValueError, "from 0 to m=6, got -1"),
        (lambda: padding_mask([1.0], 6), TypeError, "lengths must be integers, got dtype float64"),
        (lambda: sliding_window_mask(4, 0), ValueError, "window must be at least 1, got 0"),
    ],
)
def test_a_mask_that_cannot_be_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_sequence_of_length_0_leaves_its_queries_blind():
    with pytest.raises(ValueError, match=r"hides every key from query 0 at leading index \(1,\)"):
        attention(
            np.zeros((2, 3, 1)),
            np.ones((2, 4, 1)),
            np.ones((2, 4, 1)),
            mask=padding_mask([4, 0], 4),
        )
