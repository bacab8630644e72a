import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import alibi_bias, rotate, sinusoidal_positions

seeds = st.integers(0, 2**32 - 1)
halves = st.integers(1, 8)


def turn_by(k, d, base=10000.0):
    """The matrix R_k that moves every position k ahead."""
    R = np.zeros((d, d))
    for i in range(0, d, 2):
        a = k * base ** (-i / d)
        R[i : i + 2, i : i + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
    return R


@given(halves, st.integers(0, 60))
def test_moving_k_ahead_is_one_rotation_for_all_positions(half, k):
    d = 2 * half
    P = sinusoidal_positions(101 + k, d)
    np.testing.assert_allclose(P[:101] @ turn_by(k, d).T, P[k:], atol=1e-13)


def test_the_entries_are_sine_and_cosine_by_turns():
    P = sinusoidal_positions(7, 6, base=100.0)
    for p in range(7):
        for i in range(3):
            w = 100.0 ** (-2 * i / 6)
            assert P[p, 2 * i] == pytest.approx(np.sin(p * w), abs=1e-15)
            assert P[p, 2 * i + 1] == pytest.approx(np.cos(p * w), abs=1e-15)


def test_similarity_of_positions_at_d_64():
    P = sinusoidal_positions(51, 64)
    similarity = P[0] @ P[[0, 1, 2, 5, 10, 50]].T / 32
    np.testing.assert_allclose(similarity, [1, 0.966, 0.884, 0.734, 0.658, 0.490], atol=5e-4)


def test_every_position_has_squared_norm_half_of_d():
    np.testing.assert_allclose((sinusoidal_positions(200, 64) ** 2).sum(-1), 32, rtol=1e-13)


def test_the_longest_wavelength_at_d_512_is_below_ten_thousand_turns():
    slowest = np.arcsin(sinusoidal_positions(2, 512)[1, -2])
    assert 1 / slowest == pytest.approx(9647, abs=0.5)


@given(seeds, halves, st.sampled_from([1, 5, 1000]))
def test_rotated_scores_depend_on_the_difference_of_positions_only(seed, half, shift):
    rng = np.random.default_rng(seed)
    q, k = rng.standard_normal((2, 5, 2 * half))
    places = np.arange(5)
    here = rotate(q) @ rotate(k).T
    there = rotate(q, places + shift) @ rotate(k, places + shift).T
    np.testing.assert_allclose(there, here, atol=1e-11)


@given(seeds, halves)
def test_a_rotation_keeps_lengths_and_leaves_position_0_alone(seed, half):
    X = np.random.default_rng(seed).standard_normal((2, 4, 2 * half))
    Y = rotate(X)
    np.testing.assert_allclose((Y**2).sum(-1), (X**2).sum(-1), rtol=1e-12)
    np.testing.assert_array_equal(Y[:, 0], X[:, 0])
    np.testing.assert_allclose(rotate(Y, -np.arange(4)), X, atol=1e-13)


def test_a_quarter_turn_sends_the_first_axis_to_the_second():
    np.testing.assert_allclose(rotate([[1, 0]], [np.pi / 2]), [[0, 1]], atol=1e-15)


def test_float32_rotations_stay_accurate_far_out():
    X = np.ones((1, 6), np.float32)
    far = rotate(X, [100_001])
    assert far.dtype == np.float32
    np.testing.assert_allclose(far, rotate(X.astype(float), [100_001]), atol=1e-6)


def test_alibi_slopes_for_8_heads_run_from_a_half_to_one_in_256():
    slopes = -alibi_bias(2, 8)[:, 1, 0]
    np.testing.assert_array_equal(slopes, 0.5 ** np.arange(1, 9))


@pytest.mark.parametrize(
    ("heads", "powers"),
    [
        (1, [8]),
        (2, [4, 8]),
        (3, [4, 8, 2]),
        (6, [2, 4, 6, 8, 1, 3]),
        (12, [1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5]),
    ],
)
def test_alibi_slopes_for_other_head_counts(heads, powers):
    slopes = -alibi_bias(2, heads)[:, 0, 1]
    np.testing.assert_allclose(slopes, 2.0 ** -np.array(powers), rtol=1e-15)


@given(st.integers(1, 6), st.integers(0, 5), st.integers(1, 5))
def test_alibi_falls_linearly_with_distance_on_both_sides(n, extra, heads):
    slopes = -alibi_bias(2, heads)[:, 0, 1]
    bias = alibi_bias(n, heads, m=n + extra)
    distance = [[abs(i + extra - j) for j in range(n + extra)] for i in range(n)]
    expected = -slopes[:, None, None] * np.array(distance)
    np.testing.assert_allclose(bias, expected, rtol=1e-15)
    assert np.isfinite(bias).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sinusoidal_positions(4, 5), "d_model must be even, .*: got 5"),
        (lambda: sinusoidal_positions(-1, 4), "n must be at least 0, got -1"),
        (lambda: sinusoidal_positions(4, 4, base=0), "base must be above 0, got 0"),
        (lambda: rotate(np.ones((2, 4)), base=np.nan), "base must be .* finite, got nan"),
        (lambda: rotate(np.ones((2, 3))), "the last axis of X must be even, .*: got 3"),
        (lambda: rotate(np.ones(4)), r"X must be \(..., n, d\): X is \(4,\)"),
        (lambda: rotate(np.ones((2, 4)), [0]), r"\(2,\): X is \(2, 4\), positions is \(1,\)"),
        (lambda: alibi_bias(3, 0), "heads must be at least 1, got 0"),
    ],
)
def test_a_size_that_cannot_be_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
