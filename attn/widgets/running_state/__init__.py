"""Chapter 9: a state that reads the sentence word by word, and what it still holds of each word."""

from typing import ClassVar

import numpy as np

from attn.sentence import ENTRIES, WORDS, X
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Real, Whole

GATES = {"same": "at every word", "living": "at living words"}


class RunningState(Figure):
    """Read the sentence into one vector that keeps a share of itself at every word.

    h_t = g_t h_{t−1} + (1 − g_t) x_t, from h_0 = 0: a recurrent step with the word itself as its
    candidate.

    Parameters
    ----------
    step : int
        How many of the six words have been read, 1 to 6.
    keep : float
        The gate g where it is open: how much of the old state stays, 0 to 0.95.
    gate : {"same", "living"}
        Open at every word, or at living words only; at the others all of the state stays.

    Examples
    --------
    >>> RunningState(step=2).shares
    array([0.25, 0.25, 0.5 ])
    """

    step = Whole(1, 1, len(WORDS))
    keep = Real(0.5, 0, 0.95, step=0.05)
    gate = Choice(GATES)
    constants: ClassVar = {
        "words": list(WORDS),
        "entries": list(ENTRIES),
        "living": ENTRIES.index("living"),
        "X": X.tolist(),
    }

    @property
    def gates(self):
        """g at each of the words read so far, (step,)."""
        living = X[: self.step, ENTRIES.index("living")] > 0
        return np.where(living | (self.gate == "same"), self.keep, 1.0)

    @property
    def shares(self):
        """What the state is made of: the start, then each word read, (1 + step,); the sum is 1."""
        shares = np.array([1.0])
        for g in self.gates:
            shares = np.append(g * shares, 1 - g)
        return shares

    @property
    def state(self):
        """The state after the last word read, (8,)."""
        return self.shares[1:] @ X[: self.step]
