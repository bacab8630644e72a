import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import attention, soft_lookup, softmax

KEYS, VALUES = [[1, 0], [0, 1], [-1, 0]], [10, 20, 30]
seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(
    ("beta", "output", "entropy"),
    [(0, 20, 1.0986), (1, 14.248, 0.8324), (2, 11.491, 0.4411), (5, 10.068, 0.0407)],
)
def test_sharper_lookup_moves_from_the_mean_to_the_best_value(beta, output, entropy):
    assert soft_lookup([1, 0], KEYS, VALUES, beta=beta) == pytest.approx(output, abs=5e-4)
    p = soft_lookup([1, 0], KEYS, np.eye(3), beta=beta)
    assert -(p * np.log(p)).sum() == pytest.approx(entropy, abs=5e-5)


def test_infinite_beta_is_the_exact_lookup():
    table = np.eye(4)
    np.testing.assert_array_equal(
        soft_lookup(table, table, [1, 2, 3, 4], beta=np.inf), [1, 2, 3, 4]
    )


@given(seeds, st.integers(2, 9), st.integers(1, 9))
def test_equal_keys_share_the_exact_answer_equally(seed, m, d_k):
    rng = np.random.default_rng(seed)
    key = rng.standard_normal(d_k)
    keys = np.vstack([np.tile(key, (m, 1)), -key])
    values = np.append(np.arange(m), 1e6)
    assert soft_lookup(key, keys, values, beta=np.inf) == pytest.approx((m - 1) / 2, rel=1e-12)


@given(seeds, st.floats(0, 50), st.integers(1, 6), st.integers(1, 4))
def test_the_output_stays_inside_the_range_of_the_values(seed, beta, m, d_v):
    rng = np.random.default_rng(seed)
    query, keys, values = (rng.standard_normal(s) for s in ((2, 3), (m, 3), (m, d_v)))
    out = soft_lookup(query, keys, values, beta=beta)
    assert out.shape == (2, d_v)
    assert (out >= values.min(0) - 1e-12).all()
    assert (out <= values.max(0) + 1e-12).all()


@given(seeds, st.floats(0, 5))
def test_a_lookup_is_attention_with_beta_as_its_scale(seed, beta):
    rng = np.random.default_rng(seed)
    query, keys, values = (rng.standard_normal(s) for s in ((2, 3, 5), (4, 5), (4, 2)))
    expected = attention(query, keys, values, scale=beta)
    np.testing.assert_allclose(soft_lookup(query, keys, values, beta=beta), expected, rtol=1e-10)


def test_keys_of_equal_norm_make_the_gaussian_kernel_equal_to_the_dot_product():
    angles = np.array([0.3, 1.1, 2.0, 4.0])
    keys = np.stack([np.cos(angles), np.sin(angles)], -1)
    query = np.array([0.2, -1.7])
    gaussian = softmax(-((query - keys) ** 2).sum(-1) / 2)
    np.testing.assert_allclose(soft_lookup(query, keys, np.eye(4)), gaussian, rtol=1e-12)


def test_the_slope_of_the_output_is_beta_times_the_covariance_of_the_keys():
    rng = np.random.default_rng(7)
    query, keys, beta, h = rng.standard_normal(3), rng.standard_normal((5, 3)), 1.7, 1e-5
    p = soft_lookup(query, keys, np.eye(5), beta=beta)
    mean = p @ keys
    covariance = (p[:, None] * (keys - mean)).T @ (keys - mean)
    ahead, behind = (soft_lookup(query + s * h * np.eye(3), keys, keys, beta=beta) for s in (1, -1))
    np.testing.assert_allclose((ahead - behind) / (2 * h), beta * covariance, atol=1e-8)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@given(seed=seeds, m=st.integers(1, 5), d_k=st.integers(2, 9))
