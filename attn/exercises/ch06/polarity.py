"""Two masks, one of which means the opposite."""

import numpy as np

from attn.exercises.ch06.mask_reader import mask, other_kinds
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, hide, look):
    hide, look = np.array(hide, dtype=bool), np.array(look, dtype=bool)
    return Probe.of(label, hide=hide, look=look)


def _random_probe(label, *, b, n, m, seed):
    rng = np.random.default_rng(seed)
    hide, look = rng.random((n, m)) < 0.4, rng.random((b, 1, m)) < 0.6
    return _probe(label, hide=hide, look=look)


PROBES = (
    _probe(
        "two queries and three keys, two sequences",
        hide=[[0, 1, 1], [0, 0, 1]],
        look=[[[1, 1, 0]], [[0, 1, 1]]],
    ).advise("Cell by cell: a key is seen if hide is False there, and look is True."),
    _random_probe("a batch of four, three queries, five keys", b=4, n=3, m=5, seed=61).advise(
        "The result is (4, 3, 5): NumPy repeats hide for each sequence and look for each query."
    ),
    _random_probe("a batch of two, five queries, three keys", b=2, n=5, m=3, seed=62).advise(
        "Both must allow a key. Where hide is True or look is False, the result is False."
    ),
)


def _combine(hide, look):
    return look & ~hide


MISTAKES = (
    Mistake(
        "forgets-to-turn",
        "You use hide as it is, though its True means the opposite of look's.",
        lambda hide, look: hide & look,
        hint="Flip it first: ~hide.",
    ),
    Mistake(
        "turns-the-wrong-one",
        "You flip look, but it is hide whose True means hidden.",
        lambda hide, look: hide & ~look,
        hint="Write ~hide and leave look alone.",
    ),
    Mistake(
        "turns-both",
        "You flip both masks, but look's True already means may look.",
        lambda hide, look: ~hide & ~look,
        hint="Only hide needs the ~.",
    ),
    Mistake(
        "either-is-enough",
        "You let a key be seen if either mask allows it, but both must.",
        lambda hide, look: look | ~hide,
        hint="Join them with &.",
    ),
    Mistake(
        "returns-what-is-hidden",
        "Your True stands where a key is hidden, the opposite of what was asked.",
        lambda hide, look: hide | ~look,
        hint="A ~ in front of all of it flips it.",
    ),
    Mistake(
        "forgets-look",
        "Your result follows hide alone, so padding can be seen.",
        lambda hide, look: np.broadcast_to(~hide, np.broadcast_shapes(hide.shape, look.shape)),
        hint="Join it with look by &.",
    ),
    Mistake(
        "forgets-hide",
        "Your result follows look alone, so what hide hides can be seen.",
        lambda hide, look: np.broadcast_to(look, np.broadcast_shapes(hide.shape, look.shape)),
        hint="Join it with ~hide by &.",
    ),
    *other_kinds(_combine),
    Mistake(
        "asks-for-one-truth",
        "and, or and not ask for the truth of a whole array, and NumPy refuses to give one answer "
        "for many cells.",
        lambda hide, look: look and not hide,
        hint="Cell by cell, & joins two masks and ~ flips one.",
    ),
    Mistake(
        "subtracts-booleans",
        "You subtract or negate truth values with -, which NumPy refuses.",
        lambda hide, look: look - hide,
        variants=(lambda hide, look: look & -hide,),
        hint="~ flips a mask, and & joins two.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="One of them means the opposite",
    difficulty=1,
    minutes=5,
    hints=(
        "Bring both masks to the same meaning first: one of the two has to be flipped.",
        "~ flips a mask and & joins two: a cell is True if it is True in both.",
    ),
    mistakes=MISTAKES,
    section="sec-06-polarity",
    passed=(
        "Whatever a library's True means, you can bring it to one meaning first. Keep may look, the"
        " meaning that attn.attention's mask has."
    ),
    task=Task("may_look", _combine, PROBES, read=mask),
)
