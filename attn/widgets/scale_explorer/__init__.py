"""Chapter 4: what d_k does to scores and weights, raw and divided by √d_k side by side."""

from functools import cache
from typing import ClassVar

import numpy as np

from attn.core import attention_weights
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.random_normals import normals
from attn.widgets.kit.traits import Power, Whole

SEED = 4
SEQUENCES = TOKENS = 16
LARGEST = 1024
REACH = 32  # the scores' axis ends there, on both sides; for d_k = 1024 it is one spread


@cache
def queries_and_keys():
    """The random numbers of the figure: sequence, query or key, token, entry."""
    shape = (SEQUENCES, 2, TOKENS, LARGEST)
    return normals(int(np.prod(shape)), SEED).reshape(shape)


class ScaleExplorer(Figure):
    """Give random queries and keys more entries, and compare raw scores with divided ones.

    There are 16 sequences of 16 queries and 16 keys, all entries of mean 0 and variance 1. A
    smaller `d_k` uses the first entries of the same vectors.

    Parameters
    ----------
    d_k : int
        Size of queries and keys, a power of two from 1 to 1024.
    query : int
        Whose weights are drawn, of the 256 queries, counted from 1.

    Examples
    --------
    >>> raw, divided = ScaleExplorer(d_k=64).weights
    >>> raw.shape
    (256, 16)
    """

    d_k = Power(2, 1, LARGEST)
    query = Whole(1, 1, SEQUENCES * TOKENS)
    constants: ClassVar = {
        "seed": SEED,
        "sequences": SEQUENCES,
        "tokens": TOKENS,
        "largest": LARGEST,
        "reach": REACH,
    }

    @staticmethod
    def sample(d_k):
        """Queries and keys of that size, (16, 16, d_k) each: sequence, token, entry."""
        return queries_and_keys()[..., :d_k].swapaxes(0, 1)

    @property
    def weights(self):
        """Each query's weights on the 16 keys of its sequence, raw and divided, (2, 256, 16)."""
        Q, K = self.sample(self.d_k)
        scales = 1.0, 1 / np.sqrt(self.d_k)
        ways = [attention_weights(Q, K, scale=scale) for scale in scales]
        return np.array(ways).reshape(2, -1, TOKENS)

    @property
    def spreads(self):
        """The standard deviation of all 4096 scores, raw and divided, (2,)."""
        Q, K = self.sample(self.d_k)
        raw = (Q @ K.swapaxes(-1, -2)).std()
        return np.array([raw, raw / np.sqrt(self.d_k)])
