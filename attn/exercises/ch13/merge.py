"""Two finished answers to one query, each over half of the keys, made into one."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _block(scores, V):
    """What a worker gives back for its keys: outputs, maxima and sums, row by row."""
    top = scores.max(axis=-1)
    e = np.exp(scores - top[:, None])
    return e @ V / e.sum(axis=-1, keepdims=True), top, e.sum(axis=-1)


def _probe(label, *, n, m_a, m_b, d_v, seed, shift_a=0.0, shift_b=0.0):
    rng = np.random.default_rng(seed)
    names, arguments = ("a", "b"), {}
    for name, m, shift in zip(names, (m_a, m_b), (shift_a, shift_b), strict=True):
        scores = np.round(rng.normal(0, 2, size=(n, m)), 1) + np.reshape(shift, (-1, 1))
        parts = _block(scores, np.round(rng.normal(size=(m, d_v)), 1))
        arguments |= {f"{k}_{name}": x for k, x in zip(("Y", "top", "sum"), parts, strict=True)}
    return Probe.of(label, **arguments)


def _hidden(label):
    given = _probe(label, n=2, m_a=4, m_b=1, d_v=3, seed=135).arguments
    nothing = {"Y_b": np.zeros((2, 3)), "top_b": np.full(2, -np.inf), "sum_b": np.zeros(2)}
    return Probe.of(label, **given | nothing)


PROBES = (
    _probe("one query, three keys and two", n=1, m_a=3, m_b=2, d_v=2, seed=131).advise(
        "Y_a is divided by sum_a already. What was it before? Bring both to one maximum."
    ),
    _probe("three queries, two keys and five", n=3, m_a=2, m_b=5, d_v=4, seed=132).advise(
        "Each query has its own maxima and sums. Give them an axis, [:, None], beside Y."
    ),
    _probe(
        "scores near 800", n=2, m_a=3, m_b=4, d_v=3, seed=133, shift_a=800.0, shift_b=800.0
    ).advise("np.exp(800.0) is inf. Only differences of maxima may be exponentiated."),
    _probe(
        "one query with scores near 900, one near -900",
        n=2,
        m_a=2,
        m_b=3,
        d_v=5,
        seed=134,
        shift_a=[900.0, -900.0],
        shift_b=[900.0, -900.0],
    ).advise("The maximum is one per query: np.maximum(top_a, top_b), not the largest of all."),
    _probe(
        "a second block that scores 1000 higher", n=2, m_a=3, m_b=2, d_v=4, seed=136, shift_b=1000.0
    ).advise("Which of the two maxima is the larger one? Here it is the second."),
    _hidden("a second block that is hidden altogether").advise(
        "Its maximum is -inf and its sum 0: it must count for nothing."
    ),
)


def _weighted(a, b, Y_a, Y_b):
    a, b = a[:, None], b[:, None]
    return (a * Y_a + b * Y_b) / (a + b)


def _shares(top_a, sum_a, top_b, sum_b, top=None):
    top = np.maximum(top_a, top_b) if top is None else top
    return sum_a * np.exp(top_a - top), sum_b * np.exp(top_b - top)


def _merge(Y_a, top_a, sum_a, Y_b, top_b, sum_b):
    return _weighted(*_shares(top_a, sum_a, top_b, sum_b), Y_a, Y_b)


def _forget_sums(Y_a, top_a, sum_a, Y_b, top_b, sum_b):
    one = np.ones_like(sum_a)
    return _weighted(*_shares(top_a, one, top_b, one), Y_a, Y_b)


def _add_divided(Y_a, top_a, sum_a, Y_b, top_b, sum_b):
    """The blends before their division were meant; Y is after it."""
    one = np.ones_like(sum_a)
    a, b = _shares(top_a, one, top_b, one)
    total = sum(_shares(top_a, sum_a, top_b, sum_b))
    return (a[:, None] * Y_a + b[:, None] * Y_b) / total[:, None]


def _wrong_way(Y_a, top_a, sum_a, Y_b, top_b, sum_b):
    top = np.maximum(top_a, top_b)
    return _weighted(sum_a * np.exp(top - top_a), sum_b * np.exp(top - top_b), Y_a, Y_b)


def _undivided(Y_a, top_a, sum_a, Y_b, top_b, sum_b):
    a, b = _shares(top_a, sum_a, top_b, sum_b)
    return a[:, None] * Y_a + b[:, None] * Y_b


def _without_axis(Y_a, top_a, sum_a, Y_b, top_b, sum_b):
    a, b = _shares(top_a, sum_a, top_b, sum_b)
    return (a * Y_a + b * Y_b) / (a + b)


def _one_top(Y_a, top_a, sum_a, Y_b, top_b, sum_b):
    top = max(top_a.max(), top_b.max())
    return _weighted(*_shares(top_a, sum_a, top_b, sum_b, top), Y_a, Y_b)


MISTAKES = (
    Mistake(
        "averages-the-blocks",
        "You take the plain mean of the two outputs, as if both blocks had the same weight.",
        lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: (Y_a + Y_b) / 2,
        hint="A block counts by the sum of its exponentials, brought to the common maximum.",
    ),
    Mistake(
        "forgets-the-maxima",
        "You weight the blocks by their sums alone, but each sum is relative to its own maximum.",
        lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: _weighted(sum_a, sum_b, Y_a, Y_b),
        hint="Multiply sum_a by exp(top_a - top), with top the larger of the two.",
    ),
    Mistake(
        "forgets-the-sums",
        "You weight the blocks by their maxima alone, as if each held one key.",
        _forget_sums,
        hint="A block of many good keys counts for more: multiply by its sum as well.",
    ),
    Mistake(
        "adds-what-was-divided",
        "You add the outputs as if they were running blends, but each was divided by its sum.",
        _add_divided,
        hint="Undo the division first: sum_a * Y_a is block a's blend.",
    ),
    Mistake(
        "corrects-the-wrong-way",
        "You multiply by exp(top - top_a), which makes the block with the smaller maximum count "
        "for more.",
        _wrong_way,
        hint="What was added under a smaller maximum shrinks: exp(top_a - top), at most 1.",
    ),
    Mistake(
        "swaps-the-blocks",
        "You give block a's output the weight of block b, and vice versa.",
        lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: _merge(Y_b, top_a, sum_a, Y_a, top_b, sum_b),
        hint="sum_a and top_a belong to Y_a.",
    ),
    Mistake(
        "leaves-it-undivided",
        "You return the merged blend and do not divide it by the merged sum.",
        _undivided,
        hint="Divide by the sum of the two corrected sums.",
    ),
    Mistake(
        "forgets-the-axis",
        "You multiply an array of n numbers by one of (n, d_v), and NumPy lines n up with d_v.",
        _without_axis,
        hint="Write share_a[:, None] * Y_a: one number per row.",
    ),
    Mistake(
        "overflows",
        "You exponentiate the maxima themselves, and np.exp(800.0) is inf.",
        lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: _weighted(
            *_shares(top_a, sum_a, top_b, sum_b, 0.0), Y_a, Y_b
        ),
        hint="Subtract the common maximum first.",
    ),
    Mistake(
        "keeps-one-block-s-maximum",
        "You take one block's maximum for both, and the other block's exponentials overflow, or "
        "meet -inf.",
        lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: _weighted(
            *_shares(top_a, sum_a, top_b, sum_b, top_a), Y_a, Y_b
        ),
        variants=(
            lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: _weighted(
                *_shares(top_a, sum_a, top_b, sum_b, top_b), Y_a, Y_b
            ),
        ),
        hint="Use the larger of the two, for each query.",
    ),
    Mistake(
        "one-maximum-for-all-queries",
        "You subtract one maximum from all queries, so a query with much lower scores is left "
        "with 0 / 0.",
        _one_top,
        hint="np.maximum(top_a, top_b) has one maximum per query.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Two workers, one softmax",
    difficulty=3,
    minutes=12,
    hints=(
        "The common maximum of a query is np.maximum(top_a, top_b).",
        "Under it, block a's sum is sum_a * np.exp(top_a - top). That is how much block a counts.",
        "The answer is the mean of Y_a and Y_b with these two sums as weights.",
    ),
    mistakes=MISTAKES,
    section="sec-13-online",
    passed=(
        "Blocks can be computed in any order, or on different machines, and joined at the end: "
        "that is how long texts are spread over several processors. Check it with attn.attention "
        "over all keys."
    ),
    task=Task(
        "merge",
        _merge,
        PROBES,
        steps={
            "top": (lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: np.maximum(top_a, top_b),),
            "share_a": (
                lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: _shares(top_a, sum_a, top_b, sum_b)[0],
                lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: (
                    _shares(top_a, sum_a, top_b, sum_b)[0]
                    / sum(_shares(top_a, sum_a, top_b, sum_b))
                ),
            ),
            "share_b": (
                lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: _shares(top_a, sum_a, top_b, sum_b)[1],
                lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: (
                    _shares(top_a, sum_a, top_b, sum_b)[1]
                    / sum(_shares(top_a, sum_a, top_b, sum_b))
                ),
            ),
        },
    ),
)
