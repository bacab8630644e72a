"""Chapter 13: a softmax and its blend, read block by block, with three running numbers."""

import numpy as np
import traitlets

from attn.core import online_softmax, softmax
from attn.widgets.kit import checks
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Numbers, Whole

KEYS, LOW, HIGH = 8, -5, 5


class Scores(Numbers):
    """Eight scores, each under a slider of its own."""

    def validate(self, obj, value):
        row = super().validate(obj, value)
        if len(row) != KEYS:
            raise traitlets.TraitError(f"{self.name} must have {KEYS} numbers, not {len(row)}")
        for score in row:
            checks.within(f"each of {self.name}", score, LOW, HIGH)
        return row

    def describe(self):
        """What the page's sliders need."""
        return {"min": LOW, "max": HIGH, "step": 0.5}


class TileStepper(Figure):
    """Read eight scores in blocks, and keep only a maximum, a sum and a blend.

    When a block is full, it is added to the running numbers: where its largest score is above the
    old maximum μ, what was added before is multiplied by exp(old μ - new μ) first.

    Parameters
    ----------
    step : int
        How many of the eight scores have been read, 1 to 8.
    block : int
        How many scores are held before they are added, 1 to 8.
    scores : (8,)
        From -5 to 5.
    values : (8,)

    Examples
    --------
    >>> TileStepper(step=8, block=3).running[0]
    4.0
    """

    step = Whole(4, 1, KEYS)
    block = Whole(1, 1, KEYS)
    scores = Scores([1.0, 0.0, 2.0, 1.0, 4.0, 0.0, 3.0, 2.0])
    values = Numbers([4.0, 1.0, 3.0, 8.0, 2.0, 6.0, 5.0, 7.0])

    @property
    def added(self):
        """How many scores have been added to the running numbers: those of full blocks."""
        return KEYS if self.step == KEYS else self.step - self.step % self.block

    @property
    def running(self):
        """Maximum μ, sum of exp(score - μ), and the output so far; None before the first block."""
        if not self.added:
            return None
        _, steps = online_softmax(self.scores[: self.added], self.block)
        return (*steps[-1], float(self.weights @ self.values[: self.added]))

    @property
    def weights(self):
        """The ordinary softmax of the scores that have been added."""
        return softmax(np.array(self.scores[: self.added])) if self.added else np.array([])

    @property
    def answer(self):
        """What ordinary attention gives for all eight: the softmax of all scores, times values."""
        return float(softmax(np.array(self.scores)) @ np.array(self.values))

    @traitlets.validate("values")
    def _one_value_each(self, proposal):
        checks.one_each("each score needs one value", scores=self.scores, values=proposal["value"])
        return proposal["value"]
