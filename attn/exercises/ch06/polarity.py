"""Two masks, one of which means the opposite."""

import numpy as np

from attn.exercises.ch06.mask_reader import ADDED, NUMBERS, additive_mask, mask
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, hide, look, advice):
    hide, look = np.array(hide, dtype=bool), np.array(look, dtype=bool)
    return Probe(label, {"hide": hide, "look": look}, advice)


def _random_probe(label, *, b, n, m, seed, advice):
    rng = np.random.default_rng(seed)
    hide, look = rng.random((n, m)) < 0.4, rng.random((b, 1, m)) < 0.6
    return _probe(label, hide=hide, look=look, advice=advice)


PROBES = (
    _probe(
        "two queries and three keys, one sequence",
        hide=[[0, 1, 1], [0, 0, 1]],
        look=[[[1, 1, 0]]],
        advice="Cell by cell: a key is seen if hide is False there, and look is True.",
    ),
    _random_probe(
        "a batch of four, three queries, five keys",
        b=4,
        n=3,
        m=5,
        seed=61,
        advice=(
            "The result is (4, 3, 5): NumPy repeats hide for each sequence and look for each query."
        ),
    ),
    _random_probe(
        "a batch of two, five queries, three keys",
        b=2,
        n=5,
        m=3,
        seed=62,
        advice="Both must allow a key. Where hide is True or look is False, the result is False.",
    ),
)


def _combine(hide, look):
    return look & ~hide


MISTAKES = (
    Mistake(
        "forgets-to-turn",
        "You use hide as it is, though its True means the opposite. Turn it round first: ~hide.",
        lambda hide, look: hide & look,
    ),
    Mistake(
        "turns-the-wrong-one",
        "You turn look round; it is hide whose True means hidden. Write ~hide and leave look.",
        lambda hide, look: hide & ~look,
    ),
    Mistake(
        "turns-both",
        "You turn both round. look already says True = may look; only hide needs the ~.",
        lambda hide, look: ~hide & ~look,
    ),
    Mistake(
        "either-is-enough",
        "You let a key be seen if either mask allows it; both must. Join them with &.",
        lambda hide, look: look | ~hide,
    ),
    Mistake(
        "returns-what-is-hidden",
        "Your True stands where a key is hidden. True is to mean may look: put a ~ before all of "
        "it.",
        lambda hide, look: hide | ~look,
    ),
    Mistake(
        "forgets-look",
        "Your result follows hide alone, so padding can be seen. Join it with look by &.",
        lambda hide, look: np.broadcast_to(~hide, np.broadcast_shapes(hide.shape, look.shape)),
    ),
    Mistake(
        "forgets-hide",
        "Your result follows look alone, so what hide hides can be seen. Join it with ~hide by &.",
        lambda hide, look: np.broadcast_to(look, np.broadcast_shapes(hide.shape, look.shape)),
    ),
    Mistake("returns-numbers", NUMBERS, lambda hide, look: look * (1 - hide)),
    Mistake("returns-what-is-added", ADDED, lambda hide, look: additive_mask(look & ~hide)),
    Mistake(
        "subtracts-booleans",
        "NumPy does not subtract truth values. Turn a mask round with ~, and join two with &.",
        lambda hide, look: look - hide,
        variants=(lambda hide, look: look & -hide,),
    ),
)

EXERCISE = Exercise(
    "06-polarity",
    title="One of them means the opposite",
    chapter=6,
    difficulty=1,
    minutes=5,
    hints=(
        "Bring both masks to the same meaning first: one of the two has to be turned round.",
        "~ turns a mask round and & joins two: a cell is True if it is True in both.",
    ),
    mistakes=MISTAKES,
    section="sec-06-polarity",
    task=Task("may_look", _combine, PROBES, read=mask),
)
