"""The slope of the softmax, as a matrix."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, scores, advice, **scale):
    return Probe.of(label, scores=scores, **scale, keywords=tuple(scale), advice=advice)


PROBES = (
    _probe(
        "two scores",
        scores=[1.0, 0.0],
        advice="By hand: p = (0.731, 0.269), and every entry is 0.197 or -0.197.",
    ),
    _probe(
        "three scores",
        scores=[0.5, -1.0, 2.0],
        advice=(
            "Nudge one score by 1e-6 and see how each of the three weights moves: that is a column."
        ),
    ),
    _probe(
        "two scores with scale 0.125",
        scores=[4.0, -6.0],
        advice="The scale stands inside the softmax, and the chain rule puts it in front as well.",
        scale=0.125,
    ),
    _probe(
        "four scores with scale 1.7",
        scores=[0.3, -0.2, 0.1, 0.0],
        advice="The scale stands inside the softmax, and the chain rule puts it in front as well.",
        scale=1.7,
    ),
    _probe(
        "one score",
        scores=[3.0],
        advice="One weight is always 1, so nothing moves: the matrix is [[0.]].",
    ),
)


def _p(scores, scale=1.0):
    return softmax(scale * scores)


def _jacobian(scores, *, scale=1.0):
    p = _p(scores, scale)
    return scale * (np.diag(p) - np.outer(p, p))


MISTAKES = (
    Mistake(
        "keeps-only-the-diagonal",
        "You keep only the diagonal, p (1 - p), as for a sigmoid. In a softmax the weights "
        "share one sum: raising one score lowers all other weights. Add -p[i] * p[j].",
        lambda scores, *, scale=1.0: scale * np.diag(_p(scores, scale) * (1 - _p(scores, scale))),
    ),
    Mistake(
        "returns-a-vector",
        "You return p (1 - p), one number per score; each of the m weights depends on each of "
        "the m scores. The slope is an (m, m) table.",
        lambda scores, *, scale=1.0: scale * _p(scores, scale) * (1 - _p(scores, scale)),
    ),
    Mistake(
        "forgets-the-diagonal",
        "You return -p pᵀ alone, so raising a score would lower its own weight too. Add p on "
        "the diagonal.",
        lambda scores, *, scale=1.0: -scale * np.outer(_p(scores, scale), _p(scores, scale)),
    ),
    Mistake(
        "adds-the-products",
        "You add p pᵀ; when one key gains weight the others lose it. Subtract it.",
        lambda scores, *, scale=1.0: (
            scale * (np.diag(_p(scores, scale)) + np.outer(_p(scores, scale), _p(scores, scale)))
        ),
    ),
    Mistake(
        "starts-from-the-identity",
        "You subtract from the identity; the diagonal carries p, not 1. Use np.diag(p).",
        lambda scores, *, scale=1.0: (
            scale * (np.eye(len(scores)) - np.outer(_p(scores, scale), _p(scores, scale)))
        ),
    ),
    Mistake(
        "uses-the-scores",
        "You build the matrix from the scores; it is made of the weights. Apply the softmax first.",
        lambda scores, *, scale=1.0: (
            scale * (np.diag(scale * scores) - np.outer(scale * scores, scale * scores))
        ),
    ),
    Mistake(
        "forgets-the-chain-rule",
        "Your weights use the scale, but the factor in front is missing: scores are multiplied "
        "by it on the way in, so slopes are multiplied by it on the way out.",
        lambda scores, *, scale=1.0: _jacobian(scale * scores),
    ),
    Mistake(
        "scales-only-the-slope",
        "You multiply the slope by the scale but compute the weights without it. Use "
        "softmax(scale * scores).",
        lambda scores, *, scale=1.0: scale * _jacobian(scores),
    ),
    Mistake(
        "ignores-the-scale",
        "Your slope does not depend on the scale; both the weights and the factor in front do. "
        "Start from softmax(scale * scores).",
        lambda scores, *, scale=1.0: _jacobian(scores),
    ),
)

EXERCISE = Exercise(
    "04-jacobian",
    title="The slope of the softmax",
    chapter=4,
    difficulty=3,
    minutes=12,
    hints=(
        "Raising a score moves weight to its key and away from all the others. So the diagonal is "
        "positive and everything else negative; each column sums to 0.",
        "Entry (i, j) is p[i] * (1 - p[i]) on the diagonal and -p[i] * p[j] elsewhere.",
        "np.diag(p) puts p on a diagonal, np.outer(p, p) holds every product. For the scale, use "
        "the chain rule.",
    ),
    mistakes=MISTAKES,
    section="sec-04-sensitivity",
    task=Task("softmax_jacobian", _jacobian, PROBES),
)
