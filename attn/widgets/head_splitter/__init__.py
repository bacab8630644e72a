"""Chapter 5: cut queries, keys and values into heads, or cut the sequence and see what is lost."""

from typing import ClassVar

import numpy as np
import traitlets

from attn.core import attention_weights
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.sentence import ENTRIES, W_K, W_Q, WORDS, X
from attn.widgets.kit.traits import Choice, Power, Whole

CUTS = {"embedding": "split the embedding", "sequence": "split the sequence"}
LAYERS = 6
D = len(ENTRIES)


def _cosines():
    """An orthogonal matrix without zeros, (8, 8)."""
    k, i = np.arange(D)[:, None], np.arange(D)
    C = np.sqrt(2 / D) * np.cos(np.pi * (i + 0.5) * k / D)
    C[0] /= np.sqrt(2)
    return C


def _signs():
    """An orthogonal matrix of ±1/√8, (8, 8)."""
    H = np.ones((1, 1))
    while len(H) < D:
        H = np.block([[H, H], [H, -H]])
    return H / np.sqrt(D)


W_V = _cosines()
W_O = np.hstack([_signs(), _cosines()[:, :4]])


class HeadSplitter(Figure):
    """Cut one layer of attention into heads, switch heads off, and ask how far words reach.

    The matrices are set by hand and stay the same whatever the number of heads.

    Parameters
    ----------
    heads : {1, 2, 4}
    cut : {"embedding", "sequence"}
        Whether a head gets some columns of the queries, keys and values of all words, or all
        columns of some words.
    d_out : {4, 8, 12}
        How many columns of W_o are used, and so the size of the outputs.
    on : list of 4 bools
        Whether each head is on; what a head that is off would add is 0.

    Examples
    --------
    >>> HeadSplitter(heads=4).weights[0][2].round(2).tolist()
    [0.03, 0.87, 0.03, 0.03, 0.03, 0.03]
    """

    heads = Power(2, 1, 4)
    cut = Choice(CUTS)
    d_out = Whole(8, 4, 12, step=4)
    on = traitlets.List(traitlets.Bool(), [True] * 4, minlen=4, maxlen=4).tag(sync=True)
    constants: ClassVar = {
        "words": list(WORDS),
        "follow": WORDS.index("walks"),
        "layers": LAYERS,
        "X": X.tolist(),
        "W_q": W_Q.tolist(),
        "W_k": W_K.tolist(),
        "W_v": W_V.tolist(),
        "W_o": W_O.tolist(),
    }

    @staticmethod
    def matrices():
        """The words' vectors and the four projections: (6, 8), then (8, 8) four times."""
        return X.copy(), W_Q.copy(), W_K.copy(), W_V.copy(), W_O[:, :D].copy()

    @property
    def parts(self):
        """For each head, which words (rows) and which columns of Q, K and V it has."""
        whole = np.arange(len(X)), np.arange(D)
        cut = np.array_split(whole[self.cut == "embedding"], self.heads)
        if self.cut == "embedding":
            return [(whole[0], columns) for columns in cut]
        return [(rows, whole[1]) for rows in cut]

    @property
    def weights(self):
        """One matrix for each head, (rows, rows)."""
        Q, K = X @ W_Q, X @ W_K
        return [attention_weights(Q[np.ix_(*p)], K[np.ix_(*p)]) for p in self.parts]

    @property
    def merged(self):
        """What the heads bring, side by side, (6, 8); 0 where a head is off."""
        return self._attend(X, np.zeros((0, *X.shape)))[0]

    @property
    def outputs(self):
        """A new vector for each word, (6, d_out)."""
        return self.merged @ W_O[:, : self.d_out]

    @property
    def influences(self):
        """How far the first word's output moves with the last word's vector.

        The Frobenius norm of the slopes ∂y/∂x, (8, d_out), after 1 to 6 layers with the same
        matrices, (6,). If d_out is not 8, the outputs cannot enter the layer again: (1,).
        """
        nudges = np.zeros((D, *X.shape))
        nudges[np.arange(D), -1, np.arange(D)] = 1
        tokens, found = X, []
        for _ in range(LAYERS if self.d_out == D else 1):
            merged, moved = self._attend(tokens, nudges)
            found.append(np.linalg.norm((moved @ W_O[:, : self.d_out])[:, 0]))
            tokens, nudges = merged @ W_O[:, :D], moved @ W_O[:, :D]
        return np.array(found)

    def _attend(self, tokens, nudges):
        """The merged heads, (6, 8), and how they move with each nudge of the tokens."""
        merged, moved = np.zeros_like(tokens), np.zeros_like(nudges)
        for part, on in zip(self.parts, self.on, strict=False):
            if on:
                here = np.ix_(*part)
                Q, K, V = ((tokens @ W)[here] for W in (W_Q, W_K, W_V))
                dQ, dK, dV = ((nudges @ W)[:, *here] for W in (W_Q, W_K, W_V))
                A = attention_weights(Q, K)
                dS = (dQ @ K.T + Q @ dK.swapaxes(-1, -2)) / np.sqrt(Q.shape[-1])
                dA = A * (dS - (A * dS).sum(axis=-1, keepdims=True))
                merged[here] = A @ V
                moved[:, *here] = dA @ V + A @ dV
        return merged, moved
