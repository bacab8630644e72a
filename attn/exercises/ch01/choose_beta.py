"""The smallest sharpness at which the best key gets 99 % of the weight."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


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


PROBES = (
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

MISTAKES = (
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
)

EXERCISE = Exercise(
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
    mistakes=MISTAKES,
    section="sec-01-sharpness",
    task=Task("smallest_beta", _smallest_beta, PROBES, tolerance=(0.0, 0.01)),
)
