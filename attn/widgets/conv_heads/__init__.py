"""Chapter 8: what a pixel hears by convolution and by attention, and a convolution by heads."""

from typing import ClassVar

import numpy as np
import traitlets

from attn.core import softmax
from attn.data import digits
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Matrix, Real, Whole

SIDE, SIZE = 8, 3
SHARPNESS = 2.0  # of the attention in the view "window"
OFFSETS = [[float(r), float(c)] for r in (-1, 0, 1) for c in (-1, 0, 1)]
KERNELS = {
    "edge": [[-1.0, 0.0, 1.0]] * 3,
    "flat edge": [[-1.0] * 3, [0.0] * 3, [1.0] * 3],
    "blur": [[0.0625, 0.125, 0.0625], [0.125, 0.25, 0.125], [0.0625, 0.125, 0.0625]],
    "outline": [[-0.125] * 3, [-0.125, 1.0, -0.125], [-0.125] * 3],
    "shift": [[0.0] * 3, [0.0, 0.0, 1.0], [0.0] * 3],
}
NAMES = {
    "edge": "vertical edges",
    "flat edge": "horizontal edges",
    "blur": "blur",
    "outline": "outline",
    "shift": "shift by one pixel",
    "own": "your own numbers",
}


def _first_of_each():
    """The first picture of each digit, pixels from 0 to 1: (10, 8, 8) as nested lists."""
    images, labels = digits()
    return [(images[labels == digit][0] / 16).tolist() for digit in range(10)]


class ConvHeads(Figure):
    """Give each cell of a 3 × 3 kernel a head, and compare what they make with a convolution.

    The head of a kernel's cell looks Δ away from each pixel: its score for a key δ away is
    -α‖δ - Δ‖². Its output is multiplied by the cell's number, and all nine are added up.

    In the view "window" there are no heads yet: one pixel is framed, and beside the convolution
    stands an attention without positions. Its score for another pixel is minus twice the squared
    distance between the 3 × 3 pixels around the two.

    Parameters
    ----------
    view : str
        "heads" or "window".
    alpha : float
        Sharpness of every head, 0 to 30.
    picture : str
        "0" to "9", or "own" for the pixels in `own_picture`, (8, 8) from 0 to 1.
    kernel : str
        One of the presets, or "own" for the numbers in `own_kernel`, (3, 3) from -2 to 2.
    offsets : (9, 2)
        Each head's Δ: rows down, columns to the right, -2 to 2.
    padding : bool
        Whether tokens of value 0 stand around the picture.
    head : int
        The head that is drawn, from 1 to 9, row by row.
    row, column : int
        The pixel that looks, from 1.

    Examples
    --------
    >>> bool(ConvHeads(alpha=30.0).error < 1e-9)
    True
    """

    view = Choice({"heads": "nine heads", "window": "a window, or everyone"})
    alpha = Real(3.0, 0, 30, step=0.5)
    picture = Choice({str(d): f"a {d}" for d in range(10)} | {"own": "your own picture"})
    own_picture = Matrix([[0.0] * SIDE] * SIDE, 0, 1, step=1)
    kernel = Choice(NAMES)
    own_kernel = Matrix([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], -2, 2, step=0.0625)
    offsets = Matrix(OFFSETS, -2, 2, step=0.25)
    padding = traitlets.Bool(True).tag(sync=True)
    head = Whole(6, 1, SIZE**2)
    row = Whole(4, 1, SIDE)
    column = Whole(4, 1, SIDE)
    constants: ClassVar = {
        "digits": _first_of_each(),
        "kernels": KERNELS,
        "grid": OFFSETS,
        "sharpness": SHARPNESS,
    }

    @property
    def pixels(self):
        """The picture, (8, 8)."""
        own = self.picture == "own"
        return np.array(self.own_picture if own else self.constants["digits"][int(self.picture)])

    @property
    def weights_of_the_kernel(self):
        """What the heads' outputs are multiplied by, (3, 3)."""
        return np.array(self.own_kernel if self.kernel == "own" else KERNELS[self.kernel])

    @property
    def weights(self):
        """Where each head looks, (9, 64, tokens): 100 tokens with padding, 64 without."""
        ring = int(self.padding)
        queries = np.stack(np.indices((SIDE, SIDE)), axis=-1).reshape(-1, 2)
        keys = np.stack(np.indices((SIDE + 2 * ring,) * 2), axis=-1).reshape(-1, 2) - ring
        gaps = keys - queries[:, None] - np.array(self.offsets)[:, None, None]
        return softmax(-self.alpha * (gaps**2).sum(axis=-1))

    @property
    def output(self):
        """What the heads make of the picture, (8, 8)."""
        tokens = np.pad(self.pixels, int(self.padding)).ravel()
        heads = self.weights @ tokens
        return (self.weights_of_the_kernel.ravel() @ heads).reshape(SIDE, SIDE)

    @property
    def convolution(self):
        """The kernel slid over the picture with zeros around it, not flipped, (8, 8)."""
        padded = np.pad(self.pixels, 1)
        windows = np.lib.stride_tricks.sliding_window_view(padded, (SIZE, SIZE))
        return (windows * self.weights_of_the_kernel).sum(axis=(-2, -1))

    @property
    def look_alikes(self):
        """How much each pixel looks at pixels whose surroundings are like its own, (64, 64)."""
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(self.pixels, 1), (SIZE, SIZE))
        around = windows.reshape(SIDE**2, SIZE**2)
        gaps = around - around[:, None]
        return softmax(-SHARPNESS * (gaps**2).sum(axis=-1))

    @property
    def error(self):
        """The largest difference between the two."""
        return np.abs(self.output - self.convolution).max()
