"""Scores become shares: positive, and summing to 1."""

import numpy as np

from attn.core.shapes import floats


def softmax(x, axis=-1):
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
    x = floats(x=x)
    return shares(x, lambda empty: _nothing_to_share(empty, x.shape), axis)


def shares(scores, complaint, axis=-1):
    """Return the softmax of floats; `complaint` words the error about rows of nothing but -inf.

    It is given a boolean for each row, True where the row holds nothing to share.
    """
    top = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    if (empty := np.isneginf(top)).any():
        raise ValueError(complaint(empty.squeeze(axis=axis)))
    e = np.exp(scores - top)
    return e / e.sum(axis=axis, keepdims=True)


def _nothing_to_share(empty, shape):
    first = tuple(int(i) for i in np.argwhere(empty)[0])
    where = f"row {first[0] if len(first) == 1 else first} of" if first else "the row of"
    return f"softmax needs a score above -inf in each row: {where} x, shape {shape}, has none"
