"""One of each part that figures are made of, for the page "How figures look"."""

from typing import ClassVar

import traitlets

from attn.widgets.kit import checks
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Place, Real


class KitSampler(Figure):
    """Sliders, choices, tabs, steps, heat maps, bars and a vector to drag, in one card.

    >>> KitSampler(step=3)
    Traceback (most recent call last):
    traitlets.traitlets.TraitError: step must be between 0 and 2, not 3
    """

    sharpness = Real(2.0, 0, 8, step=0.1)
    causal = traitlets.Bool(False).tag(sync=True)
    kind = Choice({"weight": "weights", "score": "scores"})
    tab = Place(["matrix", "vector", "steps"])
    step = Place(["score", "share", "blend"])
    vector = traitlets.List([1.0, 0.5]).tag(sync=True)
    constants: ClassVar = {"words": ["the", "cat", "walks", "home"], "reach": 1.5}

    @traitlets.validate("vector")
    def _in_the_plane(self, proposal):
        return checks.table("vector", [proposal["value"]], 2)[0]
