"""A dictionary that answers with a blend when no key matches exactly."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.blend import blend
from attn.core.shapes import floats, non_negative
from attn.core.softmax import softmax


def soft_lookup(
    query: ArrayLike, keys: ArrayLike, values: ArrayLike, *, beta: float = 1.0
) -> Array:
    """Look a query up by similarity, and blend the values by how well their keys match.

    Parameters
    ----------
    query : (..., d_k)
    keys : (m, d_k)
    values : (m,) or (m, d_v)
    beta : float, default 1.0
        Sharpness, at least 0. With 0 each key counts the same; with ``np.inf`` the best key
        answers alone, and keys that tie, up to rounding, share the answer equally.

    Returns
    -------
    (...) or (..., d_v)
        softmax(beta * query · keys) @ values: up to rounding, never outside the values' range.

    Raises
    ------
    ValueError
        If beta is negative, or if the shapes do not fit together.

    Examples
    --------
    >>> keys = [[1, 0], [0, 1], [-1, 0]]
    >>> print(round(soft_lookup([1, 0], keys, [10, 20, 30], beta=2.0), 3))
    11.491
    >>> print(soft_lookup([1, 0], keys, [10, 20, 30], beta=np.inf))
    10.0
    """
    beta = non_negative("beta", beta, infinite=True)
    query, keys, values = floats(query=query, keys=keys, values=values)
    _check_table(query, keys, values)
    # query @ keys.T may round two equal keys differently; a sum of these cannot.
    products = query[..., None, :] * keys  # (..., m, d_k)
    if beta == np.inf:
        return _exact_lookup(products, values)
    return softmax(beta * products.sum(axis=-1)) @ values


def _exact_lookup(products: Array, values: Array) -> Array:
    # Each factor of a product is a rounded number, wrong by a few steps of its type. The sum is
    # taken in float64, so these errors, of either sign, are all that may part two keys that tie.
    exact = products.astype(np.float64)
    scores = exact.sum(axis=-1)
    error = 4 * np.finfo(products.dtype).eps * np.linalg.norm(exact, axis=-1)
    top = scores.argmax(axis=-1)[..., None]
    with np.errstate(invalid="ignore"):  # two infinite scores have no gap
        gap = np.take_along_axis(scores, top, axis=-1) - scores
    beaten = np.isinf(gap) | (gap > error + np.take_along_axis(error, top, axis=-1))
    level = np.where(np.isnan(scores), np.nan, 0).astype(products.dtype)
    weights = softmax(np.where(beaten, -np.inf, level))
    columns = values if values.ndim == 2 else values[:, None]
    answer = blend(weights[..., None, :], columns, beaten[..., None, :])
    return answer.reshape((*scores.shape[:-1], *values.shape[1:]))[()]  # a scalar, not a () array


def _check_table(query: Array, keys: Array, values: Array) -> None:
    if keys.ndim != 2 or keys.shape[0] == 0:
        raise ValueError(f"keys must be (m, d_k) with m >= 1: keys is {keys.shape}")
    if query.shape[-1:] != keys.shape[1:]:
        raise ValueError(
            f"query and keys must share d_k: query is {query.shape}, keys is {keys.shape}"
        )
    if values.ndim not in (1, 2) or values.shape[0] != keys.shape[0]:
        raise ValueError(
            f"values must be (m,) or (m, d_v), one for each key: "
            f"keys is {keys.shape}, values is {values.shape}"
        )
