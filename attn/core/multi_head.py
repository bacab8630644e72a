"""Several kinds of similarity at once: split the embedding, attend in each part, merge."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.dot_product import attention
from attn.core.positions import rotate
from attn.core.shapes import (
    check_axes,
    check_leading,
    check_shape,
    fitting_mask,
    floats,
    floats_and_optional,
    whole_number,
)


def split_heads(X: ArrayLike, heads: int) -> Array:
    """Cut each token's vector into one part per head.

    Parameters
    ----------
    X : (..., n, d)
    heads : int
        How many parts; it must divide d.

    Returns
    -------
    (..., h, n, d/h)
        Part k of each token, the sequence whole.

    Raises
    ------
    ValueError
        If heads does not divide d.

    Examples
    --------
    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2)
    array([[[1., 2.],
            [5., 6.]],
    <BLANKLINE>
           [[3., 4.],
            [7., 8.]]])
    """
    [X] = floats(X=X)
    check_axes(X=X)
    *lead, n, d = X.shape
    h = whole_number("heads", heads, least=1)
    if d % h:
        raise ValueError(f"heads must divide the embedding: {h} heads, X is {X.shape}")
    return X.reshape(*lead, n, h, d // h).swapaxes(-2, -3)


def merge_heads(Y: ArrayLike) -> Array:
    """Put the parts of each token side by side again: the inverse of `split_heads`.

    Parameters
    ----------
    Y : (..., h, n, d/h)

    Returns
    -------
    (..., n, d)

    Examples
    --------
    >>> merge_heads(split_heads([[1, 2, 3, 4]], 2))
    array([[1., 2., 3., 4.]])
    """
    [Y] = floats(Y=Y)
    check_axes(least=3, Y=Y)
    *lead, h, n, d = Y.shape
    return Y.swapaxes(-2, -3).reshape(*lead, n, h * d)


def multi_head_attention(
    X: ArrayLike,
    W_q: ArrayLike,
    W_k: ArrayLike,
    W_v: ArrayLike,
    W_o: ArrayLike,
    *,
    heads: int,
    b_q: ArrayLike | None = None,
    b_k: ArrayLike | None = None,
    b_v: ArrayLike | None = None,
    b_o: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    memory: ArrayLike | None = None,
    rotary: bool = False,
) -> Array:
    """Project to queries, keys and values, attend in each head, and mix the heads' answers.

    Parameters
    ----------
    X : (..., n, d)
        The tokens that ask.
    W_q : (d, h*d_k)
    W_k : (d, h*d_k)
    W_v : (d, h*d_v)
    W_o : (h*d_v, d_out)
    heads : int
        How many heads h; it must divide the columns of W_q and of W_v.
    b_q, b_k, b_v, b_o : (columns of its W,), optional
        Added after each projection.
    mask : (..., n, m) of bool, optional
        True where query i may look at key j, in all heads alike. What is hidden takes no part,
        whatever it holds: a token that no query sees may be NaN or infinite.
    bias : (..., h, n, m), optional
        Added to the scaled scores, such as `alibi_bias`.
    memory : (..., m, d), optional
        The tokens that answer (cross-attention); X itself if not given.
    rotary : bool, default False
        If true, `rotate` each head's queries and keys, both by their own index.

    Returns
    -------
    (..., n, d_out)

    Raises
    ------
    ValueError
        If a shape does not fit, or if the mask hides every key from a query.
    TypeError
        If the mask is not boolean, or if the bias is.

    Examples
    --------
    >>> same, blank = [[1, 0], [0, 1]], [[0, 0], [0, 0]]
    >>> multi_head_attention([[0, 0], [2, 4]], blank, same, same, same, heads=2)
    array([[1., 2.],
           [1., 2.]])
    """
    needed = {"X": X, "W_q": W_q, "W_k": W_k, "W_v": W_v, "W_o": W_o}
    [X, W_q, W_k, W_v, W_o], [memory, b_q, b_k, b_v, b_o] = floats_and_optional(
        needed, memory=memory, b_q=b_q, b_k=b_k, b_v=b_v, b_o=b_o
    )
    source = {"X": X} if memory is None else {"memory": memory}
    memory = X if memory is None else memory
    check_axes(X=X, memory=memory)
    check_leading(X=X, memory=memory)
    # What is hidden may be infinite, and takes no part: no warning about it.
    with np.errstate(invalid=None if mask is None else "ignore"):
        Q = _heads("q", X, W_q, b_q, heads, X=X)
        K = _heads("k", memory, W_k, b_k, heads, **source)
        V = _heads("v", memory, W_v, b_v, heads, **source)
        _check_d_k(W_q, W_k, heads, rotary)
        if rotary:
            Q, K = rotate(Q), rotate(K)
    if mask is not None:
        mask = fitting_mask(mask, (*X.shape[:-1], memory.shape[-2]))[..., None, :, :]
    return _project("o", merge_heads(attention(Q, K, V, mask=mask, bias=bias)), W_o, b_o, W_v=W_v)


def _project(role: str, X: Array, W: Array, b: Array | None, /, **source: Array) -> Array:
    """Multiply by W and add b; `source` names what the caller knows the rows of W from."""
    check_shape(f"W_{role}", W, (X.shape[-1], "columns"), **source)
    check_shape(f"b_{role}", b, W.shape[1:], **{f"W_{role}": W})
    return X @ W if b is None else X @ W + b


def _heads(role: str, X: Array, W: Array, b: Array | None, heads: int, /, **source: Array) -> Array:
    Y = _project(role, X, W, b, **source)
    if W.shape[1] % whole_number("heads", heads, least=1):
        raise ValueError(
            f"heads must divide the columns of W_{role}: {heads} heads, W_{role} is {W.shape}"
        )
    return split_heads(Y, heads)


def _check_d_k(W_q: Array, W_k: Array, heads: int, rotary: bool) -> None:
    shapes = f"W_q is {W_q.shape}, W_k is {W_k.shape}"
    if W_q.shape[1] != W_k.shape[1]:
        raise ValueError(f"W_q and W_k must have the same h*d_k columns: {shapes}")
    if rotary and W_q.shape[1] // heads % 2:
        raise ValueError(
            f"rotary needs an even d_k, since entries turn in pairs: {heads} heads, {shapes}"
        )
