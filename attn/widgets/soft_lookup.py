"""Chapter 1: a query dial over keys in the plane, and one slider from uniform to one-hot."""

import numpy as np
import traitlets

from attn.widgets import checks
from attn.widgets.figure import Figure
from attn.widgets.shares import RULES


class SoftLookup(Figure):
    """Turn a unit query among 2-D keys and watch the answer move between the values.

    Parameters
    ----------
    query_angle : float
        Direction of the query in degrees, anticlockwise from the first axis, -180 to 180.
    beta : float
        Sharpness, 0 (every key alike) to `max_beta` (nearly the best key alone).
    key_vectors : (m, 2)
        (`keys` is taken: every ipywidget lists its synced traits there.)
    values : (m,)
    labels : list of m names
    rule : {"softmax", "relu", "sparsemax"}
        How scores become weights.

    Examples
    --------
    >>> round(SoftLookup().output, 3)
    14.248
    """

    query_angle = traitlets.Float(0.0).tag(sync=True)
    beta = traitlets.Float(1.0).tag(sync=True)
    max_beta = traitlets.Float(8.0).tag(sync=True)
    key_vectors = traitlets.List([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]).tag(sync=True)
    values = traitlets.List([10.0, 20.0, 30.0]).tag(sync=True)
    labels = traitlets.List(["key 1", "key 2", "key 3"]).tag(sync=True)
    rule = traitlets.Enum(list(RULES), "softmax").tag(sync=True)

    def __init__(self, **traits):
        """Name the keys "key 1", "key 2", … unless `labels` says otherwise."""
        if "key_vectors" in traits and "labels" not in traits:
            traits["labels"] = [f"key {j + 1}" for j in range(len(traits["key_vectors"]))]
        for name in ("key_vectors", "values"):
            if isinstance(traits.get(name), np.ndarray):
                traits[name] = traits[name].tolist()
        super().__init__(**traits)
        self._check_counts()

    @property
    def query(self):
        """The unit query, shape (2,)."""
        return np.array(
            [np.cos(np.radians(self.query_angle)), np.sin(np.radians(self.query_angle))]
        )

    @property
    def weights(self):
        """How the query shares itself among the keys, shape (m,)."""
        return RULES[self.rule](self.beta * (np.array(self.key_vectors) @ self.query))

    @property
    def output(self):
        """The values' mean under the weights."""
        return float(self.weights @ np.array(self.values))

    @traitlets.validate("key_vectors")
    def _two_dimensional(self, proposal):
        return checks.table("key_vectors", proposal["value"], 2)

    @traitlets.validate("values")
    def _one_number_per_key(self, proposal):
        return checks.numbers("values", proposal["value"])

    @traitlets.validate("query_angle")
    def _half_turn(self, proposal):
        return checks.within("query_angle (degrees)", proposal["value"], -180, 180)

    @traitlets.validate("beta")
    def _sharpness(self, proposal):
        return checks.within("beta", proposal["value"], 0, self.max_beta)

    def _check_counts(self):
        counts = {name: len(getattr(self, name)) for name in ("key_vectors", "values", "labels")}
        if len(set(counts.values())) > 1:
            raise traitlets.TraitError(
                "each key needs one value and one label: "
                + ", ".join(f"{count} {name}" for name, count in counts.items())
            )
