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


@pytest.mark.parametrize("scaled", [False, True])
def test_each_of_256_queries_shares_1_among_16_keys(scaled):
    weights = ScaleExplorer(d_k=256, scaled=scaled).weights
    assert weights.shape == (256, 16)
    np.testing.assert_allclose(weights.sum(axis=1), 1)


def test_scaling_does_nothing_to_queries_of_size_1():
    raw, scaled = (ScaleExplorer(d_k=1, scaled=s).weights for s in (False, True))
    np.testing.assert_allclose(raw, scaled)


@pytest.mark.parametrize(("scaled", "scale"), [(False, 1), (True, 1 / 4)])
def test_a_sensitivity_is_the_norm_of_the_weights_derivatives_by_the_raw_scores(scaled, scale):
    figure = ScaleExplorer(d_k=16, scaled=scaled)
    Q, K = figure.sample(16)
    scores, step = Q[2, 8] @ K[2].T, 1e-5
    moved = [softmax(scale * (scores + s * np.eye(16))) for s in (step, -step)]
    slopes = (moved[0] - moved[1]) / (2 * step)
    assert figure.sensitivities[40] == pytest.approx(np.linalg.norm(slopes), rel=1e-6)


@pytest.mark.parametrize(("scaled", "median"), [(False, 0.141), (True, 0.038)])
def test_the_medians_are_those_that_the_page_says(scaled, median):
    found = np.median(ScaleExplorer(d_k=64, scaled=scaled).sensitivities)
    assert found == pytest.approx(median, abs=5e-4)


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


def test_what_the_controls_change_is_synced():
    assert {"d_k", "scaled", "query"} <= set(ScaleExplorer().get_state())
