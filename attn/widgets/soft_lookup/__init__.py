"""Chapter 1: a query dial over keys in the plane, and one slider from uniform to one-hot."""

import numpy as np
import traitlets

from attn.widgets.kit import checks
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Numbers, Real, Vectors
from attn.widgets.soft_lookup.weighting import RULES


class SoftLookup(Figure):
    """Turn a unit query among 2-D keys and watch the answer move between the values.

    Parameters
    ----------
    query_angle : float
        Direction of the query in degrees, anticlockwise from the first axis, -180 to 180.
    beta : float
        Sharpness, 0 (every key alike) to 8 (nearly the best key alone).
    key_vectors : (m, 2)
        (`keys` is taken: every ipywidget lists its synced traits there.)
    values : (m,)
    labels : list of m names
    rule : {"softmax", "relu", "sparsemax"}
        How scores become weights.
    plain : bool
        Leave out the menu of rules and the entropy, for readers who have met neither.

    Examples
    --------
    >>> round(SoftLookup().output, 3)
    14.248
    """

    query_angle = Real(0.0, -180, 180, unit="degrees")
    beta = Real(1.0, 0, 8, step=0.1)
    key_vectors = Vectors([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    values = Numbers([10.0, 20.0, 30.0])
    labels = traitlets.List(["key 1", "key 2", "key 3"]).tag(sync=True)
    rule = Choice({"softmax": "softmax", "relu": "ReLU ÷ its sum", "sparsemax": "sparsemax"})
    plain = traitlets.Bool(False).tag(sync=True)

    def __init__(self, **traits):
        """Name the keys "key 1", "key 2", … unless `labels` says otherwise."""
        if "key_vectors" in traits and "labels" not in traits:
            traits["labels"] = [f"key {j + 1}" for j in range(len(traits["key_vectors"]))]
        super().__init__(**traits)

    @property
    def query(self):
        """The unit query, shape (2,)."""
        turn = np.radians(self.query_angle)
        return np.array([np.cos(turn), np.sin(turn)])

    @property
    def weights(self):
        """How the query shares itself among the keys, shape (m,)."""
        return RULES[self.rule](self.beta * (np.array(self.key_vectors) @ self.query))

    @property
    def output(self):
        """The values' mean under the weights."""
        return float(self.weights @ np.array(self.values))

    @traitlets.validate("key_vectors", "values", "labels")
    def _one_of_each(self, proposal):
        counted = self._as_proposed(proposal, "key_vectors", "values", "labels")
        checks.one_each("each key needs one value and one label", **counted)
        return proposal["value"]
