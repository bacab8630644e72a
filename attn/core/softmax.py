"""Scores become shares: positive, and summing to 1."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.shapes import floats


def softmax(x: ArrayLike, axis: int = -1) -> Array:
    """Turn scores into positive weights that sum to 1 along an axis.

    Parameters
    ----------
    x : (..., m)
        Scores. A score of -inf gets weight 0, but not every score of a row may be -inf.
    axis : int, default -1
        The axis whose entries share one unit of weight.

    Returns
    -------
    (..., m)
        exp(x) / sum(exp(x)) along the axis. Each row's maximum is subtracted first: the answer
        is the same, and large scores do not overflow.

    Raises
    ------
    ValueError
        If a row is empty or holds nothing but -inf.

    Examples
    --------
    >>> softmax([0.0, np.log(3.0)])
    array([0.25, 0.75])
    """
    [x] = floats(x=x)
    top = x.max(axis=axis, keepdims=True, initial=-np.inf)
    if np.isneginf(top).any():
        raise ValueError(_empty_row_message(top, axis, x.shape))
    e = np.exp(x - top)
    return e / e.sum(axis=axis, keepdims=True)


def _empty_row_message(top: Array, axis: int, shape: tuple[int, ...]) -> str:
    rows = np.isneginf(top.squeeze(axis=axis))
    first = tuple(int(i) for i in np.argwhere(rows)[0])
    where = f"row {first[0] if len(first) == 1 else first} of" if first else "the row of"
    return f"softmax needs a score above -inf in each row: {where} x, shape {shape}, has none"
