"""Chapter 5: cut the projections into heads, or cut the sequence and see what is lost."""

from typing import ClassVar

import numpy as np
import traitlets

from attn.core import attention_weights
from attn.sentence import ENTRIES, QUESTIONS, WORDS, W_k, W_o, W_q, W_v, X
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Power

CUTS = {"columns": "columns of W_q, W_k, W_v", "sequence": "the sequence (misread)"}
LAYERS = 6
D = len(ENTRIES)


class HeadSplitter(Figure):
    """Cut one layer of attention into heads, switch heads off, and ask how far words reach.

    The matrices are those of `attn.sentence`, whatever the number of heads.

    Parameters
    ----------
    heads : {1, 2, 4}
    cut : {"columns", "sequence"}
        Whether a head gets some columns of the queries, keys and values of all words, or all
        columns of some words.
    on : list of 4 bools
        Whether each head is on; what a head that is off would add is 0.

    Examples
    --------
    >>> HeadSplitter(heads=4).weights[0][2].round(2).tolist()
    [0.03, 0.87, 0.03, 0.03, 0.03, 0.03]
    """

    heads = Power(4, 1, 4)
    cut = Choice(CUTS)
    on = traitlets.List(traitlets.Bool(), [True] * 4, minlen=4, maxlen=4).tag(sync=True)
    constants: ClassVar = {
        "words": list(WORDS),
        "entries": list(ENTRIES),
        "questions": list(QUESTIONS),
        "follow": WORDS.index("walks"),
        "layers": LAYERS,
        "X": X.tolist(),
        "W_q": W_q.tolist(),
        "W_k": W_k.tolist(),
        "W_v": W_v.tolist(),
        "W_o": W_o.tolist(),
    }

    @property
    def parts(self):
        """For each head, which words (rows) and which columns of Q, K and V it has."""
        whole = np.arange(len(X)), np.arange(D)
        cut = np.array_split(whole[self.cut == "columns"], self.heads)
        if self.cut == "columns":
            return [(whole[0], columns) for columns in cut]
        return [(rows, whole[1]) for rows in cut]

    @property
    def weights(self):
        """One matrix for each head, (rows, rows)."""
        Q, K = X @ W_q, X @ W_k
        return [attention_weights(Q[np.ix_(*p)], K[np.ix_(*p)]) for p in self.parts]

    @property
    def merged(self):
        """What the heads bring, side by side, (6, 8); 0 where a head is off."""
        return self._attend(X, np.zeros((0, *X.shape)))[0]

    @property
    def contributions(self):
        """What each head adds to the outputs, (heads, 6, 8); 0 where it is off."""
        alone = np.zeros((self.heads, *X.shape))
        for Z, part in zip(alone, self.parts, strict=True):
            Z[np.ix_(*part)] = self.merged[np.ix_(*part)]
        return alone @ W_o

    @property
    def outputs(self):
        """A new vector for each word, (6, 8)."""
        return self.merged @ W_o

    @property
    def influences(self):
        """How far the first word's output moves with the last word's vector.

        The Frobenius norm of the slopes ∂y/∂x, (8, 8), after 1 to 6 layers with the same
        matrices, (6,).
        """
        nudges = np.zeros((D, *X.shape))
        nudges[np.arange(D), -1, np.arange(D)] = 1
        tokens, found = X, []
        for _ in range(LAYERS):
            merged, moved = self._attend(tokens, nudges)
            tokens, nudges = merged @ W_o, moved @ W_o
            found.append(np.linalg.norm(nudges[:, 0]))
        return np.array(found)

    def _attend(self, tokens, nudges):
        """The merged heads, (6, 8), and how they move with each nudge of the tokens."""
        merged, moved = np.zeros_like(tokens), np.zeros_like(nudges)
        for part, on in zip(self.parts, self.on, strict=False):
            if on:
                here = np.ix_(*part)
                Q, K, V = ((tokens @ W)[here] for W in (W_q, W_k, W_v))
                dQ, dK, dV = ((nudges @ W)[:, *here] for W in (W_q, W_k, W_v))
                A = attention_weights(Q, K)
                dS = (dQ @ K.T + Q @ dK.swapaxes(-1, -2)) / np.sqrt(Q.shape[-1])
                dA = A * (dS - (A * dS).sum(axis=-1, keepdims=True))
                merged[here] = A @ V
                moved[:, *here] = dA @ V + A @ dV
        return merged, moved
