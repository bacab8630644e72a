"""The slope of the softmax, as a matrix."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import naive_softmax, overflows


def _probe(label, *, scores, **scale):
    return Probe.of(label, scores=scores, **scale, keywords=tuple(scale))


PROBES = (
    _probe("two scores", scores=[1.0, 0.0]).advise(
        "By hand: p = (0.731, 0.269), and every entry is 0.197 or -0.197."
    ),
    _probe("three scores", scores=[0.5, -1.0, 2.0]).advise(
        "Nudge one score by 1e-6 and see how each of the three weights moves: that is a column."
    ),
    _probe("two scores with scale 0.125", scores=[1.0, -0.5], scale=0.125).advise(
        "The scale stands inside the softmax, and the chain rule puts it in front as well."
    ),
    _probe("four scores with scale 1.7", scores=[0.3, -0.2, 0.1, 0.0], scale=1.7).advise(
        "The scale stands inside the softmax, and the chain rule puts it in front as well."
    ),
    _probe("one score", scores=[3.0]).advise(
        "One weight is always 1, so nothing moves: the matrix is [[0.]]."
    ),
    _probe("scores near 1000", scores=[1000.0, 1001.0, 999.5]).advise(
        "Print np.exp(1000.0): it is inf. attn.softmax shifts the scores first."
    ),
)


def _p(scores, scale=1.0):
    return softmax(scale * scores)


def _slopes_of(p):
    return np.diag(p) - np.outer(p, p)


def _jacobian(scores, *, scale=1.0):
    return scale * _slopes_of(_p(scores, scale))


MISTAKES = (
    Mistake(
        "keeps-only-the-diagonal",
        "You keep only the diagonal, p (1 - p), as for a sigmoid. In a softmax, raising one score "
        "lowers all the other weights.",
        lambda scores, *, scale=1.0: scale * np.diag(_p(scores, scale) * (1 - _p(scores, scale))),
        hint="Add -p[i] * p[j] off the diagonal.",
    ),
    Mistake(
        "returns-a-vector",
        "You return p (1 - p), one number per score, but each of the m weights depends on each of "
        "the m scores.",
        lambda scores, *, scale=1.0: scale * _p(scores, scale) * (1 - _p(scores, scale)),
        hint="The slope is an (m, m) table.",
    ),
    Mistake(
        "forgets-the-diagonal",
        "You return -p pᵀ alone, so raising a score would lower its own weight too.",
        lambda scores, *, scale=1.0: -scale * np.outer(_p(scores, scale), _p(scores, scale)),
        hint="Add p on the diagonal.",
    ),
    Mistake(
        "adds-the-products",
        "You add p pᵀ, so that all weights would grow together; when one key gains weight, the "
        "others lose it.",
        lambda scores, *, scale=1.0: (
            scale * (np.diag(_p(scores, scale)) + np.outer(_p(scores, scale), _p(scores, scale)))
        ),
        hint="Subtract it.",
    ),
    Mistake(
        "starts-from-the-identity",
        "You subtract p pᵀ from the identity, whose diagonal is the same whatever the weights are.",
        lambda scores, *, scale=1.0: (
            scale * (np.eye(len(scores)) - np.outer(_p(scores, scale), _p(scores, scale)))
        ),
        hint="The diagonal should carry p, and np.diag(p) does.",
    ),
    Mistake(
        "uses-the-scores",
        "You build the matrix from the scores, but it is made of the weights.",
        lambda scores, *, scale=1.0: (
            scale * (np.diag(scale * scores) - np.outer(scale * scores, scale * scores))
        ),
        hint="Apply the softmax first.",
    ),
    overflows(
        lambda scores, *, scale=1.0: scale * _slopes_of(naive_softmax(scale * scores)),
        score="of 1000",
        largest="the largest score",
    ),
    Mistake(
        "forgets-the-chain-rule",
        "Your weights use the scale, but the factor scale in front of the matrix is missing.",
        lambda scores, *, scale=1.0: _jacobian(scale * scores),
        hint=(
            "Scores are multiplied by it on the way in, so slopes are multiplied by it on the way "
            "out."
        ),
    ),
    Mistake(
        "scales-only-the-slope",
        "You multiply the slope by the scale, but compute the weights without it.",
        lambda scores, *, scale=1.0: scale * _jacobian(scores),
        hint="The weights are softmax(scale * scores).",
    ),
    Mistake(
        "ignores-the-scale",
        "Your slope does not depend on the scale, but both the weights and the factor in front do.",
        lambda scores, *, scale=1.0: _jacobian(scores),
        hint="Start from softmax(scale * scores).",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="The slope of the softmax",
    difficulty=3,
    minutes=12,
    hints=(
        "Raising a score moves weight to its key and away from all the others. So the diagonal is "
        "positive and everything else negative; each column sums to 0.",
        "Entry (i, j) is p[i] * (1 - p[i]) on the diagonal and -p[i] * p[j] elsewhere.",
        "np.diag(p) puts p on a diagonal, and np.outer(p, p) holds every product. For the scale, "
        "use the chain rule.",
    ),
    mistakes=MISTAKES,
    section="sec-04-sensitivity",
    passed=(
        "This matrix is what a gradient passes through. Print it for scores [10, 0, 0], then for "
        "[100, 0, 0]: that is saturation."
    ),
    task=Task("softmax_jacobian", _jacobian, PROBES),
)
