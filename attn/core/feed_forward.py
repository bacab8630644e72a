"""Each token through a wider hidden layer and back, alone."""

import math

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.shapes import check_axes, check_choice, check_shape, floats

# NumPy has no erf; the standard library has one, for a single number.
_erf = np.vectorize(math.erf, otypes=[np.float64])


def feed_forward(
    X: ArrayLike,
    W_1: ArrayLike,
    b_1: ArrayLike,
    W_2: ArrayLike,
    b_2: ArrayLike,
    *,
    activation: str = "relu",
) -> Array:
    """Pass each token, alone, through one wider hidden layer.

    Parameters
    ----------
    X : (..., d)
    W_1 : (d, d_ff)
    b_1 : (d_ff,)
    W_2 : (d_ff, d_out)
    b_2 : (d_out,)
    activation : {"relu", "gelu"}, default "relu"
        "gelu" is x Φ(x) with the exact normal distribution function Φ, through erf.

    Returns
    -------
    (..., d_out)
        activation(X W_1 + b_1) W_2 + b_2.

    Raises
    ------
    ValueError
        If the shapes do not fit, or if the activation is unknown.

    Examples
    --------
    >>> feed_forward([[-2.0], [2.0]], [[1.0, -1.0]], [0.0, 0.0], [[1.0], [1.0]], [0.0])
    array([[2.],
           [2.]])
    """
    X, W_1, b_1, W_2, b_2 = floats(X=X, W_1=W_1, b_1=b_1, W_2=W_2, b_2=b_2)
    check_choice("activation", activation, tuple(_ACTIVATIONS))
    check_axes(least=1, X=X)
    check_shape("W_1", W_1, (X.shape[-1], "d_ff"), X=X)
    check_shape("b_1", b_1, W_1.shape[1:], W_1=W_1)
    check_shape("W_2", W_2, (W_1.shape[1], "d_out"), W_1=W_1)
    check_shape("b_2", b_2, W_2.shape[1:], W_2=W_2)
    return _ACTIVATIONS[activation](X @ W_1 + b_1) @ W_2 + b_2


def gated_feed_forward(
    X: ArrayLike, W_gate: ArrayLike, W_up: ArrayLike, W_down: ArrayLike
) -> Array:
    """Pass each token, alone, through a hidden layer that a second one gates: SwiGLU.

    Parameters
    ----------
    X : (..., d)
    W_gate : (d, d_ff)
    W_up : (d, d_ff)
    W_down : (d_ff, d_out)

    Returns
    -------
    (..., d_out)
        (silu(X W_gate) * X W_up) W_down, entry by entry, with silu(x) = x / (1 + exp(-x)). No
        biases (Shazeer, 2020).

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> gated_feed_forward([[-1.0], [1.0]], [[1.0]], [[2.0]], [[1.0]]).round(3)
    array([[0.538],
           [1.462]])
    """
    X, W_gate, W_up, W_down = floats(X=X, W_gate=W_gate, W_up=W_up, W_down=W_down)
    check_axes(least=1, X=X)
    check_shape("W_gate", W_gate, (X.shape[-1], "d_ff"), X=X)
    check_shape("W_up", W_up, W_gate.shape, W_gate=W_gate)
    check_shape("W_down", W_down, (W_gate.shape[1], "d_out"), W_gate=W_gate)
    return (_silu(X @ W_gate) * (X @ W_up)) @ W_down


def _relu(x: Array) -> Array:
    return np.maximum(x, 0)


def _gelu(x: Array) -> Array:
    return x * (1 + _erf(x / math.sqrt(2)).astype(x.dtype)) / 2


_ACTIVATIONS = {"relu": _relu, "gelu": _gelu}


def _silu(x: Array) -> Array:
    """x times the logistic function of x, which is (1 + tanh(x / 2)) / 2: nothing overflows."""
    return x * (1 + np.tanh(x / 2)) / 2
