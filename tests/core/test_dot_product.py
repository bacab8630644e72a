import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import attention, attention_weights, causal_mask, self_attention

seeds = st.integers(0, 2**32 - 1)
sides = st.integers(1, 6)
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)


def draw_qkv(rng, lead, n, m, d_k, d_v, dtype):
    shapes = (*lead, n, d_k), (*lead, m, d_k), (*lead, m, d_v)
    return [rng.standard_normal(s).astype(dtype) for s in shapes]


def draw_mask(rng, shape):
    mask = rng.random(shape) < 0.5
    mask[..., rng.integers(shape[-1])] = True
    return mask


@given(seeds)
def test_leading_axes_broadcast(seed):
    rng = np.random.default_rng(seed)
    Q, K, V = (rng.standard_normal(s) for s in ((3, 1, 4, 2), (2, 5, 2), (5, 7)))
    out = attention(Q, K, V)
    assert out.shape == (3, 2, 4, 7)
    for b in range(3):
        for c in range(2):
            np.testing.assert_allclose(out[b, c], attention(Q[b, 0], K[c], V), rtol=1e-12)


def test_a_mask_may_bring_leading_axes_of_its_own():
    mask = np.array([[[True, False]], [[True, True]]])
    out = attention(np.zeros((1, 1)), np.zeros((2, 1)), [[0.0], [4.0]], mask=mask)
    np.testing.assert_array_equal(out[:, 0, 0], [0.0, 2.0])


@given(seeds, leads, sides, sides)
def test_each_row_of_weights_sums_to_1_and_hidden_keys_get_0(seed, lead, n, m):
    rng = np.random.default_rng(seed)
    Q, K, _ = draw_qkv(rng, lead, n, m, 3, 1, np.float64)
    mask = draw_mask(rng, (n, m))
    A = attention_weights(Q, K, mask=mask)
    np.testing.assert_allclose(A.sum(-1), np.ones((*lead, n)), rtol=1e-14)
    assert (A[..., ~mask] == 0).all()


@given(seeds, sides, sides)
def test_the_order_of_keys_does_not_matter_and_queries_keep_theirs(seed, n, m):
    rng = np.random.default_rng(seed)
    Q, K, V = draw_qkv(rng, (), n, m, 3, 2, np.float64)
    keys, queries = rng.permutation(m), rng.permutation(n)
    out = attention(Q, K, V)
    np.testing.assert_allclose(attention(Q[queries], K[keys], V[keys]), out[queries], atol=1e-14)


@given(seeds, st.integers(2, 7))
def test_permuting_the_tokens_permutes_self_attention(seed, n):
    rng = np.random.default_rng(seed)
    X, order = rng.standard_normal((2, n, 3)), rng.permutation(n)
    np.testing.assert_allclose(self_attention(X[:, order]), self_attention(X)[:, order], atol=1e-14)


@given(seeds, sides, sides)
def test_a_key_bias_changes_nothing_and_a_query_bias_does(seed, n, m):
    rng = np.random.default_rng(seed)
    Q, K, _ = draw_qkv(rng, (), n, m, 4, 1, np.float64)
    b = np.full(4, 3.0)
    np.testing.assert_allclose(attention_weights(Q, K + b), attention_weights(Q, K), atol=1e-12)
    if m > 1:
        assert np.abs(attention_weights(Q + b, K) - attention_weights(Q, K)).max() > 1e-3


def test_only_the_product_of_the_two_projections_matters():
    rng = np.random.default_rng(3)
    X, W_q, W_k, M = (rng.standard_normal(s) for s in ((5, 4), (4, 2), (4, 2), (2, 2)))
    changed = attention_weights(X @ W_q @ M, X @ W_k @ np.linalg.inv(M).T)
    np.testing.assert_allclose(changed, attention_weights(X @ W_q, X @ W_k), atol=1e-12)


def test_the_worked_example_of_three_tokens():
    X = np.array([[1, 0], [0, 2], [1, 1]])
    A = [[0.422, 0.155, 0.422], [0.016, 0.867, 0.117], [0.155, 0.422, 0.422]]
    Y = [[0.845, 0.733], [0.133, 1.851], [0.578, 1.267]]
    np.testing.assert_allclose(attention_weights(X, X, scale=1), A, atol=5e-4)
    np.testing.assert_allclose(self_attention(X), Y, atol=5e-4)


