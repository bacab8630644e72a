"""Chapter 1: one table, one query, and three lookups: exact, nearest, soft."""

from typing import ClassVar

import numpy as np
import traitlets

from attn.core import softmax
from attn.widgets.kit import checks
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Numbers, Real, Vectors

COMPASS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
TIE = 1e-9  # scores closer than this are equal: 45° is not quite 45° in floating point


class TableLookup(Figure):
    """Ask a table of winds for a direction and compare what three lookups return.

    Each lookup gives every row a weight, and the answer is the sum of weight times value.
    *Exact* weighs the row whose key is the query's name, *nearest* the row with the highest
    score, *soft* every row. Only *exact* can find nothing.

    Parameters
    ----------
    kind : {"exact", "nearest", "soft"}
        Whose rows are lit and whose SQL is shown.
    query_angle : float
        Direction of the query in degrees, anticlockwise from east, -180 to 180.
    beta : float
        Sharpness of the soft lookup, 0 to 40.
    key_vectors : (m, 2)
    values : (m,)
    labels : list of m names

    Examples
    --------
    >>> TableLookup(query_angle=45).answers["exact"] is None
    True
    >>> round(TableLookup(query_angle=45).answers["soft"], 2)
    15.01
    """

    kind = Choice({"exact": "exact", "nearest": "nearest", "soft": "soft"})
    query_angle = Real(90.0, -180, 180, unit="degrees")
    beta = Real(5.0, 0, 40, step=0.1)
    key_vectors = Vectors([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    values = Numbers([10.0, 20.0, 30.0])
    labels = traitlets.List(["east", "north", "west"]).tag(sync=True)
    constants: ClassVar = {"compass": list(COMPASS), "tie": TIE}

    @property
    def query_name(self):
        """The name of the query's direction on the compass, or its degrees."""
        eighths = self.query_angle / 45
        if eighths == int(eighths):
            return COMPASS[int(eighths) % 8]
        return f"{self.query_angle:g}°".replace("-", "−")

    @property
    def query(self):
        """The unit query, shape (2,)."""
        turn = np.radians(self.query_angle)
        return np.array([np.cos(turn), np.sin(turn)])

    @property
    def scores(self):
        """Each key's dot product with the query, shape (m,)."""
        return np.array(self.key_vectors) @ self.query

    @property
    def weights(self):
        """How much each row counts in each lookup, three arrays of shape (m,)."""
        is_match = np.array([label == self.query_name for label in self.labels])
        is_best = self.scores >= self.scores.max() - TIE
        return {
            "exact": _first(is_match),
            "nearest": _first(is_best),
            "soft": softmax(self.beta * self.scores),
        }

    @property
    def answers(self):
        """What each lookup returns; None if it finds no row."""
        values = np.array(self.values)
        return {k: float(w @ values) if w.any() else None for k, w in self.weights.items()}

    @property
    def sql(self):
        """The chosen lookup's statement, with the query's numbers rounded as on the page."""
        x, y = (f"{part:.2f}" for part in self.query.round(2) + 0.0)
        score = f"x*{x} + y*{y}"
        return {
            "exact": f"SELECT value\nFROM notebook\nWHERE key = '{self.query_name}'",
            "nearest": f"SELECT value\nFROM notebook\nORDER BY {score} DESC\nLIMIT 1",
            "soft": (
                "SELECT SUM(e * value) / SUM(e)\n"
                f"FROM (SELECT value, exp({self.beta:g} * (\n  {score})) AS e\nFROM notebook)"
            ),
        }[self.kind]

    @traitlets.validate("key_vectors", "values", "labels")
    def _one_of_each(self, proposal):
        counted = self._as_proposed(proposal, "key_vectors", "values", "labels")
        checks.one_each("each key needs one value and one label", **counted)
        return proposal["value"]


def _first(chosen):
    """Weight 1 for the first row that is chosen, 0 for the others."""
    weights = np.zeros(len(chosen))
    weights[np.flatnonzero(chosen)[:1]] = 1
    return weights
