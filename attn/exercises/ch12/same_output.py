"""Other weights, the same output: a step in the null space of the values."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, m, d_v, seed, sharp=1.0):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(m, sharp)).round(3) + 0.01
    p /= p.sum()
    arrays = {"V": rng.normal(size=(m, d_v)).round(2), "direction": rng.normal(size=m).round(2)}
    return Probe.of(label, p=p, **arrays)


PROBES = (
    _probe("four keys, values of one entry", m=4, d_v=1, seed=150).advise(
        "Two things must stay: the blend of the values, and the sum of the weights. Remove "
        "from direction what would change either."
    ),
    _probe("six keys, values of three entries", m=6, d_v=3, seed=156).advise(
        "change @ V and change.sum() must both be 0."
    ),
    _probe(
        "nine keys, one of which has nearly all the weight", m=9, d_v=2, seed=206, sharp=0.15
    ).advise("Go on until the first weight reaches 0; only weights that fall can set the limit."),
    _probe("twelve keys, values of five entries", m=12, d_v=5, seed=170).advise(
        "The longest step is the smallest of p / -change over the entries that fall."
    ),
)


def _part_outside(B, direction):
    """What is left of the direction when all that B's columns can make is taken off it."""
    return direction - B @ np.linalg.lstsq(B, direction, rcond=None)[0]


def _kept(V):
    return np.column_stack([V, np.ones(len(V))])


def _step(p, change):
    falls = change < 0
    return (p[falls] / -change[falls]).min()


def _another(p, V, direction, *, kept=_kept, step=_step):
    change = _part_outside(kept(V), direction)
    return p + step(p, change) * change


def _with(**options):
    return lambda p, V, direction: _another(p, V, direction, **options)


def _along_what_changes(p, V, direction):
    change = direction - _part_outside(_kept(V), direction)
    return p + _step(p, change) * change


def _untouched_direction(p, V, direction):
    return p + _step(p, direction) * direction


def _clipped(p, V, direction):
    q = np.maximum(p + _part_outside(_kept(V), direction), 0)
    return q / q.sum()


def _rescaled(p, V, direction):
    """Nothing keeps the sum at 1, so it is brought there at the end."""
    q = _another(p, V, direction, kept=lambda V: V)
    return q / q.sum()


def _backwards(p, V, direction):
    change = -_part_outside(_kept(V), direction)
    return p + _step(p, change) * change


def _smallest_ratio(p, change):
    return (p / np.abs(change)).min()


MISTAKES = (
    Mistake(
        "forgets-the-sum",
        "Your weights give the same output but no longer sum to 1.",
        _with(kept=lambda V: V),
        hint="Add a column of ones to V before you project: the sum is one more thing to keep.",
    ),
    Mistake(
        "forgets-the-values",
        "Your weights sum to 1, but the output has changed.",
        _with(kept=lambda V: np.ones((len(V), 1))),
        hint="Remove from direction whatever would change p @ V.",
    ),
    Mistake(
        "follows-the-direction-as-it-is",
        "You go along the direction as it is, which changes the output and the sum of the weights.",
        _untouched_direction,
        hint="Subtract its projection onto the columns of V and a column of ones first.",
    ),
    Mistake(
        "rescales-at-the-end",
        "You divide by the sum at the end, and that changes the output.",
        _rescaled,
        variants=(_clipped,),
        hint="Choose a change that keeps the sum, and stop before a weight is negative.",
    ),
    Mistake(
        "steps-too-far",
        "You go a fixed distance, and some weights become negative.",
        _with(step=lambda p, change: 1.0),
        hint="Stop where the first weight reaches 0.",
    ),
    Mistake(
        "keeps-what-changes",
        "You keep the part of the direction that changes the output, and drop the part that does "
        "not.",
        _along_what_changes,
        hint="change = direction minus its projection onto the columns of V and ones.",
    ),
    Mistake(
        "lets-rising-weights-stop-it",
        "You stop too early: a weight that rises can't become negative.",
        _with(step=_smallest_ratio),
        hint="Look only at the entries with change < 0.",
    ),
    Mistake(
        "goes-backwards",
        "You go against the direction instead of along it.",
        _backwards,
        hint="p + step * change, with a step above 0.",
    ),
    Mistake(
        "goes-half-way",
        "You stop half-way to the first weight of 0.",
        _with(step=lambda p, change: _step(p, change) / 2),
        hint="Go as far as the weights allow.",
    ),
    Mistake(
        "stays-where-it-is",
        "You return the weights that you were given.",
        lambda p, V, direction: p,
        hint="There are others: change p along a direction that change @ V does not see.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Other weights, the same output",
    difficulty=3,
    minutes=12,
    hints=(
        "B = np.column_stack([V, np.ones(len(V))]) collects all that must stay: change @ B has to "
        "be 0.",
        "np.linalg.lstsq(B, direction, rcond=None)[0] fits the direction by columns of B. What is "
        "left over, direction - B @ fit, is orthogonal to all of them.",
        "A weight that falls reaches 0 after the step p / -change. The smallest of these is how far"
        " you can go.",
    ),
    mistakes=MISTAKES,
    section="sec-12-explanation",
    passed=(
        "At least one weight is now 0, and nothing after this head can tell. It takes more keys "
        "than d_v + 1; with no more, and no special values, only p gives this output."
    ),
    task=Task(
        "another_row",
        _another,
        PROBES,
        coarse=True,  # among four keys, several wrong steps end at the same weights
        steps={"change": (lambda p, V, direction: _part_outside(_kept(V), direction),)},
    ),
)
