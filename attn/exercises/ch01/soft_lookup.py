"""The soft lookup: scores, weights, a blend of the values."""

import numpy as np

from attn import soft_lookup, softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import naive_softmax, overflows


def _probe(label, *, query, keys, values, **beta):
    arguments = {"query": query, "keys": keys, "values": values} | beta
    return Probe.of(label, **arguments, keywords=tuple(beta))


# The best-scoring key is the third; the nearest to the query is the second.
_KEYS = [[-1.0, 0.4], [0.8, 0.5], [1.6, 0.2], [0.0, 1.5]]
_QUERY = [1.0, 0.5]
_SCALARS = [10.0, 20.0, 30.0, 60.0]
_VECTORS = [[1.0, 0.0, 2.0], [0.0, 3.0, 1.0], [-1.0, 1.0, 0.0], [2.0, 2.0, -4.0]]

PROBES = (
    _probe("one number per key", query=_QUERY, keys=_KEYS, values=_SCALARS, beta=1.0).advise(
        "Print the scores, the weights and the weights' sum, and compare each with what "
        "you get by hand."
    ),
    _probe("a sharper lookup", query=_QUERY, keys=_KEYS, values=_SCALARS, beta=2.5).advise(
        "Multiply the scores by beta before the softmax."
    ),
    _probe("a lookup with beta = 0", query=_QUERY, keys=_KEYS, values=_SCALARS, beta=0.0).advise(
        "With beta = 0 every score is 0, every weight the same, and the output the plain average."
    ),
    _probe("a vector per key", query=_QUERY, keys=_KEYS, values=_VECTORS, beta=1.5).advise(
        "weights is (m,) and values is (m, d_v): which product of the two has shape (d_v,)?"
    ),
    _probe("one key", query=_QUERY, keys=[[0.3, 0.4]], values=[[5.0, 7.0, -1.0]], beta=2.0).advise(
        "With one key its weight is 1 and its value comes back unchanged."
    ),
    _probe(
        "values with as many entries as there are keys",
        query=[0.5, -1.0, 0.25],
        keys=[[0.0, 1.0, 0.0], [1.0, 0.0, 2.0]],
        values=[[1.0, 4.0], [-2.0, 3.0]],
        beta=1.0,
    ).advise("Here m = d_v, so a transposed product also fits. Sum over the keys, the first axis."),
    _probe("a lookup with beta left out", query=_QUERY, keys=_KEYS, values=_SCALARS).advise(
        "Keep the starter's default, beta=1.0."
    ),
    _probe("a very sharp lookup", query=_QUERY, keys=_KEYS, values=_SCALARS, beta=2000.0).advise(
        "Use the stable softmax: subtract the largest score before np.exp."
    ),
)


def _weights(query, keys, beta):
    return softmax(beta * (keys @ query))


def _shares(scores):
    return scores / scores.sum()


def _blend_of_columns(query, keys, values, *, beta=1.0):
    return (_weights(query, keys, beta)[:, None] * values).sum(axis=0)


