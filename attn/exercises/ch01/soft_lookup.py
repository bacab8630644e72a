"""The soft look-up: scores, weights, a blend of the values."""

import numpy as np

from attn import soft_lookup, softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.naive_softmax import naive_softmax


def _probe(label, *, query, keys, values, advice, **beta):
    arguments = {"query": query, "keys": keys, "values": values} | beta
    return Probe.of(label, **arguments, keywords=tuple(beta), advice=advice)


# The best-scoring key is the third; the nearest to the query is the second.
_KEYS = [[-1.0, 0.4], [0.8, 0.5], [1.6, 0.2], [0.0, 1.5]]
_QUERY = [1.0, 0.5]
_SCALARS = [10.0, 20.0, 30.0, 60.0]
_VECTORS = [[1.0, 0.0, 2.0], [0.0, 3.0, 1.0], [-1.0, 1.0, 0.0], [2.0, 2.0, -4.0]]

PROBES = (
    _probe(
        "one number per key",
        query=_QUERY,
        keys=_KEYS,
        values=_SCALARS,
        beta=1.0,
        advice=(
            "Print the scores, the weights and the weights' sum, and compare each with your "
            "figures by hand."
        ),
    ),
    _probe(
        "a sharper look-up",
        query=_QUERY,
        keys=_KEYS,
        values=_SCALARS,
        beta=2.5,
        advice="Multiply the scores by beta before the softmax.",
    ),
    _probe(
        "a look-up with beta = 0",
        query=_QUERY,
        keys=_KEYS,
        values=_SCALARS,
        beta=0.0,
        advice=(
            "With beta = 0 every score is 0, every weight the same, and the output the plain "
            "average."
        ),
    ),
    _probe(
        "a vector per key",
        query=_QUERY,
        keys=_KEYS,
        values=_VECTORS,
        beta=1.5,
        advice="weights is (m,) and values is (m, d_v): which product of the two has shape (d_v,)?",
    ),
    _probe(
        "one key",
        query=_QUERY,
        keys=[[0.3, 0.4]],
        values=[[5.0, 7.0, -1.0]],
        beta=2.0,
        advice="With one key its weight is 1 and its value comes back unchanged.",
    ),
    _probe(
        "as many values' entries as keys",
        query=[0.5, -1.0, 0.25],
        keys=[[0.0, 1.0, 0.0], [1.0, 0.0, 2.0]],
        values=[[1.0, 4.0], [-2.0, 3.0]],
        beta=1.0,
        advice=(
            "Here m = d_v, so a transposed product also fits. Sum over the keys, the first axis."
        ),
    ),
    _probe(
        "a look-up with beta left out",
        query=_QUERY,
        keys=_KEYS,
        values=_SCALARS,
        advice="Keep the starter's default, beta=1.0.",
    ),
    _probe(
        "a very sharp look-up",
        query=_QUERY,
        keys=_KEYS,
        values=_SCALARS,
        beta=2000.0,
        advice="Use the stable softmax: subtract the largest score before np.exp.",
    ),
)


def _weights(query, keys, beta):
    return softmax(beta * (keys @ query))


def _blend_of_columns(query, keys, values, *, beta=1.0):
    return (_weights(query, keys, beta)[:, None] * values).sum(axis=0)


MISTAKES = (
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
        variants=(lambda query, keys, values, *, beta=1.0: (keys @ query) @ values,),
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
        "Every weight is 1, so the values are added, not blended. If your scores are a column "
        "(m, 1), the softmax runs over its axis of size 1: run it over the keys.",
        lambda query, keys, values, *, beta=1.0: np.ones(len(keys)) @ values,
    ),
    Mistake(
        "scores-by-distance",
        "You score keys by their squared distance; here a score is the dot product of query "
        "and key, which also rewards a key's norm. Use keys @ query.",
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
            naive_softmax(keys @ query / np.float64(beta)) @ values
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
        lambda query, keys, values, *, beta=1.0: naive_softmax(beta * (keys @ query)) @ values,
    ),
)

EXERCISE = Exercise(
    "01-soft-lookup",
    title="Soft look-up in three lines",
    chapter=1,
    difficulty=1,
    minutes=8,
    hints=(
        "One line each: scores, weights, output. All scores at once are one matrix product.",
        "Sharpness multiplies the scores before the softmax, never the weights after it.",
        "The output is sum over j of weights[j] * values[j]. The operator @ does this for values "
        "of shape (m,) and (m, d_v) alike.",
    ),
    mistakes=MISTAKES,
    section="sec-01-soft",
    task=Task(
        "soft_lookup",
        soft_lookup,
        PROBES,
    ),
)
