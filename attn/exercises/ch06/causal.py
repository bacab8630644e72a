"""Each query sees itself and what came before."""

import numpy as np

from attn.exercises.ch06.mask_reader import ADDED, NUMBERS, additive_mask, mask
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(*, n, advice):
    return Probe("one token" if n == 1 else f"{n} tokens", {"n": n}, advice)


PROBES = (
    _probe(
        n=3, advice="By hand: row 0 is True, False, False; row 1 True, True, False; row 2 all True."
    ),
    _probe(n=1, advice="A lone token sees itself: [[True]]."),
    _probe(n=6, advice="Row i has i + 1 times True, at its left."),
)


def _causal(n):
    return np.arange(n) <= np.arange(n)[:, None]


def _ones(n):
    return np.ones((n, n), dtype=bool)


MISTAKES = (
    Mistake(
        "sees-the-future",
        "You let each query see itself and what comes after; that is the transpose. Rows are "
        "queries: in row i the True ones are the columns j <= i.",
        lambda n: _causal(n).T,
    ),
    Mistake(
        "hides-instead",
        "Your True means hidden. Here True means may look, as everywhere in this course: turn it "
        "round with ~.",
        lambda n: ~_causal(n),
    ),
    Mistake(
        "hides-itself",
        "You hide each token from itself too, and the first token sees nothing at all. Let the "
        "diagonal be True: j <= i.",
        lambda n: np.tril(_ones(n), -1),
    ),
    Mistake(
        "one-too-far",
        "You let each query see one token ahead, which is the very word it has to predict. The "
        "last True in row i is at column i.",
        lambda n: np.tril(_ones(n), 1),
    ),
    Mistake(
        "sees-everything",
        "Your mask hides nothing: every cell is True. Cells to the right of the diagonal must be "
        "False.",
        _ones,
    ),
    Mistake(
        "sees-only-itself",
        "You let each token see itself alone. What came before is to be seen too: every column "
        "j <= i of row i.",
        lambda n: np.eye(n, dtype=bool),
    ),
    Mistake(
        "returns-numbers",
        NUMBERS,
        lambda n: np.tril(np.ones((n, n))),
    ),
    Mistake("returns-what-is-added", ADDED, lambda n: additive_mask(_causal(n))),
    Mistake(
        "returns-one-row",
        "You return one row for all queries; each query has a row of its own, since each has a "
        "past of its own. Return (n, n).",
        lambda n: np.ones(n, dtype=bool),
    ),
)

EXERCISE = Exercise(
    "06-causal",
    title="See the past",
    chapter=6,
    difficulty=1,
    minutes=5,
    hints=(
        "Rows are queries, columns are keys. Query i may look at key j if j <= i.",
        "np.arange(n) holds the keys' places, np.arange(n)[:, None] the queries' as a column. "
        "Comparing the two gives an (n, n) table of True and False.",
    ),
    mistakes=MISTAKES,
    section="sec-06-named",
    task=Task("causal_mask", _causal, PROBES, read=mask),
)
