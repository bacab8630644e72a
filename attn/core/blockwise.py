"""Exact attention a few query rows at a time, so that the whole table never exists."""

import math

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.blend import blend
from attn.core.masks import causal_mask
from attn.core.shapes import (
    check_enough_keys,
    check_keys_and_values,
    check_leading,
    check_queries_and_keys,
    fitting_mask,
    floats,
    index_in_words,
    non_negative,
    whole_number,
)


def blockwise_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    causal: bool = False,
    block: int = 128,
) -> Array:
    """Compute `attention` in blocks of query rows: the same answer in less memory.

    Parameters
    ----------
    Q : (..., n, d_k)
    K : (..., m, d_k)
    V : (..., m, d_v)
    scale : float, optional
        What multiplies the scores, at least 0 and finite; 1/sqrt(d_k) if not given.
    mask : (..., n, m) of bool, optional
        True where query i may look at key j. Each query must see some key. What is hidden
        takes no part, whatever it holds: a hidden key or value may be NaN or infinite.
    causal : bool, default False
        If true, also apply ``causal_mask(n, m)``; key blocks that no row sees are skipped.
    block : int, default 128
        Rows at a time. Besides the answer, memory grows with block * m and not with n * m.

    Returns
    -------
    (..., n, d_v)

    Raises
    ------
    ValueError
        If shapes do not fit, if scale is negative or not finite, if a query may look at
        nothing, or if causal and m < n.
    TypeError
        If the mask is not boolean.

    Examples
    --------
    >>> Q = np.zeros((4, 2))
    >>> blockwise_attention(Q, Q, [[0], [2], [4], [6]], causal=True, block=2).ravel()
    array([0., 1., 2., 3.])
    """
    block = whole_number("block", block, least=1)
    Q, K, V, mask = _check_and_broadcast(Q, K, V, mask, causal)
    *lead, n, d_k = Q.shape
    m, d_v = V.shape[-2:]
    scale = 1 / math.sqrt(d_k) if scale is None else non_negative("scale", scale)
    out, scratch = np.empty((*lead, n, d_v), Q.dtype), np.empty(min(block, n) * m, Q.dtype)
    unmasked = mask is None and not causal
    for at in np.ndindex(*lead):
        finite = unmasked or np.isfinite(V[at]).all()
        for start in range(0, n, block):
            rows = slice(start, min(start + block, n))
            reach = m - n + rows.stop if causal else m
            scores = scratch[: (rows.stop - start) * reach].reshape(-1, reach)
            # What is hidden may be infinite, and is dropped below: no warning about its score.
            with np.errstate(invalid=None if unmasked else "ignore"):
                np.matmul(scale * Q[at][rows], K[at][:reach].T, out=scores)
            seen = None if mask is None else mask[at][rows, :reach]
            _hide(scores, seen, causal)
            _exponentiate(scores, first_query=(*at, start))
            hidden = None if finite else _hidden(scores.shape, seen, causal)
            blend(scores, V[at][:reach], hidden, out=out[at][rows])
            out[at][rows] /= scores.sum(axis=-1, keepdims=True)
    return out


def _check_and_broadcast(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, mask: ArrayLike | None, causal: bool
) -> tuple[Array, Array, Array, Array | None]:
    """Check the inputs, and give them all the same leading axes."""
    Q, K, V = floats(Q=Q, K=K, V=V)
    check_queries_and_keys(Q, K)
    check_keys_and_values(K, V)
    lead, (n, m) = check_leading(Q=Q, K=K, V=V), (Q.shape[-2], K.shape[-2])
    if mask is not None:
        mask = fitting_mask(mask, (*lead, n, m))
        lead = np.broadcast_shapes(lead, mask.shape[:-2])
        mask = np.broadcast_to(mask, (*lead, n, m))
    if causal:
        check_enough_keys(n, m)
    Q, K, V = (np.broadcast_to(a, (*lead, *a.shape[-2:])) for a in (Q, K, V))
    return Q, K, V, mask


def _hide(scores: Array, mask: Array | None, causal: bool) -> None:
    if mask is not None:
        np.copyto(scores, -np.inf, where=~mask)
    if causal:
        # Only the last square of columns holds keys that some row of this block may not see.
        r = len(scores)
        np.copyto(scores[:, -r:], -np.inf, where=~causal_mask(r))


def _hidden(shape: tuple[int, ...], mask: Array | None, causal: bool) -> Array:
    """What `_hide` overwrites, as one table; asked for only where a value is not finite."""
    seen = causal_mask(*shape) if causal else np.ones(shape, bool)
    return ~(seen if mask is None else seen & mask)


def _exponentiate(scores: Array, first_query: tuple[int, ...]) -> None:
    top = scores.max(axis=-1, keepdims=True)
    if (blind := np.isneginf(top[:, 0])).any():
        *lead, start = first_query
        query = index_in_words((*lead, start + int(blind.argmax())))
        raise ValueError(f"each query must see at least one key: query {query} sees none")
    scores -= top
    np.exp(scores, out=scores)
