"""Hide what only fills up the batch."""

import numpy as np

from attn.exercises.ch06.mask_reader import mask, other_kinds
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of("lengths 2, 4 and 1 in a batch of width 5", lengths=[2, 4, 1], m=5).advise(
        "The first sequence has two real keys: its row is True, True, False, False, False."
    ),
    Probe.of("a sequence that fills its row", lengths=[4, 3], m=4).advise(
        "A length of m hides nothing: the whole row is True."
    ),
    Probe.of("one sequence", lengths=[3], m=7).advise(
        "The shape is (1, 1, 7): batch, one row for all queries, keys."
    ),
    Probe.of("an empty sequence among others", lengths=[0, 6, 3, 5], m=6).advise(
        "A length of 0 hides every key of its sequence: a row of False."
    ),
)


def _padding(lengths, m):
    return np.arange(m) < lengths[:, None, None]


MISTAKES = (
    Mistake(
        "hides-instead",
        "Your True stands where the padding is, but True means may look.",
        lambda lengths, m: ~_padding(lengths, m),
        hint="The real keys are those with j < length.",
    ),
    Mistake(
        "one-too-many",
        "You let one place of padding be seen. Keys are counted from 0, so the last real one is "
        "length - 1.",
        lambda lengths, m: np.arange(m) <= lengths[:, None, None],
        hint="The real keys are those with j < length.",
    ),
    Mistake(
        "one-too-few",
        "You hide the last real key as well. Keys are counted from 0, so a length of 2 has the "
        "keys 0 and 1.",
        lambda lengths, m: np.arange(m) + 1 < lengths[:, None, None],
        hint="j < length keeps both.",
    ),
    Mistake(
        "pads-at-the-front",
        "You hide the first keys, but here the padding stands at the end.",
        lambda lengths, m: _padding(lengths, m)[..., ::-1],
        hint="Count the keys from the left: j < length.",
    ),
    Mistake(
        "forgets-the-query-axis",
        "You return (b, m). Beside scores of shape (b, n, m), NumPy lines axes up from the right "
        "and would take your b for n.",
        lambda lengths, m: _padding(lengths, m)[:, 0],
        hint="Put an axis of 1 in between, for all the queries.",
    ),
    Mistake(
        "hides-the-queries",
        "Your axis of 1 stands last, (b, m, 1), so whole queries are hidden instead of keys.",
        lambda lengths, m: _padding(lengths, m).swapaxes(-1, -2),
        hint="What is padding must not be looked at: the keys are the last axis.",
    ),
    Mistake(
        "one-length-for-all",
        "You give every sequence the same row, but each has a length of its own.",
        lambda lengths, m: np.repeat(_padding(lengths[:1], m), len(lengths), axis=0),
        variants=(
            lambda lengths, m: np.repeat(
                _padding(np.array([lengths.max()]), m), len(lengths), axis=0
            ),
        ),
        hint="Compare with lengths[:, None, None].",
    ),
    *other_kinds(_padding),
)

EXERCISE = Exercise.of(
    __name__,
    title="Hide the padding",
    difficulty=2,
    minutes=7,
    hints=(
        "Sequence s has the real keys 0 to lengths[s] - 1: key j is real if j < lengths[s].",
        "np.arange(m) is the last axis. Give the lengths two axes after their own, lengths[:, "
        "None, None], and compare.",
    ),
    mistakes=MISTAKES,
    section="sec-06-named",
    passed=(
        "Short sequences can share a batch with long ones, and nobody looks at the filling. Compare"
        " it with attn.padding_mask, and join it with a causal mask by &."
    ),
    task=Task("padding_mask", _padding, PROBES, read=mask),
)
