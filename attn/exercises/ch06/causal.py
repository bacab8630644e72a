"""Each query sees itself and what came before."""

import numpy as np

from attn import causal_mask
from attn.exercises.ch06.mask_reader import hides_instead, mask, other_kinds
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(n):
    return Probe.of("one token" if n == 1 else f"{n} tokens", n=n)


PROBES = (
    _probe(n=3).advise(
        "By hand: row 0 is True, False, False; row 1 True, True, False; row 2 all True."
    ),
    _probe(n=1).advise("A lone token sees itself: [[True]]."),
    _probe(n=6).advise("Row i starts with True i + 1 times."),
)


def _causal(n):
    return np.arange(n) <= np.arange(n)[:, None]


def _ones(n):
    return np.ones((n, n), dtype=bool)


MISTAKES = (
    Mistake(
        "sees-the-future",
        "You let each query see itself and what comes after, which is the transpose of the mask.",
        lambda n: _causal(n).T,
        hint="Rows are queries: in row i, the columns j <= i are True.",
    ),
    hides_instead(_causal),
    Mistake(
        "hides-itself",
        "You hide each token from itself too, and the first token sees nothing at all.",
        lambda n: np.tril(_ones(n), -1),
        hint="The diagonal is True: j <= i.",
    ),
    Mistake(
        "one-too-far",
        "You let each query see one token ahead, the very word it has to predict.",
        lambda n: np.tril(_ones(n), 1),
        hint="The last True in row i is at column i.",
    ),
    Mistake(
        "sees-everything",
        "Your mask hides nothing: every cell is True.",
        _ones,
        hint="The cells to the right of the diagonal must be False.",
    ),
    Mistake(
        "sees-only-itself",
        "You let each token see itself alone, and nothing of what came before.",
        lambda n: np.eye(n, dtype=bool),
        hint="In row i, every column j <= i is True.",
    ),
    *other_kinds(_causal),
    Mistake(
        "returns-one-row",
        "You return one row for all queries, but each query has a past of its own.",
        lambda n: np.ones(n, dtype=bool),
        hint="Return (n, n), one row per query.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="See only the past",
    difficulty=1,
    minutes=5,
    hints=(
        "Rows are queries, columns are keys. Query i may look at key j if j <= i.",
        "np.arange(n) holds the keys' places, and np.arange(n)[:, None] the queries' as a column. "
        "Comparing the two gives an (n, n) table of True and False.",
    ),
    mistakes=MISTAKES,
    section="sec-06-named",
    passed=(
        "No query sees what comes after it, so one pass can train on every position at once. "
        "Compare it with attn.causal_mask."
    ),
    task=Task("causal_mask", _causal, PROBES, read=mask, without=(causal_mask,)),
)
