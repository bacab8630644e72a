"""Where a token stands: sinusoids to add, rotations to apply, distances to subtract."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.shapes import check_axes, check_shape, floats, non_negative, whole_number


def sinusoidal_positions(n: int, d_model: int, *, base: float = 10000.0) -> Array:
    """Write each position as the hands of d_model/2 clocks, from fast to slow.

    Parameters
    ----------
    n : int
        Number of positions.
    d_model : int
        An even number: each clock takes two entries.
    base : float, default 10000.0
        The slowest clock is almost `base` times slower than the fastest.

    Returns
    -------
    (n, d_model)
        sin(p w_i) at entry 2i, cos(p w_i) at entry 2i + 1, with w_i = base^(-2i / d_model).

    Raises
    ------
    ValueError
        If d_model is odd.

    Examples
    --------
    >>> sinusoidal_positions(2, 4).round(3)
    array([[0.   , 1.   , 0.   , 1.   ],
           [0.841, 0.54 , 0.01 , 1.   ]])
    """
    angles = np.arange(whole_number("n", n))[:, None] * _speeds("d_model", d_model, base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


def rotate(X: ArrayLike, positions: ArrayLike | None = None, *, base: float = 10000.0) -> Array:
    """Turn each pair of entries by an angle that grows with the token's position.

    Parameters
    ----------
    X : (..., n, d)
        Queries or keys, d even.
    positions : (n,), optional
        Where each row stands; 0, 1, ..., n - 1 if not given.
    base : float, default 10000.0
        The slowest pair turns almost `base` times slower than the fastest.

    Returns
    -------
    (..., n, d)
        The pair (x0, x1) at entries (2i, 2i + 1) becomes
        (x0 cos a - x1 sin a, x0 sin a + x1 cos a) with a = position * base^(-2i / d).

    Raises
    ------
    ValueError
        If d is odd, or if there is not one position for each row.

    Examples
    --------
    >>> rotate([[1, 0], [1, 0]]).round(3)
    array([[1.   , 0.   ],
           [0.54 , 0.841]])
    """
    [X] = floats(X=X)
    check_axes(X=X)
    n, d = X.shape[-2:]
    [positions] = floats(positions=np.arange(n) if positions is None else positions)
    check_shape("positions", positions, (n,), X=X)
    angles = positions[:, None] * _speeds("the last axis of X", d, base)
    cos, sin = np.cos(angles).astype(X.dtype), np.sin(angles).astype(X.dtype)
    x0, x1 = X[..., 0::2], X[..., 1::2]
    return np.stack([x0 * cos - x1 * sin, x0 * sin + x1 * cos], axis=-1).reshape(X.shape)


def alibi_bias(n: int, heads: int, *, m: int | None = None) -> Array:
    """Make far keys less welcome, by a different slope in each head.

    Parameters
    ----------
    n : int
        Number of queries.
    heads : int
    m : int, optional
        Number of keys; n if not given. The last query stands at the last key.

    Returns
    -------
    (heads, n, m)
        -slope * abs(i + (m - n) - j). It hides nothing: for a causal model add a mask.
        For a power of two the slopes are 2^(-8/heads), its square, its cube, and so on; other
        head counts take the slopes of the power of two below, then every other one of the next.

    Examples
    --------
    >>> alibi_bias(2, 8)[0]
    array([[ 0. , -0.5],
           [-0.5,  0. ]])
    """
    n, heads = whole_number("n", n), whole_number("heads", heads, least=1)
    m = n if m is None else whole_number("m", m)
    distance = np.abs(np.arange(n)[:, None] + (m - n) - np.arange(m))
    return np.array(_slopes(heads))[:, None, None] * -distance


def _slopes(heads: int) -> list[float]:
    below = 1 << (heads.bit_length() - 1)
    slopes = [2.0 ** (-8 * (k + 1) / below) for k in range(below)]
    if below < heads:
        slopes += _slopes(2 * below)[0::2][: heads - below]
    return slopes


def _speeds(name: str, d: int, base: float) -> Array:
    d = whole_number(name, d)
    if d % 2:
        raise ValueError(f"{name} must be even, since entries turn in pairs: got {d}")
    if not (base := non_negative("base", base)):
        raise ValueError("base must be above 0, got 0")
    return base ** (-np.arange(0, d, 2) / d)
