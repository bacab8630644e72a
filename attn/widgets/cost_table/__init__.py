"""Chapter 9: what a layer costs, counted in full, and where one becomes cheaper than another."""

from typing import ClassVar

import traitlets

from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Power, Whole

CELLS = {"gru": "GRU", "lstm": "LSTM", "rnn": "plain RNN"}
# How many (d, d) matrices one step multiplies by: a token's and a state's for each gate.
MATRICES = {"rnn": 2, "gru": 6, "lstm": 8}


class CostTable(Figure):
    """Choose the length n, the size d and the kernel size s, and count what three layers cost.

    Parameters
    ----------
    n, d : int
        Tokens and their size, powers of two: n from 8 to 65536, d from 16 to 4096.
    s : int
        Tokens that a kernel spans, 2 to 15.
    cell : {"gru", "lstm", "rnn"}
        What recurs.
    plain : bool
        Leave out the convolution and what was printed, for readers who have met neither.

    Examples
    --------
    >>> CostTable(n=1024, d=512).counts["attention"]
    {'projections': 1073741824, 'scores and blend': 1073741824}
    """

    n = Power(64, 8, 65536)
    d = Power(512, 16, 4096)
    s = Whole(3, 2, 15)
    cell = Choice(CELLS)
    plain = traitlets.Bool(False).tag(sync=True)
    constants: ClassVar = {"matrices": MATRICES}

    @property
    def counts(self):
        """Multiply-adds of one layer, by layer and part."""
        n, d = self.n, self.d
        return {
            "attention": {"projections": 4 * n * d * d, "scores and blend": 2 * n * n * d},
            "recurrence": {"gates": MATRICES[self.cell] * n * d * d},
            "convolution": {"kernel": self.s * n * d * d},
        }

    @property
    def paths(self):
        """Layers, or steps in time, until the last output has seen the first token."""
        dilated = next(layers for layers in range(1, 64) if self.s**layers >= self.n)
        return {
            "attention": 1,
            "recurrence": self.n,
            "convolution": -(-(self.n - 1) // (self.s - 1)),
            "dilated convolution": dilated,
        }

    @property
    def crossings(self):
        """The n up to which attention costs less than each other layer; 0 or less if never."""
        # 4 n d² + 2 n² d = c n d²  at  n = (c/2 − 2) d.
        return {
            "recurrence": (MATRICES[self.cell] / 2 - 2) * self.d,
            "convolution": (self.s / 2 - 2) * self.d,
        }
