"""The functions that the model is made of, any of which may be the reader's own."""

import math

import numpy as np

from attn.core import (
    attention,
    feed_forward,
    layer_norm,
    merge_heads,
    multi_head_attention,
    softmax,
    split_heads,
)

EPS = 1e-12
DEFAULTS = {
    "softmax": softmax,
    "attention": attention,
    "multi_head_attention": multi_head_attention,
    "split_heads": split_heads,
    "merge_heads": merge_heads,
    "layer_norm": layer_norm,
    "feed_forward": feed_forward,
}
# What a function does by itself; a reader's own makes these superfluous.
_CONTAINS = {
    "attention": ("softmax",),
    "multi_head_attention": ("attention", "softmax", "split_heads", "merge_heads"),
}


class Parts:
    """`attn`'s functions, or the reader's where they gave one, called as the chapters call them.

    A reader's softmax gets one row of scores, a reader's attention one head, and a reader's
    multi_head_attention no biases, since the exercises ask for no more. What comes back is checked
    for its shape and for being finite.
    """

    def __init__(self, own=None):
        self.own = dict(own or {})
        unknown = [str(name) for name in self.own if name not in DEFAULTS]
        if unknown:
            raise ValueError(
                f"parts may replace {', '.join(DEFAULTS)}: unknown {', '.join(unknown)}"
            )
        for whole, inside in _CONTAINS.items():
            twice = [name for name in inside if name in self.own and whole in self.own]
            if twice:
                raise ValueError(
                    f"parts may hold {whole} or {twice[0]}, not both: {whole} has its own in it"
                )

    def attend(self, Q, K, V):
        """Each head's answers, (h, n, d_v), for Q, K, V of (h, n, d)."""
        shape = (*Q.shape[:-1], V.shape[-1])
        if "attention" in self.own:
            answers = [self.own["attention"](*head) for head in zip(Q, K, V, strict=True)]
            return self._checked("attention", answers, shape)
        if "softmax" in self.own:
            scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
            rows = [[self.own["softmax"](row) for row in head] for head in scores]
            return self._checked("softmax", rows, scores.shape) @ V
        return attention(Q, K, V)

    @property
    def mixes(self):
        """Whether the reader brought the whole of multi-head attention."""
        return "multi_head_attention" in self.own

    def mix(self, X, W_q, W_k, W_v, W_o, heads):
        """What a reader's multi-head attention makes of X, (n, columns of W_o)."""
        shape = (len(X), W_o.shape[1])
        return self._call("multi_head_attention", shape, X, W_q, W_k, W_v, W_o, heads)

    def split(self, X, heads):
        """Each token's vector in one part per head, (h, n, d/h)."""
        n, d = X.shape
        return self._call("split_heads", (heads, n, d // heads), X, heads)

    def merge(self, Y):
        """The parts of each token side by side, (n, d)."""
        h, n, d = Y.shape
        return self._call("merge_heads", (n, h * d), Y)

    def norm(self, X, gain, shift):
        """Each token brought to mean 0 and variance 1, stretched and shifted."""
        return self._call("layer_norm", X.shape, X, gain, shift, eps=EPS)

    def transform(self, X, W_1, b_1, W_2, b_2):
        """Each token through the hidden layer with GELU and back."""
        return self._call("feed_forward", X.shape, X, W_1, b_1, W_2, b_2, activation="gelu")

    def _call(self, name, shape, *arguments, **options):
        if name not in self.own:
            return DEFAULTS[name](*arguments, **options)
        return self._checked(name, self.own[name](*arguments, **options), shape)

    def _checked(self, name, answer, shape):
        """A reader's answer as float32, as the model's own numbers are."""
        try:
            found = np.asarray(answer, dtype=np.float32)
        except (TypeError, ValueError):
            raise ValueError(f"your {name} must return an array of numbers") from None
        if found.shape != shape:
            raise ValueError(f"your {name} must return {shape} here: got {found.shape}")
        if not np.isfinite(found).all():
            raise ValueError(f"your {name} must return finite numbers: got {_first_odd(found)}")
        return found


def _first_odd(found):
    return found[~np.isfinite(found)][0]
