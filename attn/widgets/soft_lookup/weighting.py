"""Three rules that turn scores into weights: non-negative, with a sum of 1."""

import numpy as np

from attn.core import softmax


def relu_share(scores):
    """Positive scores divided by their sum; equal shares where none is positive.

    >>> relu_share(np.array([3.0, 1.0, -2.0]))
    array([0.75, 0.25, 0.  ])
    """
    kept = np.maximum(scores, 0)
    total = kept.sum()
    return kept / total if total > 0 else np.full(len(scores), 1 / len(scores))


def sparsemax(scores):
    """The nearest point to the scores among all weights that sum to 1.

    >>> sparsemax(np.array([0.5, 0.3, -2.0]))
    array([0.6, 0.4, 0. ])
    """
    falling = np.sort(scores)[::-1]
    counts = np.arange(1, len(scores) + 1)
    sums = np.cumsum(falling)
    kept = counts[1 + counts * falling > sums][-1]
    return np.maximum(scores - (sums[kept - 1] - 1) / kept, 0)


RULES = {"softmax": softmax, "relu": relu_share, "sparsemax": sparsemax}
