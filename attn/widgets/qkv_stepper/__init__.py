"""Chapter 3: three 2×2 projections to set by hand, and the six steps of one attention layer."""

import numpy as np
import traitlets

from attn import sentence as world
from attn.core import attention, attention_weights
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Matrix, Place, Vectors

STEPS = ("project", "score", "scale", "softmax", "weight", "sum")
MOST_TOKENS = 6
# Of the layer's head who?: the two entries that its questions read.
ENTRIES = ("verb", "living")
ROWS = [world.ENTRIES.index(entry) for entry in ENTRIES]
COLUMNS = slice(0, 2)
LARGEST = 6.0


class QKVStepper(Figure):
    """Set every entry of W_q, W_k and W_v, and walk one token through the six steps.

    Parameters
    ----------
    tokens : list of n names, at most 6
    embeddings : (n, 2)
    entries : two names
        What the entries of an embedding are called.
    W_q, W_k, W_v : (2, 2)
        Entries between -6 and 6. Queries are `embeddings @ W_q`, and so on.
    word : int
        The token whose row is followed.
    step : int
        0 (project) to 5 (sum).

    Examples
    --------
    >>> QKVStepper().outputs[2].round(3)
    array([0.873, 0.   ])
    """

    tokens = traitlets.List(list(world.WORDS)).tag(sync=True)
    embeddings = Vectors(world.X[:, ROWS].tolist())
    entries = traitlets.List(traitlets.Unicode(), list(ENTRIES), minlen=2, maxlen=2).tag(sync=True)
    W_q = Matrix(world.W_q[ROWS, COLUMNS].tolist(), -LARGEST, LARGEST, step=0.5)
    W_k = Matrix(world.W_k[ROWS, COLUMNS].tolist(), -LARGEST, LARGEST, step=0.5)
    W_v = Matrix(world.W_v[ROWS, COLUMNS].tolist(), -LARGEST, LARGEST, step=0.5)
    word = traitlets.Int(world.WORDS.index("walks")).tag(sync=True)
    step = Place(STEPS)

    def __init__(self, **traits):
        """Name the tokens "token 1", "token 2", … unless `tokens` says otherwise."""
        if "embeddings" in traits and "tokens" not in traits:
            names = [f"token {i + 1}" for i in range(len(traits["embeddings"]))]
            traits = {"word": 0, **traits, "tokens": names}
        if "embeddings" in traits:
            traits = {"entries": ["entry 0", "entry 1"], **traits}
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
