"""A convolution of a row of numbers, as one matrix."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of("a kernel of size 5 and 7 tokens", kernel=[0.5, -1.0, 3.0, 2.0, 0.25], n=7).advise(
        "The kernel's middle, number (s - 1) / 2 counted from 0, belongs on the diagonal."
    ),
    Probe.of("a kernel of size 3 and 5 tokens", kernel=[1.0, 2.0, 4.0], n=5).advise(
        "Row 2 by hand: token 2 takes 1 × token 1, 2 × itself and 4 × token 3."
    ),
    Probe.of("a kernel of size 1", kernel=[3.0], n=4).advise(
        "With one number each token sees only itself: 3 on the diagonal."
    ),
    Probe.of("a kernel of size 5 and 2 tokens", kernel=[0.5, -1.0, 3.0, 2.0, 0.25], n=2).advise(
        "Numbers of the kernel that point outside the row are left out."
    ),
)


def _band(kernel, n, shift=None, fill=None):
    """Number c of the kernel on the diagonal c + shift, the middle on 0 if none is given."""
    shift = -((len(kernel) - 1) // 2) if shift is None else shift
    kernel = kernel if fill is None else fill
    return sum(weight * np.eye(n, k=c + shift) for c, weight in enumerate(kernel))


def _circular_band(kernel, n):
    half = (len(kernel) - 1) // 2
    return sum(w * np.roll(np.eye(n), c - half, axis=1) for c, w in enumerate(kernel))


def _clamped_band(kernel, n):
    M, half = np.zeros((n, n)), (len(kernel) - 1) // 2
    for i in range(n):
        for c, weight in enumerate(kernel):
            M[i, np.clip(i + c - half, 0, n - 1)] += weight
    return M


MISTAKES = (
    Mistake(
        "flips-the-kernel",
        "Your kernel runs backwards, as in the convolution of mathematics; torch's, and ours, does"
        " not flip.",
        lambda kernel, n: _band(kernel[::-1], n),
        hint="The first number must meet the token before.",
    ),
    Mistake(
        "starts-at-the-query",
        "You put the kernel's first number on the diagonal, so a token sees only itself and what "
        "comes after.",
        lambda kernel, n: _band(kernel, n, shift=0),
        hint="The middle belongs there: shift by (s - 1) // 2.",
    ),
    Mistake(
        "ends-at-the-query",
        "You put the kernel's last number on the diagonal, so a token sees only itself and what "
        "came before.",
        lambda kernel, n: _band(kernel, n, shift=1 - len(kernel)),
        hint="The middle belongs there: shift by (s - 1) // 2.",
    ),
    Mistake(
        "wraps-around",
        "Beyond the last token your matrix goes on at the first, but outside the row there is "
        "nothing.",
        _circular_band,
        hint="Leave those entries 0.",
    ),
    Mistake(
        "repeats-the-border",
        "Where the kernel points outside, you use the nearest token instead of nothing.",
        _clamped_band,
        hint="With zeros around the row, those numbers are left out.",
    ),
    Mistake(
        "forgets-the-numbers",
        "Your band is where it should be, but it holds ones.",
        lambda kernel, n: _band(kernel, n, fill=np.ones(len(kernel))),
        hint="Put the kernel's numbers there.",
    ),
    Mistake(
        "shares-out-1",
        "You make each row sum to 1, as attention would, but a convolution does not.",
        lambda kernel, n: _band(kernel, n) / _band(kernel, n).sum(axis=1, keepdims=True),
        variants=(lambda kernel, n: softmax(_band(kernel, n)),),
        hint="Leave the kernel's numbers as they are.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="A convolution as one matrix",
    difficulty=1,
    minutes=8,
    hints=(
        "Entry (i, j) is how much token j counts for token i. It depends on j - i alone.",
        "np.eye(n, k=1) has its ones one step to the right of the diagonal, k=-1 one to the left.",
        "Add up one such matrix for each number of the kernel; the middle number has k=0.",
    ),
    mistakes=MISTAKES,
    section="sec-08-restricted",
    passed=(
        "A convolution is a matrix whose rows are all the same row, moved along: that is weight "
        'sharing. Compare M @ x with np.convolve(x, kernel[::-1], "same").'
    ),
    task=Task("conv_matrix", _band, PROBES),
)
