"""The six steps from Python."""

import numpy as np
import pytest
from traitlets import TraitError

import attn
from attn.widgets import QKVStepper


def test_walks_leaves_with_what_the_chapter_works_out():
    figure = QKVStepper()
    assert figure.weights[1] == pytest.approx([0.941, 0.056, 0.003], abs=5e-4)
    assert figure.outputs[1] == pytest.approx([0.526, 0.938], abs=5e-4)


def test_the_outputs_are_attn_s_own_attention():
    X = np.array([[0.5, -1.0], [2.0, 0.3], [1.0, 1.0], [-1.0, 0.2]])
    W = {"W_q": [[0.1, 1.2], [-2.0, 0.4]], "W_k": [[1, 0], [0.5, 2]], "W_v": [[0, 1], [1, 1]]}
    figure = QKVStepper(embeddings=X, **W)
    Q, K, V = (X @ np.array(W[name]) for name in ("W_q", "W_k", "W_v"))
    np.testing.assert_allclose(figure.outputs, attn.attention(Q, K, V), atol=1e-12)


def test_tokens_get_names_unless_they_are_given():
    assert QKVStepper(embeddings=[[1, 0], [0, 1]]).tokens == ["token 1", "token 2"]
    assert QKVStepper(embeddings=[[1, 0]], tokens=["red"], word=0).tokens == ["red"]


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"W_q": [[1, 0]]}, r"W_q must have shape \(2, 2\), not \(1, 2\)"),
        ({"W_k": [[1, 0, 0], [0, 1, 0]]}, r"W_k must have shape \(m, 2\)"),
        ({"W_v": [[1, 0], [0, 3]]}, "each entry of W_v must be between -2 and 2, not 3.0"),
        ({"W_q": [[1, np.nan], [0, 1]]}, "W_q must be finite"),
        ({"embeddings": [[1, 2, 3]], "tokens": ["a"]}, r"embeddings must have shape \(m, 2\)"),
        ({"tokens": ["a", "b"]}, "2 tokens, 3 embeddings, word 1"),
        ({"word": 3}, "3 tokens, 3 embeddings, word 3"),
        ({"word": -1}, "3 tokens, 3 embeddings, word -1"),
        ({"embeddings": [[1, 0]] * 6}, "6 tokens, 6 embeddings"),
        ({"step": 6}, "step must be between 0 and 5, not 6"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        QKVStepper(**traits)


def test_what_the_sliders_and_the_stepper_change_is_synced():
    synced = QKVStepper().get_state()
    assert {"W_q", "W_k", "W_v", "word", "step", "tokens", "embeddings"} <= set(synced)
