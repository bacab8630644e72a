"""Write a softmax that survives large scores."""

import numpy as np

from attn import softmax
from attn.exercises.checking import CHANGES_ITS_INPUT, Exercise, Mistake, Probe, Task
from attn.exercises.families import naive_softmax

PROBES = (
    Probe.of("one row of scores", x=[0.5, -1.0, 2.0]).advise(
        "Work it out by hand: exponentiate each score, then divide by the sum of the three."
    ),
    Probe.of("two rows of scores", x=[[0.5, -1.0, 2.0], [1.0, 3.0, 0.0]]).advise(
        "Each row must sum to 1 by itself: print your result's sum over the last axis."
    ),
    Probe.of(
        "scores with a leading axis",
        x=[[[0.5, -1.0, 2.0], [1.0, 3.0, 0.0]], [[0.0, 0.3, -2.0], [2.0, 2.0, 1.0]]],
    ).advise("Count axes from the end: the scores that share 1 are always along axis -1."),
    Probe.of("large scores", x=[1000.0, 1001.0, 1003.0]).advise(
        "Print np.exp(1000.0), then look for a shift of the scores that changes no weight."
    ),
    Probe.of("large negative scores", x=[-1003.0, -1000.0, -1001.0]).advise(
        "Print np.exp(-1000.0), then look for a shift of the scores that changes no weight."
    ),
    Probe.of("scores 800 apart", x=[300.0, -500.0, 303.0]).advise(
        "Which shift makes the largest exponent 0? Print your exponentials and look for inf."
    ),
    Probe.of(
        "scores 1400 apart, most of them far below the largest", x=[5.0, -690.0, 700.0, -695.0, 3.0]
    ).advise("Which shift makes the largest exponent 0? Print your exponentials and look for inf."),
    Probe.of("scores 3000 apart", x=[1000.0, -2000.0, 1003.0]).advise(
        "Which shift makes the largest exponent 0? Print your exponentials and look for inf."
    ),
    Probe.of("one score far above the others", x=[3.0, 1000.0, -2.0]).advise(
        "Which shift makes the largest exponent 0? Print your exponentials and look for inf."
    ),
    Probe.of("rows far apart", x=[[0.0, 1.0, 2.5], [5000.0, 5001.0, 5003.0]]).advise(
        "Find the maximum of each row, not of the whole array."
    ),
    Probe.of("whole numbers", x=[[1, 2, 4], [3, 0, 1]]).advise(
        "Look at the dtype of the array you return: weights are not whole numbers."
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
        "You divide the exponentials by the sum of the scores, so the weights do not sum to 1.",
        lambda x: np.exp(x) / x.sum(axis=-1, keepdims=True),
        hint=(
            "Divide by the sum of the exponentials: store np.exp(x) in a variable and use it twice."
        ),
    ),
    Mistake(
        "forgets-the-exponential",
        "You divide the scores by their sum. That sums to 1, but a negative score gets a negative "
        "weight: 3 and -1 would get 1.5 and -0.5.",
        lambda x: x / x.sum(axis=-1, keepdims=True),
        hint="Take the exponential of the scores first.",
    ),
    Mistake(
        "stops-before-dividing",
        "You return the exponentials themselves, and a row of them does not sum to 1.",
        np.exp,
        variants=(lambda x: np.exp(_shift(x)),),
        hint="Divide each row by its own sum.",
    ),
    Mistake(
        "shifts-only-the-numerator",
        "You subtract the maximum above the fraction line but not below it, so the weights no "
        "longer sum to 1.",
        lambda x: np.exp(_shift(x)) / np.exp(x).sum(axis=-1, keepdims=True),
        hint="Shift once, e = np.exp(x - top), and use e in both places.",
    ),
    Mistake(
        "one-sum-for-the-whole-array",
        "You divide by one sum for the whole array, so all the rows together share a single 1.",
        lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(),
        variants=(
            lambda x: np.exp(x) / np.exp(x).sum(),
            lambda x: np.exp(_shift(x)) / np.exp(_shift(x)).sum(),
        ),
        hint="Give sum an axis: each row has its own 1 to share.",
    ),
    Mistake(
        "sums-over-the-wrong-axis",
        "Your columns sum to 1, along axis 0, and your rows do not.",
        lambda x: softmax(x, axis=0),
        variants=(lambda x: np.exp(x) / np.exp(x).sum(axis=0),),
        hint="The scores that share 1 lie along the last axis, -1.",
    ),
    Mistake(
        "sums-over-axis-one",
        "You normalise along axis 1. In a table that is the last axis, but not in an array with a "
        "leading axis.",
        lambda x: softmax(x, axis=min(1, x.ndim - 1)),
        variants=(lambda x: np.exp(x) / np.exp(x).sum(axis=1, keepdims=True),),
        hint="Count from the end: axis -1.",
    ),
    Mistake(
        "loses-the-row-axis",
        "max and sum drop the axis they run over, so a shape of (2, 3) meets a shape of (2,), and "
        "the two do not fit.",
        lambda x: np.exp(x) / np.exp(x).sum(axis=-1),
        variants=(
            lambda x: np.exp(_shift(x)) / np.exp(_shift(x)).sum(axis=-1),
            lambda x: naive_softmax(x - x.max(axis=-1)),
        ),
        hint="keepdims=True keeps the axis: (2, 3) and (2, 1) do fit.",
    ),
    Mistake(
        "overflows",
        "Your np.exp meets the scores as they are: np.exp(1000.0) is inf, np.exp(-1003.0) is 0, "
        "and the division gives nan.",
        naive_softmax,
        hint="Subtract each row's maximum first. The weights stay the same.",
    ),
    Mistake(
        "subtracts-the-minimum",
        "You subtract each row's minimum, so the exponents start at 0 and grow, and np.exp "
        "overflows in a row that spans more than 700.",
        lambda x: naive_softmax(x - x.min(axis=-1, keepdims=True)),
        hint="Which number would you subtract so that the exponents end at 0?",
    ),
    Mistake(
        "subtracts-the-mean",
        "You subtract each row's mean, and scores far above it still overflow in np.exp.",
        lambda x: naive_softmax(x - x.mean(axis=-1, keepdims=True)),
        hint="Which number would you subtract so that no exponent is above 0?",
    ),
    Mistake(
        "one-maximum-for-the-whole-array",
        "You subtract one maximum for the whole array. A row far below it turns into zeros, and "
        "0/0 is nan.",
        lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(axis=-1, keepdims=True),
        hint="Each row needs its own maximum: give max axis=-1 and keepdims=True.",
    ),
    Mistake(
        "stores-weights-as-integers",
        "You store the weights in an array of x's type. For whole scores that type holds only "
        "whole numbers, so every weight below 1 becomes 0.",
        _softmax_in_integers,
        hint="np.zeros makes an array of floats.",
    ),
    Mistake(
        CHANGES_ITS_INPUT,
        "The weights are right, but x -= top writes into the caller's array.",
        _softmax_in_place,
        hint="x = x - top makes a new array instead.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Stable softmax",
    difficulty=1,
    minutes=8,
    hints=(
        "Two steps: make every score positive with np.exp, then divide by their sum.",
        "The sum runs along the last axis, and keepdims=True keeps that axis for the division.",
        "Subtracting the same number from every score in a row leaves its weights unchanged. "
        "Choose the number that makes the largest exponent 0.",
    ),
    mistakes=MISTAKES,
    section="sec-01-softmax",
    passed=(
        "Only the gaps between scores matter now, so no score is too large or too small. Compare it"
        " with attn.softmax, which takes an axis as well."
    ),
    task=Task("softmax", softmax, PROBES),
)
