"""Scaled scores, with the root that a mistake puts under the line."""

import numpy as np


def scaled_scores(Q, K, root=None):
    return Q @ K.T / np.sqrt(Q.shape[-1] if root is None else root)
