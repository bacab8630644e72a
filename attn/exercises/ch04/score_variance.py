"""The variance of dot products."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, count, d_k, seed, shift=0.0):
    rng = np.random.default_rng(seed)
    Q, K = (np.round(shift + rng.normal(size=(count, d_k)), 2) for _ in range(2))
    return Probe.of(label, Q=Q, K=K)


PROBES = (
    Probe.of(
        "three pairs of size 2",
        Q=[[1.0, 2.0], [0.0, 1.0], [2.0, -1.0]],
        K=[[3.0, 2.0], [2.0, -2.0], [2.5, 4.0]],
    ).advise("By hand: the dot products are 7, -2 and 1, their mean is 2, so the variance is 14."),
    _probe("five pairs of size 3", count=5, d_k=3, seed=40).advise(
        "Print the dot products first: there must be five of them, one for each pair."
    ),
    _probe("four pairs of size 4", count=4, d_k=4, seed=41).advise(
        "Here t = d_k, so a sum over the wrong axis also fits. Sum over the entries, axis -1."
    ),
    _probe("seven pairs with a mean that is not 0", count=7, d_k=3, seed=42, shift=1.5).advise(
        "A variance is measured from the mean: subtract the mean of the dot products first."
    ),
    _probe("200 pairs of size 16", count=200, d_k=16, seed=43).advise(
        "Compare your result with d_k: they are close."
    ),
)


def _dots(Q, K):
    return (Q * K).sum(axis=-1)


MISTAKES = (
    Mistake(
        "returns-the-dot-products",
        "You return the dot products themselves; one number was asked for, their variance.",
        _dots,
        hint="An array's method var() gives it.",
    ),
    Mistake(
        "takes-every-query-with-every-key",
        "You take the dot product of every query with every key, but the pairs are row i of Q with"
        " row i of K.",
        lambda Q, K: (Q @ K.T).var(),
        hint="Multiply entry by entry and sum each row.",
    ),
    Mistake(
        "forgets-to-add-up",
        "You take the variance of the single products, but a score is the sum of d_k of them.",
        lambda Q, K: (Q * K).var(),
        hint="Sum over the last axis before you take the variance.",
    ),
    Mistake(
        "sums-over-the-pairs",
        "You sum over the pairs, along axis 0, and get one number per entry.",
        lambda Q, K: (Q * K).sum(axis=0).var(),
        hint="A dot product sums over the entries: axis -1.",
    ),
    Mistake(
        "returns-the-standard-deviation",
        "You return the standard deviation, the square root of what was asked for.",
        lambda Q, K: _dots(Q, K).std(),
        hint="It is the variance that grows like d_k: leave the root out.",
    ),
    Mistake(
        "measures-from-zero",
        "You average the squares, which measures from 0, but a variance measures from the mean.",
        lambda Q, K: (_dots(Q, K) ** 2).mean(),
        hint="Subtract the mean of the dot products first.",
    ),
    Mistake(
        "divides-by-one-less",
        "You divide by t - 1, which estimates the variance of a larger population; the mean over "
        "these t pairs was asked for.",
        lambda Q, K: _dots(Q, K).var(ddof=1),
        hint="Use var() without ddof.",
    ),
    Mistake(
        "predicts-instead-of-measuring",
        "You return d_k, which is what the chapter predicts for entries of variance 1.",
        lambda Q, K: float(Q.shape[-1]),
        hint="Measure it: compute the dot products and their variance.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Measure the variance of a score",
    difficulty=1,
    minutes=6,
    hints=(
        "First the t dot products: multiply entry by entry, then sum each row.",
        "The variance is the mean of the squared distances from the mean; an array has a method "
        "for it.",
    ),
    mistakes=MISTAKES,
    section="sec-04-variance",
    passed=(
        "For entries of variance 1 you measure about d_k: every product adds its own variance to "
        "the score. Try it on rng.normal(size=(10000, 64))."
    ),
    task=Task("score_variance", lambda Q, K: _dots(Q, K).var(), PROBES),
)
