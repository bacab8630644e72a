"""The sixth chapter's figure, from Python: masks, and what leaks."""

import numpy as np
import pytest
from traitlets import TraitError

import attn
from attn.widgets import LayerExplorer, MaskEditor
from attn.widgets.mask_editor import SCALE, WAYS, K, Q, V, leaks, masked_row


@pytest.mark.parametrize("kind", ["causal", "padding", "both", "window", "all"])
@pytest.mark.parametrize("length", [6, 3])
def test_with_minus_infinity_the_weights_are_attn_s(kind, length):
    figure = MaskEditor(kind=kind, length=length)
    real = np.arange(6)[:, None] < length
    expected = attn.attention_weights(real * Q, real * K, mask=figure.mask)
    np.testing.assert_allclose(figure.weights, expected, atol=1e-12)


@pytest.mark.parametrize(("kind", "masked"), [("causal", True), ("all", False)])
def test_its_weights_are_those_of_the_layer_s_first_head(kind, masked):
    layer = LayerExplorer(stage=6, masked=masked)
    np.testing.assert_allclose(MaskEditor(kind=kind).weights, layer.weights[0], atol=1e-12)


def output(q, K, V, look, way):
    return masked_row(SCALE * K @ q, look, way) @ V


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("look", [[1, 1, 0, 0, 1, 0], [0, 0, 0, 1, 0, 0], [1, 1, 1, 1, 1, 1]])
def test_a_leak_is_the_norm_of_the_derivatives_by_what_is_hidden(way, look):
    rng = np.random.default_rng(6)
    q, K, V = rng.normal(size=2), rng.normal(size=(6, 2)), rng.normal(size=(6, 2))
    look, step = np.array(look, dtype=bool), 1e-6
    slopes = {"V": [], "K": []}
    for name in slopes:
        for j, c in np.ndindex(6, 2):
            if look[j]:
                continue
            ends = []
            for sign in (1, -1):
                moved = {"K": K.copy(), "V": V.copy()}
                moved[name][j, c] += sign * step
                ends.append(output(q, moved["K"], moved["V"], look, way))
            slopes[name].append((ends[0] - ends[1]) / (2 * step))
    found = leaks(q, K, V, look, way)
    assert found[0] == pytest.approx(np.linalg.norm(slopes["V"]), abs=1e-7)
    assert found[1] == pytest.approx(np.linalg.norm(slopes["K"]), abs=1e-7)


def test_a_query_that_sees_nothing_gets_a_row_only_in_the_wrong_ways():
    look = [False] * 6
    assert masked_row(K[:, 0], look, "inf") is None
    assert leaks(Q[2], K, V, look, "inf") is None
    for way in ("big", "score"):
        np.testing.assert_allclose(masked_row(K[:, 0], look, way), 1 / 6)
    assert masked_row(K[:, 0], look, "weight").tolist() == [0.0] * 6
    blind = MaskEditor(kind="custom", own=np.zeros((6, 6), dtype=bool).tolist())
    assert np.isnan(blind.weights).all()


def test_a_mask_of_one_s_own_is_taken_as_it_is():
    own = np.eye(6, dtype=bool)
    figure = MaskEditor(kind="custom", own=own.tolist())
    np.testing.assert_array_equal(figure.mask, own)
    np.testing.assert_allclose(figure.weights, np.eye(6))


@pytest.mark.parametrize(
    ("own", "says"),
    [
        (np.eye(6).tolist(), "own must be booleans of shape"),
        (np.eye(5, dtype=bool).tolist(), r"not bool of shape \(5, 5\)"),
    ],
)
def test_a_mask_that_does_not_fit_is_named(own, says):
    with pytest.raises(TraitError, match=says):
        MaskEditor(own=own)
