"""Padding tokens: what a head sees that points outside the picture."""

import numpy as np

from attn import conv_attention_weights
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, height, width, size, alpha, seed):
    shapes = {"image": (height, width), "kernel": (size, size)}
    return Probe.random(label, seed, digits=1, **shapes, alpha=alpha)


PROBES = (
    _probe(
        "a soft kernel of size 3 on 5 × 7 pixels", height=5, width=7, size=3, alpha=0.7, seed=82
    ).advise(
        "One row and one column of zeros on each side, (s - 1) // 2 of each, and no more: a "
        "soft head sees all tokens."
    ),
    _probe(
        "a sharp kernel of size 3 on 6 × 5 pixels", height=6, width=5, size=3, alpha=30.0, seed=81
    ).advise(
        "At a corner five of the nine heads point outside the picture. Give them tokens of "
        "value 0 to look at."
    ),
    _probe(
        "a soft kernel of size 5 on 7 × 4 pixels", height=7, width=4, size=5, alpha=0.6, seed=83
    ).advise("For a kernel of size 5, the task asks for two rows and columns of zeros per side."),
    _probe(
        "a soft kernel of size 1 on 2 × 3 pixels", height=2, width=3, size=1, alpha=0.5, seed=84
    ).advise("A kernel of one cell never points outside: (1 - 1) // 2 = 0 rows of zeros."),
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


def _cut_by_negative_index(image, kernel, alpha):
    edge = _padding_width(kernel)
    return _by_heads(np.pad(image, edge), kernel, alpha)[edge:-edge, edge:-edge]


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
        "pixel, and the border is repeated.",
        _by_heads,
        hint="Put zeros around the picture first.",
    ),
    Mistake(
        "pads-with-the-border",
        "You pad with copies of the border, but the convolution has zeros there.",
        lambda image, kernel, alpha: _pad(image, kernel, alpha, mode="edge"),
        hint="Zeros are np.pad's default.",
    ),
    Mistake(
        "wraps-around",
        "You pad with the pixels of the opposite side, but outside the picture there are zeros.",
        lambda image, kernel, alpha: _pad(image, kernel, alpha, mode="wrap"),
        hint="Zeros are np.pad's default.",
    ),
    Mistake(
        "pads-by-one",
        "You pad by one row and column on each side, whatever the kernel's size.",
        lambda image, kernel, alpha: _pad(image, kernel, alpha, edge=1),
        hint="The task asks for (s - 1) // 2.",
    ),
    Mistake(
        "pads-by-the-size",
        "You pad by s rows and columns. Sharp heads do not notice, but soft ones see tokens that "
        "should not be there.",
        lambda image, kernel, alpha: _pad(image, kernel, alpha, edge=len(kernel)),
        hint="The task asks for (s - 1) // 2 on each side.",
    ),
    Mistake(
        "forgets-to-cut",
        "You return an output for each padding token too.",
        lambda image, kernel, alpha: _by_heads(
            np.pad(image, _padding_width(kernel)), kernel, alpha
        ),
        hint="Cut the result back to the picture.",
    ),
    Mistake(
        "cuts-to-nothing",
        "For a kernel of one cell your result is empty: there e is 0, and out[e:-e] is out[0:0].",
        _cut_by_negative_index,
        hint="Cut by the picture's shape: out[e : e + height, e : e + width].",
    ),
    Mistake(
        "cuts-the-wrong-corner",
        "You keep the upper left corner of the padded result, but the picture lies in its middle.",
        lambda image, kernel, alpha: _pad(image, kernel, alpha, cut=0),
        hint="Cut (s - 1) // 2 rows and columns from each side.",
    ),
    Mistake(
        "erases-the-border",
        "You set the outer pixels of the result to 0, but there the output still sees part of the "
        "picture.",
        _zero_borders,
        hint="The zeros belong around the input.",
    ),
    Mistake(
        "flips-the-kernel",
        "Your kernel is flipped: its first number must meet the pixel above and to the left.",
        lambda image, kernel, alpha: _pad(image, kernel[::-1, ::-1], alpha),
        hint="This is cross-correlation, as in torch: use the kernel as it is.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Fix the borders",
    difficulty=2,
    minutes=10,
    hints=(
        "A padding token is a pixel of value 0 around the picture. np.pad(image, p) adds p rows "
        "and columns of them on every side.",
        "Let the heads work on the padded picture: conv_attention_weights(padded.shape, ...), then"
        " cut the result back to image.shape.",
    ),
    mistakes=MISTAKES,
    section="sec-08-borders",
    passed=(
        "The heads now find zeros where the kernel points outside, as a convolution with zero "
        "padding does. Raise alpha and compare with a convolution of your own: the difference "
        "shrinks towards 0."
    ),
    task=Task("conv_by_heads", _pad, PROBES),
)
