"""The functions that the model is made of, any of which may be the reader's own."""

import math
from typing import ClassVar

from attn.core import (
    attention,
    feed_forward,
    layer_norm,
    merge_heads,
    multi_head_attention,
    softmax,
    split_heads,
)
from attn.pretrained import parts as pretrained

EPS = 1e-12


class Parts(pretrained.Parts):
    """`attn`'s functions, or the reader's where they gave one, called as the chapters call them.

    A reader's softmax gets one row of scores, a reader's attention one head, and a reader's
    multi_head_attention no biases, since the exercises ask for no more.
    """

    defaults: ClassVar = {
        "softmax": softmax,
        "attention": attention,
        "multi_head_attention": multi_head_attention,
        "split_heads": split_heads,
        "merge_heads": merge_heads,
        "layer_norm": layer_norm,
        "feed_forward": feed_forward,
    }
    contains: ClassVar = {
        "attention": ("softmax",),
        "multi_head_attention": ("attention", "softmax", "split_heads", "merge_heads"),
    }

    def attend(self, Q, K, V):
        """Each head's answers, (h, n, d_v), for Q, K, V of (h, n, d)."""
        shape = (*Q.shape[:-1], V.shape[-1])
        if "attention" in self.own:
            answers = [self.own["attention"](*head) for head in zip(Q, K, V, strict=True)]
            return self.checked("attention", answers, shape)
        if "softmax" in self.own:
            scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
            rows = [[self.own["softmax"](row) for row in head] for head in scores]
            return self.checked("softmax", rows, scores.shape) @ V
        return attention(Q, K, V)

    @property
    def mixes(self):
        """Whether the reader brought the whole of multi-head attention."""
        return "multi_head_attention" in self.own

    def mix(self, X, W_q, W_k, W_v, W_o, heads):
        """What a reader's multi-head attention makes of X, (n, columns of W_o)."""
        shape = (len(X), W_o.shape[1])
        return self.call("multi_head_attention", shape, X, W_q, W_k, W_v, W_o, heads)

    def split(self, X, heads):
        """Each token's vector in one part per head, (h, n, d/h)."""
        n, d = X.shape
        return self.call("split_heads", (heads, n, d // heads), X, heads)

    def merge(self, Y):
        """The parts of each token side by side, (n, d)."""
        h, n, d = Y.shape
        return self.call("merge_heads", (n, h * d), Y)

    def norm(self, X, gain, shift):
        """Each token brought to mean 0 and variance 1, stretched and shifted."""
        return self.call("layer_norm", X.shape, X, gain, shift, eps=EPS)

    def transform(self, X, W_1, b_1, W_2, b_2):
        """Each token through the hidden layer with GELU and back."""
        return self.call("feed_forward", X.shape, X, W_1, b_1, W_2, b_2, activation="gelu")
