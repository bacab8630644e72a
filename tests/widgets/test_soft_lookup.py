"""The first chapter's figure, from Python."""

import numpy as np
import pytest
from traitlets import TraitError

import attn
from attn.widgets import SoftLookup


@pytest.mark.parametrize(("beta", "output"), [(0, 20), (1, 14.248), (2, 11.491), (5, 10.068)])
def test_the_author_s_table_answers_as_the_chapter_says(beta, output):
    assert SoftLookup(beta=beta).output == pytest.approx(output, abs=5e-4)


@pytest.mark.parametrize("angle", [-180, -37, 0, 90, 123.5])
def test_the_output_is_attn_s_own_soft_lookup(angle):
    keys, values = np.array([[2.0, 1.0], [0.5, -1.5]]), [3.0, -4.0]
    figure = SoftLookup(key_vectors=keys, values=values, query_angle=angle, beta=1.7)
    expected = attn.soft_lookup(figure.query, keys, np.array(values), beta=1.7)
    assert figure.output == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("rule", ["softmax", "relu", "sparsemax"])
def test_the_weights_of_every_rule_are_shares(rule):
    for angle in range(-180, 181, 15):
        weights = SoftLookup(rule=rule, query_angle=angle, beta=3).weights
        assert weights.min() >= 0
        assert weights.sum() == pytest.approx(1)


def test_sparsemax_is_the_nearest_point_of_the_simplex():
    figure = SoftLookup(rule="sparsemax", query_angle=40, beta=1.1)
    scores = 1.1 * np.array(figure.key_vectors) @ figure.query
    best = np.sum((figure.weights - scores) ** 2)
    others = np.random.default_rng(0).dirichlet(np.ones(3), size=500)
    assert (((others - scores) ** 2).sum(axis=1) >= best).all()


def test_keys_get_names_unless_they_are_given():
    assert SoftLookup(key_vectors=[[1, 0]], values=[5]).labels == ["key 1"]
    assert SoftLookup(key_vectors=[[1, 0]], values=[5], labels=["red"]).labels == ["red"]


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"key_vectors": [[1, 0, 0]], "values": [1]}, r"shape \(m, 2\) with m >= 1, not \(1, 3\)"),
        ({"key_vectors": [], "values": []}, r"not \(0,\)"),
        ({"key_vectors": [["a", "b"]], "values": [1]}, "key_vectors must be numbers"),
        ({"key_vectors": [[1, np.nan]], "values": [1]}, "key_vectors must be finite"),
        ({"values": [[1], [2], [3]]}, r"values must have shape \(m,\) with m >= 1, not \(3, 1\)"),
        ({"values": [1, 2]}, "3 key_vectors, 2 values, 3 labels"),
        ({"labels": ["a"]}, "3 key_vectors, 3 values, 1 labels"),
        ({"beta": -1}, "beta must be between 0 and 8, not -1"),
        ({"beta": 9}, "beta must be between 0 and 8, not 9"),
        ({"query_angle": 200}, r"query_angle \(degrees\) must be between -180 and 180, not 200"),
        ({"rule": "argmax"}, "argmax"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        SoftLookup(**traits)


def test_what_the_sliders_change_is_synced():
    synced = SoftLookup().get_state()
    assert {"query_angle", "beta", "rule", "key_vectors", "values", "labels"} <= set(synced)
