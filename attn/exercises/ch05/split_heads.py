"""Cut the columns of a projection into heads."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, n, d, heads, advice):
    X = np.arange(1.0, n * d + 1).reshape(n, d)
    return Probe(label, {"X": X, "heads": heads}, advice)


PROBES = (
    _probe(
        "four tokens of size 6 and two heads",
        n=4,
        d=6,
        heads=2,
        advice=(
            "Row 0 of X is 1 to 6: head 0 must get 1, 2, 3 as its first row, head 1 must get 4, "
            "5, 6."
        ),
    ),
    _probe(
        "two tokens of size 12 and three heads",
        n=2,
        d=12,
        heads=3,
        advice="The result has one (2, 4) matrix for each of the three heads.",
    ),
    _probe(
        "five tokens of size 8 and four heads",
        n=5,
        d=8,
        heads=4,
        advice=(
            "The number of tokens need not be a multiple of the number of heads: tokens are not "
            "cut."
        ),
    ),
    _probe(
        "three tokens of size 2 and one head",
        n=3,
        d=2,
        heads=1,
        advice="One head gets everything, and still has an axis of its own: (1, 3, 2).",
    ),
)


def _split(X, heads):
    n, d = X.shape
    return X.reshape(n, heads, d // heads).swapaxes(0, 1)


MISTAKES = (
    Mistake(
        "reshapes-without-a-transpose",
        "You reshape straight to (h, n, d/h). The shape is right, but the numbers run on in "
        "reading order, so that a head's first rows are pieces of one and the same token. Reshape "
        "to (n, h, d/h), then swap the first two axes.",
        lambda X, heads: X.reshape(heads, X.shape[0], X.shape[1] // heads),
    ),
    Mistake(
        "splits-the-sequence",
        "You cut the sequence: a head gets some tokens with all their entries. Each head must get "
        "all tokens, with some of the columns.",
        lambda X, heads: X.reshape(heads, X.shape[0] // heads, X.shape[1]),
        variants=(
            lambda X, heads: X.reshape(heads, -1, X.shape[1]),
            lambda X, heads: np.stack(np.split(X, heads)),
            lambda X, heads: np.stack(np.array_split(X, heads)),
            lambda X, heads: np.array(np.split(X, heads, axis=0)),
        ),
    ),
    Mistake(
        "leaves-the-heads-in-the-middle",
        "You cut the columns rightly, but your result is (n, h, d/h); it must be (h, n, d/h), a "
        "matrix for each head. Swap the first two axes.",
        lambda X, heads: X.reshape(X.shape[0], heads, X.shape[1] // heads),
    ),
    Mistake(
        "deals-out-the-columns",
        "You deal the columns out one by one, so that head 0 gets every h-th of them. A head gets "
        "neighbouring columns: reshape to (n, h, d/h), in this order.",
        lambda X, heads: np.moveaxis(X.reshape(X.shape[0], X.shape[1] // heads, heads), -1, 0),
    ),
    Mistake(
        "turns-each-head-round",
        "Your heads are (d/h, n): tokens became columns. A head is (n, d/h), a row for each token.",
        lambda X, heads: X.T.reshape(heads, X.shape[1] // heads, X.shape[0]),
    ),
    Mistake(
        "takes-the-number-for-the-size",
        "You make heads of size `heads`; it is their number. Their size is d // heads.",
        lambda X, heads: X.reshape(X.shape[0], X.shape[1] // heads, heads).swapaxes(0, 1),
    ),
)

EXERCISE = Exercise(
    "05-split-heads",
    title="Split the columns into heads",
    chapter=5,
    difficulty=1,
    minutes=6,
    hints=(
        "Work on one token first: its d numbers are h runs of d/h neighbours.",
        "X.reshape(n, heads, d // heads) cuts the last axis, token by token. Then bring the heads "
        "to the front.",
    ),
    mistakes=MISTAKES,
    section="sec-05-parallel",
    task=Task("split_heads", _split, PROBES),
)
