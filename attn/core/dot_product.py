"""Scaled dot-product attention: scores, shares, and the blend of the values."""

import math

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.blend import blend
from attn.core.shapes import (
    check_axes,
    check_keys_and_values,
    check_leading,
    check_queries_and_keys,
    first_true,
    fitting_bias,
    fitting_mask,
    floats,
    index_in_words,
    non_negative,
)
from attn.core.softmax import softmax


def self_attention(X: ArrayLike) -> Array:
    """Let each token of a sequence answer with a blend of all tokens, without any parameter.

    Parameters
    ----------
    X : (..., n, d)
        One token per row; a token is its own query, key and value.

    Returns
    -------
    (..., n, d)
        softmax(X Xᵀ) X. The scores are not scaled.

    Examples
    --------
    >>> self_attention([[1, 0], [0, 2], [1, 1]]).round(3)
    array([[0.845, 0.733],
           [0.133, 1.851],
           [0.578, 1.267]])
    """
    [X] = floats(X=X)
    check_axes(X=X)
    return softmax(X @ X.swapaxes(-1, -2)) @ X


def attention_weights(
    Q: ArrayLike,
    K: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
) -> Array:
    """Share each query's attention among the keys.

    Parameters
    ----------
    Q : (..., n, d_k)
    K : (..., m, d_k)
    scale : float, optional
        What multiplies the scores, at least 0 and finite; 1/sqrt(d_k) if not given.
    mask : (..., n, m) of bool, optional
        True where query i may look at key j. Each query must see some key. What is hidden
        takes no part, whatever it holds: a hidden key or value may be NaN or infinite.
    bias : (..., n, m), optional
        Numbers added to the scaled scores; -inf hides a key as a mask does.

    Returns
    -------
    (..., n, m)
        softmax(scale * Q Kᵀ + bias), each row summing to 1.

    Raises
    ------
    ValueError
        If shapes do not fit, if scale is negative or not finite, or if a query is left with no
        key to see.
    TypeError
        If the mask is not boolean, or if the bias is.

    Examples
    --------
    >>> attention_weights(np.zeros((1, 2)), np.ones((4, 2)))
    array([[0.25, 0.25, 0.25, 0.25]])
    """
    Q, K = floats(Q=Q, K=K)
    check_queries_and_keys(Q, K)
    return _weights(Q, K, scale, mask, bias)[0]


def attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
) -> Array:
    """Answer each query with a blend of the values, shared out by `attention_weights`.

    Parameters
    ----------
    Q : (..., n, d_k)
    K : (..., m, d_k)
    V : (..., m, d_v)
        One value for each key; d_v need not equal d_k.
    scale : float, optional
        What multiplies the scores, at least 0 and finite; 1/sqrt(d_k) if not given.
    mask : (..., n, m) of bool, optional
        True where query i may look at key j. Each query must see some key. What is hidden
        takes no part, whatever it holds: a hidden key or value may be NaN or infinite.
    bias : (..., n, m), optional
        Numbers added to the scaled scores; -inf hides a key as a mask does.

    Returns
    -------
    (..., n, d_v)
        attention_weights(Q, K) @ V.

    Raises
    ------
    ValueError
        If shapes do not fit, if scale is negative or not finite, or if a query is left with no
        key to see.
    TypeError
        If the mask is not boolean, or if the bias is.

    Examples
    --------
    >>> attention([[0, 0]], [[1, 0], [0, 1]], [[10], [20]])
    array([[15.]])
    """
    Q, K, V = floats(Q=Q, K=K, V=V)
    check_queries_and_keys(Q, K)
    check_keys_and_values(K, V)
    check_leading(Q=Q, K=K, V=V)
    A, hidden = _weights(Q, K, scale, mask, bias)
    return blend(A, V, hidden)


def _weights(
    Q: Array, K: Array, scale: float | None, mask: ArrayLike | None, bias: ArrayLike | None
) -> tuple[Array, Array | None]:
    """Return the weights, and where keys are hidden (None if nowhere)."""
    scale = 1 / math.sqrt(Q.shape[-1]) if scale is None else non_negative("scale", scale)
    masked = mask is not None or bias is not None
    # What is hidden may be huge or infinite, and is dropped: no warning about its score.
    with np.errstate(invalid="ignore" if masked else None, over="ignore" if masked else None):
        scores = scale * (Q @ K.swapaxes(-1, -2))
        hidden = None if mask is None else ~fitting_mask(mask, scores.shape)
        if bias is not None:
            bias = fitting_bias(bias, scores)
            scores, blocked = scores + bias, np.isneginf(bias)
            hidden = blocked if hidden is None else hidden | blocked
    if hidden is not None:
        scores = np.where(hidden, -np.inf, scores)
        if (blind := hidden.all(axis=-1)).any():
            who = "the bias hides" if mask is None else "mask and bias together hide"
            raise ValueError(
                f"each query must see at least one key: {who} every key "
                f"from query {index_in_words(first_true(blind))}"
            )
    if (lost := np.isneginf(scores).all(axis=-1)).any():
        raise ValueError(
            "each query needs a score above -inf: every key that it sees scores -inf "
            f"for query {index_in_words(first_true(lost))}"
        )
    return softmax(scores), hidden