def test_keys_that_tie_up_to_rounding_share_the_exact_answer(seed, m, d_k, dtype):
    # The query leans on the first axis and on any other one alike, through a rotation that rounds.
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.standard_normal((d_k, d_k)))[0]
    m = min(m, d_k)
    keys = np.vstack([np.eye(d_k)[:m], -np.eye(d_k)[:1]]) @ turn
    query = 1e3 * np.eye(d_k)[:m].sum(0) @ turn
    values = np.append(np.arange(m), 1e6)
    tables = (a.astype(dtype) for a in (query, keys, values))
    assert soft_lookup(*tables, beta=np.inf) == pytest.approx((m - 1) / 2, rel=1e-6)


@pytest.mark.parametrize("degrees", [45, 135, 225, 315])
def test_halfway_between_two_keys_both_answer(degrees):
    keys, values = [[1, 0], [0, 1], [-1, 0], [0, -1]], np.array([10, 20, 30, 40])
    query = [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]
    first = degrees // 90
    expected = (values[first] + values[(first + 1) % 4]) / 2
    assert soft_lookup(query, keys, values, beta=np.inf) == expected


@given(seeds, st.integers(2, 9))
def test_a_key_that_is_better_by_more_than_rounding_answers_alone(seed, d_k):
    rng = np.random.default_rng(seed)
    key = rng.standard_normal(d_k)
    keys = np.stack([key, key * (1 - 1e-12), -key])
    assert soft_lookup(key, keys, [1.0, 2.0, 3.0], beta=np.inf) == 1.0


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("d_k", [64, 256, 4096])
def test_few_random_keys_tie_in_a_coarse_type(dtype, d_k):
    rng = np.random.default_rng(d_k)
    queries, keys = rng.standard_normal((100, d_k)).astype(dtype), rng.standard_normal((8, d_k))
    keys = keys.astype(dtype)
    best = (queries.astype(float) @ keys.T.astype(float)).argmax(axis=-1)
    answers = soft_lookup(queries, keys, np.arange(8, dtype=dtype), beta=np.inf)
    assert (answers == best).mean() >= 0.95
    assert answers.dtype == dtype


def test_a_key_that_scores_minus_infinity_is_never_the_best():
    keys = [[-np.inf, 0.0], [0.0, 1.0]]
    assert soft_lookup([1.0, 1.0], keys, [1.0, 2.0], beta=np.inf) == 2.0


def test_the_exact_answer_does_not_read_the_values_of_other_keys():
    assert soft_lookup([1, 0], KEYS, [10, np.nan, np.inf], beta=np.inf) == 10
    assert np.isnan(soft_lookup([0, 1], KEYS, [10, np.nan, np.inf], beta=np.inf))


@pytest.mark.parametrize("beta", [True, None, "sharp"])
def test_a_sharpness_that_is_no_number_is_refused(beta):
    with pytest.raises(TypeError, match="beta must be a number, got "):
        soft_lookup([1, 0], KEYS, VALUES, beta=beta)


def test_nan_in_the_query_reaches_the_exact_answer():
    assert np.isnan(soft_lookup([np.nan, 0], KEYS, VALUES, beta=np.inf))


@pytest.mark.parametrize(
    ("query", "keys", "values", "beta", "message"),
    [
        ([1, 0], KEYS, VALUES, -0.5, "beta must be at least 0, got -0.5"),
        ([1, 0], KEYS, VALUES, np.nan, "beta must be at least 0, got nan"),
        ([1, 0], KEYS, VALUES, -np.inf, "beta must be at least 0, got -inf"),
        ([1, 0, 0], KEYS, VALUES, 1, r"share d_k: query is \(3,\), keys is \(3, 2\)"),
        ([1, 0], [1, 0], [1], 1, r"keys must be \(m, d_k\) with m >= 1: keys is \(2,\)"),
        ([1, 0], KEYS, [1, 2], 1, r"one for each key: keys is \(3, 2\), values is \(2,\)"),
    ],
)
def test_a_bad_table_is_refused_with_what_was_received(query, keys, values, beta, message):
    with pytest.raises(ValueError, match=message):
        soft_lookup(query, keys, values, beta=beta)
