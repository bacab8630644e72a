"""Scores from a small network instead of a dot product, as in the first attention models."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.shapes import check_axes, check_leading, check_shape, floats


def additive_scores(
    Q: ArrayLike, K: ArrayLike, W_q: ArrayLike, W_k: ArrayLike, w: ArrayLike
) -> Array:
    """Score each query against each key with one hidden layer.

    Parameters
    ----------
    Q : (..., n, d_q)
    K : (..., m, d_k)
        Queries and keys need not have the same size.
    W_q : (d_q, a)
    W_k : (d_k, a)
    w : (a,)

    Returns
    -------
    (..., n, m)
        w · tanh(q W_q + k W_k), not yet a softmax.

    Raises
    ------
    ValueError
        If the shapes do not fit together.

    Examples
    --------
    >>> additive_scores([[0.0], [1.0]], [[0.0], [-1.0]], [[1.0]], [[1.0]], [1.0]).round(3)
    array([[ 0.   , -0.762],
           [ 0.762,  0.   ]])
    """
    Q, K, W_q, W_k, w = floats(Q=Q, K=K, W_q=W_q, W_k=W_k, w=w)
    check_axes(Q=Q, K=K)
    check_leading(Q=Q, K=K)
    check_shape("w", w, ("a",))
    check_shape("W_q", W_q, (Q.shape[-1], w.size), Q=Q, w=w)
    check_shape("W_k", W_k, (K.shape[-1], w.size), K=K, w=w)
    asked, offered = Q @ W_q, K @ W_k
    return np.tanh(asked[..., :, None, :] + offered[..., None, :, :]) @ w
