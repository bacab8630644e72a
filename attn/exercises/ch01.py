"""Chapter 1, Lookup: softmax, sharpness, the soft look-up, its hull, a general score."""

from functools import cache

import numpy as np

from attn import soft_lookup, softmax
from attn.exercises.catalogue import Exercise, Mistake
from attn.exercises.examination import CHANGES_ITS_INPUT, Task
from attn.exercises.probe import Probe, truth

# --- 01-softmax ---------------------------------------------------------------------------


def _scores(label, x, advice):
    return Probe(label, {"x": np.array(x)}, advice)


_SOFTMAX_PROBES = (
    _scores(
        "one row of scores",
        [0.5, -1.0, 2.0],
        "Work it out by hand: exponentiate each score, then divide by the sum of the three.",
    ),
    _scores(
        "two rows of scores",
        [[0.5, -1.0, 2.0], [1.0, 3.0, 0.0]],
        "Each row must sum to 1 by itself: print your result's sum over the last axis.",
    ),
    _scores(
        "scores with a leading axis",
        [[[0.5, -1.0, 2.0], [1.0, 3.0, 0.0]], [[0.0, 0.3, -2.0], [2.0, 2.0, 1.0]]],
        "Count axes from the end: the scores that share 1 are always along axis -1.",
    ),
    _scores(
        "large scores",
        [1000.0, 1001.0, 1003.0],
        "Print np.exp(1000.0), then look for a shift of the scores that changes no weight.",
    ),
    _scores(
        "large negative scores",
        [-1003.0, -1000.0, -1001.0],
        "Print np.exp(-1000.0), then look for a shift of the scores that changes no weight.",
    ),
    _scores(
        "scores 800 apart",
        [-500.0, 300.0, 303.0],
        "Which shift makes the largest exponent 0? Print your exponentials and look for inf.",
    ),
    _scores(
        "scores 3000 apart",
        [-2000.0, 1000.0, 1003.0],
        "Which shift makes the largest exponent 0? Print your exponentials and look for inf.",
    ),
    _scores(
        "rows far apart",
        [[0.0, 1.0, 2.5], [1000.0, 1001.0, 1003.0]],
        "Find the maximum of each row, not of the whole array.",
    ),
    _scores(
        "whole numbers",
        [[1, 2, 4], [3, 0, 1]],
        "Look at the dtype of the array you return: weights are not whole numbers.",
    ),
)


def _shift(x):
    return x - x.max(axis=-1, keepdims=True)


def _naive_rows(x):
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


def _softmax_in_integers(x):
    out = np.zeros_like(x)
    for i in np.ndindex(x.shape[:-1]):
        out[i] = softmax(x[i])
    return out


