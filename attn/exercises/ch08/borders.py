"""Padding tokens: what a head sees that points outside the picture."""

import numpy as np

from attn import conv_attention_weights
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.random_arrays import random_arrays


def _probe(label, *, height, width, size, alpha, seed, advice):
    shapes = {"image": (height, width), "kernel": (size, size)}
    return Probe(label, random_arrays(seed, shapes, digits=1) | {"alpha": alpha}, advice)


PROBES = (
    _probe(
        "a sharp kernel of size 3 on 6 × 5 pixels",
        height=6,
        width=5,
        size=3,
        alpha=30.0,
        seed=81,
        advice=(
            "At a corner five of the nine heads point outside the picture. Give them tokens of "
            "value 0 to look at."
        ),
    ),
    _probe(
        "a soft kernel of size 3 on 5 × 7 pixels",
        height=5,
        width=7,
        size=3,
        alpha=0.7,
        seed=82,
        advice=(
            "One row and one column of zeros on each side, (s - 1) // 2 of each, and no more: a "
            "soft head sees all tokens."
        ),
    ),
    _probe(
        "a sharp kernel of size 5 on 7 × 4 pixels",
        height=7,
        width=4,
        size=5,
        alpha=30.0,
        seed=83,
        advice=(
            "A kernel of size 5 reaches two steps out, so two rows and columns of zeros are needed "
            "on each side."
        ),
    ),
    _probe(
        "a soft kernel of size 1 on 2 × 3 pixels",
        height=2,
        width=3,
        size=1,
        alpha=0.5,
        seed=84,
        advice="A kernel of one cell never points outside: (1 - 1) // 2 = 0 rows of zeros.",
    ),
)


def _padding_width(kernel):
    return (len(kernel) - 1) // 2


def _by_heads(image, kernel, alpha):
    A = conv_attention_weights(image.shape, len(kernel), alpha=alpha)
    return (kernel.ravel() @ (A @ image.ravel())).reshape(image.shape)


def _pad(image, kernel, alpha, *, edge=None, cut=None, mode="constant"):
    """By heads over a picture with `edge` more rows and columns; `cut` of them cut off again."""
    edge = _padding_width(kernel) if edge is None else edge
    out = _by_heads(np.pad(image, edge, mode=mode), kernel, alpha)
    cut = edge if cut is None else cut
    height, width = image.shape
    return out[cut : cut + height, cut : cut + width]


def _zero_borders(image, kernel, alpha):
    out, edge = _by_heads(image, kernel, alpha), _padding_width(kernel)
    kept = np.zeros_like(out)
    inside = tuple(slice(edge, side - edge) for side in out.shape)
    kept[inside] = out[inside]
    return kept


MISTAKES = (
    Mistake(
        "leaves-the-border",
        "Your heads have no padding to look at, so one that points outside looks at the nearest "
        "pixel and the border is repeated. Put zeros around the picture first.",
        _by_heads,
    ),
    Mistake(
        "pads-with-the-border",
        "You pad with copies of the border. The convolution has zeros there: np.pad's default.",
        lambda image, kernel, alpha: _pad(image, kernel, alpha, mode="edge"),
    ),
    Mistake(
        "wraps-around",
        "You pad with the pixels of the opposite side. Outside the picture there are zeros.",
        lambda image, kernel, alpha: _pad(image, kernel, alpha, mode="wrap"),
    ),
    Mistake(
        "pads-by-one",
        "You pad by one row and column whatever the kernel. A kernel of size s points "
        "(s - 1) // 2 steps outside.",
        lambda image, kernel, alpha: _pad(image, kernel, alpha, edge=1),
    ),
    Mistake(
        "pads-by-the-size",
        "You pad by s rows and columns. The result is right for sharp heads, but soft ones see "
        "tokens that should not be there: (s - 1) // 2 on each side are enough.",
        lambda image, kernel, alpha: _pad(image, kernel, alpha, edge=len(kernel)),
    ),
    Mistake(
        "forgets-to-cut",
        "You return an output for each padding token too. Cut the result back to the picture.",
        lambda image, kernel, alpha: _by_heads(
            np.pad(image, _padding_width(kernel)), kernel, alpha
        ),
    ),
    Mistake(
        "cuts-the-wrong-corner",
        "You keep the upper left corner of the padded result; the picture lies in its middle. "
        "Cut (s - 1) // 2 rows and columns from each side.",
        lambda image, kernel, alpha: _pad(image, kernel, alpha, cut=0),
    ),
    Mistake(
        "erases-the-border",
        "You set the outer pixels of the result to 0. The zeros belong around the input: there "
        "the output still sees part of the picture.",
        _zero_borders,
    ),
    Mistake(
        "flips-the-kernel",
        "Your kernel is turned round: its first number must meet the pixel above on the left. "
        "This is cross-correlation, as in torch.",
        lambda image, kernel, alpha: _pad(image, kernel[::-1, ::-1], alpha),
    ),
)

EXERCISE = Exercise(
    "08-borders",
    title="Fix the borders",
    chapter=8,
    difficulty=2,
    minutes=10,
    hints=(
        "A padding token is a pixel of value 0 around the picture. np.pad(image, p) adds p rows "
        "and columns of them on every side.",
        "Let the heads work on the padded picture: conv_attention_weights(padded.shape, ...), "
        "then cut the result back to image.shape.",
    ),
    mistakes=MISTAKES,
    section="sec-08-borders",
    task=Task("conv_by_heads", _pad, PROBES),
)
