import numpy as np
import pytest
import torch

import attn
from attn.nn import TinyTransformer

KINDS = ("learned", "sinusoidal", "rotary", "alibi", "none")


def reference_logits(model, tokens, mask):
    """The whole model in NumPy, for one or two heads, from `attn` functions only."""
    n = tokens.shape[-1]
    X = model.tokens.weight.detach().numpy()[tokens]
    if model.positions == "learned":
        X = X + model.places.weight.detach().numpy()[:n]
    if model.positions == "sinusoidal":
        X = X + attn.sinusoidal_positions(n, X.shape[-1])
    bias = attn.alibi_bias(n, model.heads) if model.positions == "alibi" else None
    rotary = model.positions == "rotary"
    for block in model.blocks:
        p, projections = block.params(), block.attention.params()
        normed = attn.layer_norm(X, p["gain_1"], p["shift_1"])
        X = X + attn.multi_head_attention(
            normed, **projections, heads=model.heads, mask=mask, bias=bias, rotary=rotary
        )
        normed = attn.layer_norm(X, p["gain_2"], p["shift_2"])
        X = X + attn.feed_forward(normed, p["W_1"], p["b_1"], p["W_2"], p["b_2"])
    norm, readout = model.norm, model.readout
    X = attn.layer_norm(X, norm.weight.detach().numpy(), norm.bias.detach().numpy())
    return X @ readout.weight.detach().numpy().T + readout.bias.detach().numpy()


def build(positions, seed=0, **options):
    torch.manual_seed(seed)
    model = TinyTransformer(7, 9, d_model=12, positions=positions, **options).double()
    for p in model.parameters():
        torch.nn.init.normal_(p, std=0.5)
    return model


@pytest.mark.parametrize("positions", KINDS)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("padded", [False, True])
def test_the_model_equals_the_reference(assert_close, positions, causal, padded):
    model = build(positions, heads=2, layers=2, causal=causal)
    tokens = torch.randint(0, 7, (3, 6))
    mask = attn.padding_mask([6, 4, 1], 6) if padded else np.ones((1, 6), bool)
    expected = reference_logits(
        model, tokens.numpy(), mask & attn.causal_mask(6) if causal else mask
    )
    with torch.no_grad():
        ours = model(tokens, torch.from_numpy(mask) if padded else None)
    assert_close(ours.numpy(), expected)


@pytest.mark.parametrize("positions", KINDS)
def test_logits_have_one_score_per_word_at_each_place(positions):
    logits = TinyTransformer(10, 12, positions=positions)(torch.zeros(2, 5, dtype=torch.long))
    assert logits.shape == (2, 5, 10)
    assert logits.dtype == torch.float32


def test_without_positions_the_model_sees_a_set():
    model, order = build("none", layers=2), torch.tensor([3, 1, 0, 2])
    tokens = torch.tensor([[1, 2, 3, 4]])
    torch.testing.assert_close(model(tokens[:, order]), model(tokens)[:, order], atol=1e-12, rtol=0)


@pytest.mark.parametrize("positions", ["learned", "sinusoidal", "rotary", "alibi"])
def test_every_other_kind_of_position_tells_order(positions):
    model, order = build(positions, layers=2), torch.tensor([3, 1, 0, 2])
    tokens = torch.tensor([[1, 2, 3, 4]])
    gap = (model(tokens[:, order]) - model(tokens)[:, order]).abs().max()
    assert gap > 1e-3


def test_rotary_and_alibi_see_distances_and_learned_places_see_addresses():
    tokens = torch.tensor([[1, 2, 3]])
    ahead = torch.tensor([[0, 0, 1, 2, 3]])
    only_last_three = torch.tensor([[False, False, True, True, True]])
    for positions, same in (("rotary", True), ("alibi", True), ("learned", False)):
        model = build(positions)
        moved = model(ahead, only_last_three)[:, 2:]
        assert torch.allclose(moved, model(tokens), atol=1e-10) is same


@pytest.mark.parametrize("positions", KINDS)
def test_a_causal_model_takes_no_gradient_from_the_future(positions):
    model = build(positions, heads=2, layers=2, causal=True)
    kept = []

    def keep(module, inputs, output):
        output.retain_grad()
        kept.append(output)

    model.tokens.register_forward_hook(keep)
    model(torch.tensor([[1, 2, 3, 4, 5]]))[0, 2].square().sum().backward()
    gradient = kept[0].grad[0]
    assert (gradient[3:] == 0).all()
    assert (gradient[:3] != 0).any(-1).all()


def test_the_weights_come_layer_by_layer_and_sum_to_1():
    model = build("rotary", heads=2, layers=3, causal=True)
    layers = model.weights(torch.tensor([[1, 2, 3, 4]]))
    assert [tuple(A.shape) for A in layers] == [(1, 2, 4, 4)] * 3
    for A in layers:
        torch.testing.assert_close(A.sum(-1), torch.ones(1, 2, 4, dtype=torch.float64))
        assert (A.triu(1) == 0).all()


@pytest.mark.parametrize("positions", KINDS)
def test_a_saved_model_holds_what_was_learned_and_nothing_else(positions):
    model = TinyTransformer(5, 6, positions=positions)
    assert set(model.state_dict()) == {name for name, _ in model.named_parameters()}


def test_it_learns_to_copy_in_a_few_steps():
    torch.manual_seed(0)
    model = TinyTransformer(5, 6, d_model=16)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(60):
        tokens = torch.randint(0, 5, (32, 6))
        loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    tokens = torch.randint(0, 5, (64, 6))
    assert (model(tokens).argmax(-1) == tokens).float().mean() > 0.99


LONG = torch.zeros(1, 5, dtype=torch.long)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: TinyTransformer(5, 4, positions="relative"),
            ValueError,
            'one of "learned", "sinusoidal", "rotary", "alibi", "none": got \'relative\'',
        ),
        (lambda: TinyTransformer(5, 4)(LONG), ValueError, "at most n_max=4 tokens, got 5"),
        (
            lambda: TinyTransformer(5, 5)(LONG.float()),
            TypeError,
            "integers, got dtype torch.float32",
        ),
        (lambda: TinyTransformer(5, 4, heads=5), ValueError, "5 heads, d_model is 48"),
        (lambda: TinyTransformer(5, 4, heads=0), ValueError, "0 heads, d_model is 48"),
        (
            lambda: TinyTransformer(5, 4, d_model=6, heads=2, positions="rotary"),
            ValueError,
            "even d_model / heads: got 6 / 2",
        ),
        (
            lambda: TinyTransformer(5, 4, d_model=5, positions="sinusoidal"),
            ValueError,
            "must be even: got 5",
        ),
        (
            lambda: TinyTransformer(5, 5, causal=True)(LONG, torch.ones(5, 5)),
            TypeError,
            "a mask must be boolean",
        ),
        (
            lambda: TinyTransformer(5, 5, causal=True)(LONG, torch.arange(5)[None] > 1),
            ValueError,
            "hides every key from query 0",
        ),
    ],
)
def test_a_bad_argument_is_refused_with_what_was_received(call, error, message):
    with pytest.raises(error, match=message):
        call()
