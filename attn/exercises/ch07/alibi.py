"""ALiBi: a slope for each head, times the distance."""

import numpy as np

from attn import alibi_bias
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of("eight heads, three tokens", n=3, heads=8).advise(
        "The slopes of eight heads are 1/2, 1/4, ..., 1/256, and a token's own place costs 0."
    ),
    Probe.of("two heads, five tokens", n=5, heads=2).advise(
        "With two heads the first slope is 2 ** (-8 / 2) = 1/16, the second its square."
    ),
    Probe.of("sixteen heads, four tokens", n=4, heads=16).advise(
        "With sixteen heads the first slope is 2 ** (-8 / 16), about 0.71."
    ),
    Probe.of("six heads, four tokens", n=4, heads=6).advise(
        "Six heads: the four slopes of four heads, then the 1st and the 3rd of eight heads."
    ),
    Probe.of("fifteen heads, two tokens", n=2, heads=15).advise(
        "Fifteen heads: the eight slopes of eight heads, then the 1st, 3rd, ..., 13th of sixteen."
    ),
    Probe.of("one head, three tokens", n=3, heads=1).advise(
        "A single head has the slope 2 ** -8 = 1/256."
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
        "Your bias is positive, so far keys gain; it must lower the score of a far key.",
        lambda n, heads: -alibi_bias(n, heads),
        hint="Put a minus in front.",
    ),
    Mistake(
        "halves-for-every-count",
        "You halve the slope from head to head whatever their number, which is right only for "
        "eight heads.",
        lambda n, heads: _bias(0.5 ** np.arange(1, heads + 1), n),
        hint="The first slope is 2 ** (-8 / heads), and each next one is multiplied by it.",
    ),
    Mistake(
        "one-formula-for-all-counts",
        "You use 2 ** (-8 (k + 1) / heads) for every number of heads; the authors do so for powers"
        " of two only.",
        lambda n, heads: _bias(_geometric_slopes(heads), n),
        hint=(
            "For other counts take the slopes of the power of two below, then every other one of "
            "the next."
        ),
    ),
    Mistake(
        "takes-the-next-ones-in-a-row",
        "For the heads beyond a power of two you take the first slopes of the next power, but "
        "every other one of those is in the list already.",
        lambda n, heads: _bias(_consecutive_slopes(heads), n),
        hint="Use the 1st, 3rd, 5th, ...",
    ),
    Mistake(
        "takes-the-even-ones",
        "The heads beyond a power of two get slopes that are in the list already: the list "
        "repeated, or the 2nd, 4th, ... of the next power, which are the same.",
        lambda n, heads: _bias(
            _extend_slopes(heads, _geometric_slopes(2 * _floor_power(heads))[1::2]), n
        ),
        hint="Take the 1st, 3rd, 5th, ... of the next power, which lie in between.",
    ),
    Mistake(
        "cuts-off-the-power-above",
        "For a number of heads that is no power of two, you take the first slopes of the power "
        "above.",
        lambda n, heads: _bias(_geometric_slopes(_ceiling_power(heads))[:heads], n),
        hint=(
            "Take all the slopes of the power below, then the 1st, 3rd, 5th, ... of twice that "
            "power."
        ),
    ),
    Mistake(
        "distance-with-a-sign",
        "You use i - j with its sign, so keys on one side gain what those on the other lose.",
        lambda n, heads: _bias(_slopes(heads), n, _signed_distance(n)),
        variants=(lambda n, heads: _bias(_slopes(heads), n, -_signed_distance(n)),),
        hint="A distance is not negative: np.abs.",
    ),
    Mistake(
        "hides-the-future",
        "You set later keys to -inf, but the bias hides nothing.",
        lambda n, heads: np.where(_signed_distance(n) < 0, -np.inf, alibi_bias(n, heads)),
        hint="Leave that to a causal mask, which a model adds separately.",
    ),
    Mistake(
        "forgets-the-future",
        "Your bias is 0 for later keys, but here distance counts in both directions.",
        lambda n, heads: _bias(_slopes(heads), n, np.maximum(_signed_distance(n), 0)),
        hint="np.abs gives the distance either way.",
    ),
    Mistake(
        "starts-with-slope-one",
        "Your first slope is 1, because you count heads from 0 in the exponent.",
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
        hint="The first slope is 2 ** (-8 / heads).",
    ),
    Mistake(
        "squares-the-distance",
        "You use the square of the distance; the L in ALiBi stands for linear.",
        lambda n, heads: _bias(_slopes(heads), n, _signed_distance(n) ** 2),
        hint="The bias falls by the same amount with each place.",
    ),
    Mistake(
        "heads-last",
        "Your array is (n, n, heads), so it cannot be added to the scores, where heads come first.",
        lambda n, heads: np.moveaxis(alibi_bias(n, heads), 0, -1),
        hint="Return (heads, n, n).",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="A price for distance",
    difficulty=3,
    minutes=12,
    hints=(
        "Split the task: an array of slopes, (heads,), and one of distances, (n, n). Then "
        "-slopes[:, None, None] * distances.",
        "For a power of two, 2.0 ** (-8 * np.arange(1, heads + 1) / heads) holds all the slopes.",
        "For other counts let below be the largest power of two under heads. Make the slopes of "
        "below and those of 2 * below; of the latter take [0::2], as many as are missing.",
    ),
    mistakes=MISTAKES,
    section="sec-07-alibi",
    passed=(
        "Each head has its own price for distance, from steep to almost none, and nothing has to be"
        " learned. Compare it with attn.alibi_bias."
    ),
    task=Task("alibi", lambda n, heads: alibi_bias(n, heads), PROBES),
)
