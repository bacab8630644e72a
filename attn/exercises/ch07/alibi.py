"""ALiBi: a slope for each head, times the distance."""

import numpy as np

from attn import alibi_bias
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "eight heads, three tokens",
        n=3,
        heads=8,
        advice=(
            "The slopes of eight heads are 1/2, 1/4, ..., 1/256, and a token's own place costs 0."
        ),
    ),
    Probe.of(
        "two heads, five tokens",
        n=5,
        heads=2,
        advice="With two heads the first slope is 2 ** (-8 / 2) = 1/16, the second its square.",
    ),
    Probe.of(
        "sixteen heads, four tokens",
        n=4,
        heads=16,
        advice="With sixteen heads the first slope is 2 ** (-8 / 16), about 0.71.",
    ),
    Probe.of(
        "six heads, four tokens",
        n=4,
        heads=6,
        advice="Six heads: the four slopes of four heads, then the 1st and the 3rd of eight heads.",
    ),
    Probe.of(
        "fifteen heads, two tokens",
        n=2,
        heads=15,
        advice=(
            "Fifteen heads: the eight slopes of eight heads, then the 1st, 3rd, ..., 13th of "
            "sixteen."
        ),
    ),
    Probe.of(
        "one head, three tokens",
        n=3,
        heads=1,
        advice="A single head has the slope 2 ** -8 = 1/256.",
    ),
)


def _geometric_slopes(heads):
    return 2.0 ** (-8 * np.arange(1, heads + 1) / heads)


def _slopes(heads):
    return -alibi_bias(2, heads)[:, 0, 1]


def _bias(slopes, n, distance=None):
    distance = np.abs(np.arange(n)[:, None] - np.arange(n)) if distance is None else distance
    return -np.asarray(slopes)[:, None, None] * distance


def _signed_distance(n):
    return np.arange(n)[:, None] - np.arange(n)


def _floor_power(heads):
    """The power of two at or below."""
    return 2 ** (heads.bit_length() - 1)


def _ceiling_power(heads):
    """The power of two at or above."""
    return 2 ** (heads - 1).bit_length()


def _extend_slopes(heads, rest, first=None):
    """The slopes of the power of two below, and as many of the rest as are missing."""
    first = _geometric_slopes(_floor_power(heads)) if first is None else first
    return np.concatenate([first, rest])[:heads]


def _consecutive_slopes(heads):
    """The next slopes of twice the power of two, none left out."""
    return _extend_slopes(heads, _geometric_slopes(2 * _floor_power(heads)))


def _slopes_from_one(heads):
    return 2.0 ** (-8 * np.arange(heads) / heads)


MISTAKES = (
    Mistake(
        "rewards-distance",
        "Your bias is positive, so that far keys gain; it must lower the score of a far key. Put "
        "a minus in front.",
        lambda n, heads: -alibi_bias(n, heads),
    ),
    Mistake(
        "halves-for-every-count",
        "You halve the slope from head to head whatever their number; that is right for eight "
        "heads. In general the first slope is 2 ** (-8 / heads), and each next one is multiplied "
        "by it.",
        lambda n, heads: _bias(0.5 ** np.arange(1, heads + 1), n),
    ),
    Mistake(
        "one-formula-for-all-counts",
        "You use 2 ** (-8 (k + 1) / heads) for every number of heads; the authors do so for "
        "powers of two only. For other counts take the slopes of the power of two below, then "
        "every other one of the next.",
        lambda n, heads: _bias(_geometric_slopes(heads), n),
    ),
    Mistake(
        "takes-the-next-ones-in-a-row",
        "For the heads beyond a power of two you take the first slopes of the next power; every "
        "other one of them is taken already. Use the 1st, 3rd, 5th, ...",
        lambda n, heads: _bias(_consecutive_slopes(heads), n),
    ),
    Mistake(
        "takes-the-even-ones",
        "For the heads beyond a power of two you take the 2nd, 4th, ... slope of the next power; "
        "those are in the list already. Take the 1st, 3rd, 5th, ..., which lie between them.",
        lambda n, heads: _bias(
            _extend_slopes(heads, _geometric_slopes(2 * _floor_power(heads))[1::2]), n
        ),
    ),
    Mistake(
        "cuts-off-the-power-above",
        "For a number of heads that is no power of two you take the first slopes of the power "
        "above. Take all slopes of the power below, then the 1st, 3rd, 5th, ... of twice that "
        "power.",
        lambda n, heads: _bias(_geometric_slopes(_ceiling_power(heads))[:heads], n),
    ),
    Mistake(
        "distance-with-a-sign",
        "You use i - j with its sign, so keys on one side gain what those on the other lose. A "
        "distance is not negative: use np.abs.",
        lambda n, heads: _bias(_slopes(heads), n, _signed_distance(n)),
        variants=(lambda n, heads: _bias(_slopes(heads), n, -_signed_distance(n)),),
    ),
    Mistake(
        "hides-the-future",
        "You set later keys to -inf; the bias hides nothing. A causal model adds a mask of its "
        "own.",
        lambda n, heads: np.where(_signed_distance(n) < 0, -np.inf, alibi_bias(n, heads)),
    ),
    Mistake(
        "forgets-the-future",
        "Your bias is 0 for later keys; here distance counts in both directions. Use np.abs.",
        lambda n, heads: _bias(_slopes(heads), n, np.maximum(_signed_distance(n), 0)),
    ),
    Mistake(
        "starts-with-slope-one",
        "Your first slope is 1, since you count heads from 0 in the exponent. The first slope is "
        "2 ** (-8 / heads).",
        lambda n, heads: _bias(_slopes_from_one(heads), n),
        variants=(
            lambda n, heads: _bias(
                _extend_slopes(
                    heads,
                    _slopes_from_one(2 * _floor_power(heads))[0::2],
                    first=_slopes_from_one(_floor_power(heads)),
                ),
                n,
            ),
            lambda n, heads: _bias(
                _extend_slopes(
                    heads,
                    _geometric_slopes(2 * _floor_power(heads))[0::2],
                    first=_slopes_from_one(_floor_power(heads)),
                ),
                n,
            ),
        ),
    ),
    Mistake(
        "squares-the-distance",
        "You use the square of the distance; the L in ALiBi is for linear: the bias falls by the "
        "same amount with each place.",
        lambda n, heads: _bias(_slopes(heads), n, _signed_distance(n) ** 2),
    ),
    Mistake(
        "heads-last",
        "Your array is (n, n, heads); heads come first, as they do in the scores, so that the two "
        "can be added. Return (heads, n, n).",
        lambda n, heads: np.moveaxis(alibi_bias(n, heads), 0, -1),
    ),
)

EXERCISE = Exercise(
    "07-alibi",
    title="A price for distance",
    chapter=7,
    difficulty=3,
    minutes=12,
    hints=(
        "Split the task: an array of slopes, (heads,), and one of distances, (n, n). Then "
        "-slopes[:, None, None] * distances.",
        "For a power of two, 2.0 ** (-8 * np.arange(1, heads + 1) / heads) holds all slopes.",
        "For other counts let below be the largest power of two under heads. Make the slopes of "
        "below and those of 2 * below; of the latter take [0::2], as many as are missing.",
    ),
    mistakes=MISTAKES,
    section="sec-07-alibi",
    task=Task("alibi", lambda n, heads: alibi_bias(n, heads), PROBES),
)
