"""Chapter 3: the sizes of one attention layer, drawn to scale, and products that do not fit."""

from typing import ClassVar

from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Whole

PRODUCTS = {
    "none": "nothing more",
    "q_k": "Q K, without the transpose",
    "q_v": "Q Vᵀ, values for keys",
    "at_v": "Aᵀ V, rows and columns swapped",
    "v_a": "V A, the order swapped",
    "residual": "X + Y, the input added",
}
PAPER = {"d_model": 512, "d_k": 64, "d_v": 64}


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

    d_model = Whole(8, 1, 512)
    d_k = Whole(4, 1, 128)
    d_v = Whole(6, 1, 128)
    n = Whole(3, 1, 64)
    m = Whole(5, 1, 64)
    product = Choice(PRODUCTS)
    constants: ClassVar = {"paper": PAPER}

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
