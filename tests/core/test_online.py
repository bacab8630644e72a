import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attn import online_softmax, softmax

rows = arrays(
    st.sampled_from([np.float32, np.float64]),
    st.integers(1, 12),
    elements=st.floats(-1e4, 1e4, width=32),
)


@given(rows, st.integers(1, 15))
def test_any_block_gives_the_whole_softmax(assert_close, scores, block):
    weights, steps = online_softmax(scores, block)
    assert_close(weights, softmax(scores))
    assert len(steps) == -(-scores.size // block)


@given(rows, st.integers(1, 15))
def test_each_step_holds_the_maximum_and_the_sum_so_far(scores, block):
    _, steps = online_softmax(scores, block)
    for k, (top, total) in enumerate(steps, start=1):
        so_far = scores[: k * block].astype(float)
        assert top == so_far.max()
        assert total == pytest.approx(np.exp(so_far - so_far.max()).sum(), rel=1e-5)


def test_a_rise_of_ln_2_halves_the_old_sum():
    _, steps = online_softmax([0.0, 0.0, np.log(2.0)], 2)
    np.testing.assert_allclose(steps, [(0.0, 2.0), (np.log(2.0), 2.0)], rtol=1e-15)


def test_hidden_blocks_add_nothing():
    weights, steps = online_softmax([-np.inf, -np.inf, 0.0, -np.inf], 2)
    np.testing.assert_array_equal(weights, [0, 0, 1, 0])
    assert steps == [(-np.inf, 0.0), (0.0, 1.0)]


def test_nan_reaches_every_weight():
    assert np.isnan(online_softmax([0.0, np.nan, 1.0], 1)[0]).all()


@pytest.mark.parametrize(
    ("scores", "block", "message"),
    [
        ([[1.0]], 1, r"scores must be \(m,\): scores is \(1, 1\)"),
        ([1.0], 0, "block must be at least 1, got 0"),
        ([-np.inf] * 3, 2, "needs a score above -inf: got 3 without one"),
        ([], 2, "needs a score above -inf: got 0 without one"),
    ],
)
def test_a_bad_row_is_refused_with_what_was_received(scores, block, message):
    with pytest.raises(ValueError, match=message):
        online_softmax(scores, block)
