"""Chapter 3: the sizes of one attention layer, drawn to scale, and products that do not fit."""

import traitlets

from attn.widgets import checks
from attn.widgets.figure import Figure

LARGEST = {"d_model": 512, "d_k": 128, "d_v": 128, "n": 64, "m": 64}
PRODUCTS = ("none", "q_k", "q_v", "at_v", "v_a", "residual")


class ShapeCalculator(Figure):
    """Choose the five sizes and see every matrix; try a product that people write by mistake.

    Parameters
    ----------
    d_model, d_k, d_v, n, m : int
        At least 1; at most 512, 128, 128, 64 and 64.
    product : {"none", "q_k", "q_v", "at_v", "v_a", "residual"}
        One more product to try: Q K, Q Vᵀ, Aᵀ V, V A, or the sum X + Y.

    Examples
    --------
    >>> ShapeCalculator().shapes["A"]
    (3, 5)
    >>> ShapeCalculator(d_k=0)
    Traceback (most recent call last):
    traitlets.traitlets.TraitError: d_k must be between 1 and 128, not 0
    """

    d_model = traitlets.Int(8).tag(sync=True)
    d_k = traitlets.Int(4).tag(sync=True)
    d_v = traitlets.Int(6).tag(sync=True)
    n = traitlets.Int(3).tag(sync=True)
    m = traitlets.Int(5).tag(sync=True)
    product = traitlets.Enum(list(PRODUCTS), "none").tag(sync=True)

    @property
    def shapes(self):
        """(rows, columns) of each matrix, by name."""
        return {
            "X": (self.n, self.d_model),
            "memory": (self.m, self.d_model),
            "W_q": (self.d_model, self.d_k),
            "W_k": (self.d_model, self.d_k),
            "W_v": (self.d_model, self.d_v),
            "Q": (self.n, self.d_k),
            "K": (self.m, self.d_k),
            "V": (self.m, self.d_v),
            "A": (self.n, self.m),
            "Y": (self.n, self.d_v),
        }

    @traitlets.validate(*LARGEST)
    def _in_range(self, proposal):
        name = proposal["trait"].name
        return checks.within(name, proposal["value"], 1, LARGEST[name])
