"""The scale at which the weights have a wanted entropy."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _entropies(p, log=np.log):
    return -(p * log(np.maximum(p, 1e-300))).sum(axis=-1)


def _mean_entropy(scores):
    return _entropies(softmax(scores)).mean()


def _search(measure, target):
    """The scale at which a measure that falls with the scale meets the target."""
    low, high = 0.0, 1.0
    while measure(high) > target and high < 1e6:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        if measure(middle) > target:
            low = middle
        else:
            high = middle
    return high


def _find_scale(scores, target):
    return _search(lambda c: _mean_entropy(c * scores), target)


def _table(label, n, m, spread, seed, target, advice):
    scores = np.round(spread * np.random.default_rng(seed).normal(size=(n, m)), 2)
    return Probe(label, {"scores": scores, "target": target}, advice)


PROBES = (
    Probe(
        "two scores a point apart",
        {"scores": np.array([[1.0, 0.0]]), "target": 0.5},
        "Put your scale back: softmax(scale * scores) must have an entropy of 0.5 nats.",
    ),
    _table(
        "three rows of five scores",
        3,
        5,
        4.0,
        44,
        1.2,
        "Average the entropies of the rows: print one for each row and then their mean.",
    ),
    _table(
        "four rows of scores of size 8",
        4,
        16,
        8.0,
        45,
        2.3,
        "The scale lies below 1 here: start your search at 0.",
    ),
    _table(
        "scores that need a scale above 1",
        3,
        6,
        0.2,
        46,
        0.8,
        "Double the upper end until the entropy falls below the target, then halve.",
    ),
    _table(
        "as many rows as keys",
        6,
        6,
        3.0,
        47,
        1.0,
        "Each query is a row: the softmax runs over axis -1.",
    ),
)

MISTAKES = (
    Mistake(
        "returns-the-temperature",
        "You return one over the scale, which is the temperature: the number to divide by. The "
        "scale multiplies the scores. Return its inverse.",
        lambda scores, target: 1 / _find_scale(scores, target),
    ),
    Mistake(
        "makes-the-spread-one",
        "You divide by the scores' standard deviation. That is the idea of the chapter, but it "
        "ignores the target: a search must meet the entropy that is asked for.",
        lambda scores, target: 1 / scores.std(),
    ),
    Mistake(
        "measures-in-bits",
        "You measure the entropy in bits, with log2; the target is in nats. Use np.log.",
        lambda scores, target: _search(
            lambda c: _entropies(softmax(c * scores), np.log2).mean(), target
        ),
    ),
    Mistake(
        "adds-up-the-rows",
        "You add the entropies of all rows; the target is their mean. With more rows your "
        "scale would grow for no reason. Average over the rows.",
        lambda scores, target: _search(lambda c: _entropies(softmax(c * scores)).sum(), target),
    ),
    Mistake(
        "averages-the-weights-first",
        "You average the weights of all queries and take the entropy of that; queries that "
        "look at different keys then seem undecided. Take each row's entropy first.",
        lambda scores, target: _search(
            lambda c: _entropies(softmax(c * scores).mean(axis=0)), target
        ),
    ),
    Mistake(
        "one-softmax-for-all-rows",
        "You run one softmax over the whole table, so all queries share a single 1. Each row "
        "has its own: the softmax runs over the last axis.",
        lambda scores, target: _search(lambda c: _mean_entropy(c * scores.ravel()), target),
    ),
    Mistake(
        "shares-among-the-queries",
        "Your softmax runs down the columns, among the queries; each query shares among the "
        "keys, along its row. Use the last axis.",
        lambda scores, target: _search(lambda c: _mean_entropy(c * scores.T), target),
    ),
)

EXERCISE = Exercise(
    "04-find-scale",
    "Find the scale by search",
    4,
    difficulty=2,
    minutes=12,
    hints=(
        "Write down what you can measure: for a trial scale, the softmax of scale * scores, the "
        "entropy of each row, and their mean.",
        "A larger scale makes the weights sharper and the entropy smaller. So if the entropy is "
        "above the target, the scale must grow.",
        "Start with an upper end that is certainly too sharp, then halve the interval sixty "
        "times. np.log(np.maximum(p, 1e-300)) survives weights of 0.",
    ),
    mistakes=MISTAKES,
    section="sec-04-division",
    task=Task("find_scale", _find_scale, PROBES, tolerance=(0.005, 0.0)),
)
