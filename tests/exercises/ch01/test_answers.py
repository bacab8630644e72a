"""Chapter 1: answers that were once told of a mistake they do not make."""

import numpy as np
import pytest

from attn.exercises import check


def test_nan_replaced_by_zero_is_not_a_shift_of_the_numerator():
    def softmax(x):
        return np.nan_to_num(np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True))

    assert check("01-softmax", softmax).mistake is None


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_inverse_of_the_matrix_is_not_its_transpose(side):
    def general_score(query, keys, W):
        turned = np.linalg.inv(W)
        return keys @ (query @ turned if side == "left" else turned @ query)

    assert check("01-general-score", general_score).mistake is None
