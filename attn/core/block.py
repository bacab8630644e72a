"""The encoder block: attention between tokens, a small network in each, and norms."""

from collections.abc import Mapping
from typing import Any

from attn.core.arrays import Array, ArrayLike
from attn.core.feed_forward import feed_forward
from attn.core.multi_head import multi_head_attention
from attn.core.norms import layer_norm
from attn.core.shapes import check_axes, check_choice, check_shape, floats_and_optional

_NEEDED = "W_q W_k W_v W_o W_1 b_1 W_2 b_2 gain_1 shift_1 gain_2 shift_2".split()
_OPTIONAL = "b_q b_k b_v b_o".split()


def encoder_block(
    X: ArrayLike,
    params: Mapping[str, ArrayLike],
    *,
    heads: int,
    mask: ArrayLike | None = None,
    norm: str = "pre",
    activation: str = "relu",
    eps: float = 1e-5,
) -> Array:
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
    >>> import numpy as np
    >>> shapes = dict(W_q=(2, 2), W_k=(2, 2), W_v=(2, 2), W_o=(2, 2), W_1=(2, 8), b_1=8,
    ...               W_2=(8, 2), b_2=2, gain_1=2, shift_1=2, gain_2=2, shift_2=2)
    >>> silent = {name: np.zeros(shape) for name, shape in shapes.items()}
    >>> encoder_block([[1, 2], [3, 4]], silent, heads=1)
    array([[1., 2.],
           [3., 4.]])
    """
    _check_names(params)
    check_choice("norm", norm, ("pre", "post"))
    needed = {"X": X, **{name: params[name] for name in _NEEDED}}
    optional = {name: params.get(name) for name in _OPTIONAL}
    [X, *arrays], biases = floats_and_optional(needed, **optional)
    p: dict[str, Any] = dict(zip((*_NEEDED, *_OPTIONAL), (*arrays, *biases), strict=True))
    _check_fit(X, p)
    projections = {k: p[k] for k in ("W_q", "W_k", "W_v", "W_o", *_OPTIONAL)}

    def attend(X: Array) -> Array:
        return multi_head_attention(X, **projections, heads=heads, mask=mask)

    def transform(X: Array) -> Array:
        return feed_forward(X, p["W_1"], p["b_1"], p["W_2"], p["b_2"], activation=activation)

    Y: Array = X
    for i, sublayer in ((1, attend), (2, transform)):
        gain, shift = p[f"gain_{i}"], p[f"shift_{i}"]
        if norm == "pre":
            Y = Y + sublayer(layer_norm(Y, gain, shift, eps=eps))
        else:
            Y = layer_norm(Y + sublayer(Y), gain, shift, eps=eps)
    return Y


def _check_fit(X: Array, p: Mapping[str, Array]) -> None:
    """Require what is added to X, or stretches it, to have its d entries."""
    check_axes(X=X)
    d = X.shape[-1]
    for name in ("gain_1", "shift_1", "gain_2", "shift_2"):
        check_shape(name, p[name], (d,), X=X)
    check_shape("W_o", p["W_o"], ("h*d_v", d), X=X)
    check_shape("W_2", p["W_2"], ("d_ff", d), X=X)


def _check_names(params: Mapping[str, Any]) -> None:
    missing = [name for name in _NEEDED if params.get(name) is None]
    unknown = [str(name) for name in params if name not in (*_NEEDED, *_OPTIONAL)]
    if missing or unknown:
        raise ValueError(
            f"params must hold {', '.join(_NEEDED)} and optionally {', '.join(_OPTIONAL)}: "
            f"missing {', '.join(missing) or 'none'}; unknown {', '.join(unknown) or 'none'}"
        )
