"""Chapter 9: linear attention as a recurrence, its state filling word by word."""

from typing import ClassVar

import numpy as np

from attn.core import linear_attention, linear_attention_recurrent
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.random_normals import normals
from attn.widgets.kit.traits import Whole

SENTENCE = ("the", "cat", "walks", "on", "the", "street")
LARGEST, D_V, SEED = 4, 3, 93


def _tokens():
    """Queries and keys (6, 4), values (6, 3), to one decimal."""
    widths = (LARGEST, LARGEST, D_V)
    numbers = np.round(normals(len(SENTENCE) * sum(widths), SEED), 1) + 0.0
    return np.split(numbers.reshape(len(SENTENCE), -1), np.cumsum(widths)[:2], axis=1)


Q, K, V = _tokens()


class LinearState(Figure):
    """Read a sentence word by word into one matrix, and compare with all words at once.

    Queries, keys and values are random; a smaller `d_k` uses the first entries of the same vectors.

    Parameters
    ----------
    step : int
        How many of the six words have been read, 1 to 6.
    d_k : int
        Size of queries and keys, 1 to 4.

    Examples
    --------
    >>> LinearState(step=6).state.shape
    (4, 3)
    """

    step = Whole(2, 1, len(SENTENCE))
    d_k = Whole(LARGEST, 1, LARGEST)
    constants: ClassVar = {
        "words": list(SENTENCE),
        "Q": Q.tolist(),
        "K": K.tolist(),
        "V": V.tolist(),
    }

    @property
    def state(self):
        """Σ φ(k)ᵀ v over the words read so far, (d_k, 3)."""
        return linear_attention_recurrent(*self._vectors)[1][self.step - 1]

    @property
    def outputs(self):
        """The last word's output: from the state, and from all words at once, (3,) each."""
        at = self.step - 1
        recurrent, parallel = (
            linear_attention_recurrent(*self._vectors)[0],
            linear_attention(*self._vectors, causal=True),
        )
        return recurrent[at], parallel[at]

    @property
    def _vectors(self):
        return Q[:, : self.d_k], K[:, : self.d_k], V
