"""Exact attention a few query rows at a time, so that the whole table never exists."""

import math

import numpy as np

from attn.core.masks import causal_mask
from attn.core.shapes import (
    check_enough_keys,
    check_keys_and_values,
    check_leading,
    check_queries_and_keys,
    fitting_mask,
    floats,
    whole,
)


def blockwise_attention(Q, K, V, *, scale=None, mask=None, causal=False, block=128):
    """Compute `attention` in blocks of query rows: the same answer in less memory.

    Parameters
    ----------
    Q : (..., n, d_k)
    K : (..., m, d_k)
    V : (..., m, d_v)
    scale : float, optional
        What multiplies the scores; 1/sqrt(d_k) if not given.
    mask : (..., n, m) of bool, optional
        True where query i may look at key j. Each query must see some key.
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
        If shapes do not fit, if a query may look at nothing, or if causal and m < n.
    TypeError
        If the mask is not boolean.

    Examples
    --------
    >>> Q = np.zeros((4, 2))
    >>> blockwise_attention(Q, Q, [[0], [2], [4], [6]], causal=True, block=2).ravel()
    array([0., 1., 2., 3.])
    """
    Q, K, V = floats(Q=Q, K=K, V=V)
    check_queries_and_keys(Q, K)
    check_keys_and_values(K, V)
    block, lead = whole("block", block, least=1), check_leading(Q=Q, K=K, V=V)
    (n, d_k), (m, d_v) = Q.shape[-2:], V.shape[-2:]
    if mask is not None:
        mask = fitting_mask(mask, (*lead, n, m))
        lead = np.broadcast_shapes(lead, mask.shape[:-2])
        mask = np.broadcast_to(mask, (*lead, n, m))
    if causal:
        check_enough_keys(n, m)
    Q, K, V = (np.broadcast_to(a, (*lead, *a.shape[-2:])) for a in (Q, K, V))
    scale = 1 / math.sqrt(d_k) if scale is None else float(scale)
    out, scratch = np.empty((*lead, n, d_v), Q.dtype), np.empty(min(block, n) * m, Q.dtype)
    for at in np.ndindex(lead):
        for start in range(0, n, block):
            rows = slice(start, min(start + block, n))
            seen = m - n + rows.stop if causal else m
            scores = scratch[: (rows.stop - start) * seen].reshape(-1, seen)
            np.matmul(scale * Q[at][rows], K[at][:seen].T, out=scores)
            _hide(scores, None if mask is None else mask[at][rows, :seen], causal)
            _blend(scores, V[at][:seen], out[at][rows], first_query=start)
    return out


def _hide(scores, mask, causal):
    if mask is not None:
        np.copyto(scores, -np.inf, where=~mask)
    if causal:
        # Only the last square of columns holds keys that some row of this block may not see.
        r = len(scores)
        np.copyto(scores[:, -r:], -np.inf, where=~causal_mask(r))


def _blend(scores, V, out, first_query):
    """Overwrite the scores with their exponentials, and `out` with the blend of the values."""
    top = scores.max(axis=-1, keepdims=True)
    if np.isneginf(top).any():
        i = first_query + int(np.isneginf(top).argmax())
        raise ValueError(f"each query must see at least one key: query {i} sees none")
    scores -= top
    np.exp(scores, out=scores)
    np.matmul(scores, V, out=out)
    out /= scores.sum(axis=-1, keepdims=True)
