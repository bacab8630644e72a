"""Cut the columns of a projection into heads."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, n, d, heads):
    return Probe.of(label, X=np.arange(1.0, n * d + 1).reshape(n, d), heads=heads)


PROBES = (
    _probe("four tokens of size 6 and two heads", n=4, d=6, heads=2).advise(
        "Row 0 of X is 1 to 6: head 0 must get 1, 2, 3 as its first row, head 1 must get 4, 5, 6."
    ),
    _probe("two tokens of size 12 and three heads", n=2, d=12, heads=3).advise(
        "The result has one (2, 4) matrix for each of the three heads."
    ),
    _probe("five tokens of size 8 and four heads", n=5, d=8, heads=4).advise(
        "The number of tokens need not be a multiple of the number of heads: tokens are not cut."
    ),
    _probe("three tokens of size 6 and three heads", n=3, d=6, heads=3).advise(
        "As many heads as tokens: head 0 holds columns 0 and 1 of all three tokens."
    ),
    _probe("three tokens of size 2 and one head", n=3, d=2, heads=1).advise(
        "One head gets everything, and still has an axis of its own: (1, 3, 2)."
    ),
)


def _split(X, heads):
    n, d = X.shape
    return X.reshape(n, heads, d // heads).swapaxes(0, 1)


MISTAKES = (
    Mistake(
        "reshapes-without-a-transpose",
        "You reshape straight to (h, n, d/h). The shape is right, but a head's first rows are now "
        "pieces of one and the same token.",
        lambda X, heads: X.reshape(heads, X.shape[0], X.shape[1] // heads),
        hint="Reshape to (n, h, d/h), then swap the first two axes.",
    ),
    Mistake(
        "splits-the-sequence",
        "You cut the sequence: a head gets some of the tokens with all their entries.",
        lambda X, heads: X.reshape(heads, X.shape[0] // heads, X.shape[1]),
        variants=(
            lambda X, heads: X.reshape(heads, -1, X.shape[1]),
            lambda X, heads: np.stack(np.split(X, heads)),
            lambda X, heads: np.stack(np.array_split(X, heads)),
            lambda X, heads: np.array(np.split(X, heads, axis=0)),
        ),
        hint="Each head must get all the tokens, with some of the columns.",
    ),
    Mistake(
        "leaves-the-heads-in-the-middle",
        "You cut the columns correctly, but your result is (n, h, d/h) instead of (h, n, d/h).",
        lambda X, heads: X.reshape(X.shape[0], heads, X.shape[1] // heads),
        hint="Swap the first two axes, so that each head is a matrix.",
    ),
    Mistake(
        "deals-out-the-columns",
        "You deal the columns out one by one, so head 0 gets every h-th of them instead of "
        "neighbours.",
        lambda X, heads: np.moveaxis(X.reshape(X.shape[0], X.shape[1] // heads, heads), -1, 0),
        hint="Reshape to (n, h, d/h), in this order.",
    ),
    Mistake(
        "turns-each-head-round",
        "Your heads are (d/h, n): the tokens have become columns.",
        lambda X, heads: X.T.reshape(heads, X.shape[1] // heads, X.shape[0]),
        hint="A head is (n, d/h), one row per token.",
    ),
    Mistake(
        "takes-the-number-for-the-size",
        "You make heads of size heads, but that is how many there are, not how wide they are.",
        lambda X, heads: X.reshape(X.shape[0], X.shape[1] // heads, heads).swapaxes(0, 1),
        hint="Their size is d // heads.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Split the columns into heads",
    difficulty=1,
    minutes=6,
    hints=(
        "Work on one token first: its d numbers are h runs of d/h neighbours.",
        "X.reshape(n, heads, d // heads) cuts the last axis, token by token. Then bring the heads "
        "to the front.",
    ),
    mistakes=MISTAKES,
    section="sec-05-parallel",
    passed=(
        "Each head sees every token and its own columns, and no number was copied or lost. Compare "
        "it with attn.split_heads; attn.merge_heads undoes it."
    ),
    task=Task("split_heads", _split, PROBES),
)
