"""The words nearest to a token: each common word is read alone, once, and compared with it."""

from collections.abc import Sequence

import numpy as np

from attn.core import encoder_block, layer_norm
from attn.core.arrays import Array
from attn.minilm.parts import EPS
from attn.minilm.quantised import dequantise, quantise, write_safetensors
from attn.minilm.weights import HEADS, Weights, read_safetensors
from attn.minilm.wordpiece import END, START

CANDIDATES = 5000
BATCH = 500


def candidates(vocabulary):
    """The vocabulary's first 5,000 words of three letters or more; it is sorted by frequency."""
    words = (word for word in vocabulary if word.isascii() and word.isalpha() and len(word) > 2)
    return [word for word, _ in zip(words, range(CANDIDATES), strict=False)]


def read_alone(words: Sequence[str], weights: Weights) -> Array:
    """The last level's vector of each word, read as a sentence of its own, (words, 384)."""
    rows = [[weights.vocabulary[token] for token in (START, word, END)] for word in words]
    found = []
    for first in range(0, len(rows), BATCH):
        batch = np.array(rows[first : first + BATCH])
        X = weights.words[batch] + weights.positions[:3] + weights.segment
        X = layer_norm(X, *weights.norm, eps=EPS)
        for layer in weights.layers:
            X = encoder_block(X, layer, heads=HEADS, norm="post", activation="gelu", eps=EPS)
        found.append(X[:, 1])
    return np.concatenate(found)


def table(weights: Weights) -> bytes:
    """The bytes of a file with the vectors of all candidates, quantised."""
    numbers, scales = quantise(read_alone(candidates(weights.vocabulary), weights))
    return write_safetensors({"numbers": numbers, "scales": scales})


class Nearest:
    """Look up words by what a token has become, from the bytes of `table`."""

    def __init__(self, content, vocabulary):
        arrays = read_safetensors(content)
        rows = dequantise(arrays["numbers"], arrays["scales"])
        self.words = candidates(vocabulary)
        self.directions = rows / np.linalg.norm(rows, axis=-1, keepdims=True)

    def of(self, vectors, tokens, count=8):
        """The words with the largest cosine to each token's vector, without the token itself.

        Parameters
        ----------
        vectors : (n, 384)
            Of the last level.
        tokens : n of str
        count : int, default 8

        Returns
        -------
        list of n lists of (word, cosine)
        """
        norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
        found = np.einsum("ni,wi->nw", vectors / norms, self.directions)
        order = np.argsort(-found, axis=-1)[:, : count + 1]
        return [
            [(self.words[k], float(row[k])) for k in best if self.words[k] != token][:count]
            for token, row, best in zip(tokens, found, order, strict=True)
        ]
