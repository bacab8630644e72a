"""Who may look at whom: True = query i (row) may look at key j (column)."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.shapes import check_enough_keys, whole_number


def causal_mask(n: int, m: int | None = None) -> Array:
    """Let each query see the keys up to its own position.

    Parameters
    ----------
    n : int
        Number of queries.
    m : int, optional
        Number of keys, at least n; n if not given. The queries are the last n of the m positions.

    Returns
    -------
    (n, m) of bool
        True where j <= i + (m - n).

    Raises
    ------
    ValueError
        If m < n: the first queries would stand before every key.

    Examples
    --------
    >>> causal_mask(2, 3).astype(int)
    array([[1, 1, 0],
           [1, 1, 1]])
    """
    n = whole_number("n", n)
    m = n if m is None else whole_number("m", m)
    check_enough_keys(n, m)
    return np.arange(m) <= np.arange(n)[:, None] + (m - n)


def padding_mask(lengths: ArrayLike, m: int) -> Array:
    """Hide the padding at the end of each sequence.

    Parameters
    ----------
    lengths : (...) of int
        How many of the m keys are real, 0 <= length <= m.
    m : int
        Number of keys, padding included.

    Returns
    -------
    (..., 1, m) of bool
        True where j < length, the same for each query.

    Raises
    ------
    ValueError
        If a length is below 0 or above m.
    TypeError
        If the lengths are not integers.

    Examples
    --------
    >>> padding_mask([1, 3], 3).astype(int)
    array([[[1, 0, 0]],
    <BLANKLINE>
           [[1, 1, 1]]])
    """
    m = whole_number("m", m)
    lengths = np.asarray(lengths)
    if lengths.size and lengths.dtype.kind not in "iu":
        raise TypeError(f"lengths must be integers, got dtype {lengths.dtype}")
    outside = (lengths < 0) | (lengths > m)
    if outside.any():
        raise ValueError(f"each length must be from 0 to m={m}, got {lengths[outside].flat[0]}")
    return np.arange(m) < lengths[..., None, None]


def sliding_window_mask(n: int, window: int, *, causal: bool = True) -> Array:
    """Let each query see only the keys near it.

    Parameters
    ----------
    n : int
        Number of queries and of keys.
    window : int
        How many keys a query sees on one side, itself included; at least 1.
    causal : bool, default True
        If true, only the past side is seen.

    Returns
    -------
    (n, n) of bool
        True where 0 <= i - j < window, or where abs(i - j) < window if not causal.

    Examples
    --------
    >>> sliding_window_mask(4, 2).astype(int)
    array([[1, 0, 0, 0],
           [1, 1, 0, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 1]])
    """
    n, window = whole_number("n", n), whole_number("window", window, least=1)
    back = np.arange(n)[:, None] - np.arange(n)
    near = np.abs(back) < window
    return near & (back >= 0) if causal else near
