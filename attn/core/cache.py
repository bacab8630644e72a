"""Keys and values kept from earlier steps, so that each new token costs one row."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.dot_product import attention
from attn.core.masks import causal_mask
from attn.core.shapes import check_keys_and_values, check_queries_and_keys, floats


class KeyValueCache:
    """Attend causally while a sequence grows.

    Feeding a sequence in pieces, of one token or of several, gives the same rows as one causal pass
    over the whole. The cache knows no positions: rotate queries and keys before they
    enter, with ``positions=len(cache) + np.arange(n)``.

    Examples
    --------
    >>> cache = KeyValueCache()
    >>> cache.step([[0.0]], [[0.0]], [[2.0]])
    array([[2.]])
    >>> cache.step([[0.0]], [[0.0]], [[4.0]])
    array([[3.]])
    >>> len(cache)
    2
    """

    _keys: Array | None
    _values: Array | None

    def __init__(self) -> None:
        self.clear()

    def step(self, Q: ArrayLike, K: ArrayLike, V: ArrayLike) -> Array:
        """Append new keys and values, then let the new queries look at all that they follow.

        Parameters
        ----------
        Q : (..., n, d_k)
            The last n positions after appending.
        K : (..., m, d_k)
            New keys, usually m = n. Leading axes as in the first step.
        V : (..., m, d_v)

        Returns
        -------
        (..., n, d_v)

        Raises
        ------
        ValueError
            If the shapes do not fit each other or the cache. The cache is then as before.
        """
        Q, K, V = floats(Q=Q, K=K, V=V)
        check_keys_and_values(K, V)
        keys, values = _append("keys", self._keys, K), _append("values", self._values, V)
        check_queries_and_keys(Q, keys)
        out = attention(Q, keys, values, mask=causal_mask(Q.shape[-2], keys.shape[-2]))
        self._keys, self._values = keys, values
        return out

    @property
    def keys(self) -> Array | None:
        """All keys so far, (..., m, d_k), or None before the first step."""
        return self._keys

    @property
    def values(self) -> Array | None:
        """All values so far, (..., m, d_v), or None before the first step."""
        return self._values

    def __len__(self) -> int:
        return 0 if self._keys is None else self._keys.shape[-2]

    def clear(self) -> None:
        """Forget everything."""
        self._keys = self._values = None


def _append(name: str, old: Array | None, new: Array) -> Array:
    if old is None:
        return new.copy()
    if (*old.shape[:-2], old.shape[-1]) != (*new.shape[:-2], new.shape[-1]):
        raise ValueError(
            f"new {name} must match the cache in every axis but the second last: "
            f"the cache holds {old.shape}, received {new.shape}"
        )
    return np.concatenate([old, new], axis=-2)
