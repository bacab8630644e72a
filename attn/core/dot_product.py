"""Scaled dot-product attention: scores, shares, and the blend of the values."""

import math

import numpy as np

from attn.core.shapes import (
    check_axes,
    check_keys_and_values,
    check_leading,
    check_queries_and_keys,
    fitting_bias,
    fitting_mask,
    floats,
)
from attn.core.softmax import softmax


def self_attention(X):
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
    X = floats(X=X)
    check_axes(X=X)
    return softmax(X @ X.swapaxes(-1, -2)) @ X


def attention_weights(Q, K, *, scale=None, mask=None, bias=None):
    """Share each query's attention among the keys.

    Parameters
    ----------
    Q : (..., n, d_k)
    K : (..., m, d_k)
    scale : float, optional
        What multiplies the scores; 1/sqrt(d_k) if not given.
    mask : (..., n, m) of bool, optional
        True where query i may look at key j. Each query must see some key.
    bias : (..., n, m), optional
        Added to the scaled scores.

    Returns
    -------
    (..., n, m)
        softmax(scale * Q Kᵀ + bias), each row summing to 1.

    Raises
    ------
    ValueError
        If shapes do not fit, or if the mask hides every key from a query.
    TypeError
        If the mask is not boolean.

    Examples
    --------
    >>> attention_weights(np.zeros((1, 2)), np.ones((4, 2)))
    array([[0.25, 0.25, 0.25, 0.25]])
    """
    Q, K = floats(Q=Q, K=K)
    check_queries_and_keys(Q, K)
    scale = 1 / math.sqrt(Q.shape[-1]) if scale is None else float(scale)
    scores = scale * (Q @ K.swapaxes(-1, -2))
    if bias is not None:
        scores = scores + fitting_bias(bias, scores)
    if mask is not None:
        scores = np.where(fitting_mask(mask, scores.shape), scores, -np.inf)
    return softmax(scores)


def attention(Q, K, V, *, scale=None, mask=None, bias=None):
    """Answer each query with a blend of the values, shared out by `attention_weights`.

    Parameters
    ----------
    Q : (..., n, d_k)
    K : (..., m, d_k)
    V : (..., m, d_v)
        One value for each key; d_v need not equal d_k.
    scale : float, optional
        What multiplies the scores; 1/sqrt(d_k) if not given.
    mask : (..., n, m) of bool, optional
        True where query i may look at key j. Each query must see some key.
    bias : (..., n, m), optional
        Added to the scaled scores.

    Returns
    -------
    (..., n, d_v)
        attention_weights(Q, K) @ V.

    Raises
    ------
    ValueError
        If shapes do not fit, or if the mask hides every key from a query.
    TypeError
        If the mask is not boolean.

    Examples
    --------
    >>> attention([[0, 0]], [[1, 0], [0, 1]], [[10], [20]])
    array([[15.]])
    """
    Q, K, V = floats(Q=Q, K=K, V=V)
    check_queries_and_keys(Q, K)
    check_keys_and_values(K, V)
    check_leading(Q=Q, K=K, V=V)
    return attention_weights(Q, K, scale=scale, mask=mask, bias=bias) @ V
