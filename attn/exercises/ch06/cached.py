"""The mask of a few new tokens over many old ones."""

import numpy as np

from attn import causal_mask
from attn.exercises.ch06.mask_reader import hides_instead, mask, other_kinds
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(n, m):
    new = "one new token" if n == 1 else f"{n} new tokens"
    return Probe.of(f"{new} of {m}", n=n, m=m)


PROBES = (
    _probe(n=2, m=5).advise(
        "The new tokens are 3 and 4 of 0 to 4: the first sees keys 0 to 3, the last all."
    ),
    _probe(n=1, m=6).advise(
        "The newest token sees all that came before, and itself: True six times."
    ),
    _probe(n=4, m=4).advise("With nothing cached this is the causal mask of the first exercise."),
    _probe(n=3, m=7).advise("Query i stands at place i + 4 of 0 to 6."),
    _probe(n=4, m=5).advise("Query i stands at place i + 1: row 0 starts with True twice."),
)


def _cached(n, m):
    return np.arange(m) <= np.arange(n)[:, None] + (m - n)


MISTAKES = (
    Mistake(
        "starts-at-the-beginning",
        "You place the queries at the first n places, but they are the last n of m.",
        lambda n, m: np.arange(m) <= np.arange(n)[:, None],
        hint="Query i stands at place i + m - n.",
    ),
    Mistake(
        "sees-the-future",
        "You let the new tokens see each other's future.",
        lambda n, m: np.ones((n, m), dtype=bool),
        hint=(
            "Query i stands at place i + m - n and sees nothing later; only the last row is all "
            "True."
        ),
    ),
    Mistake(
        "hides-itself",
        "You hide each new token from itself.",
        lambda n, m: np.arange(m) < np.arange(n)[:, None] + (m - n),
        hint="Query i stands at place i + m - n and sees that key too: use <=.",
    ),
    Mistake(
        "one-too-far",
        "You let each new token see the one after it.",
        lambda n, m: np.arange(m) <= np.arange(n)[:, None] + (m - n) + 1,
        hint="Its own place, i + m - n, is the last key that it sees.",
    ),
    Mistake(
        "counts-from-n",
        "You shift by n, but the number of cached keys is m - n.",
        lambda n, m: np.arange(m) <= np.arange(n)[:, None] + n,
        hint="Query i stands at place i + m - n.",
    ),
    Mistake(
        "sees-only-the-cache",
        "Your rows stop where the cache ends, but the new tokens are keys as well.",
        lambda n, m: np.repeat(np.arange(m)[None] < m - n, n, axis=0),
        hint="Each is seen by itself and by those after it.",
    ),
    Mistake(
        "returns-a-square",
        "You return a square mask, but there are n queries and m keys.",
        lambda n, m: np.tril(np.ones((m, m), dtype=bool)),
        variants=(lambda n, m: np.tril(np.ones((n, n), dtype=bool)),),
        hint="The mask is (n, m).",
    ),
    hides_instead(_cached),
    *other_kinds(_cached),
)

EXERCISE = Exercise.of(
    __name__,
    title="Old keys, new queries",
    difficulty=2,
    minutes=7,
    hints=(
        "Number all m places from 0. The new tokens are the last n: find the place where query i "
        "stands.",
        "Query i stands at place i + (m - n) and sees every key j up to that place.",
    ),
    mistakes=MISTAKES,
    section="sec-06-cache",
    passed=(
        "With a cache each new token costs one row, not a whole square. Compare it with "
        "attn.causal_mask(n, m)."
    ),
    task=Task("cached_mask", _cached, PROBES, read=mask, without=(causal_mask,)),
)
