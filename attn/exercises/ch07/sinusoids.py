"""Sinusoidal position vectors, from the formula."""

import numpy as np

from attn import sinusoidal_positions
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "three positions, one clock",
        n=3,
        d_model=2,
        base=10000.0,
        advice="With one clock the speed is 1: row i is (sin i, cos i), and row 0 is (0, 1).",
    ),
    Probe.of(
        "five positions, three clocks",
        n=5,
        d_model=6,
        base=10000.0,
        advice="Entries 2c and 2c + 1 share the speed base ** (-2 c / d_model), for c = 0, 1, 2.",
    ),
    Probe.of(
        "seven positions, four clocks, base 50",
        n=7,
        d_model=8,
        base=50.0,
        advice="The base is an argument: use it, not 10000.",
    ),
    Probe.of(
        "one position",
        n=1,
        d_model=4,
        base=10000.0,
        advice="Position 0 is (0, 1, 0, 1): every hand points up.",
    ),
)


def _angles(n, d_model, base, speeds=None):
    if speeds is None:
        speeds = base ** (-np.arange(0, d_model, 2) / d_model)
    return np.arange(n)[:, None] * speeds


def _interleave(angles, first=np.sin, second=np.cos):
    return np.stack([first(angles), second(angles)], axis=-1).reshape(len(angles), -1)


def _by_entry(n, d_model, base):
    """Sine and cosine by turns, each entry with a speed of its own."""
    angles = np.arange(n)[:, None] * base ** (-np.arange(d_model) / d_model)
    return np.where(np.arange(d_model) % 2, np.cos(angles), np.sin(angles))


MISTAKES = (
    Mistake(
        "sines-then-cosines",
        "You put all sines first and all cosines after them; that is another layout, which the "
        "last exercise is about. Here the two numbers of a clock stand side by side, at 2c and "
        "2c + 1.",
        lambda n, d_model, base: np.hstack(
            [np.sin(_angles(n, d_model, base)), np.cos(_angles(n, d_model, base))]
        ),
    ),
    Mistake(
        "cosine-first",
        "You put the cosine at entry 2c and the sine at 2c + 1; it is the other way round. "
        "Position 0 must be (0, 1, 0, 1, ...).",
        lambda n, d_model, base: _interleave(_angles(n, d_model, base), np.cos, np.sin),
    ),
    Mistake(
        "a-speed-for-each-entry",
        "You give every entry a speed of its own, base ** (-e / d_model); the sine and the cosine "
        "of a clock must share one, or they are no longer the hand of one clock. Use the even "
        "number 2c for both.",
        _by_entry,
    ),
    Mistake(
        "forgets-the-two",
        "Your exponent is -c / d_model, so the slowest clock is only about the root of the base "
        "times slower. It is -2c / d_model.",
        lambda n, d_model, base: _interleave(
            _angles(n, d_model, base, base ** (-np.arange(d_model // 2) / d_model))
        ),
    ),
    Mistake(
        "speeds-up",
        "Your exponent has the wrong sign: later clocks turn faster and faster. Divide by "
        "base ** (2c / d_model).",
        lambda n, d_model, base: _interleave(
            _angles(n, d_model, base, base ** (np.arange(0, d_model, 2) / d_model))
        ),
    ),
    Mistake(
        "reaches-the-base",
        "Your last exponent is -1, so that the slowest clock is exactly base times slower than the "
        "fastest; in the formula it stops one step short. Divide 2c by d_model itself.",
        lambda n, d_model, base: _interleave(
            _angles(n, d_model, base, base ** -np.linspace(0, 1, d_model // 2))
        ),
        variants=(
            lambda n, d_model, base: _interleave(
                _angles(n, d_model, base, base ** (-np.arange(0, d_model, 2) / (d_model - 2)))
            ),
        ),
    ),
    Mistake(
        "counts-from-one",
        "Your first row is position 1; positions start at 0 here, where every sine is 0 and every "
        "cosine 1.",
        lambda n, d_model, base: sinusoidal_positions(n + 1, d_model, base=base)[1:],
    ),
    Mistake(
        "ignores-the-base",
        "Your speeds do not depend on the argument base: 10000 stands in your code. Use base "
        "instead, so that it can be changed.",
        lambda n, d_model, base: sinusoidal_positions(n, d_model),
    ),
    Mistake(
        "only-sines",
        "You write a sine at both entries of a clock; a sine alone cannot tell the two halves of "
        "a turn apart. Put the cosine at entry 2c + 1.",
        lambda n, d_model, base: _interleave(_angles(n, d_model, base), np.sin, np.sin),
    ),
    Mistake(
        "positions-on-the-columns",
        "Your array is (d_model, n), with positions on the columns; rows are positions here, so "
        "that it can be added to X. Return (n, d_model).",
        lambda n, d_model, base: sinusoidal_positions(n, d_model, base=base).T,
    ),
)

EXERCISE = Exercise(
    "07-sinusoids",
    title="Write the clocks",
    chapter=7,
    difficulty=2,
    minutes=10,
    hints=(
        "Make one array of speeds, (d_model / 2,), and one of angles, (n, d_model / 2): every "
        "position times every speed.",
        "np.arange(0, d_model, 2) holds the exponents' 2c. np.arange(n)[:, None] * speeds makes "
        "all angles at once.",
        "Fill an empty (n, d_model): PE[:, 0::2] gets the sines, PE[:, 1::2] the cosines.",
    ),
    mistakes=MISTAKES,
    section="sec-07-sinusoids",
    task=Task(
        "position_vectors",
        lambda n, d_model, base: sinusoidal_positions(n, d_model, base=base),
        PROBES,
    ),
)
