"""Chapter 10's figure from Python: its layers are attn's block, its distances what they say."""

import numpy as np
import pytest
from traitlets import TraitError

from attn import encoder_block
from attn.widgets import BlockSwitches
from attn.widgets.block_switches import HEADS, HIDDEN, SIZE, TOKENS, distance, drawn

DRAWS = range(1, 6)
WHOLE = {"residual": True, "feed_forward": True}


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_with_all_parts_on_a_layer_is_the_encoder_block(norm):
    figure = BlockSwitches(norm=norm, factor=1.5, draw=4, **WHOLE)
    plain = {"b_1": np.zeros(HIDDEN), "b_2": np.zeros(SIZE)}
    plain |= {f"gain_{i}": np.ones(SIZE) for i in (1, 2)}
    plain |= {f"shift_{i}": np.zeros(SIZE) for i in (1, 2)}
    X = TOKENS
    for layer, matrices in enumerate(drawn(4), start=1):
        params = plain | {name: 1.5 * W for name, W in matrices.items()}
        X = encoder_block(X, params, heads=HEADS, norm=norm)
        np.testing.assert_allclose(figure.tokens[layer], X, rtol=1e-9, atol=1e-9)


def test_the_matrices_keep_the_size_of_what_they_multiply():
    for name, W in drawn(1)[0].items():
        assert W.std() == pytest.approx(1 / np.sqrt(len(W)), rel=0.25), name
    assert not np.allclose(drawn(1)[0]["W_q"], drawn(1)[1]["W_q"])
    assert not np.allclose(drawn(1)[0]["W_q"], drawn(2)[0]["W_q"])


def test_the_distance_is_0_for_equal_tokens_and_1_around_the_origin():
    assert distance(np.ones((3, 4))) == 0
    assert distance(np.array([[3.0, 4.0], [-3.0, -4.0]])) == 1
    # One of two tokens is 0: mean (1, 0), each 1 away, √2 of a norm of 2.
    assert distance(np.array([[2.0, 0.0], [0.0, 0.0]])) == pytest.approx(np.sqrt(0.5))


@pytest.mark.parametrize("feed_forward", [False, True])
@pytest.mark.parametrize("norm", ["none", "pre", "post"])
@pytest.mark.parametrize("draw", DRAWS)
def test_without_the_residual_the_tokens_become_one(draw, norm, feed_forward):
    figure = BlockSwitches(draw=draw, norm=norm, feed_forward=feed_forward)
    assert figure.distances[7:].max() < 1e-14


@pytest.mark.parametrize("draw", DRAWS)
def test_attention_alone_needs_four_layers_for_that(draw):
    distances = BlockSwitches(draw=draw).distances
    assert distances[4:].max() < 1e-14
    assert distances[2] > 1e-5


@pytest.mark.parametrize("draw", DRAWS)
def test_the_whole_block_keeps_them_apart_pre_norm_more_than_post(draw):
    pre, post = (BlockSwitches(draw=draw, norm=norm, **WHOLE).distances for norm in ("pre", "post"))
    assert pre[12] > 0.4
    assert 0.005 < post[12] < 0.2


@pytest.mark.parametrize("draw", DRAWS)
def test_without_a_norm_the_residual_lets_norms_grow(draw):
    bare = BlockSwitches(draw=draw, residual=True)
    assert bare.norms[12] > 25 * bare.norms[0]
    assert BlockSwitches(draw=draw, norm="pre", **WHOLE).norms[12] < 10 * bare.norms[0]
    posted = BlockSwitches(draw=draw, norm="post", **WHOLE).norms[1:]
    np.testing.assert_allclose(posted, np.sqrt(SIZE), rtol=1e-4)


def test_bad_values_are_refused():
    with pytest.raises(TraitError, match="layer"):
        BlockSwitches(layer=13)
    with pytest.raises(TraitError):
        BlockSwitches(norm="both")
