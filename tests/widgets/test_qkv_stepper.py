"""The six steps from Python."""

import numpy as np
import pytest
from traitlets import TraitError

import attn
from attn import sentence
from attn.widgets import LayerExplorer, QKVStepper


def test_its_numbers_are_those_of_the_layer_s_head_who():
    figure, layer = QKVStepper(), LayerExplorer(stage=4)
    assert (figure.tokens, figure.word) == (layer.words, layer.word)
    np.testing.assert_allclose(figure.weights, layer.weights[0])
    assert figure.outputs[2] == pytest.approx([0.873, 0], abs=5e-4)


def test_its_matrices_are_the_rows_of_the_two_entries_that_it_shows():
    figure = QKVStepper()
    rows = [sentence.ENTRIES.index(entry) for entry in figure.entries]
    for name in ("W_q", "W_k", "W_v"):
        np.testing.assert_array_equal(getattr(figure, name), getattr(sentence, name)[rows, :2])
    np.testing.assert_array_equal(figure.embeddings, sentence.X[:, rows])


def test_the_outputs_are_attn_s_own_attention():
    X = np.array([[0.5, -1.0], [2.0, 0.3], [1.0, 1.0], [-1.0, 0.2]])
    W = {"W_q": [[0.1, 1.2], [-2.0, 0.4]], "W_k": [[1, 0], [0.5, 2]], "W_v": [[0, 1], [1, 1]]}
    figure = QKVStepper(embeddings=X, **W)
    Q, K, V = (X @ np.array(W[name]) for name in ("W_q", "W_k", "W_v"))
    np.testing.assert_allclose(figure.outputs, attn.attention(Q, K, V), atol=1e-12)


def test_tokens_get_names_unless_they_are_given():
    assert QKVStepper(embeddings=[[1, 0], [0, 1]]).tokens == ["token 1", "token 2"]
    assert QKVStepper(embeddings=[[1, 0]], tokens=["red"], word=0).tokens == ["red"]
    assert QKVStepper(embeddings=[[1, 0]]).entries == ["entry 0", "entry 1"]


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"W_q": [[1, 0]]}, r"W_q must have shape \(2, 2\), not \(1, 2\)"),
        ({"W_k": [[1, 0, 0], [0, 1, 0]]}, r"W_k must have shape \(m, 2\)"),
        ({"W_v": [[1, 0], [0, 7]]}, "each entry of W_v must be between -6.0 and 6.0, not 7.0"),
        ({"W_q": [[1, np.nan], [0, 1]]}, "W_q must be finite"),
        ({"embeddings": [[1, 2, 3]], "tokens": ["a"]}, r"embeddings must have shape \(m, 2\)"),
        ({"tokens": ["a", "b"]}, "2 tokens, 6 embeddings, word 2"),
        ({"word": 6}, "6 tokens, 6 embeddings, word 6"),
        ({"word": -1}, "6 tokens, 6 embeddings, word -1"),
        ({"embeddings": [[1, 0]] * 7}, "7 tokens, 7 embeddings"),
        ({"step": 6}, "step must be between 0 and 5, not 6"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        QKVStepper(**traits)


def test_what_the_sliders_and_the_stepper_change_is_synced():
    synced = QKVStepper().get_state()
    assert {"W_q", "W_k", "W_v", "word", "step", "tokens", "embeddings"} <= set(synced)
