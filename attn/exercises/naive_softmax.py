"""A softmax without the shift: what an answer that overflows computes."""

import numpy as np


def naive_softmax(scores):
    """Exponentials divided by their sum, as written on paper: nan from a score of 710 on."""
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)
