"""The fourth chapter's figure, from Python, and the random numbers that it shares with its page."""

import numpy as np
import pytest
from traitlets import TraitError

from attn import softmax
from attn.widgets import ScaleExplorer
from attn.widgets.kit.random_normals import normals


def test_draws_have_mean_0_and_variance_1_and_no_memory():
    drawn = normals(200_000, 4)
    assert drawn.mean() == pytest.approx(0, abs=0.01)
    assert drawn.var() == pytest.approx(1, abs=0.02)
    assert np.corrcoef(drawn[:-1], drawn[1:])[0, 1] == pytest.approx(0, abs=0.01)
    assert (np.abs(drawn) < 1).mean() == pytest.approx(0.6827, abs=0.005)


def test_a_seed_gives_the_same_numbers_however_many_are_drawn():
    np.testing.assert_array_equal(normals(7, 4), normals(64, 4)[:7])
    assert not np.allclose(normals(7, 4), normals(7, 5))


def test_each_of_256_queries_shares_1_among_16_keys():
    weights = ScaleExplorer(d_k=256).weights
    assert weights.shape == (2, 256, 16)
    np.testing.assert_allclose(weights.sum(axis=-1), 1)


def test_the_division_does_nothing_to_queries_of_size_1():
    raw, divided = ScaleExplorer(d_k=1).weights
    np.testing.assert_allclose(raw, divided)


def test_weights_are_softmaxes_of_raw_and_of_divided_scores():
    figure = ScaleExplorer(d_k=16)
    Q, K = figure.sample(16)
    scores = Q[2, 8] @ K[2].T
    raw, divided = figure.weights[:, 40]
    np.testing.assert_allclose(raw, softmax(scores), atol=1e-12)
    np.testing.assert_allclose(divided, softmax(scores / 4), atol=1e-12)


@pytest.mark.parametrize(("d_k", "raw", "divided"), [(2, 1.4, 1.0), (64, 7.99, 1.0)])
def test_the_spreads_are_the_roots_and_1(d_k, raw, divided):
    assert ScaleExplorer(d_k=d_k).spreads == pytest.approx([raw, divided], rel=0.08)


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"d_k": 0}, "d_k must be between 1 and 1024, not 0"),
        ({"d_k": 2048}, "d_k must be between 1 and 1024, not 2048"),
        ({"d_k": 48}, "d_k must be a power of 2, 1 to 1024, not 48"),
        ({"query": 0}, "query must be between 1 and 256, not 0"),
        ({"query": 257}, "query must be between 1 and 256, not 257"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        ScaleExplorer(**traits)
