"""Attention without the softmax: sums that can be kept in a state of fixed size."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.blend import blend
from attn.core.masks import causal_mask
from attn.core.shapes import check_keys_and_values, check_leading, check_queries_and_keys, floats


def linear_attention(Q: ArrayLike, K: ArrayLike, V: ArrayLike, *, causal: bool = False) -> Array:
    """Share attention in proportion to φ(q) · φ(k), with φ = elu + 1 instead of an exponential.

    Parameters
    ----------
    Q : (..., n, d_k)
    K : (..., m, d_k)
    V : (..., m, d_v)
    causal : bool, default False
        If true, query i sees the keys up to i, and n must equal m. This is the parallel form, with
        an (n, n) table; `linear_attention_recurrent` gives the same answer step by step. What is
        still to come takes no part, whatever it holds.

    Returns
    -------
    (..., n, d_v)
        φ(Q) (φ(K)ᵀ V), each row divided by φ(Q) · Σ φ(K). The scores are not scaled. φ of a very
        negative number is 0 in floating point; a query left with a sum of 0 gets NaN.

    Raises
    ------
    ValueError
        If the shapes do not fit, or if causal and n != m.

    Examples
    --------
    >>> linear_attention([[0.0]], [[0.0], [2.0]], [[0.0], [4.0]])
    array([[3.]])
    """
    Q, K, V = _check_inputs(Q, K, V, same_length=causal)
    Q, K = _features(Q), _features(K)
    if causal:
        future = ~causal_mask(Q.shape[-2])
        weights = np.where(future, 0, Q @ K.swapaxes(-1, -2))
        return blend(weights, V, future) / weights.sum(axis=-1, keepdims=True)
    state, total = K.swapaxes(-1, -2) @ V, K.sum(axis=-2)  # (..., d_k, d_v), (..., d_k)
    return (Q @ state) / (Q @ total[..., None])


def linear_attention_recurrent(Q: ArrayLike, K: ArrayLike, V: ArrayLike) -> tuple[Array, Array]:
    """Run causal linear attention as a recurrent network, one token at a time.

    Parameters
    ----------
    Q : (..., n, d_k)
    K : (..., n, d_k)
    V : (..., n, d_v)

    Returns
    -------
    Y : (..., n, d_v)
        Equal to ``linear_attention(Q, K, V, causal=True)``.
    states : (..., n, d_k, d_v)
        The sum of φ(k)ᵀ v after each token: all that the past leaves behind, with Σ φ(k).

    Raises
    ------
    ValueError
        If the shapes do not fit, or if there is not one key for each query.

    Examples
    --------
    >>> Y, states = linear_attention_recurrent([[0.0], [0.0]], [[0.0], [2.0]], [[0.0], [4.0]])
    >>> Y.ravel(), states.ravel()
    (array([0., 3.]), array([ 0., 12.]))
    """
    Q, K, V = _check_inputs(Q, K, V, same_length=True)
    Q, K = _features(Q), _features(K)
    *lead, n, d_v = (*check_leading(Q=Q, K=K, V=V), Q.shape[-2], V.shape[-1])
    d_k = K.shape[-1]
    state, total = np.zeros((*lead, d_k, d_v), Q.dtype), np.zeros((*lead, d_k), Q.dtype)
    Y, states = np.empty((*lead, n, d_v), Q.dtype), np.empty((*lead, n, d_k, d_v), Q.dtype)
    for t in range(n):
        q, k, v = Q[..., t, :], K[..., t, :], V[..., t, :]
        state = state + k[..., :, None] * v[..., None, :]
        total = total + k
        read = (q[..., None, :] @ state)[..., 0, :]
        Y[..., t, :] = read / (q * total).sum(axis=-1, keepdims=True)
        states[..., t, :, :] = state
    return Y, states


def _features(X: Array) -> Array:
    # elu(x) + 1; the minimum keeps exp from overflowing where the other branch is taken.
    return np.where(X > 0, X + 1, np.exp(np.minimum(X, 0)))


def _check_inputs(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, *, same_length: bool
) -> tuple[Array, Array, Array]:
    Q, K, V = floats(Q=Q, K=K, V=V)
    check_queries_and_keys(Q, K)
    check_keys_and_values(K, V)
    check_leading(Q=Q, K=K, V=V)
    if same_length and Q.shape[-2] != K.shape[-2]:
        raise ValueError(f"causal linear attention needs n == m: Q is {Q.shape}, K is {K.shape}")
    return Q, K, V