MISTAKES = (
    Mistake(
        "returns-the-weights",
        "You return the weights, not the values blended by them.",
        lambda query, keys, values, *, beta=1.0: _weights(query, keys, beta),
        hint="Multiply the weights with the values and sum over the keys.",
    ),
    Mistake(
        "returns-the-nearest-value",
        "You return the value of the best key alone, while a soft lookup gives every key a share.",
        lambda query, keys, values, *, beta=1.0: values[np.argmax(keys @ query)],
        hint="Replace the arg-max by a softmax of the scores.",
    ),
    Mistake(
        "forgets-the-softmax",
        "You use the scores as weights. They can be negative, and they need not sum to 1.",
        lambda query, keys, values, *, beta=1.0: beta * (keys @ query) @ values,
        variants=(lambda query, keys, values, *, beta=1.0: (keys @ query) @ values,),
        hint="Pass them through a softmax first.",
    ),
    Mistake(
        "forgets-the-exponential",
        "You divide the scores by their sum. That sums to 1, but a negative score gets a negative "
        "weight: 3 and -1 would get 1.5 and -0.5.",
        lambda query, keys, values, *, beta=1.0: _shares(beta * (keys @ query)) @ values,
        variants=(lambda query, keys, values, *, beta=1.0: _shares(keys @ query) @ values,),
        hint="Take the exponential of the scores first, as a softmax does.",
    ),
    Mistake(
        "scales-the-scores",
        "You divide the scores by the square root of d_k. That belongs to the attention of chapter "
        "3; here beta alone multiplies them.",
        lambda query, keys, values, *, beta=1.0: (
            softmax(beta * (keys @ query) / np.sqrt(len(query))) @ values
        ),
        hint="Leave the division out.",
    ),
    Mistake(
        "forgets-to-normalise",
        "You take exponentials of the scores but never divide by their sum, so the output leaves "
        "the range of the values.",
        lambda query, keys, values, *, beta=1.0: np.exp(beta * (keys @ query)) @ values,
        hint="Divide the exponentials by their sum.",
    ),
    Mistake(
        "forgets-to-add-up",
        "You multiply each value by its weight and stop there, so you return one output per key "
        "instead of a single one.",
        lambda query, keys, values, *, beta=1.0: _weights(query, keys, beta) * values,
        hint="Sum over the keys, or use @.",
    ),
    Mistake(
        "softmax-over-the-wrong-axis",
        "Every weight is 1, so the values are added up instead of blended.",
        lambda query, keys, values, *, beta=1.0: np.ones(len(keys)) @ values,
        hint=(
            "If your scores are a column, (m, 1), the softmax runs over its axis of size 1. Run it "
            "over the keys."
        ),
    ),
    Mistake(
        "scores-by-distance",
        "You score the keys by their squared distance from the query, so the nearest key gets the "
        "most weight.",
        lambda query, keys, values, *, beta=1.0: (
            softmax(-beta * ((keys - query) ** 2).sum(axis=-1)) @ values
        ),
        hint="Here a score is the dot product of query and key: keys @ query gives all of them.",
    ),
    Mistake(
        "forgets-beta",
        "Your output is the same for every beta, but a larger beta must sharpen the weights.",
        lambda query, keys, values, *, beta=1.0: _weights(query, keys, 1.0) @ values,
        hint="Multiply the scores by beta.",
    ),
    Mistake(
        "beta-after-the-softmax",
        "You multiply by beta after the softmax, so the weights sum to beta and do not get any "
        "sharper.",
        lambda query, keys, values, *, beta=1.0: beta * _weights(query, keys, 1.0) @ values,
        hint="Multiply the scores, before the softmax.",
    ),
    Mistake(
        "divides-by-beta",
        "You divide the scores by beta, as one does with a temperature, so a larger beta makes "
        "your lookup softer.",
        lambda query, keys, values, *, beta=1.0: (
            naive_softmax(keys @ query / np.float64(beta)) @ values
        ),
        hint="Sharpness is the inverse of a temperature: multiply.",
    ),
    Mistake(
        "works-for-scalar-values-only",
        "You multiply the weights, (m,), with the values entry by entry. That fits one number per "
        "key, but not values of shape (m, d_v).",
        lambda query, keys, values, *, beta=1.0: np.sum(_weights(query, keys, beta) * values),
        hint="weights @ values does both.",
    ),
    Mistake(
        "works-for-vector-values-only",
        "You give the weights a second axis. That fits values of shape (m, d_v), but turns values "
        "of shape (m,) into a table.",
        _blend_of_columns,
        hint="weights @ values does both.",
    ),
    Mistake(
        "sums-over-the-entries-of-a-value",
        "You sum over the entries of each value instead of over the keys, so your output has one "
        "number per key.",
        lambda query, keys, values, *, beta=1.0: values @ _weights(query, keys, beta),
        hint="The keys are the first axis of values: weights @ values sums over them.",
    ),
    overflows(
        lambda query, keys, values, *, beta=1.0: naive_softmax(beta * (keys @ query)) @ values,
        largest="the largest score",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Soft lookup in three lines",
    difficulty=1,
    minutes=8,
    hints=(
        "One line each for scores, weights and output. A single matrix product gives all the "
        "scores.",
        "Sharpness multiplies the scores before the softmax, never the weights after it.",
        "The output is the sum over j of weights[j] * values[j]. The operator @ computes it for "
        "values of shape (m,) and of shape (m, d_v) alike.",
    ),
    mistakes=MISTAKES,
    section="sec-01-soft",
    passed=(
        "You have written attention for one query: every later chapter only adds to these three "
        "lines. Compare it with attn.soft_lookup."
    ),
    task=Task(
        "soft_lookup",
        soft_lookup,
        PROBES,
        steps={
            "scores": (
                lambda query, keys, values, *, beta=1.0: keys @ query,
                lambda query, keys, values, *, beta=1.0: beta * (keys @ query),
            ),
            "weights": (lambda query, keys, values, *, beta=1.0: _weights(query, keys, beta),),
        },
    ),
)
