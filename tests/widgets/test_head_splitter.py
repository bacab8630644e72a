"""The fifth chapter's figure, from Python."""

import numpy as np
import pytest
import torch
from traitlets import TraitError

from attn import multi_head_attention
from attn.nn.multi_head import MultiHeadAttention
from attn.sentence import ASKS, ENTRIES, QUESTIONS, W_k, W_o, W_q, W_v, X
from attn.widgets import HeadSplitter, LayerExplorer


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_with_the_columns_cut_it_is_multi_head_attention(heads):
    expected = multi_head_attention(X, W_q, W_k, W_v, W_o, heads=heads)
    np.testing.assert_allclose(HeadSplitter(heads=heads).outputs, expected, atol=1e-12)


def test_its_four_heads_are_those_of_the_layer():
    figure, layer = HeadSplitter(heads=4), LayerExplorer(stage=5)
    assert figure.constants["questions"] == layer.questions == list(QUESTIONS)
    np.testing.assert_allclose(figure.weights, layer.weights, atol=1e-12)
    np.testing.assert_allclose(figure.outputs, layer.outputs, atol=1e-12)


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_influences_are_the_slopes_that_torch_finds(heads):
    layer = MultiHeadAttention(8, heads, bias=False).double()
    with torch.no_grad():
        for name, W in {"W_q": W_q, "W_k": W_k, "W_v": W_v, "W_o": W_o}.items():
            getattr(layer, name).weight.copy_(torch.tensor(W.T.copy()))
    found = HeadSplitter(heads=heads).influences

    def first_output(last, depth):
        tokens = torch.cat([torch.tensor(X[:-1]), last[None]])
        for _ in range(depth):
            tokens = layer(tokens)
        return tokens[0]

    for depth in (1, 2, 6):
        slopes = torch.autograd.functional.jacobian(
            lambda last, depth=depth: first_output(last, depth), torch.tensor(X[-1])
        )
        assert found[depth - 1] == pytest.approx(slopes.norm().item(), rel=1e-9)


@pytest.mark.parametrize("heads", [2, 4])
def test_cutting_the_sequence_leaves_no_influence_at_any_depth(heads):
    assert HeadSplitter(heads=heads, cut="sequence").influences.tolist() == [0.0] * 6


def test_a_piece_of_the_sequence_attends_within_itself():
    figure = HeadSplitter(heads=2, cut="sequence")
    rows, columns = figure.parts[1]
    assert (rows.tolist(), len(columns)) == ([3, 4, 5], 8)
    alone = multi_head_attention(X[3:], W_q, W_k, W_v, W_o, heads=1)
    np.testing.assert_allclose(figure.outputs[3:], alone, atol=1e-12)


def test_a_head_that_is_off_adds_nothing_and_leaves_the_rest():
    whole, rest = HeadSplitter(heads=4), HeadSplitter(heads=4, on=[True, False, True, True])
    np.testing.assert_array_equal(rest.merged[:, 2:4], 0)
    kept = [0, 1, 4, 5, 6, 7]
    np.testing.assert_array_equal(rest.merged[:, kept], whole.merged[:, kept])


def test_every_column_of_W_q_and_W_k_asks_what_the_table_says():
    for c, (asker, asked) in enumerate(ASKS):
        assert W_q[:, c].nonzero()[0].tolist() == [ENTRIES.index(asker)]
        assert W_k[:, c].nonzero()[0].tolist() == [ENTRIES.index(asked)]


@pytest.mark.parametrize("cut", ["columns", "sequence"])
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_what_the_heads_add_is_the_output(heads, cut):
    figure = HeadSplitter(heads=heads, cut=cut, on=[True, False, True, True])
    np.testing.assert_allclose(figure.contributions.sum(axis=0), figure.outputs, atol=1e-12)
    if heads > 1:
        assert not figure.contributions[1].any()


@pytest.mark.parametrize("cut", ["columns", "sequence"])
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_each_row_of_weights_sums_to_1(heads, cut):
    for A in HeadSplitter(heads=heads, cut=cut).weights:
        np.testing.assert_allclose(A.sum(axis=-1), 1)


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"heads": 3}, "heads must be a power of 2, 1 to 4, not 3"),
        ({"heads": 8}, "heads must be between 1 and 4, not 8"),
        ({"cut": "embedding"}, "cut"),
        ({"on": [True]}, "on"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        HeadSplitter(**traits)
