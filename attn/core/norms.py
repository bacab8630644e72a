"""Norms: each token brought to one scale, whatever the sums before it have grown to."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.shapes import check_axes, check_shape, floats_and_optional, non_negative


def layer_norm(
    X: ArrayLike,
    gain: ArrayLike | None = None,
    shift: ArrayLike | None = None,
    *,
    eps: float = 1e-5,
) -> Array:
    """Bring each token's entries to mean 0 and variance 1, then stretch and shift them.

    Parameters
    ----------
    X : (..., d)
    gain : (d,), optional
    shift : (d,), optional
    eps : float, default 1e-5
        Added to the variance, so that a constant token does not divide by 0.

    Returns
    -------
    (..., d)
        (X - mean) / sqrt(variance + eps) * gain + shift, over the last axis; the variance
        divides by d.

    Examples
    --------
    >>> layer_norm([[1, 3], [10, 30]], eps=0.0)
    array([[-1.,  1.],
           [-1.,  1.]])
    """
    [X], [gain, shift] = floats_and_optional({"X": X}, gain=gain, shift=shift)
    check_axes(least=1, X=X)
    if X.shape[-1] == 0:
        raise ValueError(f"layer_norm needs d >= 1: X is {X.shape}")
    check_shape("gain", gain, X.shape[-1:], X=X)
    check_shape("shift", shift, X.shape[-1:], X=X)
    eps = non_negative("eps", eps)
    centred = X - X.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    Y = centred / np.sqrt(variance + eps)
    Y = Y if gain is None else Y * gain
    return Y if shift is None else Y + shift


def rms_norm(X: ArrayLike, gain: ArrayLike | None = None, *, eps: float = 1e-5) -> Array:
    """Bring each token's entries to a mean square of 1, then stretch them.

    The norm of today's language models: `layer_norm` without taking the mean away and without a
    shift (Zhang and Sennrich, 2019).

    Parameters
    ----------
    X : (..., d)
    gain : (d,), optional
    eps : float, default 1e-5
        Added to the mean square, so that a token of zeros does not divide by 0.

    Returns
    -------
    (..., d)
        X / sqrt(mean of X² + eps) * gain, over the last axis.

    Examples
    --------
    >>> rms_norm([[3, 4], [30, 40]], eps=0.0).round(3)
    array([[0.849, 1.131],
           [0.849, 1.131]])
    """
    [X], [gain] = floats_and_optional({"X": X}, gain=gain)
    check_axes(least=1, X=X)
    if X.shape[-1] == 0:
        raise ValueError(f"rms_norm needs d >= 1: X is {X.shape}")
    check_shape("gain", gain, X.shape[-1:], X=X)
    eps = non_negative("eps", eps)
    Y = X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)
    return Y if gain is None else Y * gain
