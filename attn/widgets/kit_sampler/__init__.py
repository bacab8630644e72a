"""One of each part that figures are made of, for the page "How figures look"."""

from typing import ClassVar

import traitlets

from attn.widgets.kit import checks
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Place, Real

WORDS = ["the", "cat", "walks", "home"]


class KitSampler(Figure):
    """Every control, drawing and table of the kit, in one card.

    >>> KitSampler(step=3)
    Traceback (most recent call last):
    traitlets.traitlets.TraitError: step must be between 0 and 2, not 3
    """

    sharpness = Real(2.0, 0, 8, step=0.1)
    causal = traitlets.Bool(False).tag(sync=True)
    kind = Choice({"weight": "weights", "score": "scores"})
    tab = Place(["matrix", "vector", "steps", "charts", "tables"])
    step = Place(["score", "share", "blend"])
    query = Place(WORDS)
    vector = traitlets.List([1.0, 0.5]).tag(sync=True)
    constants: ClassVar = {
        "words": WORDS,
        "values": [1, 2, 3, 4],
        "keys": [[0.9, -0.5], [0.85, -0.62]],
        "reach": 1.5,
    }

    @traitlets.validate("vector")
    def _in_the_plane(self, proposal):
        return checks.table("vector", [proposal["value"]], 2)[0]
