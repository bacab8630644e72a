"""The layer of chapters 2 to 7 and 10, from Python."""

import numpy as np
import pytest
from traitlets import TraitError

from attn import (
    causal_mask,
    encoder_block,
    multi_head_attention,
    self_attention,
    sentence,
    sinusoidal_positions,
)
from attn.widgets import LayerExplorer
from attn.widgets.layer_explorer import MATRICES, STAGES

PROJECTIONS = sentence.W_q, sentence.W_k, sentence.W_v, sentence.W_o
OWN = {"X": [[1.0, 0.0], [0.0, 2.0]], "words": ["left", "right"]}


def test_at_stage_2_it_is_self_attention():
    np.testing.assert_allclose(LayerExplorer(stage=2).outputs, self_attention(sentence.X))


@pytest.mark.parametrize(("stage", "share"), [(3, 0.97), (4, 0.87)])
def test_dividing_by_the_root_of_d_k_lets_walks_look_elsewhere_too(stage, share):
    weights = LayerExplorer(stage=stage).weights
    assert weights.shape == (1, 6, 6)
    assert weights[0, 2, 1] == pytest.approx(share, abs=0.005)


def test_from_stage_5_it_is_multi_head_attention():
    found = LayerExplorer(stage=5).outputs
    np.testing.assert_allclose(found, multi_head_attention(sentence.X, *PROJECTIONS, heads=4))


def test_a_mask_hides_what_comes_later_and_can_be_switched_off():
    masked = multi_head_attention(sentence.X, *PROJECTIONS, heads=4, mask=causal_mask(6))
    np.testing.assert_allclose(LayerExplorer(stage=6).outputs, masked)
    open_ = LayerExplorer(stage=6, masked=False)
    np.testing.assert_allclose(open_.outputs, LayerExplorer(stage=5).outputs)


def test_before_stage_6_there_is_no_mask_to_switch_on():
    np.testing.assert_array_equal(LayerExplorer(stage=5, masked=True).mask, 0)


def test_positions_are_scaled_so_that_they_do_not_drown_the_words():
    figure = LayerExplorer(stage=7)
    np.testing.assert_allclose(figure.positions, 0.2 * sinusoidal_positions(6, 8))
    np.testing.assert_allclose(figure.tokens, sentence.X + figure.positions)
    assert figure.weights[0, 2].argmax() == 1


def test_stage_10_is_an_encoder_block_with_norms_after_the_sums():
    names = dict(zip(("W_q", "W_k", "W_v", "W_o"), PROJECTIONS, strict=True))
    small = {"W_1": sentence.W_1, "b_1": np.zeros(4), "W_2": sentence.W_2, "b_2": np.zeros(8)}
    norms = {f"{k}_{i}": np.full(8, k == "gain") for k in ("gain", "shift") for i in (1, 2)}
    figure = LayerExplorer(stage=10)
    block = encoder_block(figure.tokens, names | small | norms, heads=4, norm="post")
    np.testing.assert_allclose(figure.block, block)


def test_walks_gains_what_lives_and_a_place_and_loses_nothing():
    gained = dict(zip(sentence.ENTRIES, LayerExplorer().outputs[2], strict=True))
    assert gained["living"] > 0.8
    assert gained["place"] > 0.8
    assert min(gained.values()) > 0


def test_each_value_carries_one_entry_and_one_entry_is_mixed():
    assert (sentence.W_v.sum(axis=0) == 1).all()
    assert [(column > 0).sum() for column in sentence.W_o.T] == [1, 1, 1, 1, 1, 1, 2, 1]
    np.testing.assert_allclose(sentence.W_o.sum(axis=0), 1)


def test_the_slider_is_one_entry_of_W_q_and_at_stage_2_one_of_X():
    calm = LayerExplorer(strength=0.0)
    np.testing.assert_allclose(calm.weights[0, 2], 1 / 6)
    assert LayerExplorer(stage=2, feature=4.0).tokens[1, 6] == 4.0
    assert LayerExplorer(feature=4.0).tokens[1, 6] == 1.0


