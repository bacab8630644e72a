"""One answer for a whole bag: a learned question put to every instance."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.blend import blend
from attn.core.shapes import (
    check_axes,
    check_shape,
    first_true,
    floats_and_optional,
    index_in_words,
)
from attn.core.softmax import softmax


def attention_pool(
    H: ArrayLike,
    w: ArrayLike,
    W_tanh: ArrayLike,
    *,
    W_gate: ArrayLike | None = None,
    mask: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """Blend a bag of instances into one vector, weighted by a small network's scores.

    Parameters
    ----------
    H : (..., n, d)
        n instances, such as the patches of an image; their order does not matter.
    w : (a,)
    W_tanh : (d, a)
    W_gate : (d, a), optional
        If given, each hidden unit is multiplied by sigmoid(H W_gate).
    mask : (..., n) of bool, optional
        True for the instances that count. Each bag must keep at least one. A hidden instance
        takes no part, whatever it holds: it may be NaN or infinite.

    Returns
    -------
    pooled : (..., d)
        The weighted mean of the instances.
    weights : (..., n)
        softmax(w · tanh(H W_tanh)), summing to 1 over the bag.

    Raises
    ------
    ValueError
        If the shapes do not fit, or if the mask empties a bag.
    TypeError
        If the mask is not boolean.

    Examples
    --------
    >>> pooled, weights = attention_pool([[1.0], [3.0]], [0.0], [[1.0]])
    >>> pooled, weights
    (array([2.]), array([0.5, 0.5]))
    """
    needed = {"H": H, "w": w, "W_tanh": W_tanh}
    [H, w, W_tanh], [W_gate] = floats_and_optional(needed, W_gate=W_gate)
    check_axes(H=H)
    if H.shape[-2] == 0:
        raise ValueError(f"each bag needs at least one instance: H is {H.shape}")
    check_shape("w", w, ("a",))
    check_shape("W_tanh", W_tanh, (H.shape[-1], w.size), H=H, w=w)
    check_shape("W_gate", W_gate, (H.shape[-1], w.size), H=H, w=w)
    if mask is None:
        weights = softmax(_scores(H, w, W_tanh, W_gate))
        return (weights[..., None, :] @ H)[..., 0, :], weights
    hidden = ~_fitting_mask(mask, H.shape[:-1])
    # A hidden instance may be infinite: no warning about its score, which is dropped.
    with np.errstate(invalid="ignore"):
        scores = np.where(hidden, -np.inf, _scores(H, w, W_tanh, W_gate))
    weights = softmax(scores)
    return blend(weights[..., None, :], H, hidden[..., None, :])[..., 0, :], weights


def _scores(H: Array, w: Array, W_tanh: Array, W_gate: Array | None) -> Array:
    units = np.tanh(H @ W_tanh)
    return (units if W_gate is None else units * _sigmoid(H @ W_gate)) @ w


def _sigmoid(x: Array) -> Array:
    # The tanh form does not overflow for large negative x.
    return (1 + np.tanh(x / 2)) / 2


def _fitting_mask(mask: ArrayLike, shape: tuple[int, ...]) -> Array:
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise TypeError(f"a mask must be boolean (True = counts), got dtype {mask.dtype}")
    if mask.shape[-1:] != shape[-1:]:
        raise ValueError(f"mask must be (..., n) = (..., {shape[-1]}): mask is {mask.shape}")
    try:
        np.broadcast_shapes(mask.shape, shape)
    except ValueError:
        raise ValueError(
            f"mask must broadcast to the bags (..., n) = {shape}: mask is {mask.shape}"
        ) from None
    if (empty := ~mask.any(axis=-1)).any():
        raise ValueError(
            f"each bag must keep at least one instance: the mask, shape {mask.shape}, "
            f"hides all of bag {index_in_words(first_true(empty))}"
        )
    return mask