def test_scores_2_1_3_with_the_third_key_hidden():
    Q, K = [[1.0]], [[2.0], [1.0], [3.0]]
    hidden = attention_weights(Q, K, scale=1, mask=np.array([[True, True, False]]))
    np.testing.assert_allclose(hidden, [[0.731, 0.269, 0.0]], atol=5e-4)
    assert attention_weights(Q, K, scale=1)[0, :2].sum() == pytest.approx(0.335, abs=5e-4)


@given(seeds, st.integers(1, 6), st.integers(0, 4))
def test_causal_attention_ignores_the_future(seed, n, extra):
    rng = np.random.default_rng(seed)
    m = n + extra
    Q, K, V = draw_qkv(rng, (2,), n, m, 3, 2, np.float64)
    out = attention(Q, K, V, mask=causal_mask(n, m))
    for i in range(n):
        K2, V2 = K.copy(), V.copy()
        K2[:, i + extra + 1 :], V2[:, i + extra + 1 :] = 1e3, -1e3
        changed = attention(Q, K2, V2, mask=causal_mask(n, m))
        np.testing.assert_array_equal(changed[:, : i + 1], out[:, : i + 1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1e4, -1e4])
def test_huge_scores_pick_one_key_without_overflow(dtype, size):
    Q, K = np.array([[size]], dtype), np.array([[1], [-1]], dtype)
    winner = 0 if size > 0 else 1
    expected = np.eye(2, dtype=dtype)[[winner]]
    np.testing.assert_array_equal(attention_weights(Q, K), expected)
    np.testing.assert_array_equal(attention(Q, K, np.array([[3], [5]], dtype)), [[3 + 2 * winner]])


def test_a_single_key_gets_all_the_attention():
    np.testing.assert_array_equal(attention(np.ones((3, 2)), [[5, 5]], [[7, 8]]), [[7, 8]] * 3)


def test_float32_with_a_float64_bias_stays_float32():
    X = np.ones((2, 2), np.float32)
    assert attention(X, X, X, bias=np.zeros((2, 2))).dtype == np.float32
    assert attention(X, X, X, scale=np.float64(0.5)).dtype == np.float32


def test_nan_in_one_query_stays_in_its_row():
    Q = np.array([[np.nan], [0.0]])
    out = attention(Q, [[1.0], [2.0]], [[1.0], [3.0]])
    assert np.isnan(out[0, 0])
    assert out[1, 0] == 2.0


Z = np.zeros


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: attention_weights(Z((3, 4)), Z((3, 5))),
            r"queries and keys must share d_k: Q is \(3, 4\), K is \(3, 5\)",
        ),
        (lambda: attention_weights(Z(4), Z((3, 4))), r"Q must be \(..., n, d\): Q is \(4,\)"),
        (lambda: attention_weights(Z((3, 4)), Z((0, 4))), r"at least one key: .* K is \(0, 4\)"),
        (lambda: attention_weights(Z((3, 0)), Z((2, 0))), r"d_k >= 1 .*: Q is \(3, 0\)"),
        (
            lambda: attention_weights(Z((2, 3, 4)), Z((3, 5, 4))),
            r"leading axes must broadcast: Q is \(2, 3, 4\), K is \(3, 5, 4\)",
        ),
        (
            lambda: attention(Z((3, 4)), Z((5, 4)), Z((6, 2))),
            r"each key needs one value: K is \(5, 4\), V is \(6, 2\)",
        ),
        (lambda: self_attention(Z(3)), r"X must be \(..., n, d\): X is \(3,\)"),
        (
            lambda: attention_weights(Z((3, 4)), Z((5, 4)), bias=Z((5, 3))),
            r"bias must broadcast to \(..., n, m\) = \(..., 3, 5\): bias is \(5, 3\)",
        ),
        (
            lambda: attention_weights(Z((1, 4)), Z((5, 4)), bias=Z((2, 5))),
            r"bias must broadcast to \(..., n, m\) = \(..., 1, 5\): bias is \(2, 5\)",
        ),
    ],
)
def test_shapes_that_do_not_fit_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        (np.ones((3, 5)), TypeError, "a mask must be boolean .*, got dtype float64"),
        (np.ones((3, 5), np.int8), TypeError, "a mask must be boolean .*, got dtype int8"),
        (np.ones((5, 3), bool), ValueError, r"\(..., 3, 5\): mask is \(5, 3\)"),
        (np.ones(5, bool), ValueError, r"mask must be \(..., n, m\) = .*: mask is \(5,\)"),
        (np.arange(3)[:, None] != [2] * 5, ValueError, "hides every key from query 2$"),
        (
            np.stack([np.ones((3, 5), bool), np.arange(3)[:, None] != [1] * 5]),
            ValueError,
            r"hides every key from query 1 at leading index \(1,\)",
        ),
    ],
)
def test_a_bad_mask_is_refused_with_what_was_received(mask, error, message):
    with pytest.raises(error, match=message):
        attention(Z((2, 3, 4)), Z((2, 5, 4)), Z((2, 5, 1)), mask=mask)


