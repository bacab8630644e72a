"""Chapter 10's counts from Python: those of the arrays that a block has."""

import numpy as np
import pytest

from attn.nn import EncoderBlock
from attn.widgets import BlockCost


def test_the_parameters_are_the_entries_of_a_block_s_matrices():
    figure = BlockCost(d=64, ratio=3)
    params = EncoderBlock(64, 4, d_ff=192).params()
    counted = {name: array.size for name, array in params.items() if name.startswith("W_")}
    assert figure.parameters["projections"] == sum(counted[f"W_{part}"] for part in "qkvo")
    assert figure.parameters["feed-forward"] == counted["W_1"] + counted["W_2"]


def test_the_work_is_that_of_the_products():
    n, d = 32, 64
    figure = BlockCost(d=d, ratio=2, n=n)
    products = {
        "projections": [((n, d), (d, d))] * 4,
        "scores and blend": [((n, d), (d, n)), ((n, n), (n, d))],
        "feed-forward": [((n, d), (d, 2 * d)), ((n, 2 * d), (2 * d, d))],
    }
    for part, pairs in products.items():
        assert figure.work[part] == sum(rows * inner * cols for (rows, inner), (_, cols) in pairs)


@pytest.mark.parametrize(("d", "ratio"), [(512, 2), (1024, 6), (128, 6)])
def test_at_the_even_length_scores_and_blend_are_half_of_the_work(d, ratio):
    figure = BlockCost(d=d, ratio=ratio)
    figure.n = figure.even
    scores = figure.work["scores and blend"]
    assert np.isclose(scores, sum(figure.work.values()) / 2)
