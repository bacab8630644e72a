"""Sinusoidal position vectors, from the formula."""

import numpy as np

from attn import sinusoidal_positions
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import ignores_the_base

PROBES = (
    Probe.of("three positions, two clocks", n=3, d_model=4, base=10000.0).advise(
        "The speeds are 1 and 0.01: row i is (sin i, cos i, sin 0.01 i, cos 0.01 i)."
    ),
    Probe.of("three positions, one clock", n=3, d_model=2, base=10000.0).advise(
        "With one clock the speed is 1: row i is (sin i, cos i), and row 0 is (0, 1)."
    ),
    Probe.of("five positions, three clocks", n=5, d_model=6, base=10000.0).advise(
        "Entries 2c and 2c + 1 share the speed base ** (-2 c / d_model), for c = 0, 1, 2."
    ),
    Probe.of("seven positions, four clocks, base 50", n=7, d_model=8, base=50.0).advise(
        "The base is an argument: use it, not 10000."
    ),
    Probe.of("one position", n=1, d_model=4, base=10000.0).advise(
        "Position 0 is (0, 1, 0, 1): every hand points up."
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
        "You put all the sines first and all the cosines after them. That is another layout, the "
        "subject of the chapter's last exercise.",
        lambda n, d_model, base: np.hstack(
            [np.sin(_angles(n, d_model, base)), np.cos(_angles(n, d_model, base))]
        ),
        hint="Here the two numbers of a clock stand side by side, at 2c and 2c + 1.",
    ),
    Mistake(
        "cosine-first",
        "You put the cosine at entry 2c and the sine at 2c + 1; it is the other way round.",
        lambda n, d_model, base: _interleave(_angles(n, d_model, base), np.cos, np.sin),
        hint="Position 0 must be (0, 1, 0, 1, ...).",
    ),
    Mistake(
        "a-speed-for-each-entry",
        "You give every entry a speed of its own, base ** (-e / d_model), so the sine and cosine "
        "of a pair no longer belong to one clock.",
        _by_entry,
        hint="Use the even number 2c for both.",
    ),
    Mistake(
        "forgets-the-two",
        "Your exponent is -c / d_model, so the slowest clock is much too fast.",
        lambda n, d_model, base: _interleave(
            _angles(n, d_model, base, base ** (-np.arange(d_model // 2) / d_model))
        ),
        hint="It is -2c / d_model.",
    ),
    Mistake(
        "speeds-up",
        "Your exponent has the wrong sign: later clocks turn faster and faster.",
        lambda n, d_model, base: _interleave(
            _angles(n, d_model, base, base ** (np.arange(0, d_model, 2) / d_model))
        ),
        hint="Divide by base ** (2c / d_model).",
    ),
    Mistake(
        "reaches-the-base",
        "Your last exponent is -1, so the slowest clock is exactly base times slower than the "
        "fastest; in the formula it stops one step short.",
        lambda n, d_model, base: _interleave(
            _angles(n, d_model, base, base ** -np.linspace(0, 1, d_model // 2))
        ),
        variants=(
            lambda n, d_model, base: _interleave(
                _angles(n, d_model, base, base ** (-np.arange(0, d_model, 2) / (d_model - 2)))
            ),
        ),
        hint="Divide 2c by d_model itself.",
    ),
    Mistake(
        "counts-from-one",
        "Your first row is position 1, but positions start at 0, where every sine is 0 and every "
        "cosine 1.",
        lambda n, d_model, base: sinusoidal_positions(n + 1, d_model, base=base)[1:],
        hint="np.arange(n) counts from 0.",
    ),
    ignores_the_base(lambda n, d_model, base: sinusoidal_positions(n, d_model)),
    Mistake(
        "only-sines",
        "You write a sine at both entries of a clock, and a sine alone cannot tell the two halves "
        "of a turn apart.",
        lambda n, d_model, base: _interleave(_angles(n, d_model, base), np.sin, np.sin),
        hint="Put the cosine at entry 2c + 1.",
    ),
    Mistake(
        "positions-on-the-columns",
        "Your array is (d_model, n), with positions on the columns.",
        lambda n, d_model, base: sinusoidal_positions(n, d_model, base=base).T,
        hint="Rows are positions here, so that the array can be added to X: return (n, d_model).",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Write the clocks",
    difficulty=2,
    minutes=10,
    hints=(
        "Make one array of speeds, (d_model / 2,), and one of angles, (n, d_model / 2): every "
        "position times every speed.",
        "np.arange(0, d_model, 2) holds the 2c of the exponents. np.arange(n)[:, None] * speeds "
        "makes all the angles at once.",
        "Fill an empty (n, d_model): PE[:, 0::2] gets the sines, PE[:, 1::2] the cosines.",
    ),
    mistakes=MISTAKES,
    section="sec-07-sinusoids",
    passed=(
        "Every position has its own reading of the clocks, from fast to slow. Compare it with "
        "attn.sinusoidal_positions."
    ),
    task=Task(
        "position_vectors",
        lambda n, d_model, base: sinusoidal_positions(n, d_model, base=base),
        PROBES,
    ),
)
