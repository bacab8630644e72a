"""Two contexts from Python."""

import numpy as np
import pytest
from traitlets import TraitError

from attn.widgets import TwoContexts


def test_one_vector_enters_and_two_leave():
    noun, verb = TwoContexts().outputs
    assert noun == pytest.approx([2.02, 0.33], abs=5e-3)
    assert verb == pytest.approx([0.33, 2.02], abs=5e-3)


@pytest.mark.parametrize(
    ("kind", "shapes"),
    [
        ("self", [(4, 4), (4, 4)]),
        ("cross", [(2, 4), (2, 4)]),
        ("pooling", [(1, 4), (1, 4)]),
    ],
)
def test_who_asks_decides_the_rows(kind, shapes):
    weights = TwoContexts(kind=kind).weights
    assert [A.shape for A in weights] == shapes
    for A in weights:
        np.testing.assert_allclose(A.sum(axis=-1), 1)


def test_without_sharpness_both_sentences_give_the_same_mean():
    one, two = TwoContexts(beta=0).outputs
    assert one == pytest.approx([0.5, 0.5])
    assert two == pytest.approx([0.5, 0.5])


def test_the_word_and_its_sentences_can_be_others():
    figure = TwoContexts(
        word="bank",
        sentences=[["river", "bank"], ["bank", "loan"]],
        vectors={"river": [0, 2], "loan": [2, 0]},
    )
    river, loan = figure.outputs
    assert river[1] > river[0]
    assert loan[0] > loan[1]


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"word": "screen"}, r"each with 'screen' exactly once: counts \[0, 0\]"),
        ({"sentences": [["monitor"]]}, r"counts \[1\]"),
        ({"sentences": [["monitor", "hums"], ["monitor"]]}, r"none for \['hums'\]"),
        ({"askers": []}, "0 askers, 2 asker_vectors"),
        ({"asker_vectors": [[1], [2]]}, r"asker_vectors must have shape \(m, 2\)"),
        ({"vectors": {"the": [0]}}, r"vectors\['the'\] must have shape \(m, 2\)"),
        ({"vectors": {"the": [0, np.inf]}}, r"vectors\['the'\] must be finite"),
        ({"word_angle": 91}, r"word_angle \(degrees\) must be between 0 and 90, not 91"),
        ({"query_angle": -181}, r"query_angle \(degrees\) must be between -180 and 180"),
        ({"beta": 5}, "beta must be between 0 and 4, not 5"),
        ({"kind": "soft"}, "soft"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        TwoContexts(**traits)