def _softmax_in_place(x):
    x -= x.max(axis=-1, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


_SOFTMAX_MISTAKES = (
    Mistake(
        "divides-by-the-sum-of-scores",
        "You divide by the sum of the scores; the weights sum to 1 only if you divide by the sum "
        "of their exponentials. Store np.exp(x) in a variable and use it twice.",
        lambda x: np.exp(x) / x.sum(axis=-1, keepdims=True),
    ),
    Mistake(
        "forgets-the-exponential",
        "You divide the scores by their sum, so a negative score gets a negative weight; every "
        "weight must be positive. Take the exponential of the scores first.",
        lambda x: x / x.sum(axis=-1, keepdims=True),
    ),
    Mistake(
        "stops-before-dividing",
        "You return the exponentials, which sum to more or less than 1; weights sum to 1. Divide "
        "by their sum.",
        np.exp,
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
    ),
    Mistake(
        "sums-over-the-wrong-axis",
        "Your columns sum to 1, along axis 0; the rows must, along axis -1. Change the axis.",
        lambda x: softmax(x, axis=0),
    ),
    Mistake(
        "sums-over-axis-one",
        "You normalise along axis 1, which is the last axis of a table but not of an array with "
        "a leading axis. Count from the end: axis -1.",
        lambda x: softmax(x, axis=min(1, x.ndim - 1)),
    ),
    Mistake(
        "loses-the-row-axis",
        "max and sum drop the axis they run over, so (2, 3) meets (2,) and the shapes do not fit; "
        "(2, 1) would. Add keepdims=True to both.",
        lambda x: np.exp(x) / np.exp(x).sum(axis=-1),
    ),
    Mistake(
        "overflows",
        "You exponentiate the scores as they are: np.exp(1000.0) is inf, np.exp(-1003.0) is 0, "
        "and the division gives nan. Subtract each row's maximum first; the weights stay the same.",
        _naive_rows,
    ),
    Mistake(
        "subtracts-the-minimum",
        "You subtract each row's minimum, so the exponents start at 0 and grow; np.exp overflows "
        "if a row spans more than 700. Subtract the maximum: then they end at 0.",
        lambda x: _naive_rows(x - x.min(axis=-1, keepdims=True)),
    ),
    Mistake(
        "subtracts-the-mean",
        "You subtract each row's mean, and scores far above it still overflow in np.exp. Subtract "
        "the maximum: then no exponent is above 0.",
        lambda x: _naive_rows(x - x.mean(axis=-1, keepdims=True)),
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

_SOFTMAX = Exercise(
    "01-softmax",
    "Stable softmax",
    1,
    difficulty=1,
    minutes=8,
    hints=(
        "Two steps: make every score positive with np.exp, then divide by what they add up to.",
        "The sum runs along the last axis, and keepdims=True keeps that axis for the division.",
        "Subtracting the same number from every score of a row leaves its weights unchanged. "
        "Choose the number so that the largest exponent is 0.",
    ),
    mistakes=_SOFTMAX_MISTAKES,
    section="sec-01-softmax",
    task=Task("softmax", softmax, _SOFTMAX_PROBES),
)

# --- 01-choose-beta -----------------------------------------------------------------------


def _solve_beta(gaps, weight=0.99):
    """The smallest beta for which 1 / sum(exp(-beta * gaps)) reaches the weight."""
    low, high = 0.0, 1.0
    while 1 / np.exp(-high * gaps).sum() < weight:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        if 1 / np.exp(-middle * gaps).sum() < weight:
            low = middle
        else:
            high = middle
    return high


def _gaps(query, keys):
    scores = keys @ query
    return scores.max() - scores


def _smallest_beta(query, keys):
    return _solve_beta(_gaps(query, keys))


def _other_gaps(query, keys):
    """Gaps of all keys but the best, smallest first."""
    return np.sort(_gaps(query, keys))[1:]


def _table(label, query, keys, advice):
    return Probe(label, {"query": np.array(query), "keys": np.array(keys)}, advice)


_BETA_PROBES = (
    _table(
        "two keys",
        [1.0, 0.0],
        [[0.0, 1.0], [0.5, 0.0]],
        "Write the two weights as 0.99 and 0.01: their ratio is exp(beta * gap).",
    ),
    _table(
        "two keys that score almost the same",
        [1.0, 0.0],
        [[2.0, 1.0], [1.9, 0.0]],
        "Put your beta back into the softmax and print the weight of the best key.",
    ),
    _table(
        "two keys far apart",
        [3.0, 0.0],
        [[2.0, 1.0], [-1.0, 1.0]],
        "The answer lies below 1 here: start the search at 0.",
    ),
    _table(
        "four keys",
        [1.0, 2.0],
        [[1.0, 0.0], [0.0, -1.0], [1.0, 0.3], [0.2, 0.2]],
        "Every other key takes a share: plot the best weight against beta and read off 0.99.",
    ),
    _table(
        "four keys with negative scores",
        [-1.0, -2.0],
        [[1.0, 0.3], [0.5, 0.1], [2.0, 0.5], [0.9, 0.3]],
        "Only gaps between scores matter: adding 100 to every score must not change your beta.",
    ),
    _table(
        "a single key",
        [1.0, 2.0],
        [[0.5, 0.5]],
        "With one key the weight is 1 already at beta = 0.",
    ),
)

_CHOOSE_BETA = Exercise(
    "01-choose-beta",
    "How sharp is sharp enough?",
    1,
    difficulty=2,
    minutes=12,
    hints=(
        "Divide the softmax above and below by the best key's exponential: its weight is "
        "1 / sum(exp(-beta * gaps)), where gaps are measured down from the best score.",
        "That weight grows with beta, so you can search: if the weight at some beta is too small, "
        "the answer lies above it.",
        "Double an upper end until it is sharp enough, then halve the interval fifty times.",
    ),
    mistakes=(
        Mistake(
            "uses-the-score-instead-of-the-gap",
            "You divide by the best score itself; a softmax sees only differences between scores. "
            "Use the gap from the best score down to the next.",
            lambda query, keys: np.log(99) / (keys @ query).max(),
        ),
        Mistake(
            "leaves-one-percent-of-the-best",
            "You solve exp(-beta * gap) = 0.01, but that is the ratio of the two weights, and "
            "0.01 / 0.99 was expected: the other key keeps 1 % of the whole, not of the best. "
            "Solve for a ratio of 99.",
            lambda query, keys: np.log(100) / _other_gaps(query, keys)[0],
        ),
        Mistake(
            "counts-only-the-runner-up",
            "You keep the second-best key below 1 %, but all the other keys together share that "
            "1 %, so the best key stays below 0.99. Add up the exponentials of every gap.",
            lambda query, keys: np.log(99) / _other_gaps(query, keys)[0],
        ),
        Mistake(
            "uses-the-worst-key",
            "You measure the gap down to the worst key; the nearest rival takes far more weight. "
            "Include every key in the sum.",
            lambda query, keys: np.log(99) / _other_gaps(query, keys)[-1],
        ),
        Mistake(
            "bounds-instead-of-solving",
            "Your beta is sharp enough, but not the smallest: you treat every other key as if it "
            "were as close as the runner-up. Solve 1 / sum(exp(-beta * gaps)) = 0.99 itself.",
            lambda query, keys: (
                np.log(99 * len(_other_gaps(query, keys))) / _other_gaps(query, keys)[0]
            ),
        ),
        Mistake(
            "rounds-up-to-a-whole-number",
            "Your beta is sharp enough, but a step above the smallest: your search moves in steps "
            "that are too coarse. Halve the interval between the last two numbers you tried.",
            lambda query, keys: np.ceil(_smallest_beta(query, keys)),
        ),
    ),
    section="sec-01-sharpness",
    task=Task("smallest_beta", _smallest_beta, _BETA_PROBES, tolerance=(0.0, 0.01)),
)

# --- 01-soft-lookup -----------------------------------------------------------------------


def _lookup(label, query, keys, values, beta, advice):
    arguments = {
        "query": np.array(query),
        "keys": np.array(keys),
        "values": np.array(values),
        "beta": beta,
    }
    return Probe(label, arguments, advice, keywords=("beta",))


_KEYS = [[1.0, 0.2], [0.0, 1.5], [-1.0, 0.4], [0.6, -0.5]]
_QUERY = [1.0, 0.5]
_SCALARS = [10.0, 20.0, 30.0, 60.0]
_VECTORS = [[1.0, 0.0, 2.0], [0.0, 3.0, 1.0], [-1.0, 1.0, 0.0], [2.0, 2.0, -4.0]]

_LOOKUP_PROBES = (
    _lookup(
        "one number per key",
        _QUERY,
        _KEYS,
        _SCALARS,
        1.0,
        "Print the scores, the weights and the weights' sum, and compare each with your figures "
        "by hand.",
    ),
    _lookup(
        "a sharper look-up",
        _QUERY,
        _KEYS,
        _SCALARS,
        2.5,
        "Multiply the scores by beta before the softmax.",
    ),
    _lookup(
        "a look-up with beta = 0",
        _QUERY,
        _KEYS,
        _SCALARS,
        0.0,
        "With beta = 0 every score is 0, every weight the same, and the output the plain average.",
    ),
    _lookup(
        "a vector per key",
        _QUERY,
        _KEYS,
        _VECTORS,
        1.5,
        "weights is (m,) and values is (m, d_v): which product of the two has shape (d_v,)?",
    ),
    _lookup(
        "one key",
        _QUERY,
        [[0.3, 0.4]],
        [[5.0, 7.0]],
        2.0,
        "With one key its weight is 1 and its value comes back unchanged.",
    ),
    _lookup(
        "as many values' entries as keys",
        [0.5, -1.0, 0.25],
        [[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]],
        [[1.0, 4.0], [-2.0, 3.0]],
        1.0,
        "Here m = d_v, so a transposed product also fits. Sum over the keys, the first axis.",
    ),
    Probe(
        "a look-up with beta left out",
        {"query": np.array(_QUERY), "keys": np.array(_KEYS), "values": np.array(_SCALARS)},
        "Keep the starter's default, beta=1.0.",
    ),
    _lookup(
        "a very sharp look-up",
        _QUERY,
        _KEYS,
        _SCALARS,
        2000.0,
        "Use the stable softmax: subtract the largest score before np.exp.",
    ),
)


def _weights(query, keys, beta):
    return softmax(beta * (keys @ query))


def _naive(x):
    return np.exp(x) / np.exp(x).sum()


def _blend_of_columns(query, keys, values, *, beta=1.0):
    return (_weights(query, keys, beta)[:, None] * values).sum(axis=0)


_SOFT_LOOKUP = Exercise(
    "01-soft-lookup",
    "Soft look-up in three lines",
    1,
    difficulty=1,
    minutes=8,
    hints=(
        "One line each: scores, weights, output. All scores at once are one matrix product.",
        "Sharpness multiplies the scores before the softmax, never the weights after it.",
        "The output is sum over j of weights[j] * values[j]. The operator @ does this for values "
        "of shape (m,) and (m, d_v) alike.",
    ),
    mistakes=(
        Mistake(
            "returns-the-weights",
            "You return the weights; the look-up returns the values blended by them. Multiply "
            "the weights with the values and sum over the keys.",
            lambda query, keys, values, *, beta=1.0: _weights(query, keys, beta),
        ),
        Mistake(
            "returns-the-nearest-value",
            "You return the value of the best key alone; a soft look-up gives every key a share. "
            "Replace the arg-max by a softmax of the scores.",
            lambda query, keys, values, *, beta=1.0: values[np.argmax(keys @ query)],
        ),
        Mistake(
            "forgets-the-softmax",
            "You use the scores as weights, so they can be negative and need not sum to 1. Pass "
            "them through a softmax first.",
            lambda query, keys, values, *, beta=1.0: beta * (keys @ query) @ values,
        ),
        Mistake(
            "forgets-to-normalise",
            "You exponentiate the scores but do not divide by the sum, so the output leaves the "
            "range of the values. Divide the exponentials by their sum.",
            lambda query, keys, values, *, beta=1.0: np.exp(beta * (keys @ query)) @ values,
        ),
        Mistake(
            "forgets-to-add-up",
            "You multiply each value by its weight but do not add them up: one output per key "
            "comes back, and one in all was expected. Sum over the keys, or use @.",
            lambda query, keys, values, *, beta=1.0: _weights(query, keys, beta) * values,
        ),
        Mistake(
            "softmax-over-the-wrong-axis",
            "Your scores form a column (m, 1), and your softmax runs over its axis of length 1: "
            "every weight is 1 and the values are added, not blended. Run it over the keys.",
            lambda query, keys, values, *, beta=1.0: np.ones(len(keys)) @ values,
        ),
        Mistake(
            "scores-by-distance",
            "You score keys by their squared distance; here a score is the dot product of query "
            "and key, which also rewards long keys. Use keys @ query.",
            lambda query, keys, values, *, beta=1.0: (
                softmax(-beta * ((keys - query) ** 2).sum(axis=-1)) @ values
            ),
        ),
        Mistake(
            "forgets-beta",
            "Your output does not depend on beta; a larger beta must sharpen the weights. "
            "Multiply the scores by beta.",
            lambda query, keys, values, *, beta=1.0: _weights(query, keys, 1.0) @ values,
        ),
        Mistake(
            "beta-after-the-softmax",
            "You multiply by beta after the softmax, so the weights sum to beta instead of 1 and "
            "nothing gets sharper. Multiply the scores, before the softmax.",
            lambda query, keys, values, *, beta=1.0: beta * _weights(query, keys, 1.0) @ values,
        ),
        Mistake(
            "divides-by-beta",
            "You divide the scores by beta, as with a temperature; sharpness is its inverse, and "
            "a larger beta must give a sharper look-up. Multiply instead.",
            lambda query, keys, values, *, beta=1.0: (
                _naive(keys @ query / np.float64(beta)) @ values
            ),
        ),
        Mistake(
            "works-for-scalar-values-only",
            "You multiply weights of shape (m,) with values entry by entry, which fits only if "
            "each value is one number; values may also be (m, d_v). Let weights @ values do both.",
            lambda query, keys, values, *, beta=1.0: np.sum(_weights(query, keys, beta) * values),
        ),
        Mistake(
            "works-for-vector-values-only",
            "You give the weights a second axis, which fits values of shape (m, d_v) but turns "
            "values of shape (m,) into a table. Let weights @ values do both.",
            _blend_of_columns,
        ),
        Mistake(
            "sums-over-the-entries-of-a-value",
            "You sum over the entries of each value instead of over the keys: the output has one "
            "number per key. The keys are the first axis of values: write weights @ values.",
            lambda query, keys, values, *, beta=1.0: values @ _weights(query, keys, beta),
        ),
        Mistake(
            "overflows",
            "You exponentiate large scores as they are: np.exp gives inf, and inf / inf is nan. "
            "Subtract the largest score first, or use attn.softmax.",
            lambda query, keys, values, *, beta=1.0: _naive(beta * (keys @ query)) @ values,
        ),
    ),
    section="sec-01-soft",
    task=Task(
        "soft_lookup",
        soft_lookup,
        _LOOKUP_PROBES,
    ),
)

# --- 01-inside-the-hull -------------------------------------------------------------------

_TRIANGLE = [[0.0, 0.0], [4.0, 0.0], [1.0, 3.0]]
_FIVE = [[-2.0, 1.0], [0.0, 4.0], [3.0, 2.0], [1.0, -3.0], [0.5, 0.5]]


@cache
def _directions(start, end, count):
    angles = np.linspace(start, end, count, endpoint=False)
    return np.stack([np.cos(angles), np.sin(angles)])


def _reach_test(values, output, *, start=0.0, end=2 * np.pi, count=360, slack=1e-9):
    """Whether no direction separates the output from every value."""
    directions = _directions(start, end, count)
    return bool(np.all(output @ directions <= (values @ directions).max(axis=0) + slack))


def _least_reach(values, output):
    directions = _directions(0.0, 2 * np.pi, 360)
    return bool(np.all(output @ directions <= (values @ directions).min(axis=0) + 1e-9))


def _point(label, values, output, advice):
    return Probe(label, {"values": np.array(values), "output": np.array(output)}, advice)


def _unit(degrees):
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def _blend(values, weights):
    return np.array(weights) @ np.array(values)


_HEXAGON = np.round([3 * _unit(angle) for angle in range(7, 360, 60)], 3)

_HULL_PROBES = (
    _point(
        "the plain average of three values",
        _TRIANGLE,
        _blend(_TRIANGLE, [1 / 3, 1 / 3, 1 / 3]),
        "Weights of 1/3 are positive and sum to 1, so this output is inside.",
    ),
    _point(
        "a point far to the right of every value",
        _TRIANGLE,
        [9.0, 1.0],
        "Compare how far the output and the furthest value lie along the direction (1, 0).",
    ),
    _point(
        "a point below every value",
        _TRIANGLE,
        [1.5, -1.0],
        "Test the direction (0, -1) too: outside means outside on any side.",
    ),
    _point(
        "a point above every value",
        _TRIANGLE,
        [1.0, 3.8],
        "Each coordinate has its own range: 3.8 is a possible first entry, not a second one.",
    ),
    _point(
        "a blend whose weights sum to 1.5",
        _FIVE,
        _blend(_FIVE, [0.0, 0.75, 0.75, 0.0, 0.0]),
        "Forgetting to normalise pushes the output out along a slanted direction.",
    ),
    _point(
        "a point within both coordinates' ranges, yet outside the triangle",
        _TRIANGLE,
        [3.8, 2.5],
        "Draw the triangle. Only a slanted direction, such as (1, 1), separates this point.",
    ),
    _point(
        "a point a little outside a slanted edge",
        _TRIANGLE,
        [0.4, 1.6],
        "Use many directions: this edge faces up and to the left, at 162 degrees.",
    ),
    *(
        _point(
            f"a point 0.15 outside one side of a hexagon, at {angle} degrees",
            _HEXAGON,
            (3 * np.cos(np.pi / 6) + 0.15) * _unit(angle),
            "Its side faces that way. Let directions go all the way round, and close together.",
        )
        for angle in range(37, 360, 60)
    ),
    _point(
        "a blend with one negative weight",
        _TRIANGLE,
        _blend(_TRIANGLE, [-0.1, 0.55, 0.55]),
        "Weights that sum to 1 are not enough: a negative one leads outside. Try more directions.",
    ),
    _point(
        "a soft look-up of five values",
        _FIVE,
        _blend(_FIVE, [0.1, 0.6, 0.05, 0.05, 0.2]),
        "This output comes from a softmax, so a correct test lets it through.",
    ),
    _point(
        "a very sharp look-up, equal to one of the values",
        _FIVE,
        _FIVE[2],
        "The values themselves belong to the hull: compare with <=, not <.",
    ),
    _point(
        "the average of three equal values, rounded",
        [[0.1, 0.7], [0.1, 0.7], [0.1, 0.7]],
        [(0.1 + 0.1 + 0.1) / 3, 0.7],
        "(0.1 + 0.1 + 0.1) / 3 is 0.10000000000000002 in floating point: allow 1e-9 of slack.",
    ),
    _point(
        "two values and a point beside the segment between them",
        [[0.0, 0.0], [2.0, 1.0]],
        [1.0, 0.8],
        "With two values the hull is the segment between them. Try directions across it.",
    ),
)

_HULL = Exercise(
    "01-inside-the-hull",
    "Never outside the values",
    1,
    difficulty=3,
    minutes=15,
    hints=(
        "Along one direction u the output is a weighted average of the numbers values @ u, so it "
        "cannot exceed their maximum.",
        "A point is outside exactly if some direction shows it: output @ u > max(values @ u). "
        "Take a few hundred directions round the circle, (cos a, sin a).",
        "Stack the directions as a (2, 360) array: one product gives every value along every "
        "direction. Leave 1e-9 of slack for rounding, and return one bool.",
    ),
    mistakes=(
        Mistake(
            "accepts-everything",
            "Your test accepts every output, and a test that cannot fail proves nothing. One "
            "direction that shows a point outside is enough: if you use np.any, use np.all.",
            lambda values, output: True,
        ),
        Mistake(
            "rejects-everything",
            "Your test rejects every output, even the plain average of the values. Feed it that "
            "average and see which comparison fails.",
            lambda values, output: False,
        ),
        Mistake(
            "one-range-for-both-coordinates",
            "You compare with the smallest and the largest entry of the whole array; the two "
            "coordinates have different ranges. Take min and max along axis 0, then go further: "
            "even that is only a box.",
            lambda values, output: bool(
                np.all((output >= values.min() - 1e-9) & (output <= values.max() + 1e-9))
            ),
        ),
        Mistake(
            "tests-the-box",
            "You test each coordinate against its own range. That is a box round the values, and "
            "its corners are not blends of them. Test slanted directions too.",
            lambda values, output: bool(
                np.all(
                    (output >= values.min(axis=0) - 1e-9) & (output <= values.max(axis=0) + 1e-9)
                )
            ),
        ),
        Mistake(
            "tests-a-circle",
            "You test the distance from the mean. The circle through the furthest value also "
            "holds points that no blend reaches. Compare along directions instead.",
            lambda values, output: bool(
                np.linalg.norm(output - values.mean(axis=0))
                <= np.linalg.norm(values - values.mean(axis=0), axis=-1).max() + 1e-9
            ),
        ),
        Mistake(
            "looks-half-way-round",
            "Your directions cover half the circle, so a point that leaves through the other half "
            "gets in. Let the angle run from 0 to 2π.",
            lambda values, output: _reach_test(values, output, end=np.pi),
        ),
        Mistake(
            "accepts-only-the-values",
            "You accept an output only if it equals one of the values: that is the exact "
            "look-up. A blend of them is inside too. Compare along directions.",
            lambda values, output: bool(np.any(np.all(np.isclose(values, output), axis=-1))),
        ),
        Mistake(
            "uses-the-nearest-reach",
            "You compare with the smallest value along each direction, and only a single point "
            "could pass. The furthest value is the limit: use max over the values.",
            _least_reach,
        ),
        Mistake(
            "rejects-the-boundary",
            "You use < where <= is needed: an output equal to one of the values lies on the "
            "boundary, and the boundary belongs to the hull. Use <= with a little slack.",
            lambda values, output: _reach_test(values, output, slack=-1e-9),
        ),
        Mistake(
            "no-room-for-rounding",
            "Your test is right on paper, but 0.1 averaged with itself is 0.10000000000000002 in "
            "floating point, and it rejects that. Add 1e-9 to the limit.",
            lambda values, output: _reach_test(values, output, slack=0.0),
        ),
    ),
    section="sec-01-hull",
    task=Task("stays_inside", _reach_test, _HULL_PROBES, read=truth),
)

# --- 01-general-score ---------------------------------------------------------------------


def _general(label, query, keys, W, advice):
    arguments = {"query": np.array(query), "keys": np.array(keys), "W": np.array(W)}
    return Probe(label, arguments, advice)


_GENERAL_PROBES = (
    _general(
        "query and keys of the same size",
        [1.0, 2.0],
        [[1.0, 0.0], [0.5, -1.0], [2.0, 1.0]],
        [[1.0, 3.0], [0.0, -1.0]],
        "Write one score out: the sum over a and b of query[a] * W[a, b] * keys[j, b].",
    ),
    _general(
        "a query longer than the keys",
        [1.0, -1.0, 0.5],
        [[1.0, 2.0], [0.0, 1.0], [-1.0, 1.0], [3.0, 0.0]],
        [[1.0, 0.0], [2.0, 1.0], [0.0, 4.0]],
        "Follow the shapes: (d_q,) @ (d_q, d_k) is (d_k,), and each key is (d_k,).",
    ),
    _general(
        "a single key",
        [2.0, -0.5],
        [[1.0, 1.0, 0.5]],
        [[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]],
        "One key gives one score, still in an array of shape (1,).",
    ),
)

_GENERAL = Exercise(
    "01-general-score",
    "A score with a matrix in it",
    1,
    difficulty=2,
    minutes=8,
    hints=(
        "Move the query into the keys' space first: a vector of shape (d_k,).",
        "query @ W has shape (d_k,). One more product scores every key at once.",
    ),
    mistakes=(
        Mistake(
            "ignores-the-matrix",
            "You return the plain dot products; W does not appear in them. Move the query through "
            "W first: query @ W.",
            lambda query, keys, W: keys @ query,
        ),
        Mistake(
            "transposes-the-matrix",
            "You compute kᵀWq; the score is qᵀWk, which differs unless W is symmetric. The "
            "query belongs on the left of W.",
            lambda query, keys, W: keys @ W @ query,
        ),
        Mistake(
            "applies-the-matrix-twice",
            "You send both the query and the keys through W; the score uses it once. Leave the "
            "keys as they are.",
            lambda query, keys, W: (keys @ W) @ (query @ W),
        ),
        Mistake(
            "multiplies-entry-by-entry",
            "You multiply W with the query entry by entry; W must be applied as a matrix. Use @, "
            "not *.",
            lambda query, keys, W: keys @ (W * query).sum(axis=0),
        ),
        Mistake(
            "returns-the-weights",
            "You return softmax weights; the scores themselves were asked for. Leave the softmax "
            "to the caller.",
            lambda query, keys, W: softmax(keys @ (query @ W)),
        ),
        Mistake(
            "adds-up-the-scores",
            "You add the scores of all keys into one number; each key has its own. Do not sum over "
            "the keys.",
            lambda query, keys, W: (keys @ (query @ W)).sum(),
        ),
        Mistake(
            "keeps-an-extra-axis",
            "The scores are right but come as a table of shape (1, m); shape (m,) was expected. "
            "Leave the query one-dimensional.",
            lambda query, keys, W: query[None, :] @ W @ keys.T,
        ),
    ),
    section="sec-01-general",
    task=Task(
        "general_score",
        lambda query, keys, W: keys @ (query @ W),
        _GENERAL_PROBES,
    ),
)

EXERCISES = (_SOFTMAX, _CHOOSE_BETA, _SOFT_LOOKUP, _HULL, _GENERAL)
