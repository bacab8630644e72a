"""Chapter 10: what each part of the block does to six tokens, layer after layer."""

from functools import cache
from typing import ClassVar

import numpy as np
import traitlets

from attn.core import feed_forward, layer_norm, multi_head_attention, sinusoidal_positions
from attn.sentence import POSITION_SCALE, WORDS, X
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.random_normals import normals
from attn.widgets.kit.traits import Choice, Real, Whole

SEED = 100
LAYERS, HEADS, HIDDEN, DRAWS = 12, 2, 32, 5
SIZE = X.shape[1]
EPS = 1e-5
NORMS = {"none": "none", "pre": "pre: before", "post": "post: after"}
AXES = {"log": "powers of 10", "linear": "0 to 1"}
TOKENS = X + POSITION_SCALE * sinusoidal_positions(*X.shape)  # what enters, (6, 8)
# The matrices of a layer in the order in which they are drawn. An entry's variance is 1 divided by
# the rows, so that a product is about as large as what it is made from.
SHAPES = {
    **dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), (SIZE, SIZE)),
    "W_1": (SIZE, HIDDEN),
    "W_2": (HIDDEN, SIZE),
}


@cache
def drawn(draw):
    """The matrices of every layer, a list of dictionaries."""
    cuts = np.cumsum([rows * columns for rows, columns in SHAPES.values()])
    numbers = normals(LAYERS * int(cuts[-1]), SEED + draw).reshape(LAYERS, -1)
    return [
        {
            name: part.reshape(shape) / np.sqrt(shape[0])
            for (name, shape), part in zip(SHAPES.items(), np.split(row, cuts[:-1]), strict=True)
        }
        for row in numbers
    ]


def distance(X):
    """How far tokens (n, d) lie from their mean, as a share of their norm: 0 if all are equal."""
    return np.linalg.norm(X - X.mean(axis=0)) / np.linalg.norm(X)


class BlockSwitches(Figure):
    """Stack twelve layers, switch the parts of the block on and off, and see tokens merge or stay.

    The six words enter with their positions. Every layer has random matrices of its own, two heads
    and 32 hidden units; there are no biases.

    Parameters
    ----------
    layer : int
        After how many layers the tokens are shown, 0 to 12.
    residual : bool
        Whether each part's answer is added to what it was made from, or replaces it.
    norm : {"none", "pre", "post"}
        No layer norm, one before each part, or one after each sum.
    feed_forward : bool
        Whether attention is followed by the small network.
    factor : float
        What every matrix is multiplied by, 0.5 to 2.
    draw : int
        Which random matrices, 1 to 5.
    axis : {"log", "linear"}
        How the chart shows distances.

    Examples
    --------
    >>> BlockSwitches().distances[:2].round(4)
    array([0.7803, 0.0913])
    """

    layer = Whole(0, 0, LAYERS)
    residual = traitlets.Bool(False).tag(sync=True)
    norm = Choice(NORMS)
    feed_forward = traitlets.Bool(False).tag(sync=True)
    factor = Real(1.0, 0.5, 2, step=0.25)
    draw = Whole(1, 1, DRAWS)
    axis = Choice(AXES)
    constants: ClassVar = {
        **{"words": list(WORDS), "X": TOKENS.tolist(), "seed": SEED, "heads": HEADS},
        **{"layers": LAYERS, "eps": EPS, "shapes": [[n, *s] for n, s in SHAPES.items()]},
    }

    @property
    def tokens(self):
        """What enters, and what leaves each layer, (13, 6, 8)."""
        found = [TOKENS]
        for matrices in drawn(self.draw):
            found.append(self._layer(found[-1], matrices))
        return np.array(found)

    @property
    def distances(self):
        """How far the tokens lie from their mean, as a share of their norm, (13,)."""
        return np.array([distance(X) for X in self.tokens])

    @property
    def norms(self):
        """A token's norm, on average, (13,)."""
        return np.linalg.norm(self.tokens, axis=-1).mean(axis=-1)

    def _layer(self, X, matrices):
        W = {name: self.factor * matrix for name, matrix in matrices.items()}
        attended = ("W_q", "W_k", "W_v", "W_o")

        def attend(X):
            return multi_head_attention(X, *(W[name] for name in attended), heads=HEADS)

        def think(X):
            return feed_forward(X, W["W_1"], np.zeros(HIDDEN), W["W_2"], np.zeros(SIZE))

        for part in (attend, think) if self.feed_forward else (attend,):
            Y = part(layer_norm(X, eps=EPS) if self.norm == "pre" else X)
            Y = X + Y if self.residual else Y
            X = layer_norm(Y, eps=EPS) if self.norm == "post" else Y
        return X