@pytest.mark.parametrize("stage", STAGES)
def test_every_matrix_of_a_stage_can_be_asked_for(stage):
    figure = LayerExplorer(stage=stage)
    assert figure.matrices == [name for name, first in MATRICES.items() if first <= stage]
    for name in figure.matrices:
        M = figure.matrix(name)
        assert M.ndim == 2
        assert not np.isnan(M).any()


def test_a_reader_s_own_numbers_are_used_and_named():
    figure = LayerExplorer(stage=2, **OWN)
    np.testing.assert_allclose(figure.outputs, self_attention(OWN["X"]))
    assert figure.entries == ["entry 1", "entry 2"]
    assert figure.word == 0
    assert (figure.feature_at, figure.feature) == ([1, 1], 2.0)


def test_own_projections_make_one_head_whose_largest_number_has_the_slider():
    eye = np.eye(2)
    figure = LayerExplorer(stage=5, **OWN, W_q=[[1, 3], [0, 1]], W_k=eye, W_v=eye, W_o=2 * eye)
    assert (figure.heads, figure.strength_at, figure.strength) == (1, [0, 1], 3.0)
    one = multi_head_attention(OWN["X"], [[1, 3], [0, 1]], eye, eye, 2 * eye, heads=1)
    np.testing.assert_allclose(figure.outputs, one)


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"stage": 8}, "stage"),
        ({"word": 6}, "word must be between 0 and 5, not 6"),
        ({"head": 4}, "head must be between 0 and 3, not 4"),
        ({"strength": 9.0}, r"strength must be between 0 and 8\.0, not 9\.0"),
        ({"X": [[1, 2]]}, r"X must have 2 to 8 rows and 1 to 8 columns, not shape \(1, 2\)"),
        ({"X": np.zeros((9, 2))}, r"X must have 2 to 8 rows .* not shape \(9, 2\)"),
        ({"X": [[1, 9], [0, 0]]}, r"each entry of X must be between -8\.0 and 8\.0, not 9\.0"),
        ({"X": [[1, np.nan], [0, 0]]}, "X must be finite"),
        ({"X": [[1, 2], [3, 4]]}, "each row of X must have a word: 6 words, 2 rows"),
        ({"entries": ["a"]}, "each column of X must have a name: 1 entries, 8 columns"),
        (OWN, r"W_q must have 2 rows and a multiple of 4 columns .* not shape \(8, 8\)"),
        ({"W_o": np.eye(7)}, r"W_o must have 8 rows and 8 columns .* not shape \(7, 7\)"),
        ({"stage": 10, "W_2": np.eye(8)}, r"W_2 must have 4 rows and 8 columns"),
        ({"W_q": -np.ones((8, 8))}, "the entry of W_q under the slider"),
        ({"strength_at": [8, 0]}, r"strength_at must be a row and a column of shape \(8, 8\)"),
        ({"trail": [["weights", 6, 0]]}, r"a cell of weights .* shape \(6, 6\), not \[6, 0\]"),
        ({"trail": [["block", 0, 0]]}, "with a name of stage 5"),
        ({"trail": ["weights"]}, r"\[name, row, column\]"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        LayerExplorer(**traits).strength  # noqa: B018


def test_a_matrix_that_no_longer_fits_is_refused_later_too():
    figure = LayerExplorer()
    with pytest.raises(TraitError, match="must have a word: 6 words, 2 rows"):
        figure.X = [[1.0] * 8] * 2
    assert len(figure.X) == 6


def test_from_stage_7_on_there_must_be_pairs_of_columns():
    odd = {"X": np.eye(3), "words": list("abc"), "questions": ["one"], "entries": list("xyz")}
    square = {name: np.eye(3) for name in ("W_q", "W_k", "W_v", "W_o")}
    with pytest.raises(TraitError, match="even number of columns"):
        LayerExplorer(stage=7, **odd, **square)
    assert LayerExplorer(stage=6, **odd, **square).outputs.shape == (3, 3)
