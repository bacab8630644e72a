"""What one asks of an encoding: how alike two vectors are, and where a head looks."""

import numpy as np

from attn.core.arrays import Array, ArrayLike


def cosines(first: ArrayLike, second: ArrayLike) -> Array:
    """The cosine between two rows of vectors, one by one.

    Parameters
    ----------
    first, second : (..., d)

    Returns
    -------
    (...)

    Examples
    --------
    >>> cosines([[1.0, 0.0], [1.0, 1.0]], [[0.0, 2.0], [3.0, 3.0]]).round(3)
    array([0., 1.])
    """
    kind = np.result_type(np.asarray(first), np.asarray(second), np.float32)  # squares fit in it
    first, second = np.asarray(first, kind), np.asarray(second, kind)
    norms = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    return (first * second).sum(axis=-1) / norms


def weight_at_offset(attention: ArrayLike, offset: int) -> Array:
    """How much a query gives, on average, to the token so many places after it.

    Parameters
    ----------
    attention : (..., n, n)
    offset : int
        -1 is the previous token. Queries without such a neighbour do not count.

    Returns
    -------
    (...)

    Raises
    ------
    ValueError
        If no query has such a neighbour.

    Examples
    --------
    >>> float(weight_at_offset([[1.0, 0.0], [0.8, 0.2]], -1))
    0.8
    """
    A = np.asarray(attention)
    if abs(offset) >= A.shape[-1]:
        raise ValueError(f"{A.shape[-1]} tokens have no neighbours at an offset of {offset}")
    return np.diagonal(A, offset, axis1=-2, axis2=-1).mean(axis=-1)


def weight_on(attention: ArrayLike, key: int) -> Array:
    """How much the queries give, on average, to one key.

    Parameters
    ----------
    attention : (..., n, n)
    key : int

    Returns
    -------
    (...)

    Examples
    --------
    >>> float(weight_on([[1.0, 0.0], [0.5, 0.5]], 0))
    0.75
    """
    return np.asarray(attention)[..., key].mean(axis=-1)


def entropy(attention: ArrayLike) -> Array:
    """How widely the queries look, on average, in bits: 0 is one key, log2(n) is all alike.

    Parameters
    ----------
    attention : (..., n, n)

    Returns
    -------
    (...)

    Examples
    --------
    >>> float(entropy([[0.5, 0.5], [1.0, 0.0]]))
    0.5
    """
    A = np.asarray(attention)
    safe = np.where(A > 0, A, 1)
    return 0.0 - (A * np.log2(safe)).sum(axis=-1).mean(axis=-1)  # one key gives 0.0, not -0.0
