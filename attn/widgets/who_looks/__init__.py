"""Chapter 6: a recurrent writer, pooling and self-attention over the same four vectors."""

from typing import ClassVar

import numpy as np

from attn.core import attention_weights
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Real, Whole

SOURCE = ("the", "black", "cat", "sleeps")
PATCHES = ("patch 1", "patch 2", "patch 3", "patch 4")
VECTORS = np.array([[0.0, -2.0], [1.2, 1.8], [2.0, 0.6], [-2.0, -0.4]])
# What the writer wants next, after all that is written.
WISHES = {
    "": [0.0, -2.4],
    "le": [2.0, 0.4],
    "le chat": [-1.0, 2.6],
    "le noir": [2.6, -1.4],
    "le chat noir": [-2.6, 0.4],
    "le noir chat": [-2.6, 0.4],
}
TEXTS = {"chat": ("le", "chat", "noir", "dort"), "noir": ("le", "noir", "chat", "dort")}
NORM = 2.0  # of the learned query of pooling
CARRIED = 0.25  # how much of what the last row fetched enters the next state
SCALE = 1 / np.sqrt(2)
KINDS = {
    "decoder": "recurrent writer",
    "pooling": "pooling",
    "self": "self-attention",
}


def rows(text, steps):
    """The writer's weights at each of its first steps, (steps, 4), one after the other.

    A state is a wish, which depends on all words so far, and a share of what the last row fetched.

    >>> rows(("le", "chat"), 2).round(2)
    array([[0.93, 0.  , 0.01, 0.06],
           [0.05, 0.22, 0.72, 0.  ]])
    """
    found, fetched = [], np.zeros(2)
    for t in range(steps):
        state = CARRIED * fetched + WISHES[" ".join(text[:t])]
        found.append(attention_weights(state[None], VECTORS, scale=SCALE)[0])
        fetched = found[-1] @ VECTORS
    return np.array(found)


class WhoLooks(Figure):
    """Ask the same four vectors in three ways.

    Parameters
    ----------
    kind : {"decoder", "pooling", "self"}
        Who asks: the state of a writer, step by step; one learned query; the vectors themselves.
    step : int
        The step of the writer, or the word that is told of in self-attention, 1 to 4.
    second : {"chat", "noir"}
        The second word that the writer has written.
    angle : float
        Direction of the learned query of pooling in degrees, -180 to 180; its norm is 2.

    Examples
    --------
    >>> WhoLooks(step=2).weights.shape
    (2, 4)
    """

    step = Whole(2, 1, len(SOURCE))
    kind = Choice(KINDS)
    second = Choice({word: word for word in TEXTS})
    angle = Real(0.0, -180, 180, unit="degrees")
    constants: ClassVar = {
        "source": list(SOURCE),
        "patches": list(PATCHES),
        "vectors": VECTORS.tolist(),
        "wishes": WISHES,
        "texts": {name: list(text) for name, text in TEXTS.items()},
        "norm": NORM,
        "carried": CARRIED,
        "scale": float(SCALE),
    }

    @property
    def weights(self):
        """A row for each query, (n, 4); for the writer, for each step that it has come to."""
        if self.kind == "decoder":
            return rows(TEXTS[self.second], self.step)
        return attention_weights(self._queries(), VECTORS, scale=SCALE)

    def _queries(self):
        if self.kind == "self":
            return VECTORS
        turn = np.radians(self.angle)
        return NORM * np.array([[np.cos(turn), np.sin(turn)]])
