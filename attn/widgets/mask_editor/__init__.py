"""Chapter 6: hide keys from queries, in the right way and in three others, and see what leaks."""

from typing import ClassVar

import numpy as np
import traitlets

from attn import sentence
from attn.core import causal_mask, padding_mask, sliding_window_mask, softmax
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Whole

N = len(sentence.WORDS)
# The head *who?* of the small world: its two columns of each matrix.
Q, K, V = (sentence.X @ W[:, :2] for W in (sentence.W_q, sentence.W_k, sentence.W_v))
SCALE = 1 / np.sqrt(2)
PAD = "[pad]"
KINDS = {
    "causal": "causal: nothing later",
    "padding": "padding: no [pad]",
    "both": "causal and padding",
    "window": "sliding window, past only",
    "all": "everything is seen",
    "custom": "your own",
}
WAYS = {
    "inf": "score = −∞",
    "big": "score = −1e9",
    "score": "score = 0",
    "weight": "weight = 0",
}
# What stands for a hidden score; "weight" hides after the softmax.
FILL = {"inf": -np.inf, "big": -1e9, "score": 0.0}


def masked_row(scores, look, way):
    """One query's weights, hidden in one of four ways; None where no softmax is left.

    >>> [masked_row([2.0, 1.0, 3.0], [True, True, False], way).round(3).tolist() for way in WAYS]
    ... # doctest: +NORMALIZE_WHITESPACE
    [[0.731, 0.269, 0.0], [0.731, 0.269, 0.0], [0.665, 0.245, 0.09], [0.245, 0.09, 0.0]]
    """
    scores, look = np.asarray(scores, dtype=float), np.asarray(look)
    if way == "weight":
        return softmax(scores) * look
    if way == "inf" and not look.any():
        return None
    return softmax(np.where(look, scores, FILL[way]))


def leaks(q, K, V, look, way, scale=SCALE):
    """How an output y moves with what is hidden: the norms of ∂y/∂V and ∂y/∂K over hidden rows.

    None where there are no weights.
    """
    hidden = ~np.asarray(look)
    p = masked_row(scale * K @ q, look, way)
    if p is None:
        return None
    through_values = np.sqrt(V.shape[1]) * np.linalg.norm(p[hidden])
    if way != "weight":  # a hidden score is a constant: no hidden key enters
        return float(through_values), 0.0
    # The softmax was shared with the hidden keys: ∂y/∂s_j = -p_j y, and ∂s_j/∂k_j = scale q.
    full, y = softmax(scale * K @ q), p @ V
    through_keys = np.linalg.norm(full[hidden]) * np.linalg.norm(y) * scale * np.linalg.norm(q)
    return float(through_values), float(through_keys)


class MaskEditor(Figure):
    """Choose or draw a mask over six words, or over fewer and places of padding.

    The queries, keys and values are those of the head *who?*, and the scores are divided by √2.
    A place of padding is all zeros.

    Parameters
    ----------
    kind : {"causal", "padding", "both", "window", "all", "custom"}
        Which mask; "custom" is the one in `own`.
    window : int
        How many keys a query sees in a sliding window, itself included, 1 to 6.
    length : int
        How many of the six places hold words, 1 to 6; the others are padding.
    own : (6, 6) of bool
        True where query i may look at key j.
    way : {"inf", "big", "score", "weight"}
        How a key is hidden: a score of −∞, of −1e9 or of 0, or a weight of 0 after the softmax.
    query : int
        Whose row is told in words, counted from 1.

    Examples
    --------
    >>> MaskEditor(kind="padding", length=3).mask[0].tolist()
    [True, True, True, False, False, False]
    """

    query = Whole(3, 1, N)
    kind = Choice(KINDS)
    window = Whole(2, 1, N)
    length = Whole(N, 1, N)
    way = Choice(WAYS)
    own = traitlets.List(causal_mask(N).tolist()).tag(sync=True)
    constants: ClassVar = {
        "words": list(sentence.WORDS),
        "pad": PAD,
        "queries": Q.tolist(),
        "keys": K.tolist(),
        "values": V.tolist(),
        "scale": float(SCALE),
        "fill": {way: score for way, score in FILL.items() if np.isfinite(score)},
    }

    @property
    def mask(self):
        """True where query i may look at key j, shape (6, 6)."""
        padding = np.repeat(padding_mask(self.length, N), N, axis=0)
        return {
            "causal": causal_mask(N),
            "padding": padding,
            "both": causal_mask(N) & padding,
            "window": sliding_window_mask(N, self.window),
            "all": np.ones((N, N), dtype=bool),
            "custom": np.array(self.own),
        }[self.kind]

    @property
    def weights(self):
        """The weights, (6, 6); NaN where a query sees nothing and `way` is "inf"."""
        real = np.arange(N)[:, None] < self.length
        scores = SCALE * (real * Q) @ (real * K).T
        rows = [
            masked_row(row, look, self.way) for row, look in zip(scores, self.mask, strict=True)
        ]
        return np.array([np.full(N, np.nan) if row is None else row for row in rows])

    @traitlets.validate("own")
    def _six_by_six(self, proposal):
        own = np.asarray(proposal["value"])
        if own.dtype != np.bool_ or own.shape != (N, N):
            raise traitlets.TraitError(
                f"own must be booleans of shape ({N}, {N}), not {own.dtype} of shape {own.shape}"
            )
        return own.tolist()
