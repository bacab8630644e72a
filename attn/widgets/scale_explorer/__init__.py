"""Chapter 4: what d_k does to scores, weights and sensitivities, and what the division undoes."""

from functools import cache
from typing import ClassVar

import numpy as np
import traitlets

from attn.core import attention_weights
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.random_normals import normals
from attn.widgets.kit.traits import Power, Whole

SEED = 4
SEQUENCES = TOKENS = 16
LARGEST = 1024
FADED = 0.001  # a query less sensitive than this hears next to nothing


@cache
def queries_and_keys():
    """The random numbers of the figure: sequence, query or key, token, entry."""
    shape = (SEQUENCES, 2, TOKENS, LARGEST)
    return normals(int(np.prod(shape)), SEED).reshape(shape)


class ScaleExplorer(Figure):
    """Give random queries and keys more entries, and divide their scores by √d_k or not.

    There are 16 sequences of 16 queries and 16 keys, all entries of mean 0 and variance 1. A
    smaller `d_k` uses the first entries of the same vectors.

    Parameters
    ----------
    d_k : int
        Size of queries and keys, a power of two from 1 to 1024.
    scaled : bool
        Whether the scores are divided by √d_k.
    query : int
        Which of the 256 queries is drawn, counted from 1.
    plain : bool
        Leave out the sensitivities, the entropy and the table, for readers who have met neither.

    Examples
    --------
    >>> ScaleExplorer(d_k=64, scaled=True).weights.shape
    (256, 16)
    """

    d_k = Power(64, 1, LARGEST)
    scaled = traitlets.Bool(False).tag(sync=True)
    query = Whole(1, 1, SEQUENCES * TOKENS)
    plain = traitlets.Bool(False).tag(sync=True)
    constants: ClassVar = {
        "seed": SEED,
        "sequences": SEQUENCES,
        "tokens": TOKENS,
        "largest": LARGEST,
        "faded": FADED,
    }

    @staticmethod
    def sample(d_k):
        """Queries and keys of that size, (16, 16, d_k) each: sequence, token, entry."""
        return queries_and_keys()[..., :d_k].swapaxes(0, 1)

    @property
    def weights(self):
        """Each query's weights on the 16 keys of its sequence, shape (256, 16)."""
        Q, K = self.sample(self.d_k)
        return attention_weights(Q, K, scale=self._scale).reshape(-1, TOKENS)

    @property
    def sensitivities(self):
        """How far each query's weights move with a raw score q · k, shape (256,).

        The Frobenius norm of scale (diag(p) - p pᵀ): one variable, divided or not.
        """
        p = self.weights
        J = p[:, None] * (np.eye(TOKENS) - p[:, :, None])
        return self._scale * np.linalg.norm(J, axis=(1, 2))

    @property
    def _scale(self):
        return 1 / np.sqrt(self.d_k) if self.scaled else 1.0
