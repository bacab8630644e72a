"""Change the temperature of weights whose scores are gone."""

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "two rows, at three times the temperature",
        weights=[[0.8, 0.1, 0.1], [0.5, 0.3, 0.2]],
        temperature=3.0,
    ).advise(
        "Scores are logarithms of weights. A third of a logarithm is that of the cube root: "
        "the ratio 8 becomes 2."
    ),
    Probe.of(
        "two rows, warmed", weights=[[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]], temperature=1.7
    ).advise("Each row sums to 1 by itself: print your result's sum over the last axis."),
    Probe.of(
        "two rows, cooled", weights=[[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]], temperature=0.4
    ).advise("A lower temperature sharpens: the largest weight of each row must grow."),
    Probe.of("an unchanged temperature", weights=[[0.5, 0.4, 0.1]], temperature=1.0).advise(
        "At temperature 1 the weights must come back as they were."
    ),
    Probe.of(
        "a weight of zero, warmed", weights=[[0.5, 0.5, 0.0], [0.9, 0.0, 0.1]], temperature=3.0
    ).advise("A weight of 0 is a score of minus infinity: it stays 0 at every temperature."),
    Probe.of(
        "weights with a leading axis",
        weights=[
            [[0.7, 0.3], [0.4, 0.6], [0.9, 0.1]],
            [[0.25, 0.75], [0.5, 0.5], [0.35, 0.65]],
            [[0.8, 0.2], [0.1, 0.9], [0.55, 0.45]],
            [[0.15, 0.85], [0.3, 0.7], [0.6, 0.4]],
        ],
        temperature=0.3,
    ).advise("Count axes from the end: the weights that share 1 are always along axis -1."),
    Probe.of(
        "two rows, almost frozen", weights=[[0.5, 0.3, 0.2], [0.04, 0.06, 0.9]], temperature=1e-4
    ).advise(
        "The largest weight of each row takes everything. Print your numbers before the "
        "division: are they all 0, or inf?"
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
        "You run a softmax over the weights, as if they were still scores.",
        lambda weights, temperature: softmax(weights / temperature),
        hint="The scores are their logarithms: take np.log first, or raise the weights to a power.",
    ),
    Mistake(
        "divides-the-weights",
        "You divide the weights by the temperature, so their ratios stay the same and the rows no "
        "longer sum to 1.",
        lambda weights, temperature: weights / temperature,
        hint="It is the scores that the temperature divides.",
    ),
    Mistake(
        "lets-the-temperature-cancel",
        "The weights come back unchanged: either the temperature is not used, or it cancels when "
        "you divide by the row's sum.",
        lambda weights, temperature: weights,
        hint="Raise them to a power instead.",
    ),
    Mistake(
        "inverts-the-temperature",
        "You raise the weights to the power T, so a warmer temperature sharpens them.",
        lambda weights, temperature: _normalise_rows(weights**temperature),
        hint="A temperature divides the scores: the power is 1 / T.",
    ),
    Mistake(
        "forgets-to-normalise",
        "The ratios are right, but the rows no longer sum to 1.",
        lambda weights, temperature: weights ** (1 / temperature),
        hint="Divide each row by its sum.",
    ),
    Mistake(
        "rounds-to-zero",
        "At a very low temperature all the powers in a row round to 0, and 0/0 is nan.",
        lambda weights, temperature: _normalise_rows(weights ** (1 / temperature)),
        hint="Divide each row by its largest weight first. That cancels, and its power stays 1.",
    ),
    Mistake(
        "one-sum-for-the-whole-table",
        "You divide by one sum for all rows, but each query has its own 1 to share.",
        lambda weights, temperature: (
            weights ** (1 / temperature) / (weights ** (1 / temperature)).sum()
        ),
        hint="Give sum an axis.",
    ),
    Mistake(
        "sums-over-the-queries",
        "Your columns sum to 1, and your rows, one per query, do not.",
        lambda weights, temperature: (
            weights ** (1 / temperature) / (weights ** (1 / temperature)).sum(axis=0, keepdims=True)
        ),
        variants=(
            lambda weights, temperature: (
                weights ** (1 / temperature)
                / (weights ** (1 / temperature)).sum(axis=-2, keepdims=True)
            ),
        ),
        hint="Sum along axis -1.",
    ),
    Mistake(
        "loses-the-row-axis",
        "sum drops the axis it runs over, so a shape of (2, 3) meets a shape of (2,), and the two "
        "do not fit.",
        lambda weights, temperature: (
            weights ** (1 / temperature) / (weights ** (1 / temperature)).sum(axis=-1)
        ),
        hint="keepdims=True keeps the axis: (2, 3) and (2, 1) do fit.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Change the temperature afterwards",
    difficulty=2,
    minutes=10,
    hints=(
        "A softmax can almost be undone: np.log(weights) gives the scores back, up to a constant "
        "per row, and constants cancel.",
        "Dividing log p by the temperature T is the same as raising p to the power 1 / T.",
        "Then divide each row by its sum, with keepdims=True. If all its powers round to 0, divide "
        "the row by its largest weight before you raise it.",
    ),
    mistakes=MISTAKES,
    section="sec-04-temperature",
    passed=(
        "Nothing was lost with the scores but a constant per row, and a softmax never saw that. "
        "Check one: attn.softmax(scores / T) from attn.softmax(scores)."
    ),
    task=Task("change_temperature", _change_temperature, PROBES),
)
