"""One of each part that figures are made of, for the page "How figures look"."""

import traitlets

from attn.widgets import checks
from attn.widgets.figure import Figure

PANELS = 4
STEPS = 3


class KitSampler(Figure):
    """Sliders, choices, tabs, steps, heat maps, bars and a vector to drag, in one card.

    >>> KitSampler(step=3)
    Traceback (most recent call last):
    traitlets.traitlets.TraitError: step must be between 0 and 2, not 3
    """

    sharpness = traitlets.Float(2.0).tag(sync=True)
    causal = traitlets.Bool(False).tag(sync=True)
    kind = traitlets.Enum(["weight", "score"], "weight").tag(sync=True)
    tab = traitlets.Int(0).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    vector = traitlets.List([1.0, 0.5]).tag(sync=True)

    @traitlets.validate("sharpness")
    def _positive(self, proposal):
        return checks.within("sharpness", proposal["value"], 0, 8)

    @traitlets.validate("tab")
    def _a_panel(self, proposal):
        return checks.within("tab", proposal["value"], 0, PANELS - 1)

    @traitlets.validate("step")
    def _a_step(self, proposal):
        return checks.within("step", proposal["value"], 0, STEPS - 1)

    @traitlets.validate("vector")
    def _in_the_plane(self, proposal):
        return checks.table("vector", [proposal["value"]], 2)[0]
