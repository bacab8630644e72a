"""The fifth chapter's figure, from Python."""

import numpy as np
import pytest
import torch
from traitlets import TraitError

from attn import multi_head_attention
from attn.nn.multi_head import MultiHeadAttention
from attn.widgets import HeadSplitter
from attn.widgets.head_splitter import W_O, W_V
from attn.widgets.kit.sentence import ASKS, ENTRIES, W_K, W_Q, X


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_with_the_embedding_cut_it_is_multi_head_attention(heads):
    for d_out in (4, 8, 12):
        expected = multi_head_attention(X, W_Q, W_K, W_V, W_O[:, :d_out], heads=heads)
        found = HeadSplitter(heads=heads, d_out=d_out).outputs
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_its_matrices_are_copies_that_make_its_outputs():
    given = HeadSplitter.matrices()
    np.testing.assert_allclose(
        multi_head_attention(*given, heads=4), HeadSplitter(heads=4).outputs, atol=1e-12
    )
    given[0][:] = 0
    assert HeadSplitter.matrices()[0].any()


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_influences_are_the_slopes_that_torch_finds(heads):
    layer = MultiHeadAttention(8, heads, bias=False).double()
    with torch.no_grad():
        for name, W in {"W_q": W_Q, "W_k": W_K, "W_v": W_V, "W_o": W_O[:, :8]}.items():
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
    alone = multi_head_attention(X[3:], W_Q, W_K, W_V, W_O[:, :8], heads=1)
    np.testing.assert_allclose(figure.outputs[3:], alone, atol=1e-12)


def test_a_head_that_is_off_adds_nothing_and_leaves_the_rest():
    whole, rest = HeadSplitter(heads=4), HeadSplitter(heads=4, on=[True, False, True, True])
    np.testing.assert_array_equal(rest.merged[:, 2:4], 0)
    kept = [0, 1, 4, 5, 6, 7]
    np.testing.assert_array_equal(rest.merged[:, kept], whole.merged[:, kept])


def test_every_column_of_W_q_and_W_k_asks_what_the_table_says():
    for c, (asker, asked) in enumerate(ASKS):
        assert W_Q[:, c].nonzero()[0].tolist() == [ENTRIES.index(asker)]
        assert W_K[:, c].nonzero()[0].tolist() == [ENTRIES.index(asked)]


def test_values_and_outputs_read_every_entry():
    assert np.abs(W_V).min() > 0.05
    assert np.abs(W_O[:, :8]).min() > 0.05
    np.testing.assert_allclose(W_V @ W_V.T, np.eye(8), atol=1e-12)
    np.testing.assert_allclose(W_O[:, :8] @ W_O[:, :8].T, np.eye(8), atol=1e-12)


@pytest.mark.parametrize("cut", ["embedding", "sequence"])
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_each_row_of_weights_sums_to_1(heads, cut):
    for A in HeadSplitter(heads=heads, cut=cut).weights:
        np.testing.assert_allclose(A.sum(axis=-1), 1)


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"heads": 3}, "heads must be a power of 2, 1 to 4, not 3"),
        ({"heads": 8}, "heads must be between 1 and 4, not 8"),
        ({"d_out": 6}, "d_out must be 4, 8 or 12, not 6"),
        ({"d_out": 16}, "d_out must be between 4 and 12, not 16"),
        ({"cut": "words"}, "cut"),
        ({"on": [True]}, "on"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        HeadSplitter(**traits)


def test_what_the_controls_change_is_synced():
    assert {"heads", "cut", "d_out", "on"} <= set(HeadSplitter().get_state())