def test_a_query_left_without_a_key_by_bias_or_by_bias_and_mask_is_named():
    bias, mask = np.array([[0.0, 0.0], [0.0, -np.inf]]), np.array([[True, True], [False, True]])
    by_bias = "must see at least one key: the bias hides every key from query 1$"
    with pytest.raises(ValueError, match=by_bias):
        attention_weights(Z((2, 1)), Z((2, 1)), bias=bias - [[0.0], [np.inf]])
    message = r"mask and bias together hide every key from query 1 at leading index \(2,\)$"
    with pytest.raises(ValueError, match=message):
        attention(
            Z((3, 2, 1)), Z((2, 1)), Z((2, 1)), bias=np.stack([0 * mask, 0 * mask, bias]), mask=mask
        )


def test_a_query_whose_visible_keys_all_score_minus_infinity_is_named():
    K = np.array([[-np.inf], [-np.inf]])
    with pytest.raises(ValueError, match=r"needs a score above -inf: .* for query 0$"):
        attention_weights(np.array([[1.0]]), K)


def test_a_huge_hidden_key_raises_no_warning():
    Q, K, V = [[1e200, 0]], [[1e-200, 0], [1e200, 0]], [[3.0], [5.0]]
    assert attention(Q, K, V, mask=np.array([[True, False]])) == 3.0


@pytest.mark.parametrize(
    ("Q", "K", "V", "message"),
    [
        ([1.0], [[1.0]], [[1.0]], r"Q must be \(..., n, d\): Q is \(1,\)"),
        ([[1.0]], [[1.0]], [1.0], r"V must be \(..., m, d_v\): V is \(1,\)"),
    ],
)
def test_an_array_with_too_few_axes_is_told_its_own_axes(Q, K, V, message):
    with pytest.raises(ValueError, match=message):
        attention(Q, K, V)


def test_none_in_the_place_of_numbers_is_refused_by_name():
    with pytest.raises(TypeError, match="V must hold real numbers, got None"):
        attention(Z((1, 2)), Z((1, 2)), None)


def test_a_mask_given_as_bias_is_refused():
    with pytest.raises(TypeError, match="got dtype bool: give a mask as mask="):
        attention_weights(Z((2, 1)), Z((2, 1)), bias=np.ones((2, 2), bool))


@pytest.mark.parametrize(
    ("scale", "error", "message"),
    [
        (-0.5, ValueError, "scale must be at least 0 and finite, got -0.5"),
        (np.inf, ValueError, "scale must be at least 0 and finite, got inf"),
        (np.nan, ValueError, "scale must be at least 0 and finite, got nan"),
        (False, TypeError, "scale must be a number, got False"),
        ("1", TypeError, "scale must be a number, got .1."),
        (Z(2), TypeError, "scale must be a number, got array"),
    ],
)
def test_a_scale_is_a_number_of_at_least_0(scale, error, message):
    with pytest.raises(error, match=message):
        attention(Z((3, 4)), Z((5, 4)), Z((5, 1)), scale=scale)
