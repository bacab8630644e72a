"""The eighth chapter's nine heads, from Python."""

import numpy as np
import pytest
from traitlets import TraitError

from attn import conv_as_attention, conv_attention_weights
from attn.data import digits
from attn.widgets import ConvHeads

KERNELS = [name for name in ConvHeads.kernel.words if name != "own"]


@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("alpha", [0.0, 1.5, 30.0])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_heads_make_what_the_core_makes(kernel, alpha, padding):
    figure = ConvHeads(kernel=kernel, alpha=alpha, padding=padding, picture="4")
    core = conv_as_attention(
        figure.pixels,
        figure.weights_of_the_kernel,
        alpha=alpha,
        padding="zeros" if padding else "none",
    )
    np.testing.assert_allclose(figure.output, core, atol=1e-12)


def test_without_padding_the_weights_are_the_core_s():
    figure = ConvHeads(padding=False, alpha=1.25)
    np.testing.assert_allclose(
        figure.weights, conv_attention_weights((8, 8), 3, alpha=1.25), atol=1e-15
    )


def test_the_convolution_is_the_limit():
    figure = ConvHeads(picture="7", kernel="outline")
    sharp = conv_as_attention(figure.pixels, figure.weights_of_the_kernel, alpha=1e3)
    np.testing.assert_allclose(figure.convolution, sharp, atol=1e-12)


def test_the_error_is_that_of_the_figure_s_words():
    assert ConvHeads().error == pytest.approx(0.27, abs=0.005)
    assert ConvHeads(alpha=30.0).error < 1e-11


def test_its_digits_are_the_first_of_each_kind():
    images, labels = digits()
    for digit in range(10):
        np.testing.assert_array_equal(
            16 * ConvHeads(picture=str(digit)).pixels, images[np.flatnonzero(labels == digit)[0]]
        )


def test_own_pictures_and_kernels_are_used():
    pixels, kernel = np.eye(8), np.diag([0.0, 2.0, 0.0])
    figure = ConvHeads(picture="own", own_picture=pixels, kernel="own", own_kernel=kernel)
    np.testing.assert_array_equal(figure.pixels, pixels)
    np.testing.assert_array_equal(figure.convolution, 2 * pixels)


def test_a_pixel_looks_at_those_with_the_same_surroundings():
    stripes = np.tile([1.0, 0.0], (8, 4))
    A = ConvHeads(picture="own", own_picture=stripes).look_alikes
    np.testing.assert_allclose(A.sum(axis=1), 1)
    inner = A[3 * 8 + 3].reshape(8, 8)[1:-1, 1:-1]
    np.testing.assert_allclose(inner[:, ::2], inner[2, 2])  # paper between two strokes
    assert inner[:, 1::2].max() < 1e-4 * inner[2, 2]


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"alpha": 31.0}, "alpha must be between 0 and 30, not 31"),
        ({"own_picture": np.ones((7, 8))}, r"own_picture must have shape \(8, 8\), not \(7, 8\)"),
        ({"own_kernel": 3 * np.ones((3, 3))}, "each entry of own_kernel must be between -2 and 2"),
        ({"offsets": np.zeros((8, 2))}, r"offsets must have shape \(9, 2\)"),
        ({"head": 10}, "head must be between 1 and 9, not 10"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        ConvHeads(**traits)
