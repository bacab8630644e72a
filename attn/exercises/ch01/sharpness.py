"""The sharpness that gives the best key so many times the weight of the next."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "two keys that score 1.5 and 0.7",
        query=[1.0, 2.0, -1.0],
        keys=[[0.5, 0.5, 0.0], [0.5, 0.5, 0.8]],
        ratio=12.0,
        advice=(
            "Write the ratio of the two weights as a fraction: the sum under both lines cancels."
        ),
    ),
    Probe.of(
        "four keys, the best of them third",
        query=[1.0, 2.0, -0.5],
        keys=[[1.0, 0.0, 1.0], [0.0, -1.0, 2.0], [1.0, 0.6, 0.2], [0.3, 0.2, 0.0]],
        ratio=7.0,
        advice=(
            "Only the best key and the runner-up matter: sort the scores and look at the last two."
        ),
    ),
    Probe.of(
        "five keys with negative scores",
        query=[-1.0, -2.0],
        keys=[[1.0, 0.3], [0.5, 0.1], [2.0, 0.5], [0.9, 0.4], [0.8, 0.6]],
        ratio=1.25,
        advice=(
            "Only the gap between two scores matters: adding 100 to every score must not change it."
        ),
    ),
    Probe.of(
        "three keys that score almost the same",
        query=[0.3, 0.1, 0.2, -0.4],
        keys=[[1.0, 0.5, 0.0, 0.0], [1.0, 0.0, 0.1, 0.0], [0.9, 0.4, 0.3, 0.1]],
        ratio=99.0,
        advice=(
            "A small gap needs a large beta. Put yours back into a softmax and compare two weights."
        ),
    ),
)


def _gap(query, keys, rank=-2):
    """How far the key of that rank scores below the best."""
    scores = np.sort(keys @ query)
    return scores[-1] - scores[rank]


def _sharpness(query, keys, ratio):
    return np.log(ratio) / _gap(query, keys)


MISTAKES = (
    Mistake(
        "forgets-the-logarithm",
        "You divide the ratio itself by the gap; the ratio of two weights is the exponential of "
        "beta times the gap. Undo the exponential first, with np.log.",
        lambda query, keys, ratio: ratio / _gap(query, keys),
    ),
    Mistake(
        "uses-another-logarithm",
        "You use a logarithm that does not undo np.exp. A softmax is built on e: take np.log.",
        lambda query, keys, ratio: np.log10(ratio) / _gap(query, keys),
        variants=(lambda query, keys, ratio: np.log2(ratio) / _gap(query, keys),),
    ),
    Mistake(
        "uses-the-score-instead-of-the-gap",
        "You divide by the best score itself; a softmax sees only differences between scores. "
        "Subtract the runner-up's score.",
        lambda query, keys, ratio: np.log(ratio) / (keys @ query).max(),
    ),
    Mistake(
        "divides-the-scores",
        "You divide one score by the other; weights compare scores by their difference. Subtract.",
        lambda query, keys, ratio: (
            np.log(ratio) / np.divide(*np.sort(keys @ query)[-1:-3:-1].tolist())
        ),
    ),
    Mistake(
        "uses-the-worst-key",
        "You measure the gap down to the worst key; the runner-up is the second best. Sort the "
        "scores and take the last two.",
        lambda query, keys, ratio: np.log(ratio) / _gap(query, keys, 0),
    ),
    Mistake(
        "takes-the-first-two-keys",
        "You compare the first two rows of keys, wherever they rank. Sort the scores first.",
        lambda query, keys, ratio: np.log(ratio) / abs(np.subtract(*(keys @ query)[:2])),
        variants=(lambda query, keys, ratio: np.log(ratio) / np.subtract(*(keys @ query)[:2]),),
    ),
    Mistake(
        "multiplies-by-the-gap",
        "You multiply by the gap; the wider it is, the less sharpness is needed. Divide by it.",
        lambda query, keys, ratio: np.log(ratio) * _gap(query, keys),
    ),
    Mistake(
        "returns-the-temperature",
        "You return one over beta, the number to divide the scores by. Sharpness multiplies them: "
        "turn your fraction over.",
        lambda query, keys, ratio: _gap(query, keys) / np.log(ratio),
    ),
    Mistake(
        "leaves-the-sign",
        "Your beta is negative, so the worst key would win: you subtract the best score from the "
        "runner-up's, or take the logarithm of 1 / ratio. Turn the difference round.",
        lambda query, keys, ratio: -_sharpness(query, keys, ratio),
    ),
)

EXERCISE = Exercise(
    "01-sharpness",
    title="Sharp enough",
    chapter=1,
    difficulty=2,
    minutes=8,
    hints=(
        "Write down the weight of the best key and that of the runner-up, and divide one by the "
        "other. Most of it cancels.",
        "What is left is exp(beta * gap), with the gap between their two scores. It must equal "
        "ratio.",
        "np.sort(keys @ query)[-2:] holds the two scores; np.log undoes the exponential.",
    ),
    mistakes=MISTAKES,
    section="sec-01-sharpness",
    task=Task("sharpness", _sharpness, PROBES),
)
