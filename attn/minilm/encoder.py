"""The forward pass: from a sentence to its hidden states, its attention and its embedding."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from attn.core import split_heads
from attn.core.arrays import Array
from attn.minilm.parts import Parts
from attn.minilm.weights import HEADS, LONGEST, Weights, load
from attn.minilm.wordpiece import tokenize


@dataclass(frozen=True)
class Encoding:
    """What the model makes of a sentence of n tokens, [CLS] and [SEP] included.

    Parameters
    ----------
    tokens : tuple of str
    hidden : (7, n, 384)
        Each token's vector at each level: 0 before the first layer, 6 after the last.
    attention : (6, 12, n, n)
        The weights of every head: layer, head, query, key.
    value_norms : (6, 12, n)
        The norm of what each key would add to the output at weight 1: its value through the head's
        rows of W_o.
    embedding : (384,)
        The sentence: the mean of the last level's vectors, brought to norm 1.
    """

    tokens: tuple[str, ...]
    hidden: np.ndarray
    attention: np.ndarray
    value_norms: np.ndarray
    embedding: np.ndarray

    @property
    def norm_weighted(self) -> Array:
        """The weights times the norms of what they weigh, each row summing to 1, (6, 12, n, n)."""
        product = self.attention * self.value_norms[:, :, None, :]
        return product / product.sum(axis=-1, keepdims=True)


def encode(
    text: str, *, parts: Mapping[str, Callable] | None = None, weights: Weights | None = None
) -> Encoding:
    """Read a sentence with all-MiniLM-L6-v2.

    Parameters
    ----------
    text : str
    parts : dict, optional
        Functions to use in place of `attn`'s, by name: ``softmax(x)``, ``attention(Q, K, V)``,
        ``multi_head_attention(X, W_q, W_k, W_v, W_o, heads)``, ``split_heads(X, heads)``,
        ``merge_heads(Y)``, ``layer_norm(X, gain, shift, *, eps)``,
        ``feed_forward(X, W_1, b_1, W_2, b_2, *, activation)``. softmax gets one row of scores,
        attention one head.
    weights : Weights, optional
        The model; `load()` if not given.

    Returns
    -------
    Encoding

    Raises
    ------
    MissingWeights
        If the model is not at hand.
    ValueError
        If the text has more than 512 tokens, if a part has another name, or if it returns another
        shape than the model needs.
    """
    model = load() if weights is None else weights
    own = Parts(parts)
    tokens = tokenize(text, model.vocabulary)
    if len(tokens) > LONGEST:
        raise ValueError(f"the model has {LONGEST} positions: this text has {len(tokens)} tokens")
    X = own.norm(_embed(tokens, model), *model.norm)
    hidden, maps, norms = [X], [], []
    for layer in model.layers:
        Y, A, sizes = _attend(X, layer, own)
        X = own.norm(X + Y, layer["gain_1"], layer["shift_1"])
        Y = own.transform(X, layer["W_1"], layer["b_1"], layer["W_2"], layer["b_2"])
        X = own.norm(X + Y, layer["gain_2"], layer["shift_2"])
        hidden.append(X)
        maps.append(A)
        norms.append(sizes)
    mean = X.mean(axis=0)
    return Encoding(
        tokens=tuple(tokens),
        hidden=np.stack(hidden),
        attention=np.stack(maps),
        value_norms=np.stack(norms),
        embedding=mean / np.linalg.norm(mean),
    )


def _embed(tokens, model):
    """Word, position and segment, added up: (n, 384)."""
    rows = [model.vocabulary[token] for token in tokens]
    return model.words[rows] + model.positions[: len(rows)] + model.segment


def _attend(X, layer, own):
    """What the layer adds to X, its heads' weights, and the norms of what they weigh."""
    Y, A = (_mix if own.mixes else _split_and_attend)(X, layer, own)
    V = split_heads(X @ layer["W_v"] + layer["b_v"], HEADS)
    W_o = layer["W_o"].reshape(HEADS, -1, X.shape[1])
    return Y + layer["b_o"], A, np.linalg.norm(V @ W_o, axis=-1)


def _split_and_attend(X, layer, own):
    Q, K, V = (own.split(X @ layer[f"W_{k}"] + layer[f"b_{k}"], HEADS) for k in "qkv")
    one_hot = np.broadcast_to(np.eye(len(X), dtype=X.dtype), (HEADS, len(X), len(X)))
    A = own.attend(Q, K, one_hot)  # with one-hot values the answers are the weights
    return own.merge(own.attend(Q, K, V)) @ layer["W_o"], A


def _mix(X, layer, own):
    """As above by one function without biases, which become the weights of an entry that is 1.

    Asked once more with the tokens' numbers as one-hot entries, each head's values, it answers with
    the weights.
    """
    n, d = X.shape
    wider = np.hstack([X, np.ones((n, 1), X.dtype), np.eye(n, dtype=X.dtype)])
    below = np.zeros((n, d), X.dtype)
    W_q, W_k, W_v = (np.vstack([layer[f"W_{k}"], layer[f"b_{k}"], below]) for k in "qkv")
    Y = own.mix(wider, W_q, W_k, W_v, layer["W_o"], HEADS)
    one_hot = np.vstack([np.zeros((d + 1, HEADS * n)), np.tile(np.eye(n), HEADS)]).astype(X.dtype)
    A = own.mix(wider, W_q, W_k, one_hot, np.eye(HEADS * n, dtype=X.dtype), HEADS)
    return Y, A.reshape(n, HEADS, n).swapaxes(0, 1)
