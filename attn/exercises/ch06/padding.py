"""Hide what only fills up the batch."""

import numpy as np

from attn.exercises.ch06.mask_reader import ADDED, NUMBERS, additive_mask, mask
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "lengths 2, 4 and 1 in a batch of width 5",
        lengths=[2, 4, 1],
        m=5,
        advice="The first sequence has two real keys: its row is True, True, False, False, False.",
    ),
    Probe.of(
        "a sequence that fills its row",
        lengths=[4, 3],
        m=4,
        advice="A length of m hides nothing: the whole row is True.",
    ),
    Probe.of(
        "one sequence",
        lengths=[3],
        m=7,
        advice="The shape is (1, 1, 7): batch, one row for all queries, keys.",
    ),
    Probe.of(
        "an empty sequence among others",
        lengths=[0, 6, 3, 5],
        m=6,
        advice="A length of 0 hides every key of its sequence: a row of False.",
    ),
)


def _padding(lengths, m):
    return np.arange(m) < lengths[:, None, None]


MISTAKES = (
    Mistake(
        "hides-instead",
        "Your True stands where the padding is. Here True means may look: it stands at the real "
        "keys, j < length.",
        lambda lengths, m: ~_padding(lengths, m),
    ),
    Mistake(
        "one-too-many",
        "You let one place of padding be seen: keys are counted from 0, so the last real one is "
        "length - 1. Use j < length.",
        lambda lengths, m: np.arange(m) <= lengths[:, None, None],
    ),
    Mistake(
        "one-too-few",
        "You hide the last real key as well. Keys are counted from 0: a length of 2 has the keys "
        "0 and 1, and j < length keeps both.",
        lambda lengths, m: np.arange(m) + 1 < lengths[:, None, None],
    ),
    Mistake(
        "pads-at-the-front",
        "You hide the first keys; here the padding stands at the end. Count the keys from the "
        "left: j < length.",
        lambda lengths, m: _padding(lengths, m)[..., ::-1],
    ),
    Mistake(
        "forgets-the-query-axis",
        "You return (b, m). Beside scores (b, n, m) NumPy lines its axes up from the right: your b "
        "would be taken for n. Put an axis of 1 between, for all queries.",
        lambda lengths, m: _padding(lengths, m)[:, 0],
    ),
    Mistake(
        "hides-the-queries",
        "Your axis of 1 stands last, (b, m, 1): that makes rows of False, queries that see "
        "nothing. What is padding must not be looked at: it is the keys' axis, the last.",
        lambda lengths, m: _padding(lengths, m).swapaxes(-1, -2),
    ),
    Mistake(
        "one-length-for-all",
        "You give every sequence the same row; each has a length of its own. Compare with "
        "lengths[:, None, None].",
        lambda lengths, m: np.repeat(_padding(lengths[:1], m), len(lengths), axis=0),
        variants=(
            lambda lengths, m: np.repeat(
                _padding(np.array([lengths.max()]), m), len(lengths), axis=0
            ),
        ),
    ),
    Mistake("returns-numbers", NUMBERS, lambda lengths, m: _padding(lengths, m) * 1),
    Mistake("returns-what-is-added", ADDED, lambda lengths, m: additive_mask(_padding(lengths, m))),
)

EXERCISE = Exercise(
    "06-padding",
    title="Hide the padding",
    chapter=6,
    difficulty=2,
    minutes=7,
    hints=(
        "Sequence s has the real keys 0 to lengths[s] - 1: key j is real if j < lengths[s].",
        "np.arange(m) is the last axis. Give the lengths two axes after their own, "
        "lengths[:, None, None], and compare.",
    ),
    mistakes=MISTAKES,
    section="sec-06-named",
    task=Task("padding_mask", _padding, PROBES, read=mask),
)
