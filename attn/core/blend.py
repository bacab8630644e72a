"""The blend of the values, in which what is hidden takes no part."""

import numpy as np

from attn.core.arrays import Array


def blend(A: Array, V: Array, hidden: Array | None = None, *, out: Array | None = None) -> Array:
    """Return A @ V, leaving out the values that are hidden, whatever they hold.

    A hidden value has weight 0, but 0 times NaN or infinity is NaN, so weights alone do not keep
    it out. A value that is not hidden enters as in NumPy, NaN included.

    Parameters
    ----------
    A : (..., n, m)
        Weights, 0 where hidden.
    V : (..., m, d_v)
    hidden : (..., n, m) of bool, optional
        True where query i may not see value j; it broadcasts to A.
    out : (..., n, d_v), optional
        Where to write the answer.

    Returns
    -------
    (..., n, d_v)
    """
    if hidden is None or (finite := np.isfinite(V)).all():
        return np.matmul(A, V, out=out)
    Y = np.matmul(A, np.where(finite, V, 0), out=out)
    hidden, strange = np.broadcast_to(hidden, A.shape), np.where(finite, 0, V)
    for j in np.unique(np.nonzero(~finite)[-2]):
        out_of_sight = hidden[..., :, j, None]
        if not out_of_sight.all():
            Y += A[..., :, j, None] * np.where(out_of_sight, 0, strange[..., None, j, :])
    return Y
