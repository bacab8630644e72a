"""The forward pass: from tokens to a score for each possible next token.

Thirty blocks of the kind that Llama made common: RMSNorm before each part, nine query heads in
three groups, positions by rotation, a causal mask, and a gated feed-forward layer. The table that
turns tokens into vectors scores the next token too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from attn.core.arrays import Array
from attn.smollm.parts import Parts, weights_of
from attn.smollm.weights import BASE, CONTEXT, EPS, GROUPS, HEADS, Model


@dataclass
class Cache:
    """Keys and values of what was read so far: a pair for each layer, (groups, tokens, 64) each."""

    layers: list[tuple[Array, ...]] = field(default_factory=list)
    length: int = 0

    @property
    def bytes(self) -> int:
        """What the keys and values take."""
        return sum(2 * keys[:, : self.length].nbytes for keys, _ in self.layers)

    def add(self, layer: int, K: Array, V: Array) -> tuple[Array, ...]:
        """Append to a layer; all keys and values that it then has."""
        end = self.length + K.shape[-2]
        if layer == len(self.layers):
            self.layers.append((_room(K, 0, end), _room(V, 0, end)))
        elif end > self.layers[layer][0].shape[-2]:
            self.layers[layer] = tuple(_room(old, self.length, end) for old in self.layers[layer])
        for old, new in zip(self.layers[layer], (K, V), strict=True):
            old[:, self.length : end] = new
        return tuple(old[:, :end] for old in self.layers[layer])


@dataclass(frozen=True)
class Reading:
    """What the model makes of n tokens.

    Parameters
    ----------
    logits : (n, 49152)
        The score of each token as the one after each of them.
    attention : (30, 9, n, m), optional
        The weights of every head over all m tokens so far, if they were asked for.
    """

    logits: np.ndarray
    attention: np.ndarray | None = None


def read(
    ids: Sequence[int],
    model: Model,
    *,
    cache: Cache | None = None,
    parts: Mapping[str, Callable] | None = None,
    last: bool = False,
    attention: bool = False,
) -> Reading:
    """Read tokens after those in the cache, which is appended to.

    Parameters
    ----------
    ids : list of int
    model : Model
    cache : Cache, optional
    parts : dict, optional
        Functions to use in place of `attn`'s, by name.
    last : bool, default False
        If true, score the token after the last one only: (1, 49152).
    attention : bool, default False
        Whether to return the heads' weights too.

    Returns
    -------
    Reading

    Raises
    ------
    ValueError
        If there is no token, if there are more than 8,192 with those in the cache, or if a part
        has another name or returns another shape than the model needs.
    """
    cache = Cache() if cache is None else cache
    n, total = len(ids), cache.length + len(ids)
    if not n:
        raise ValueError("there must be a token to read: the text is empty")
    if total > CONTEXT:
        raise ValueError(f"the model reads {CONTEXT:,} tokens at most: this makes {total:,}")
    own, maps = Parts(parts), []
    positions = cache.length + np.arange(n)
    mask = own.mask(n, total)
    X = model.table[list(ids)]
    for k, layer in enumerate(model.layers):
        Y = own.norm(X, layer["gain_1"], EPS)
        Q = own.rotate(own.split(Y @ layer["W_q"], HEADS), positions, BASE)
        K = own.rotate(own.split(Y @ layer["W_k"], GROUPS), positions, BASE)
        K, V = cache.add(k, K, own.split(Y @ layer["W_v"], GROUPS))
        if attention:
            maps.append(weights_of(Q, K, mask))
        X = X + own.merge(own.attend(Q, K, V, mask)) @ layer["W_o"]
        Y = own.norm(X, layer["gain_2"], EPS)
        X = X + own.transform(Y, layer["W_gate"], layer["W_up"], layer["W_down"])
    cache.length = total
    X = own.norm(X[-1:] if last else X, model.gain, EPS)
    return Reading(X @ model.scores, np.stack(maps) if attention else None)


def _room(old: Array, length: int, needed: int) -> Array:
    """A larger array with what the old one holds: half as much again as is needed."""
    larger = np.zeros((old.shape[0], max(needed * 3 // 2, 64), old.shape[-1]), old.dtype)
    larger[:, :length] = old[:, :length]
    return larger
