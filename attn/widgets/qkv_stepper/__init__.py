"""Chapter 3: three 2×2 projections to set by hand, and the six steps of one attention layer."""

import numpy as np
import traitlets

from attn.core import attention, attention_weights
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Matrix, Place, Vectors

STEPS = ("project", "score", "scale", "softmax", "weight", "sum")
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
    array([0.526, 0.938])
    """

    tokens = traitlets.List(["cat", "walks", "street"]).tag(sync=True)
    embeddings = Vectors([[1.0, 1.0], [2.0, 0.0], [0.0, -1.0]])
    W_q = Matrix([[0.0, 2.0], [0.0, 0.0]], -2, 2, step=0.1)
    W_k = Matrix([[1.0, 0.0], [0.0, 1.0]], -2, 2, step=0.1)
    W_v = Matrix([[0.5, 0.0], [0.0, 1.0]], -2, 2, step=0.1)
    word = traitlets.Int(1).tag(sync=True)
    step = Place(STEPS)

    def __init__(self, **traits):
        """Name the tokens "token 1", "token 2", … unless `tokens` says otherwise."""
        if "embeddings" in traits and "tokens" not in traits:
            names = [f"token {i + 1}" for i in range(len(traits["embeddings"]))]
            traits = {"word": 0, **traits, "tokens": names}
        super().__init__(**traits)

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

    @traitlets.validate("tokens", "embeddings", "word")
    def _one_of_each(self, proposal):
        new = self._as_proposed(proposal, "tokens", "embeddings", "word")
        names, n = len(new["tokens"]), len(new["embeddings"])
        if n != names or not 0 <= new["word"] < n <= MOST_TOKENS:
            raise traitlets.TraitError(
                f"each token needs one embedding, at most {MOST_TOKENS}, and word is one of them: "
                f"{names} tokens, {n} embeddings, word {new['word']}"
            )
        return proposal["value"]
