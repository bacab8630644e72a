import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import conv_as_attention, conv_attention_weights

seeds = st.integers(0, 2**32 - 1)
odd = st.sampled_from([1, 3, 5])
dtypes = st.sampled_from([np.float64, np.float32])
SHARP = 1e3  # exp(-SHARP) is 0 in float64: the limit itself


def slide(image, kernel, mode="constant"):
    """The convolution as a slow loop over the kernel, with borders filled by `mode`."""
    edge = (kernel.shape[0] - 1) // 2
    padded, out = np.pad(image, edge, mode=mode), np.zeros_like(image)
    for cell in np.ndindex(kernel.shape):
        window = tuple(slice(c, c + side) for c, side in zip(cell, image.shape, strict=True))
        out += kernel[cell] * padded[window]
    return out


def draw(seed, shape, size, axes, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(s).astype(dtype) for s in (shape, (size,) * axes)]


@given(seeds, st.integers(1, 9), odd, dtypes)
def test_sharp_heads_are_a_zero_padded_convolution_in_1_d(assert_close, seed, length, size, dtype):
    image, kernel = draw(seed, (length,), size, 1, dtype)
    assert_close(conv_as_attention(image, kernel, alpha=SHARP), slide(image, kernel))


@given(seeds, st.integers(1, 6), st.integers(1, 6), odd, dtypes)
def test_sharp_heads_are_a_zero_padded_convolution_in_2_d(assert_close, seed, H, W, size, dtype):
    image, kernel = draw(seed, (H, W), size, 2, dtype)
    assert_close(conv_as_attention(image, kernel, alpha=SHARP), slide(image, kernel))


@given(seeds, st.integers(1, 6), st.integers(1, 6), odd)
def test_without_padding_tokens_the_limit_repeats_the_border(assert_close, seed, H, W, size):
    for shape, axes in (((H,), 1), ((H, W), 2)):
        image, kernel = draw(seed, shape, size, axes)
        ours = conv_as_attention(image, kernel, alpha=SHARP, padding="none")
        assert_close(ours, slide(image, kernel, mode="edge"))


def test_the_two_borders_agree_inside_and_differ_at_the_edge():
    image, kernel = draw(5, (7, 6), 3, 2)
    zeros, none = (
        conv_as_attention(image, kernel, alpha=SHARP, padding=p) for p in ("zeros", "none")
    )
    inside = (slice(1, -1), slice(1, -1))
    np.testing.assert_allclose(zeros[inside], none[inside], atol=1e-13)
    assert np.abs(zeros - none)[0].min() > 1e-3


def test_the_error_falls_by_e_for_each_unit_of_alpha():
    image, kernel = draw(0, (8, 8), 3, 2)
    exact = slide(image, kernel)
    errors = [np.abs(conv_as_attention(image, kernel, alpha=a) - exact).max() for a in (10, 11, 12)]
    np.testing.assert_allclose(np.divide(errors[1:], errors[:-1]), np.exp(-1), rtol=0.01)


def test_integer_pictures_are_convolved_bit_for_bit():
    rng = np.random.default_rng(4)
    image, kernel = rng.integers(-9, 9, (6, 5)), rng.integers(-9, 9, (3, 3))
    exact = slide(image.astype(float), kernel.astype(float))
    np.testing.assert_array_equal(conv_as_attention(image, kernel, alpha=SHARP), exact)


def test_alpha_0_looks_everywhere_alike():
    image, kernel = np.arange(6.0), np.array([1.0, 2.0, 4.0])
    flat = conv_as_attention(image, kernel, alpha=0, padding="none")
    np.testing.assert_allclose(flat, 7 * image.mean(), rtol=1e-14)


def test_leading_axes_are_separate_pictures():
    image, kernel = draw(6, (2, 3, 5), 3, 1)
    out = conv_as_attention(image, kernel, alpha=2.0)
    assert out.shape == image.shape
    for at in np.ndindex(2, 3):
        alone = conv_as_attention(image[at], kernel, alpha=2.0)
        np.testing.assert_allclose(out[at], alone, atol=1e-13)


@given(seeds, st.integers(1, 4), st.integers(1, 4), odd, st.floats(0, 3))
def test_the_weights_are_what_the_convolution_without_padding_uses(seed, H, W, size, alpha):
    image, kernel = draw(seed, (H, W), size, 2)
    A = conv_attention_weights((H, W), size, alpha=alpha)
    assert A.shape == (size**2, H * W, H * W)
    np.testing.assert_allclose(A.sum(-1), 1, rtol=1e-13)
    by_hand = np.einsum("h,hij,j->i", kernel.ravel(), A, image.ravel()).reshape(H, W)
    ours = conv_as_attention(image, kernel, alpha=alpha, padding="none")
    np.testing.assert_allclose(ours, by_hand, atol=1e-12)


def test_heads_go_row_by_row_over_the_kernel():
    A = conv_attention_weights((3, 3), 3, alpha=SHARP)
    centre = 4
    np.testing.assert_array_equal(A[:, centre].argmax(-1), np.arange(9))
    np.testing.assert_array_equal(conv_attention_weights(4, 3, alpha=SHARP)[1], np.eye(4))


def test_one_step_from_its_target_a_key_scores_alpha_less():
    row = conv_attention_weights((5,), 1, alpha=2.0)[0, 2]
    np.testing.assert_allclose(np.log(row[1:] / row[2]), [-2, 0, -2, -8], rtol=1e-12, atol=1e-12)


LINE, PICTURE = np.ones(4), np.ones((3, 4))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: conv_as_attention(LINE, np.ones(2), alpha=1), "must be odd, .*: got 2"),
        (lambda: conv_as_attention(PICTURE, np.ones((3, 1)), alpha=1), r"kernel is \(3, 1\)"),
        (
            lambda: conv_as_attention(LINE, np.ones((3, 3)), alpha=1),
            r"image is \(4,\), kernel is \(3, 3\)",
        ),
        (
            lambda: conv_as_attention(np.ones((0, 3)), np.ones((3, 3)), alpha=1),
            r"image is \(0, 3\), kernel is \(3, 3\)",
        ),
        (
            lambda: conv_as_attention(LINE, np.ones(3), alpha=-1),
            "alpha must be at least 0 and finite, got -1",
        ),
        (
            lambda: conv_as_attention(LINE, np.ones(3), alpha=np.inf),
            "alpha must be at least 0 and finite, got inf",
        ),
        (
            lambda: conv_as_attention(LINE, np.ones(3), alpha=1, padding="same"),
            'padding must be "zeros" or "none", got \'same\'',
        ),
        (lambda: conv_attention_weights((2, 2, 2), 3, alpha=1), r"\(H, W\), got \(2, 2, 2\)"),
        (lambda: conv_attention_weights((0,), 3, alpha=1), "shape must be at least 1, got 0"),
        (lambda: conv_attention_weights((4,), 4, alpha=1), "must be odd, .*: got 4"),
    ],
)
def test_a_bad_argument_is_refused_with_what_was_received(call, message):
    with pytest.raises(ValueError, match=message):
        call()
