"""One answer for a whole bag: a learned question put to every instance."""

import numpy as np

from attn.core.shapes import check_axes, check_each_row_sees, check_shape, floats
from attn.core.softmax import softmax


def attention_pool(H, w, W_tanh, *, W_gate=None, mask=None):
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
        True for the instances that count. Each bag must keep at least one.

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
    H, w, W_tanh, W_gate = floats(H=H, w=w, W_tanh=W_tanh, W_gate=W_gate)
    check_axes(H=H)
    check_shape("w", w, ("a",))
    check_shape("W_tanh", W_tanh, (H.shape[-1], w.size))
    check_shape("W_gate", W_gate, (H.shape[-1], w.size))
    hidden = np.tanh(H @ W_tanh)
    if W_gate is not None:
        hidden = hidden * _sigmoid(H @ W_gate)
    scores = hidden @ w
    if mask is not None:
        scores = np.where(_counting(mask, scores.shape), scores, -np.inf)
    weights = softmax(scores)
    return (weights[..., None, :] @ H)[..., 0, :], weights


def _sigmoid(x):
    # The tanh form does not overflow for large negative x.
    return (1 + np.tanh(x / 2)) / 2


def _counting(mask, shape):
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
    check_each_row_sees(mask, "bag")
    return mask
