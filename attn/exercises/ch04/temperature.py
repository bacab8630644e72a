"""Change the temperature of weights whose scores are gone."""

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "one row, three times as warm",
        weights=[[0.8, 0.1, 0.1]],
        temperature=3.0,
        advice=(
            "Scores are logarithms of weights. A third of a logarithm is that of the cube root: "
            "the ratio 8 becomes 2."
        ),
    ),
    Probe.of(
        "two rows, warmed",
        weights=[[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]],
        temperature=1.7,
        advice="Each row sums to 1 by itself: print your result's sum over the last axis.",
    ),
    Probe.of(
        "two rows, cooled",
        weights=[[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]],
        temperature=0.4,
        advice="A lower temperature sharpens: the largest weight of each row must grow.",
    ),
    Probe.of(
        "an unchanged temperature",
        weights=[[0.5, 0.4, 0.1]],
        temperature=1.0,
        advice="At temperature 1 the weights must come back as they were.",
    ),
    Probe.of(
        "a weight of zero, warmed",
        weights=[[0.5, 0.5, 0.0], [0.9, 0.0, 0.1]],
        temperature=3.0,
        advice="A weight of 0 is a score of minus infinity: it stays 0 at every temperature.",
    ),
    Probe.of(
        "weights with a leading axis",
        weights=[
            [[0.7, 0.3], [0.4, 0.6], [0.9, 0.1]],
            [[0.25, 0.75], [0.5, 0.5], [0.35, 0.65]],
            [[0.8, 0.2], [0.1, 0.9], [0.55, 0.45]],
            [[0.15, 0.85], [0.3, 0.7], [0.6, 0.4]],
        ],
        temperature=0.3,
        advice="Count axes from the end: the weights that share 1 are always along axis -1.",
    ),
)


def _change_temperature(weights, temperature):
    # The largest weight becomes 1, so that a high power cannot turn a whole row into zeros.
    return _normalise_rows((weights / weights.max(axis=-1, keepdims=True)) ** (1 / temperature))


def _normalise_rows(x):
    return x / x.sum(axis=-1, keepdims=True)


MISTAKES = (
    Mistake(
        "softmax-of-the-weights",
        "You run a softmax over the weights as if they were scores; the scores are their "
        "logarithms. Take np.log first, or raise the weights to a power.",
        lambda weights, temperature: softmax(weights / temperature),
    ),
    Mistake(
        "divides-the-weights",
        "You divide the weights by the temperature; their ratios stay the same and the row no "
        "longer sums to 1. The temperature divides the scores.",
        lambda weights, temperature: weights / temperature,
    ),
    Mistake(
        "lets-the-temperature-cancel",
        "The weights come back unchanged: either the temperature is not used, or it cancels when "
        "you divide by the row's sum. Raise them to a power instead.",
        lambda weights, temperature: weights,
    ),
    Mistake(
        "inverts-the-temperature",
        "You raise to the power T, which sharpens when it is warm. A temperature divides the "
        "scores: the power is 1 / T.",
        lambda weights, temperature: _normalise_rows(weights**temperature),
    ),
    Mistake(
        "forgets-to-normalise",
        "The ratios are right but the rows no longer sum to 1. Divide each row by its sum.",
        lambda weights, temperature: weights ** (1 / temperature),
    ),
    Mistake(
        "one-sum-for-the-whole-table",
        "You divide by one sum for all rows; each query has its own 1 to share. Give sum an axis.",
        lambda weights, temperature: (
            weights ** (1 / temperature) / (weights ** (1 / temperature)).sum()
        ),
    ),
    Mistake(
        "sums-over-the-queries",
        "Your columns sum to 1, along axis 0; each query's row must, along axis -1. Change the "
        "axis.",
        lambda weights, temperature: (
            weights ** (1 / temperature) / (weights ** (1 / temperature)).sum(axis=0, keepdims=True)
        ),
        variants=(
            lambda weights, temperature: (
                weights ** (1 / temperature)
                / (weights ** (1 / temperature)).sum(axis=-2, keepdims=True)
            ),
        ),
    ),
    Mistake(
        "loses-the-row-axis",
        "sum drops the axis it runs over, so (2, 3) meets (2,) and the shapes do not fit; "
        "(2, 1) would. Add keepdims=True.",
        lambda weights, temperature: (
            weights ** (1 / temperature) / (weights ** (1 / temperature)).sum(axis=-1)
        ),
    ),
)

EXERCISE = Exercise(
    "04-temperature",
    title="Change the temperature afterwards",
    chapter=4,
    difficulty=2,
    minutes=10,
    hints=(
        "A softmax cannot be undone quite, but nearly: np.log(weights) gives the scores back, up "
        "to a constant for each row, and constants cancel.",
        "Dividing log p by the temperature T is the same as raising p to the power 1 / T.",
        "Then divide each row by its sum, with keepdims=True.",
    ),
    mistakes=MISTAKES,
    section="sec-04-temperature",
    task=Task("change_temperature", _change_temperature, PROBES),
)
