"""The attention of one sentence in all 72 heads as bytes, and back.

First the square roots of the weights, one byte each, layer by layer, head by head, row by row: 255
is 1. Roots keep small weights apart, which count where a large weight lies on next to nothing. Then
the norm of what each key would add to the output at weight 1, in two bytes, the lower one first:
4096 is 1. Rows are divided by their sums when they are read, so that they sum to 1.
"""

import math
from typing import NamedTuple

import numpy as np

from attn.minilm.weights import HEADS, LAYERS

ONE_ROOT, ONE_NORM = 255, 4096
LONGEST = 64  # tokens that a figure can draw


class Sentence(NamedTuple):
    """What a figure needs of a sentence: its text, its tokens, and the bytes of its attention."""

    text: str
    tokens: tuple
    content: bytes


def own_sentences(texts, encodings):
    """Sentences of a reader's own by name, "own-1" and so on, from what the model made of them."""
    found = {}
    for number, (text, encoding) in enumerate(zip(texts, encodings, strict=True), start=1):
        if len(encoding.tokens) > LONGEST:
            raise ValueError(
                f"a figure draws up to {LONGEST} tokens: {text!r} has {len(encoding.tokens)}"
            )
        content = pack(encoding.attention, encoding.value_norms)
        found[f"own-{number}"] = Sentence(text, encoding.tokens, content)
    return found


def describe(sentences):
    """What `HeadBrowser` says of its sentences to a page.

    Returns
    -------
    dict
        ``tokens`` by name, ``sentence`` as pairs of name and text, and how far two controls go:
        ``query`` tokens, ``widest`` bits.
    """
    longest = max(len(one.tokens) for one in sentences.values())
    return {
        "tokens": {name: list(one.tokens) for name, one in sentences.items()},
        "sentence": [[name, one.text] for name, one in sentences.items()],
        "query": longest,
        "widest": math.ceil(math.log2(longest)),
    }


def pack(attention, value_norms):
    """The bytes of a sentence: (6, 12, n, n) weights and (6, 12, n) norms."""
    roots = np.sqrt(np.asarray(attention, dtype=np.float64))
    norms = np.rint(np.asarray(value_norms, dtype=np.float64) * ONE_NORM)
    if norms.max() > 0xFFFF:
        raise ValueError(f"a norm must be under {(0xFFFF + 1) // ONE_NORM}: got {norms.max()}")
    return np.rint(roots * ONE_ROOT).astype(np.uint8).tobytes() + norms.astype("<u2").tobytes()


def unpack(content, n):
    """The weights, rows summing to 1, and the norms of a sentence of n tokens.

    Examples
    --------
    >>> even = np.full((6, 12, 2, 2), 0.5)
    >>> weights, norms = unpack(pack(even, np.ones((6, 12, 2))), 2)
    >>> float(abs(weights - even).max()), float(norms.min())
    (0.0, 1.0)
    """
    count = LAYERS * HEADS * n * n
    if len(content) != count + 2 * LAYERS * HEADS * n:
        raise ValueError(f"{n} tokens need {count + 2 * LAYERS * HEADS * n} bytes: {len(content)}")
    roots = np.frombuffer(content, np.uint8, count).reshape(LAYERS, HEADS, n, n)
    squares = roots.astype(np.float64) ** 2
    norms = np.frombuffer(content, "<u2", offset=count).reshape(LAYERS, HEADS, n) / ONE_NORM
    return squares / squares.sum(axis=-1, keepdims=True), norms


def norm_weighted(weights, norms):
    """The weights times the norms of what they weigh, each row summing to 1."""
    product = weights * norms[..., None, :]
    return product / product.sum(axis=-1, keepdims=True)
