"""Rotary positions: turn queries and keys, pair by pair."""

import numpy as np

from attn import rotate, sinusoidal_positions
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import ignores_the_base


def _probe(label, *, positions, d, base, seed):
    return Probe.random(label, seed, X=(len(positions), d), positions=positions, base=base)


PROBES = (
    _probe("three rows of one pair", positions=[0, 1, 2], d=2, base=10000.0, seed=70).advise(
        "Row 0 stays as it is. Row 1 turns by 1 radian: (x0 cos 1 - x1 sin 1, x0 sin 1 + x1 cos 1)."
    ),
    _probe("four rows of three pairs", positions=[0, 1, 2, 3], d=6, base=10000.0, seed=71).advise(
        "Pair c turns by position * base ** (-2 c / d): the first pair fast, the last one slowly."
    ),
    _probe(
        "rows at positions 7, 2 and 40", positions=[7, 2, 40], d=4, base=10000.0, seed=72
    ).advise("Row i stands at positions[i], which need not be i."),
    _probe(
        "two rows of four pairs with base 30", positions=[5, 11], d=8, base=30.0, seed=73
    ).advise("The base is an argument: use it, not 10000."),
)


def _rotate(X, positions, base, *, speeds=None, sign=1, halves=False):
    d = X.shape[-1]
    speeds = base ** (-np.arange(0, d, 2) / d) if speeds is None else speeds
    a = sign * positions[:, None] * speeds
    if halves:
        x0, x1 = X[:, : d // 2], X[:, d // 2 :]
        return np.hstack([x0 * np.cos(a) - x1 * np.sin(a), x0 * np.sin(a) + x1 * np.cos(a)])
    x0, x1 = X[:, 0::2], X[:, 1::2]
    pair = [x0 * np.cos(a) - x1 * np.sin(a), x0 * np.sin(a) + x1 * np.cos(a)]
    return np.stack(pair, axis=-1).reshape(X.shape)


def _rotate_in_place(X, positions, base):
    """Writes the first entries before the second ones have read them."""
    a = positions[:, None] * base ** (-np.arange(0, X.shape[-1], 2) / X.shape[-1])
    Y = X.copy()
    Y[:, 0::2] = Y[:, 0::2] * np.cos(a) - Y[:, 1::2] * np.sin(a)
    Y[:, 1::2] = Y[:, 0::2] * np.sin(a) + Y[:, 1::2] * np.cos(a)
    return Y


def _reflect(X, positions, base):
    a = positions[:, None] * base ** (-np.arange(0, X.shape[-1], 2) / X.shape[-1])
    x0, x1 = X[:, 0::2], X[:, 1::2]
    pair = [x0 * np.cos(a) + x1 * np.sin(a), x0 * np.sin(a) + x1 * np.cos(a)]
    return np.stack(pair, axis=-1).reshape(X.shape)


MISTAKES = (
    Mistake(
        "turns-the-other-way",
        "You turn by minus the angle. Scores would not notice if queries and keys both did, but "
        "the task fixes the direction.",
        lambda X, positions, base: _rotate(X, positions, base, sign=-1),
        hint="The pair becomes (x0 cos - x1 sin, x0 sin + x1 cos).",
    ),
    Mistake(
        "pairs-across-the-halves",
        "You pair entry c with entry c + d / 2, as many libraries do; here a pair stands side by "
        "side, at 2c and 2c + 1.",
        lambda X, positions, base: _rotate(X, positions, base, halves=True),
        hint="Use X[..., 0::2] and X[..., 1::2].",
    ),
    Mistake(
        "one-speed-for-all",
        "You turn every pair by the position itself, but pair c is slower.",
        lambda X, positions, base: _rotate(X, positions, base, speeds=np.ones(X.shape[-1] // 2)),
        hint="Multiply the position by base ** (-2c / d).",
    ),
    Mistake(
        "ignores-the-positions",
        "You turn row i by i, wherever it stands. With a cache, rows do not start at 0.",
        lambda X, positions, base: _rotate(X, np.arange(len(X)), base),
        hint="Use positions[i].",
    ),
    ignores_the_base(lambda X, positions, base: _rotate(X, positions, 10000.0)),
    Mistake(
        "forgets-the-two",
        "Your exponent is -c / d, not that of the position vectors.",
        lambda X, positions, base: _rotate(
            X, positions, base, speeds=base ** (-np.arange(X.shape[-1] // 2) / X.shape[-1])
        ),
        hint="The speed of pair c is base ** (-2c / d).",
    ),
    Mistake(
        "counts-from-one",
        "You turn each row one position too far, as if positions began at 1.",
        lambda X, positions, base: _rotate(X, positions + 1, base),
        hint="A row at position 0 is not turned at all.",
    ),
    Mistake(
        "adds-the-sinusoids",
        "You add the sinusoidal position vectors, but rotary positions add nothing.",
        lambda X, positions, base: (
            X + sinusoidal_positions(positions.max() + 1, X.shape[-1], base=base)[positions]
        ),
        variants=(lambda X, positions, base: X + sinusoidal_positions(*X.shape, base=base),),
        hint="Each pair is turned, and keeps its norm.",
    ),
    Mistake(
        "reads-what-it-has-just-written",
        "You compute your second entries from first entries that are already turned.",
        _rotate_in_place,
        hint="Keep the old ones, x0, x1 = X[..., 0::2], X[..., 1::2], and write into a new array.",
    ),
    Mistake(
        "both-sines-alike",
        "Both of your sines have a plus, which stretches a pair instead of turning it.",
        _reflect,
        hint="The first entry is x0 cos - x1 sin.",
    ),
    Mistake(
        "leaves-the-pairs-in-two-halves",
        "The pairs are turned correctly, but you return all the first entries and then all the "
        "second ones.",
        lambda X, positions, base: np.hstack(
            [_rotate(X, positions, base)[:, 0::2], _rotate(X, positions, base)[:, 1::2]]
        ),
        hint="Put them back where they came from, at 2c and 2c + 1.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Rotate by position",
    difficulty=2,
    minutes=12,
    hints=(
        "Angles first: positions[:, None] * speeds, with one speed per pair, is (n, d / 2).",
        "x0 = X[:, 0::2] and x1 = X[:, 1::2] hold the two entries of all the pairs, (n, d / 2) "
        "each.",
        "Make Y = np.empty(X.shape), then Y[:, 0::2] = x0 * cos - x1 * sin and Y[:, 1::2] = x0 * "
        "sin + x1 * cos.",
    ),
    mistakes=MISTAKES,
    section="sec-07-rotary",
    passed=(
        "This is RoPE: rotate queries and keys this way, and their dot product depends only on how "
        "far apart they are. Compare it with attn.rotate, then add 100 to all positions and compare"
        " the scores."
    ),
    task=Task("turn", lambda X, positions, base: rotate(X, positions, base=base), PROBES),
)
