"""One head for each cell of a kernel."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import naive_softmax, shares_among_the_queries

PROBES = (
    Probe.of(
        "a picture of 4 × 3 pixels and a kernel of size 3", height=4, width=3, size=3, alpha=1.3
    ).advise("Pixels are counted row by row: pixel 3 is the first of the second row."),
    Probe.of(
        "a picture of 2 × 3 pixels and a kernel of one cell", height=2, width=3, size=1, alpha=0.8
    ).advise("One head, which looks at the pixel itself. A key one step away scores 0.8 less."),
    Probe.of(
        "a picture of 3 × 1 pixels and a kernel of size 3", height=3, width=1, size=3, alpha=0.5
    ).advise(
        "Nine heads, row by row: the first looks one up and one to the left, the last one down "
        "and one to the right."
    ),
    Probe.of(
        "a picture of 2 × 4 pixels and a kernel of size 5", height=2, width=4, size=5, alpha=0.3
    ).advise("The offsets of a kernel of size 5 run from -2 to 2, downwards and to the right."),
    Probe.of("sharp heads on 2 × 3 pixels", height=2, width=3, size=3, alpha=900.0).advise(
        "A head that points outside has only low scores: np.exp makes them all 0, and 0 / 0 is "
        "nan. attn.softmax shifts the scores first."
    ),
)


def _places(height, width, order="C"):
    return np.stack([axis.ravel(order) for axis in np.indices((height, width))], axis=-1)


def _offsets(size):
    half = (size - 1) // 2
    return [(r, c) for r in range(-half, half + 1) for c in range(-half, half + 1)]


def _squares(places, offset):
    return ((places - places[:, None] - np.array(offset)) ** 2).sum(axis=-1)


def _make_heads(share, *, turn=1, swap=False, order="C"):
    """Heads whose weights are share(squared distances, alpha)."""

    def heads(height, width, size, alpha):
        places = _places(height, width, order)
        offsets = [turn * np.array(d[::-1] if swap else d) for d in _offsets(size)]
        return np.array([share(_squares(places, d), alpha) for d in offsets])

    return heads


_heads = _make_heads(lambda squares, alpha: softmax(-alpha * squares))

MISTAKES = (
    Mistake(
        "looks-the-other-way",
        "Your heads look at i - Δ instead of i + Δ: the first one looks down and to the right.",
        _make_heads(lambda squares, alpha: softmax(-alpha * squares), turn=-1),
        hint="The distance is that of key j from i + Δ, so subtract Δ from δ = j - i.",
    ),
    Mistake(
        "goes-down-the-columns",
        "Your heads go down the kernel's columns, but they are counted row by row, so the second "
        "one looks straight up.",
        _make_heads(lambda squares, alpha: softmax(-alpha * squares), swap=True),
        hint="Let the downward step be the outer loop.",
    ),
    Mistake(
        "counts-pixels-by-columns",
        "You count the pixels column by column, but a flattened picture goes row by row.",
        _make_heads(lambda squares, alpha: softmax(-alpha * squares), order="F"),
        hint="The second pixel is the neighbour of the first in the same row.",
    ),
    Mistake(
        "forgets-the-sharpness",
        "Your weights do not depend on alpha.",
        _make_heads(lambda squares, alpha: softmax(-squares)),
        hint="Multiply the squared distances by it.",
    ),
    Mistake(
        "forgets-the-square",
        "You use the distance itself, not its square.",
        _make_heads(lambda squares, alpha: softmax(-alpha * np.sqrt(squares))),
        hint="The score is -alpha * distance².",
    ),
    Mistake(
        "prefers-what-is-far",
        "Your score grows with the distance, so a head looks at what is farthest from its target.",
        _make_heads(lambda squares, alpha: softmax(alpha * squares)),
        hint="The score is -alpha * distance².",
    ),
    shares_among_the_queries(_make_heads(lambda squares, alpha: softmax(-alpha * squares, axis=0))),
    Mistake(
        "has-the-keys-on-its-rows",
        "Your matrices are transposed: the rows are keys, and they do not sum to 1.",
        _make_heads(lambda squares, alpha: softmax(-alpha * squares).T),
        hint="Let the rows be the queries.",
    ),
    Mistake(
        "forgets-the-softmax",
        "You return the scores, but weights are asked for.",
        _make_heads(lambda squares, alpha: -alpha * squares),
        hint="Take a softmax over the keys of each query.",
    ),
    Mistake(
        "underflows",
        "You take exponentials of the scores as they are. For a sharp head that points outside "
        "they are all 0, and 0 / 0 is nan.",
        _make_heads(lambda squares, alpha: naive_softmax(-alpha * squares)),
        hint="Subtract each row's largest score first, or use attn.softmax.",
    ),
    Mistake(
        "leaves-out-the-sum",
        "You return exponentials that are not divided by their sum, so the rows do not sum to 1.",
        _make_heads(lambda squares, alpha: np.exp(-alpha * squares)),
        hint="softmax does both.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Build the heads for a kernel",
    difficulty=3,
    minutes=15,
    hints=(
        "List the place (row, column) of each of the N = height × width pixels, row by row. "
        "np.indices((height, width)) holds both coordinates.",
        "For one head: gaps = places - places[:, None] - Δ is (N, N, 2), from each query to each "
        "key. Square, sum over the last axis, multiply by -alpha, softmax.",
        "The offsets Δ run from -(s - 1) // 2 to (s - 1) // 2, the downward step in the outer "
        "loop.",
    ),
    mistakes=MISTAKES,
    section="sec-08-heads",
    passed=(
        "One head per cell of the kernel, each looking one fixed step away: with these, attention "
        "can be a convolution. Compare it with attn.conv_attention_weights, and raise alpha."
    ),
    task=Task("heads", _heads, PROBES),
)
