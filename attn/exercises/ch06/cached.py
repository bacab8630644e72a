"""The mask of a few new tokens over many old ones."""

import numpy as np

from attn.exercises.ch06.mask_reader import ADDED, NUMBERS, additive_mask, mask
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(*, n, m, advice):
    new = "one new token" if n == 1 else f"{n} new tokens"
    return Probe(f"{new} of {m}", {"n": n, "m": m}, advice)


PROBES = (
    _probe(
        n=2,
        m=5,
        advice="The new tokens are 3 and 4 of 0 to 4: the first sees keys 0 to 3, the last all.",
    ),
    _probe(
        n=1, m=6, advice="The newest token sees all that came before, and itself: six times True."
    ),
    _probe(n=4, m=4, advice="With nothing cached this is the causal mask of the first exercise."),
    _probe(n=3, m=7, advice="Query i stands at place i + 4 of 0 to 6."),
    _probe(n=4, m=5, advice="Query i stands at place i + 1: row 0 has two times True."),
)


def _cached(n, m):
    return np.arange(m) <= np.arange(n)[:, None] + (m - n)


MISTAKES = (
    Mistake(
        "starts-at-the-beginning",
        "You let the queries stand at the first n places; they are the last n of m. Query i "
        "stands at place i + m - n.",
        lambda n, m: np.arange(m) <= np.arange(n)[:, None],
    ),
    Mistake(
        "sees-the-future",
        "You let the new tokens see each other's future. Query i stands at place i + m - n and "
        "sees nothing later: the last row alone is all True.",
        lambda n, m: np.ones((n, m), dtype=bool),
    ),
    Mistake(
        "hides-itself",
        "You hide each new token from itself. Query i stands at place i + m - n and sees that key "
        "too: use <=.",
        lambda n, m: np.arange(m) < np.arange(n)[:, None] + (m - n),
    ),
    Mistake(
        "one-too-far",
        "You let each new token see the one after it. Its own place is i + m - n, and that is the "
        "last key that it sees.",
        lambda n, m: np.arange(m) <= np.arange(n)[:, None] + (m - n) + 1,
    ),
    Mistake(
        "counts-from-n",
        "You shift by n; the number of cached keys is m - n. Query i stands at place i + m - n.",
        lambda n, m: np.arange(m) <= np.arange(n)[:, None] + n,
    ),
    Mistake(
        "sees-only-the-cache",
        "Your rows stop where the cache ends; the new tokens are keys as well, each seen by itself "
        "and by those after it.",
        lambda n, m: np.repeat(np.arange(m)[None] < m - n, n, axis=0),
    ),
    Mistake(
        "returns-a-square",
        "You return a square. There are n queries and m keys, so the mask is (n, m).",
        lambda n, m: np.tril(np.ones((m, m), dtype=bool)),
        variants=(lambda n, m: np.tril(np.ones((n, n), dtype=bool)),),
    ),
    Mistake(
        "hides-instead",
        "Your True means hidden. Here True means may look, as everywhere in this course: turn it "
        "round with ~.",
        lambda n, m: ~_cached(n, m),
    ),
    Mistake("returns-numbers", NUMBERS, lambda n, m: _cached(n, m).astype(float)),
    Mistake("returns-what-is-added", ADDED, lambda n, m: additive_mask(_cached(n, m))),
)

EXERCISE = Exercise(
    "06-cached",
    title="Old keys, new queries",
    chapter=6,
    difficulty=2,
    minutes=7,
    hints=(
        "Number all m places from 0. The new tokens are the last n: find the place where query i "
        "stands.",
        "Query i stands at place i + (m - n), and sees every key j up to that place.",
    ),
    mistakes=MISTAKES,
    section="sec-06-cache",
    task=Task("cached_mask", _cached, PROBES, read=mask),
)
