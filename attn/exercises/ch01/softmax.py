"""Write a softmax that survives large scores."""

import numpy as np

from attn import softmax
from attn.exercises.checking import CHANGES_ITS_INPUT, Exercise, Mistake, Probe, Task
from attn.exercises.naive_softmax import naive_softmax

PROBES = (
    Probe.of(
        "one row of scores",
        x=[0.5, -1.0, 2.0],
        advice="Work it out by hand: exponentiate each score, then divide by the sum of the three.",
    ),
    Probe.of(
        "two rows of scores",
        x=[[0.5, -1.0, 2.0], [1.0, 3.0, 0.0]],
        advice="Each row must sum to 1 by itself: print your result's sum over the last axis.",
    ),
    Probe.of(
        "scores with a leading axis",
        x=[[[0.5, -1.0, 2.0], [1.0, 3.0, 0.0]], [[0.0, 0.3, -2.0], [2.0, 2.0, 1.0]]],
        advice="Count axes from the end: the scores that share 1 are always along axis -1.",
    ),
    Probe.of(
        "large scores",
        x=[1000.0, 1001.0, 1003.0],
        advice="Print np.exp(1000.0), then look for a shift of the scores that changes no weight.",
    ),
    Probe.of(
        "large negative scores",
        x=[-1003.0, -1000.0, -1001.0],
        advice="Print np.exp(-1000.0), then look for a shift of the scores that changes no weight.",
    ),
    Probe.of(
        "scores 800 apart",
        x=[-500.0, 300.0, 303.0],
        advice=(
            "Which shift makes the largest exponent 0? Print your exponentials and look for inf."
        ),
    ),
    Probe.of(
        "scores 3000 apart",
        x=[-2000.0, 1000.0, 1003.0],
        advice=(
            "Which shift makes the largest exponent 0? Print your exponentials and look for inf."
        ),
    ),
    Probe.of(
        "one score far above the others",
        x=[3.0, 1000.0, -2.0],
        advice=(
            "Which shift makes the largest exponent 0? Print your exponentials and look for inf."
        ),
    ),
    Probe.of(
        "rows far apart",
        x=[[0.0, 1.0, 2.5], [5000.0, 5001.0, 5003.0]],
        advice="Find the maximum of each row, not of the whole array.",
    ),
    Probe.of(
        "whole numbers",
        x=[[1, 2, 4], [3, 0, 1]],
        advice="Look at the dtype of the array you return: weights are not whole numbers.",
    ),
)


def _shift(x):
    return x - x.max(axis=-1, keepdims=True)


def _softmax_in_integers(x):
    out = np.zeros_like(x)
    for i in np.ndindex(x.shape[:-1]):
        out[i] = softmax(x[i])
    return out


