"""Shapes from Python."""

import numpy as np
import pytest
from traitlets import TraitError

import attn
from attn.widgets import ShapeCalculator


def test_the_shapes_are_those_of_a_layer_that_runs():
    figure = ShapeCalculator(d_model=7, d_k=2, d_v=5, n=3, m=4)
    made = {name: np.ones(figure.shapes[name]) for name in ("X", "memory", "W_q", "W_k", "W_v")}
    Q, K, V = made["X"] @ made["W_q"], made["memory"] @ made["W_k"], made["memory"] @ made["W_v"]
    ran = {"Q": Q, "K": K, "V": V, "A": attn.attention_weights(Q, K), "Y": attn.attention(Q, K, V)}
    assert {name: array.shape for name, array in ran.items()} == {
        name: figure.shapes[name] for name in ran
    }


@pytest.mark.parametrize(
    ("name", "most"), [("d_model", 512), ("d_k", 128), ("d_v", 128), ("n", 64), ("m", 64)]
)
def test_a_size_outside_its_slider_is_refused(name, most):
    assert getattr(ShapeCalculator(**{name: most}), name) == most
    for value in (0, most + 1):
        rule = f"{name} must be between 1 and {most}, not {value}"
        with pytest.raises(TraitError, match=rule):
            ShapeCalculator(**{name: value})


def test_an_unknown_product_is_refused():
    with pytest.raises(TraitError, match="k_q"):
        ShapeCalculator(product="k_q")


def test_sizes_and_product_are_synced():
    assert {"d_model", "d_k", "d_v", "n", "m", "product"} <= set(ShapeCalculator().get_state())
