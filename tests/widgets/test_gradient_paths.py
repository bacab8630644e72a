"""Chapter 9's first figure from Python: its derivatives are those of torch's own layers."""

import numpy as np
import pytest
import torch
from traitlets import TraitError

from attn import attention, causal_mask
from attn.widgets import GradientPaths
from attn.widgets.gradient_paths import GATES, SIZE, drawn

NETS = {"RNN": torch.nn.RNN, "GRU": torch.nn.GRU, "LSTM": torch.nn.LSTM}


def torch_net(name, draw, keep, gain):
    """torch's own module with the figure's weights: (out, in), one gate below another."""
    _, W = drawn(draw)
    net = NETS[name](SIZE, SIZE, batch_first=True).double()
    with torch.no_grad():
        for bias in (net.bias_ih_l0, net.bias_hh_l0):
            bias.zero_()
        for part, weights in (("W", net.weight_ih_l0), ("U", net.weight_hh_l0)):
            stacked = np.concatenate([W[f"{name} {part}{gate}"].T for gate in GATES[name]])
            weights.copy_(torch.from_numpy(stacked * (gain if part == "U" else 1)))
        if name in ("GRU", "LSTM"):
            net.bias_ih_l0[SIZE : 2 * SIZE] = keep
    return net


def by_autograd(function, n, draw):
    """‖∂out_n/∂x₁‖, out_n being the last row of a function of the first n tokens."""
    X = torch.from_numpy(drawn(draw)[0][:n])

    def of_the_first(x):
        return function(torch.cat([x[None], X[1:]])[None])

    return torch.autograd.functional.jacobian(of_the_first, X[0]).norm().item()


@pytest.mark.parametrize("name", NETS)
@pytest.mark.parametrize(("n", "keep", "gain", "draw"), [(1, 0, 1, 1), (12, 1.5, 1.8, 2)])
def test_the_norms_are_those_of_torch_s_own_layers(name, n, keep, gain, draw):
    net = torch_net(name, draw, keep, gain)
    expected = by_autograd(lambda X: net(X)[0][0, -1], n, draw)
    found = GradientPaths(n=n, keep=keep, gain=gain, draw=draw).norms[name][n - 1]
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [1, 2, 25])
def test_attention_s_norm_is_that_of_a_finite_difference(n):
    X, W = drawn(3)
    W_q, W_k, W_v = (W[f"attention {part}"] for part in "qkv")

    def last(first):
        rows = np.vstack([first, X[1:n]])
        return attention(rows @ W_q, rows @ W_k, rows @ W_v, mask=causal_mask(n))[-1]

    # At n = 1 the query is made of x₁ too, but a lone weight is 1 whatever it asks.
    step = 1e-6
    columns = [(last(X[0] + e) - last(X[0] - e)) / (2 * step) for e in step * np.eye(SIZE)]
    assert GradientPaths(draw=3).norms["attention"][n - 1] == pytest.approx(
        np.linalg.norm(columns), rel=1e-6
    )


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"n": 0}, "n must be between 1 and 200, not 0"),
        ({"keep": 7}, "keep must be between 0 and 6, not 7"),
        ({"gain": 0}, "gain must be between 0.5 and 4, not 0"),
        ({"draw": 6}, "draw must be between 1 and 5, not 6"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        GradientPaths(**traits)
