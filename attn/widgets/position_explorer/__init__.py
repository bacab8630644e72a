"""Chapter 7: four ways to say where a token stands, and what a query sees of a distance."""

from typing import ClassVar

import numpy as np

from attn.core import alibi_bias, attention_weights, rotate, sinusoidal_positions
from attn.data import load
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Power, Whole

KINDS = {
    "sinusoidal": "sinusoidal: a fixed vector is added",
    "learned": "learned: a trained vector is added",
    "rotary": "RoPE: queries and keys are turned",
    "alibi": "ALiBi: far keys lose some score",
}
POSITIONS, HEADS = 32, 8
SOUGHT = -2  # at which offset the turned query and key agree
_ORDER = load("order")


class PositionExplorer(Figure):
    """Choose an encoding, a query's position and an offset to a key, and compare.

    There are 32 positions. "learned" shows vectors from a model of the chapter's own experiment,
    trained on the first 16 positions. "rotary" turns one query and one key, the same at every
    position, made so that their score is largest when the key stands 2 places before the query.

    Parameters
    ----------
    kind : {"sinusoidal", "learned", "rotary", "alibi"}
    offset : int
        Key's position minus query's position, -8 to 8.
    position : int
        Of the query, 8 to 23, so that the key stands in the table too.
    size : int
        Size of the vectors, a power of two from 4 to 64; learned ones have 32 entries.
    base : int
        How much slower the slowest clock is than the fastest, almost: a power of ten, 10 to 10⁶.
    head : int
        Whose slope ALiBi takes, 1 to 8.

    Examples
    --------
    >>> PositionExplorer(offset=0).scores[12, 12].round(6)
    np.float64(4.0)
    """

    kind = Choice(KINDS)
    offset = Whole(3, -8, 8)
    position = Whole(12, 8, POSITIONS - 9)
    size = Power(8, 4, 64)
    base = Power(10_000, 10, 1_000_000, base=10)
    head = Whole(1, 1, HEADS)
    constants: ClassVar = {
        "positions": POSITIONS,
        "trained": _ORDER["trained"],
        "learned": _ORDER["places"][:POSITIONS],
        "sought": SOUGHT,
        "heads": HEADS,
    }

    @property
    def table(self):
        """What each position's row holds: (32, size), for ALiBi the bias, (32, 32)."""
        if self.kind == "sinusoidal":
            return sinusoidal_positions(POSITIONS, self.size, base=self.base)
        if self.kind == "learned":
            return np.array(self.constants["learned"])
        return self._turned(SOUGHT) if self.kind == "rotary" else self._bias

    @property
    def scores(self):
        """Dot products of positions or of turned vectors, or ALiBi's weights: (32, 32)."""
        if self.kind == "alibi":
            nothing = np.zeros((POSITIONS, 1))
            return attention_weights(nothing, nothing, bias=self._bias)
        return self.table @ (self._turned(0) if self.kind == "rotary" else self.table).T

    @property
    def _bias(self):
        return alibi_bias(POSITIONS, HEADS)[self.head - 1]

    def _turned(self, ahead):
        """The vector (1, 0, 1, 0, ...) at every position, turned `ahead` positions further."""
        ones = np.tile([1.0, 0.0], (POSITIONS, self.size // 2))
        return rotate(ones, np.arange(POSITIONS) + ahead, base=self.base)
