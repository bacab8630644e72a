"""Chapter 6: self-attention, encoder-decoder attention and pooling over the same four vectors."""

from typing import ClassVar

import numpy as np

from attn.core import attention_weights
from attn.widgets.figure import Figure
from attn.widgets.traits import Choice, Real, Whole

SOURCE = ("the", "black", "cat", "sleeps")
PATCHES = ("patch 1", "patch 2", "patch 3", "patch 4")
VECTORS = np.array([[0.0, -2.0], [0.0, 2.0], [2.0, 0.0], [-2.0, 0.0]])
# What the writer's state gains from the word it wrote last: a wish for what comes next.
WISHES = {
    "": [0.0, -2.0],
    "le": [2.0, 0.0],
    "chat": [0.0, 2.0],
    "noir": [-2.0, 0.0],
    "dort": [0.0, 0.0],
}
TEXTS = {"chat": ("le", "chat", "noir", "dort"), "noir": ("le", "noir", "chat", "dort")}
KEPT = 0.25  # how much of its last state the writer keeps
SCALE = 1 / np.sqrt(2)
KINDS = {
    "decoder": "encoder–decoder: a writer asks",
    "self": "self-attention: the words ask",
    "pooling": "pooling: one learned query asks",
}
SECOND = {"chat": "chat", "noir": "noir"}


def states(text):
    """The writer's state before each word of `text`, (4, 2): it depends on the words so far.

    >>> states(("le", "chat"))
    array([[ 0. , -2. ],
           [ 2. , -0.5]])
    """
    found, state = [], np.zeros(2)
    for last in ("", *text)[: len(text)]:
        state = KEPT * state + WISHES[last]
        found.append(state)
    return np.array(found)


class WhoLooks(Figure):
    """Ask the same four vectors in three ways.

    Parameters
    ----------
    kind : {"decoder", "self", "pooling"}
        Who asks: the state of a writer, step by step; the vectors themselves; one learned query.
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

    step = Whole(2, 1, 4)
    kind = Choice(KINDS)
    second = Choice(SECOND)
    angle = Real(0.0, -180, 180, unit="degrees")
    constants: ClassVar = {
        "source": list(SOURCE),
        "patches": list(PATCHES),
        "vectors": VECTORS.tolist(),
        "wishes": WISHES,
        "texts": {name: list(text) for name, text in TEXTS.items()},
        "kept": KEPT,
        "scale": float(SCALE),
    }

    @property
    def queries(self):
        """Who asks: (step, 2) states of the writer, the (4, 2) vectors, or (1, 2)."""
        if self.kind == "decoder":
            return states(TEXTS[self.second])[: self.step]
        if self.kind == "self":
            return VECTORS
        turn = np.radians(self.angle)
        return 2 * np.array([[np.cos(turn), np.sin(turn)]])

    @property
    def weights(self):
        """A row for each query, (n, 4)."""
        return attention_weights(self.queries, VECTORS, scale=SCALE)
