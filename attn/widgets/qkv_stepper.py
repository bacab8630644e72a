"""Chapter 3: three 2×2 projections to set by hand, and the six steps of one attention layer."""

import numpy as np
import traitlets

from attn.core import attention, attention_weights
from attn.widgets import checks
from attn.widgets.figure import Figure

STEPS = ("project", "score", "scale", "softmax", "weight", "sum")
LARGEST_ENTRY = 2
MOST_TOKENS = 5


class QKVStepper(Figure):
    """Set every entry of W_q, W_k and W_v, and walk one token through the six steps.

    Parameters
    ----------
    tokens : list of n names, at most 5
    embeddings : (n, 2)
    W_q, W_k, W_v : (2, 2)
        Entries between -2 and 2. Queries are `embeddings @ W_q`, and so on.
    word : int
        The token whose row is followed.
    step : int
        0 (project) to 5 (sum).

    Examples
    --------
    >>> QKVStepper().outputs[1].round(3)
    array([1.723, 0.139])
    """

    tokens = traitlets.List(["cat", "walks", "street"]).tag(sync=True)
    embeddings = traitlets.List([[1.0, 1.0], [0.0, 2.0], [2.0, 0.0]]).tag(sync=True)
    W_q = traitlets.List([[0.0, 1.0], [1.0, 0.0]]).tag(sync=True)
    W_k = traitlets.List([[1.0, 0.0], [0.0, 1.0]]).tag(sync=True)
    W_v = traitlets.List([[1.0, 0.0], [0.0, 0.5]]).tag(sync=True)
    word = traitlets.Int(1).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)

    def __init__(self, **traits):
        """Name the tokens "token 1", "token 2", … unless `tokens` says otherwise."""
        arrays = {k: v.tolist() for k, v in traits.items() if isinstance(v, np.ndarray)}
        traits = traits | arrays
        if "embeddings" in traits and "tokens" not in traits:
            count = len(traits["embeddings"])
            names = [f"token {i + 1}" for i in range(count)]
            traits = {"word": 0, **traits, "tokens": names}
        super().__init__(**traits)
        self._check_counts()

    @property
    def queries(self):
        """Shape (n, 2)."""
        return np.array(self.embeddings) @ self.W_q

    @property
    def key_rows(self):
        """Shape (n, 2). (`keys` is taken: every ipywidget lists its synced traits there.)"""
        return np.array(self.embeddings) @ self.W_k

    @property
    def values(self):
        """Shape (n, 2)."""
        return np.array(self.embeddings) @ self.W_v

    @property
    def weights(self):
        """Shape (n, n), each row summing to 1."""
        return attention_weights(self.queries, self.key_rows)

    @property
    def outputs(self):
        """Shape (n, 2)."""
        return attention(self.queries, self.key_rows, self.values)

    @traitlets.validate("embeddings")
    def _points(self, proposal):
        return checks.table("embeddings", proposal["value"], 2)

    @traitlets.validate("W_q", "W_k", "W_v")
    def _projection(self, proposal):
        name, rows = (
            proposal["trait"].name,
            checks.table(proposal["trait"].name, proposal["value"], 2),
        )
        if len(rows) != 2:
            raise traitlets.TraitError(f"{name} must have shape (2, 2), not ({len(rows)}, 2)")
        for entry in np.array(rows).ravel().tolist():
            checks.within(f"each entry of {name}", entry, -LARGEST_ENTRY, LARGEST_ENTRY)
        return rows

    @traitlets.validate("step")
    def _a_step(self, proposal):
        return checks.within("step", proposal["value"], 0, len(STEPS) - 1)

    @traitlets.validate("word")
    def _not_negative(self, proposal):
        return checks.within("word", proposal["value"], 0, MOST_TOKENS - 1)

    def _check_counts(self):
        n, names = len(self.embeddings), len(self.tokens)
        if n != names or not self.word < n <= MOST_TOKENS:
            raise traitlets.TraitError(
                f"each token needs one embedding, at most {MOST_TOKENS}, and word is one of them: "
                f"{names} tokens, {n} embeddings, word {self.word}"
            )
