"""The sharpness that gives the best key so many times the weight of the next."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "four keys, the best of them third",
        query=[1.0, 2.0, -0.5],
        keys=[[0.3, 0.2, 0.0], [0.0, -1.0, 2.0], [1.0, 0.6, 0.2], [1.0, 0.0, 1.0]],
        ratio=7.0,
    ).advise(
        "Only the best key and the runner-up matter: sort the scores and look at the last two."
    ),
    Probe.of(
        "two keys that score 1.5 and 0.7",
        query=[1.0, 2.0, -1.0],
        keys=[[0.5, 0.5, 0.0], [0.5, 0.5, 0.8]],
        ratio=12.0,
    ).advise("Write the ratio of the two weights as a fraction: their common denominator cancels."),
    Probe.of(
        "five keys with negative scores",
        query=[-1.0, -2.0],
        keys=[[1.0, 0.3], [0.5, 0.1], [2.0, 0.5], [0.9, 0.4], [0.8, 0.6]],
        ratio=1.25,
    ).advise(
        "Only the gap between two scores matters: adding 100 to every score must not change it."
    ),
    Probe.of(
        "three keys that score almost the same",
        query=[0.3, 0.1, 0.2, -0.4],
        keys=[[1.0, 0.5, 0.0, 0.0], [1.0, 0.0, 0.1, 0.0], [0.9, 0.4, 0.3, 0.1]],
        ratio=99.0,
    ).advise(
        "A small gap needs a large beta. Put yours back into a softmax and compare two weights."
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
        "You divide the ratio itself by the gap, but the ratio of two weights is the exponential "
        "of beta times the gap.",
        lambda query, keys, ratio: ratio / _gap(query, keys),
        hint="Undo the exponential first, with np.log.",
    ),
    Mistake(
        "uses-another-logarithm",
        "Your logarithm has another base than e, so it does not undo np.exp.",
        lambda query, keys, ratio: np.log10(ratio) / _gap(query, keys),
        variants=(lambda query, keys, ratio: np.log2(ratio) / _gap(query, keys),),
        hint="A softmax is built on e: use np.log.",
    ),
    Mistake(
        "uses-the-score-instead-of-the-gap",
        "You divide by the best score itself, but a softmax sees only the differences between "
        "scores.",
        lambda query, keys, ratio: np.log(ratio) / (keys @ query).max(),
        hint="Subtract the runner-up's score.",
    ),
    Mistake(
        "divides-the-scores",
        "You divide one score by the other, but the weights depend on the difference between "
        "scores.",
        lambda query, keys, ratio: (
            np.log(ratio) / np.divide(*np.sort(keys @ query)[-1:-3:-1].tolist())
        ),
        hint="Subtract them instead.",
    ),
    Mistake(
        "uses-the-worst-key",
        "You measure the gap down to the worst key, not down to the runner-up.",
        lambda query, keys, ratio: np.log(ratio) / _gap(query, keys, 0),
        hint="Sort the scores and take the last two.",
    ),
    Mistake(
        "takes-the-first-two-keys",
        "You compare the first two rows of keys, wherever they rank.",
        lambda query, keys, ratio: np.log(ratio) / abs(np.subtract(*(keys @ query)[:2])),
        variants=(lambda query, keys, ratio: np.log(ratio) / np.subtract(*(keys @ query)[:2]),),
        hint="Sort the scores first.",
    ),
    Mistake(
        "multiplies-by-the-gap",
        "You multiply by the gap, so a wider gap would need more sharpness instead of less.",
        lambda query, keys, ratio: np.log(ratio) * _gap(query, keys),
        hint="Solve exp(beta * gap) = ratio for beta once more.",
    ),
    Mistake(
        "returns-the-temperature",
        "You return 1 / beta, the number to divide the scores by; sharpness multiplies them.",
        lambda query, keys, ratio: _gap(query, keys) / np.log(ratio),
        hint="Turn your fraction upside down.",
    ),
    Mistake(
        "leaves-the-sign",
        "Your beta is negative, so the worst key would win.",
        lambda query, keys, ratio: -_sharpness(query, keys, ratio),
        hint="Either the difference runs the wrong way, or the logarithm is that of 1 / ratio.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Sharp enough",
    difficulty=2,
    minutes=8,
    hints=(
        "Write down the weight of the best key and the weight of the runner-up, and divide one by "
        "the other. Most of it cancels.",
        "What is left is exp(beta * gap), where gap is the difference between the two scores. It "
        "must equal ratio.",
        "np.sort(keys @ query)[-2:] holds the two scores; np.log undoes the exponential.",
    ),
    mistakes=MISTAKES,
    section="sec-01-sharpness",
    passed=(
        "A sharpness is a logarithm divided by a gap: the closer two keys score, the sharper the "
        "lookup has to be. Check one with attn.softmax(beta * scores), and divide the two largest "
        "weights."
    ),
    task=Task("sharpness", _sharpness, PROBES),
)
