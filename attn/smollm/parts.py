"""The functions that the model is made of, called as the chapters call them."""

import math
from typing import ClassVar

import numpy as np

from attn.core import (
    attention,
    attention_weights,
    causal_mask,
    gated_feed_forward,
    grouped_attention,
    merge_heads,
    rms_norm,
    rotate,
    softmax,
    split_heads,
)
from attn.pretrained import parts as pretrained


class Parts(pretrained.Parts):
    """`attn`'s functions, or the reader's where they gave one.

    A reader's softmax gets one row of scores. A reader's attention gets one query of one head with
    the keys and values that it may see, so that it needs no mask.
    """

    defaults: ClassVar = {
        "softmax": softmax,
        "attention": attention,
        "grouped_attention": grouped_attention,
        "causal_mask": causal_mask,
        "split_heads": split_heads,
        "merge_heads": merge_heads,
        "rotate": rotate,
        "rms_norm": rms_norm,
        "gated_feed_forward": gated_feed_forward,
    }
    contains: ClassVar = {"grouped_attention": ("attention", "softmax"), "attention": ("softmax",)}

    def mask(self, n, m):
        """Who may look at whom: the last n of m tokens, each at itself and what is before it."""
        if "causal_mask" not in self.own:
            return causal_mask(n, m)
        found = np.asarray(self.own["causal_mask"](n, m))
        if found.dtype != np.bool_ or found.shape != (n, m):
            raise ValueError(
                f"your causal_mask must return {(n, m)} of bool here: "
                f"got {found.shape} of {found.dtype}"
            )
        return found

    def norm(self, X, gain, eps):
        return self.call("rms_norm", X.shape, X, gain, eps=eps)

    def split(self, X, heads):
        n, d = X.shape
        return self.call("split_heads", (heads, n, d // heads), X, heads)

    def merge(self, Y):
        h, n, d = Y.shape
        return self.call("merge_heads", (n, h * d), Y)

    def rotate(self, X, positions, base):
        return self.call("rotate", X.shape, X, positions, base=base)

    def attend(self, Q, K, V, mask):
        """Each query head's answers, (h, n, d), with its group's keys and values, (g, m, d)."""
        if "attention" in self.own or "softmax" in self.own:
            return self._one_by_one(Q, K, V, mask)
        return self.call("grouped_attention", Q.shape, Q, K, V, mask=mask)

    def _one_by_one(self, Q, K, V, mask):
        per_group = len(Q) // len(K)
        Y = np.empty_like(Q)
        for head, row in np.ndindex(*Q.shape[:2]):
            seen, query = mask[row], Q[head, row : row + 1]
            keys, values = (one[head // per_group][seen] for one in (K, V))
            Y[head, row] = self._one(query, keys, values)[0]
        return Y

    def _one(self, query, keys, values):
        if "attention" in self.own:
            shape = (1, values.shape[-1])
            return self.checked("attention", self.own["attention"](query, keys, values), shape)
        scores = (query @ keys.T / math.sqrt(query.shape[-1]))[0]
        weights = self.checked("softmax", self.own["softmax"](scores), scores.shape)
        return weights[None] @ values

    def transform(self, X, W_gate, W_up, W_down):
        """Each token through the gated hidden layer and back."""
        return self.call("gated_feed_forward", X.shape, X, W_gate, W_up, W_down)


def weights_of(Q, K, mask):
    """The weights of each query head over the keys of its group, (h, n, m)."""
    repeated = np.repeat(K, len(Q) // len(K), axis=0)
    return attention_weights(Q, repeated, mask=mask)
