"""Sequences that several exercises of chapter 2 ask about."""

import numpy as np

THREE = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
FIVE = np.array(
    [[0.5, -1.0, 0.2], [1.5, 0.3, -0.4], [-0.7, 0.9, 1.1], [0.0, 0.6, -1.2], [0.8, 0.8, 0.1]]
)
SQUARE = np.array([[0.5, -1.0, 0.2], [1.5, 0.3, -0.4], [-0.7, 0.9, 1.1]])
WIDE = np.array([[0.5, -1.0, 0.2, 0.9], [1.5, 0.3, -0.4, -0.2]])
LARGE = np.array([[30.0, 1.0], [29.0, 10.0], [-5.0, 45.0]])