def _softmax_in_place(x):
    x -= x.max(axis=-1, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


MISTAKES = (
    Mistake(
        "divides-by-the-sum-of-scores",
        "You divide exponentials by the sum of the scores, so the weights do not sum to 1. Divide "
        "by the sum of the exponentials: store np.exp(x) in a variable and use it twice.",
        lambda x: np.exp(x) / x.sum(axis=-1, keepdims=True),
    ),
    Mistake(
        "forgets-the-exponential",
        "You divide the scores by their sum. That sums to 1, but a negative score gets a negative "
        "weight: 3 and -1 would get 1.5 and -0.5. Take the exponential of the scores first.",
        lambda x: x / x.sum(axis=-1, keepdims=True),
    ),
    Mistake(
        "stops-before-dividing",
        "You return the exponentials, which sum to more or less than 1; weights sum to 1. Divide "
        "by their sum.",
        np.exp,
        variants=(lambda x: np.exp(_shift(x)),),
    ),
    Mistake(
        "shifts-only-the-numerator",
        "You subtract the maximum above the fraction line but not below it, so the weights no "
        "longer sum to 1. Shift once, e = np.exp(x - top), and use e in both places.",
        lambda x: np.exp(_shift(x)) / np.exp(x).sum(axis=-1, keepdims=True),
    ),
    Mistake(
        "one-sum-for-the-whole-array",
        "You divide by one sum for the whole array, so all rows together share 1; each row has "
        "its own 1 to share. Give sum an axis.",
        lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(),
        variants=(
            lambda x: np.exp(x) / np.exp(x).sum(),
            lambda x: np.exp(_shift(x)) / np.exp(_shift(x)).sum(),
        ),
    ),
    Mistake(
        "sums-over-the-wrong-axis",
        "Your columns sum to 1, along axis 0; the rows must, along axis -1. Change the axis.",
        lambda x: softmax(x, axis=0),
        variants=(lambda x: np.exp(x) / np.exp(x).sum(axis=0),),
    ),
    Mistake(
        "sums-over-axis-one",
        "You normalise along axis 1, which is the last axis of a table but not of an array with "
        "a leading axis. Count from the end: axis -1.",
        lambda x: softmax(x, axis=min(1, x.ndim - 1)),
        variants=(lambda x: np.exp(x) / np.exp(x).sum(axis=1, keepdims=True),),
    ),
    Mistake(
        "loses-the-row-axis",
        "max and sum drop the axis they run over, so (2, 3) meets (2,) and the shapes do not fit; "
        "(2, 1) would. Add keepdims=True to both.",
        lambda x: np.exp(x) / np.exp(x).sum(axis=-1),
        variants=(
            lambda x: np.exp(_shift(x)) / np.exp(_shift(x)).sum(axis=-1),
            lambda x: naive_softmax(x - x.max(axis=-1)),
        ),
    ),
    Mistake(
        "overflows",
        "Your np.exp meets scores that are still large: np.exp(1000.0) is inf, "
        "np.exp(-1003.0) is 0, and the division gives nan. Subtract each row's maximum "
        "first; the weights stay the same.",
        naive_softmax,
    ),
    Mistake(
        "subtracts-the-minimum",
        "You subtract each row's minimum, so the exponents start at 0 and grow; np.exp overflows "
        "if a row spans more than 700. Subtract the maximum: then they end at 0.",
        lambda x: naive_softmax(x - x.min(axis=-1, keepdims=True)),
    ),
    Mistake(
        "subtracts-the-mean",
        "You subtract each row's mean, and scores far above it still overflow in np.exp. Subtract "
        "the maximum: then no exponent is above 0.",
        lambda x: naive_softmax(x - x.mean(axis=-1, keepdims=True)),
    ),
    Mistake(
        "one-maximum-for-the-whole-array",
        "You subtract one maximum for the whole array. A row far below it becomes all zeros, and "
        "0/0 is nan. Subtract each row's own maximum: max needs axis=-1 and keepdims=True.",
        lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(axis=-1, keepdims=True),
    ),
    Mistake(
        "stores-weights-as-integers",
        "You store the weights in an array with the type of x. For whole scores that type holds "
        "whole numbers only, and every weight below 1 becomes 0. Make the array with np.zeros.",
        _softmax_in_integers,
    ),
    Mistake(
        CHANGES_ITS_INPUT,
        "The weights are right, but x -= top writes into the caller's array. Write x = x - top: "
        "it makes a new one.",
        _softmax_in_place,
    ),
)

EXERCISE = Exercise(
    "01-softmax",
    title="Stable softmax",
    chapter=1,
    difficulty=1,
    minutes=8,
    hints=(
        "Two steps: make every score positive with np.exp, then divide by what they add up to.",
        "The sum runs along the last axis, and keepdims=True keeps that axis for the division.",
        "Subtracting the same number from every score of a row leaves its weights unchanged. "
        "Choose the number so that the largest exponent is 0.",
    ),
    mistakes=MISTAKES,
    section="sec-01-soft",
    task=Task("softmax", softmax, PROBES),
)
