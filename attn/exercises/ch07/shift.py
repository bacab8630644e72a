"""The matrix that moves every position vector by the same number of places."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import ignores_the_base

PROBES = (
    Probe.of("one clock, one place", offset=1, d_model=2, base=10000.0).advise(
        "(sin i, cos i) @ R must be (sin(i + 1), cos(i + 1)): write the two addition formulas."
    ),
    Probe.of("three clocks, two places", offset=2, d_model=6, base=10000.0).advise(
        "Each clock has a 2 × 2 block of its own on the diagonal, with its own angle; all "
        "other entries are 0."
    ),
    Probe.of("two clocks, five places back", offset=-5, d_model=4, base=10000.0).advise(
        "A negative offset turns the other way: R for -5 is the transpose of R for 5."
    ),
    Probe.of("four clocks, three places, base 20", offset=3, d_model=8, base=20.0).advise(
        "The speed of clock c is base ** (-2 c / d_model), with the base that is given."
    ),
    Probe.of("two clocks, no offset", offset=0, d_model=4, base=10000.0).advise(
        "An offset of 0 moves nothing: R is the identity."
    ),
)


def _shift(offset, d_model, base, speed=None, layout=None):
    """Blocks (cos, -sin; sin, cos) at the pairs that `layout` names, (2c, 2c + 1) by default."""
    R = np.zeros((d_model, d_model))
    for c in range(d_model // 2):
        a = offset * (base ** (-2 * c / d_model) if speed is None else speed(c))
        s, k = (2 * c, 2 * c + 1) if layout is None else layout(c)
        R[s, s] = R[k, k] = np.cos(a)
        R[k, s], R[s, k] = np.sin(a), -np.sin(a)
    return R


MISTAKES = (
    Mistake(
        "transposed",
        "Your R is the transpose of what is asked, so it moves by -offset. It would be right for "
        "column vectors, R @ PE[i].",
        lambda offset, d_model, base: _shift(offset, d_model, base=base).T,
        hint="Here vectors are rows: PE[i] @ R.",
    ),
    Mistake(
        "one-speed-for-all",
        "You turn every clock by the same angle, the offset itself, but clock c is slower.",
        lambda offset, d_model, base: _shift(offset, d_model, base=base, speed=lambda c: 1.0),
        hint="Multiply the offset by base ** (-2c / d_model).",
    ),
    Mistake(
        "pairs-across-the-halves",
        "You pair entry c with entry c + d_model / 2, which fits vectors with all the sines first.",
        lambda offset, d_model, base: _shift(
            offset, d_model, base=base, layout=lambda c: (c, c + d_model // 2)
        ),
        hint="Here the pairs stand side by side: (2c, 2c + 1).",
    ),
    ignores_the_base(lambda offset, d_model, base: _shift(offset, d_model, base=10000.0)),
    Mistake(
        "loses-the-sign-of-the-offset",
        "Your R is the same for an offset and for its opposite, so it always moves ahead.",
        lambda offset, d_model, base: _shift(abs(offset), d_model, base=base),
        hint="A negative offset must turn the clocks back: keep its sign.",
    ),
    Mistake(
        "only-the-cosines",
        "You have the cosines on the diagonal and nothing beside them, which shrinks a hand "
        "instead of turning it.",
        lambda offset, d_model, base: np.diag(np.diag(_shift(offset, d_model, base=base))),
        hint="Add sin and -sin off the diagonal.",
    ),
    Mistake(
        "both-sines-alike",
        "The two sines of a block have the same sign in your R, and then it does not turn.",
        lambda offset, d_model, base: (
            _shift(offset, d_model, base=base) + 2 * np.triu(_shift(-offset, d_model, base=base), 1)
        ),
        variants=(
            lambda offset, d_model, base: (
                _shift(offset, d_model, base=base)
                + 2 * np.tril(_shift(-offset, d_model, base=base), -1)
            ),
        ),
        hint="One of them is negative; the addition formulas say which.",
    ),
    Mistake(
        "forgets-the-two",
        "Your exponent is -c / d_model, not that of the position vectors.",
        lambda offset, d_model, base: _shift(
            offset, d_model, base=base, speed=lambda c: base ** (-c / d_model)
        ),
        hint="The speed of clock c is base ** (-2c / d_model).",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="One matrix for every step",
    difficulty=3,
    minutes=12,
    hints=(
        "Take one clock with angle x and a turn a: sin(x + a) = sin x cos a + cos x sin a, and "
        "cos(x + a) = cos x cos a - sin x sin a.",
        "As rows: (sin x, cos x) @ [[cos a, -sin a], [sin a, cos a]]. The first column makes the "
        "new sine.",
        "Start from np.zeros((d_model, d_model)) and write one such block per clock, at rows and "
        "columns 2c and 2c + 1.",
    ),
    mistakes=MISTAKES,
    section="sec-07-shift",
    passed=(
        'One matrix moves every position by the same offset, so a layer can learn "three words '
        'back" once for all places. Check it: attn.sinusoidal_positions(9, d)[2] @ R is row 2 + '
        "offset."
    ),
    task=Task(
        "shift_matrix",
        lambda offset, d_model, base: _shift(offset, d_model, base=base),
        PROBES,
    ),
)
