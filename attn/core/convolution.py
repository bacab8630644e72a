"""A convolution as attention: one head per cell of the kernel, each looking at one offset."""

from collections.abc import Sequence

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.shapes import floats, non_negative, whole_number
from attn.core.softmax import softmax


def conv_as_attention(
    image: ArrayLike, kernel: ArrayLike, *, alpha: float, padding: str = "zeros"
) -> Array:
    """Convolve by attention: each head looks one step away, and the kernel weighs the heads.

    Parameters
    ----------
    image : (..., L) or (..., H, W)
        One number per token. The kernel's axes say how many axes a picture has.
    kernel : (s,) or (s, s)
        s odd. It is not flipped (cross-correlation, as in torch).
    alpha : float
        Sharpness, at least 0. The error against the convolution falls as exp(-alpha).
    padding : {"zeros", "none"}, default "zeros"
        "zeros" adds (s - 1)/2 zero-valued tokens on each side, so that the limit is the
        zero-padded convolution. "none" does not: a head that points outside looks at the nearest
        token, so that the limit repeats the border.

    Returns
    -------
    image.shape

    Raises
    ------
    ValueError
        If the kernel is not (s,) or (s, s) with s odd, if the image has fewer axes than the
        kernel, if alpha is negative or infinite, or if padding is unknown.

    Examples
    --------
    >>> conv_as_attention([1, 2, 3], [1, 0, -1], alpha=50.0).round(6)
    array([-2., -2.,  2.])
    """
    image, kernel = floats(image=image, kernel=kernel)
    axes, size = _check_kernel(image, kernel)
    if padding not in ("zeros", "none"):
        raise ValueError(f'padding must be "zeros" or "none", got {padding!r}')
    edge = (size - 1) // 2 if padding == "zeros" else 0
    lead, picture = image.shape[:-axes], image.shape[-axes:]
    padded = np.pad(image, [(0, 0)] * len(lead) + [(edge, edge)] * axes)
    queries, keys = _grid(picture), _grid(padded.shape[-axes:]) - edge
    tokens = padded.reshape(*lead, len(keys))
    out = np.zeros((*lead, len(queries)), dtype=image.dtype)
    alpha = non_negative("alpha", alpha)
    for weight, offset in zip(kernel.flat, _offsets(size, axes), strict=True):
        A = _head_weights(queries, keys, offset, alpha).astype(image.dtype)
        out += weight * (tokens @ A.T)
    return out.reshape(image.shape)


def conv_attention_weights(shape: int | Sequence[int], size: int, *, alpha: float) -> Array:
    """Show where each head of a convolution looks, without padding tokens.

    Parameters
    ----------
    shape : (L,) or (H, W) or int
        The picture's shape, d axes and N tokens in all, row by row.
    size : int
        The kernel's size s, odd.
    alpha : float
        Sharpness, at least 0.

    Returns
    -------
    (size**d, N, N)
        softmax over keys j of -alpha * (distance from j to i + offset)², one head for each of the
        kernel's cells, row by row.

    Examples
    --------
    >>> conv_attention_weights(3, 3, alpha=50.0)[0].round(3)
    array([[1., 0., 0.],
           [1., 0., 0.],
           [0., 1., 0.]])
    """
    shape = tuple(whole_number("shape", s, least=1) for s in np.atleast_1d(shape))
    if len(shape) not in (1, 2):
        raise ValueError(f"shape must be (L,) or (H, W), got {shape}")
    tokens, offsets = _grid(shape), _offsets(_odd_size(size), len(shape))
    alpha = non_negative("alpha", alpha)
    return np.stack([_head_weights(tokens, tokens, offset, alpha) for offset in offsets])


def _head_weights(queries: Array, keys: Array, offset: Array, alpha: float) -> Array:
    gaps = keys - (queries + offset)[:, None, :]
    return softmax(-alpha * (gaps**2).sum(axis=-1))


def _grid(shape: tuple[int, ...]) -> Array:
    """Coordinates of each cell, row by row: (cells, axes)."""
    return np.moveaxis(np.indices(shape), 0, -1).reshape(-1, len(shape))


def _offsets(size: int, axes: int) -> Array:
    return _grid((size,) * axes) - (size - 1) // 2


def _odd_size(size: int) -> int:
    size = whole_number("size", size, least=1)
    if size % 2 == 0:
        raise ValueError(f"a kernel's size must be odd, so that it has a centre: got {size}")
    return size


def _check_kernel(image: Array, kernel: Array) -> tuple[int, int]:
    if kernel.ndim not in (1, 2) or len(set(kernel.shape)) != 1:
        raise ValueError(f"kernel must be (s,) or (s, s): kernel is {kernel.shape}")
    if image.ndim < kernel.ndim or 0 in image.shape[image.ndim - kernel.ndim :]:
        raise ValueError(
            f"image must be (..., L) for a kernel (s,) and (..., H, W) for a kernel (s, s): "
            f"image is {image.shape}, kernel is {kernel.shape}"
        )
    return kernel.ndim, _odd_size(kernel.shape[0])
