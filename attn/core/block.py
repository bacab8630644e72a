"""The encoder block: attention between tokens, a small network in each, and norms."""

import math

import numpy as np

from attn.core.multi_head import multi_head_attention
from attn.core.shapes import check_axes, check_shape, floats, non_negative

_NEEDED = "W_q W_k W_v W_o W_1 b_1 W_2 b_2 gain_1 shift_1 gain_2 shift_2".split()
_OPTIONAL = "b_q b_k b_v b_o".split()

# NumPy has no erf; the standard library has one, for a single number.
_erf = np.vectorize(math.erf, otypes=[np.float64])


def layer_norm(X, gain=None, shift=None, *, eps=1e-5):
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
    X, gain, shift = floats(X=X, gain=gain, shift=shift, optional=("gain", "shift"))
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


def feed_forward(X, W_1, b_1, W_2, b_2, *, activation="relu"):
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
    _check_choice("activation", activation, tuple(_ACTIVATIONS))
    check_axes(least=1, X=X)
    check_shape("W_1", W_1, (X.shape[-1], "d_ff"), X=X)
    check_shape("b_1", b_1, W_1.shape[1:], W_1=W_1)
    check_shape("W_2", W_2, (W_1.shape[1], "d_out"), W_1=W_1)
    check_shape("b_2", b_2, W_2.shape[1:], W_2=W_2)
    return _ACTIVATIONS[activation](X @ W_1 + b_1) @ W_2 + b_2


def encoder_block(X, params, *, heads, mask=None, norm="pre", activation="relu", eps=1e-5):
    """Let the tokens exchange (attention), then think alone (feed-forward), adding each time.

    Parameters
    ----------
    X : (..., n, d)
    params : mapping
        Arrays named W_q, W_k, W_v, W_o, W_1, b_1, W_2, b_2, gain_1, shift_1, gain_2, shift_2,
        and optionally b_q, b_k, b_v, b_o, shaped as in `multi_head_attention`,
        `feed_forward` and `layer_norm`.
    heads : int
    mask : (..., n, n) of bool, optional
        True where query i may look at key j.
    norm : {"pre", "post"}, default "pre"
        Norm before each sublayer, X + f(norm(X)), or after each sum, norm(X + f(X)).
    activation : {"relu", "gelu"}, default "relu"
    eps : float, default 1e-5
        For both norms.

    Returns
    -------
    (..., n, d)

    Raises
    ------
    ValueError
        If a name is missing or unknown, or if a shape does not fit: W_o and W_2 lead back to
        d columns, since their answers are added to X.

    Examples
    --------
    >>> shapes = dict(W_q=(2, 2), W_k=(2, 2), W_v=(2, 2), W_o=(2, 2), W_1=(2, 8), b_1=8,
    ...               W_2=(8, 2), b_2=2, gain_1=2, shift_1=2, gain_2=2, shift_2=2)
    >>> silent = {name: np.zeros(shape) for name, shape in shapes.items()}
    >>> encoder_block([[1, 2], [3, 4]], silent, heads=1)
    array([[1., 2.],
           [3., 4.]])
    """
    _check_names(params)
    _check_choice("norm", norm, ("pre", "post"))
    p = {name: params.get(name) for name in (*_NEEDED, *_OPTIONAL)}
    X, *arrays = floats(X=X, **p, optional=_OPTIONAL)
    p = dict(zip(p, arrays, strict=True))
    _check_fit(X, p)
    projections = {k: p[k] for k in ("W_q", "W_k", "W_v", "W_o", *_OPTIONAL)}

    def attend(X):
        return multi_head_attention(X, **projections, heads=heads, mask=mask)

    def transform(X):
        return feed_forward(X, p["W_1"], p["b_1"], p["W_2"], p["b_2"], activation=activation)

    for i, sublayer in ((1, attend), (2, transform)):
        gain, shift = p[f"gain_{i}"], p[f"shift_{i}"]
        if norm == "pre":
            X = X + sublayer(layer_norm(X, gain, shift, eps=eps))
        else:
            X = layer_norm(X + sublayer(X), gain, shift, eps=eps)
    return X


def _relu(x):
    return np.maximum(x, 0)


def _gelu(x):
    return x * (1 + _erf(x / math.sqrt(2)).astype(x.dtype)) / 2


_ACTIVATIONS = {"relu": _relu, "gelu": _gelu}


def _check_choice(name, value, allowed):
    if value not in allowed:
        choices = " or ".join(f'"{a}"' for a in allowed)
        raise ValueError(f"{name} must be {choices}, got {value!r}")


def _check_fit(X, p):
    """Require what is added to X, or stretches it, to have its d entries."""
    check_axes(X=X)
    d = X.shape[-1]
    for name in ("gain_1", "shift_1", "gain_2", "shift_2"):
        check_shape(name, p[name], (d,), X=X)
    check_shape("W_o", p["W_o"], ("h*d_v", d), X=X)
    check_shape("W_2", p["W_2"], ("d_ff", d), X=X)


def _check_names(params):
    missing = [name for name in _NEEDED if params.get(name) is None]
    unknown = [str(name) for name in params if name not in (*_NEEDED, *_OPTIONAL)]
    if missing or unknown:
        raise ValueError(
            f"params must hold {', '.join(_NEEDED)} and optionally {', '.join(_OPTIONAL)}: "
            f"missing {', '.join(missing) or 'none'}; unknown {', '.join(unknown) or 'none'}"
        )
