import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attn import softmax

scores = arrays(
    st.sampled_from([np.float32, np.float64]),
    array_shapes(max_dims=4, max_side=5),
    elements=st.floats(-1e4, 1e4, width=32),
)


@given(scores)
def test_weights_are_positive_and_sum_to_1(x):
    weights = softmax(x)
    assert weights.shape == x.shape
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-6)


@given(scores, st.floats(-100, 100, width=16))
def test_shifting_every_score_changes_nothing(x, shift):
    np.testing.assert_allclose(
        softmax(x.astype(float) + shift), softmax(x.astype(float)), atol=1e-9
    )


def test_a_score_gap_of_ln_3_splits_the_weight_1_to_3():
    np.testing.assert_allclose(softmax([5.0, 5.0 + np.log(3)]), [0.25, 0.75], rtol=1e-15)


def test_softmax_of_14_and_12_and_of_eight_times_these():
    np.testing.assert_allclose(softmax([14.0, 12.0]), [0.881, 0.119], atol=5e-4)
    np.testing.assert_allclose(softmax([112.0, 96.0])[1], 1 / (1 + np.exp(16)), rtol=1e-12)


def test_any_axis_can_share_the_weight():
    x = np.arange(24.0).reshape(2, 3, 4)
    for axis in range(3):
        moved = np.moveaxis(softmax(np.moveaxis(x, axis, -1)), -1, axis)
        np.testing.assert_array_equal(softmax(x, axis=axis), moved)


def test_a_score_of_minus_infinity_gets_exactly_0():
    np.testing.assert_array_equal(softmax([0.0, -np.inf, 0.0]), [0.5, 0.0, 0.5])


def test_nan_fills_its_own_row_only():
    weights = softmax([[np.nan, 0.0], [0.0, 0.0]])
    assert np.isnan(weights[0]).all()
    np.testing.assert_array_equal(weights[1], [0.5, 0.5])


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([-np.inf, -np.inf], r"above -inf in each row: the row of x, shape \(2,\), has none"),
        ([[0.0], [-np.inf]], r"above -inf in each row: row 1 of x, shape \(2, 1\), has none"),
        (np.full((2, 3, 1), -np.inf), r"row \(0, 0\) of x, shape \(2, 3, 1\), has none"),
        (np.zeros((2, 0)), r"row 0 of x, shape \(2, 0\), has none"),
    ],
)
def test_a_row_with_nothing_to_share_is_named(x, message):
    with pytest.raises(ValueError, match=message):
        softmax(x)


def test_complex_scores_are_refused():
    with pytest.raises(TypeError, match="x must hold real numbers, got dtype complex128"):
        softmax([1j])
