"""Chapter 8: what an output hears through layers of convolutions, and through one of attention."""

from typing import ClassVar

import numpy as np
import traitlets

from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Whole

POSITIONS = 33


class ReceptiveField(Figure):
    """Stack convolutions over 33 positions, and see which inputs reach one output.

    Parameters
    ----------
    layers : int
        How many, 1 to 40: more than any output needs with three cells.
    size : int
        The kernel's size in every layer, odd, 1 to 9.
    dilated : bool
        Whether the steps between a kernel's cells double from layer to layer: 1, 2, 4, …
    position : int
        The output that is followed, 1 to 33.

    Examples
    --------
    >>> ReceptiveField(layers=4, size=3).reached.sum()
    np.int64(9)
    """

    layers = Whole(3, 1, 40)
    size = Whole(3, 1, 9, step=2)
    position = Whole(17, 1, POSITIONS)
    dilated = traitlets.Bool(False).tag(sync=True)
    constants: ClassVar = {"positions": POSITIONS}

    @property
    def reached(self):
        """Which inputs the chosen output depends on, (33,) of bool."""
        heard = np.arange(POSITIONS) == self.position - 1
        half = (self.size - 1) // 2
        for layer in reversed(range(self.layers)):
            step = 2**layer if self.dilated else 1
            places = np.flatnonzero(heard)[:, None] + step * np.arange(-half, half + 1)
            inside = places[(places >= 0) & (places < POSITIONS)]
            heard = np.isin(np.arange(POSITIONS), inside)
        return heard
