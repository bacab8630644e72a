"""The reference against an independent implementation, over drawn shapes, masks and types."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import attn

torch = pytest.importorskip("torch", reason="torch is the other side of these comparisons")
F = torch.nn.functional
torch.set_num_threads(1)  # The tensors are small: a pool of threads costs more than it gives.

seeds = st.integers(0, 2**32 - 1)
dtypes = st.sampled_from([np.float64, np.float32])
sides = st.integers(1, 6)
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)


def draw(seed, dtype, *shapes):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(s).astype(dtype) for s in shapes]


def draw_mask(seed, shape):
    rng = np.random.default_rng(seed)
    mask = rng.random(shape) < 0.5
    mask[..., rng.integers(shape[-1])] = True
    return mask


def sdpa(Q, K, V, **options):
    if "attn_mask" in options:
        options["attn_mask"] = torch.from_numpy(options["attn_mask"])
    return F.scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V)), **options).numpy()


def randomise(module, seed, dtype):
    """Move every parameter away from its tidy start, so that a forgotten one shows."""
    generator = torch.Generator().manual_seed(seed)
    for p in module.parameters():
        torch.nn.init.normal_(p, std=0.5, generator=generator)
    return module.to(torch.from_numpy(np.zeros(0, dtype)).dtype)


def projections(module):
    """The weights of a torch multi-head module, named and transposed for the reference."""
    found = {"W_o": module.out_proj.weight.T, "b_o": module.out_proj.bias}
    parts = zip("qkv", module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3), strict=True)
    for role, W, b in parts:
        found |= {f"W_{role}": W.T, f"b_{role}": b}
    return {name: p.detach().numpy() for name, p in found.items()}


def block_params(layer):
    """The weights of a torch encoder layer, named and transposed for the reference."""
    found = {}
    for i, linear, norm in ((1, layer.linear1, layer.norm1), (2, layer.linear2, layer.norm2)):
        found |= {f"W_{i}": linear.weight.T, f"b_{i}": linear.bias}
        found |= {f"gain_{i}": norm.weight, f"shift_{i}": norm.bias}
    return projections(layer.self_attn) | {k: p.detach().numpy() for k, p in found.items()}


@given(seeds, leads, sides, dtypes)
def test_softmax(assert_close, seed, lead, m, dtype):
    (x,) = draw(seed, dtype, (*lead, m))
    assert_close(attn.softmax(1e3 * x), torch.softmax(torch.from_numpy(1e3 * x), -1).numpy())


@given(seeds, leads, sides, sides, sides, sides, dtypes)
def test_attention_with_any_scale(assert_close, seed, lead, n, m, d_k, d_v, dtype):
    Q, K, V = draw(seed, dtype, (*lead, n, d_k), (*lead, m, d_k), (*lead, m, d_v))
    assert_close(attn.attention(Q, K, V), sdpa(Q, K, V))
    assert_close(attn.attention(Q, K, V, scale=0.3), sdpa(Q, K, V, scale=0.3))


@given(seeds, leads, sides, sides, sides, sides, dtypes)
def test_attention_under_a_mask(assert_close, seed, lead, n, m, d_k, d_v, dtype):
    Q, K, V = draw(seed, dtype, (*lead, n, d_k), (*lead, m, d_k), (*lead, m, d_v))
    for shape in ((n, m), (*lead, n, m), (1, m)):
        mask = draw_mask(seed, shape)
        everywhere = np.broadcast_to(mask, (*lead, n, m)).copy()
        assert_close(attn.attention(Q, K, V, mask=mask), sdpa(Q, K, V, attn_mask=everywhere))


@given(seeds, leads, sides, sides, dtypes)
def test_attention_under_a_bias(assert_close, seed, lead, n, m, dtype):
    Q, K, V, bias = draw(seed, dtype, (*lead, n, 4), (*lead, m, 4), (*lead, m, 3), (n, m))
    everywhere = np.broadcast_to(bias, (*lead, n, m)).copy()
    assert_close(attn.attention(Q, K, V, bias=bias), sdpa(Q, K, V, attn_mask=everywhere))


@given(seeds, leads, sides, st.integers(0, 5), st.integers(1, 9), dtypes)
def test_blockwise_attention_full_and_causal(assert_close, seed, lead, n, extra, block, dtype):
    m = n + extra
    Q, K, V = draw(seed, dtype, (*lead, n, 4), (*lead, m, 4), (*lead, m, 3))
    assert_close(attn.blockwise_attention(Q, K, V, block=block), sdpa(Q, K, V))
    # torch's own causal flag aligns the first query with the first key: give it the mask.
    causal = sdpa(Q, K, V, attn_mask=np.tri(n, m, extra, dtype=bool))
    assert_close(attn.blockwise_attention(Q, K, V, causal=True, block=block), causal)


@given(seeds, sides, sides, sides, st.sampled_from([1, 2, 3]), dtypes)
def test_multi_head_attention_to_itself_and_to_a_masked_memory(
    assert_close, seed, b, n, m, heads, dtype
):
    d, mask = 2 * heads, draw_mask(seed, (b, n, m))
    X, memory = draw(seed, dtype, (b, n, d), (b, m, d))
    theirs = randomise(torch.nn.MultiheadAttention(d, heads, batch_first=True), seed, dtype)
    x, y = torch.from_numpy(X), torch.from_numpy(memory)
    hidden = torch.from_numpy(~np.repeat(mask, heads, axis=0))  # torch: True = may not look
    with torch.no_grad():
        full = theirs(x, x, x, need_weights=False)[0]
        masked = theirs(x, y, y, attn_mask=hidden, need_weights=False)[0]
    options = projections(theirs) | {"heads": heads}
    assert_close(attn.multi_head_attention(X, **options), full.numpy())
    ours = attn.multi_head_attention(X, **options, memory=memory, mask=mask)
    assert_close(ours, masked.numpy())


@given(seeds, leads, sides, sides, sides, dtypes)
def test_attention_pool_with_and_without_a_gate(assert_close, seed, lead, n, d, a, dtype):
    H, w, W_tanh, W_gate = draw(seed, dtype, (*lead, n, d), (a,), (d, a), (d, a))
    h, v, t, g = map(torch.from_numpy, (H, w, W_tanh, W_gate))
    open_, gated = torch.tanh(h @ t), torch.tanh(h @ t) * (h @ g).sigmoid()
    for gate, hidden in ((None, open_), (W_gate, gated)):
        expected = torch.softmax(hidden @ v, -1)
        pooled, weights = attn.attention_pool(H, w, W_tanh, W_gate=gate)
        assert_close(weights, expected.numpy())
        assert_close(pooled, torch.einsum("...n,...nd->...d", expected, h).numpy())


@given(seeds, leads, st.integers(2, 8), dtypes)
def test_layer_norm(assert_close, seed, lead, d, dtype):
    X, gain, shift = draw(seed, dtype, (*lead, d), d, d)
    x, g, s = map(torch.from_numpy, (X, gain, shift))
    assert_close(attn.layer_norm(X), F.layer_norm(x, (d,)).numpy())
    ours = attn.layer_norm(X, gain, shift, eps=1e-3)
    assert_close(ours, F.layer_norm(x, (d,), g, s, 1e-3).numpy())


@given(seeds, leads, sides, sides, sides, dtypes, st.sampled_from(["relu", "gelu"]))
def test_feed_forward(assert_close, seed, lead, d, d_ff, d_out, dtype, activation):
    arrays = draw(seed, dtype, (*lead, d), (d, d_ff), d_ff, (d_ff, d_out), d_out)
    x, W_1, b_1, W_2, b_2 = map(torch.from_numpy, arrays)
    expected = getattr(F, activation)(x @ W_1 + b_1) @ W_2 + b_2
    assert_close(attn.feed_forward(*arrays, activation=activation), expected.numpy())


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@settings(max_examples=15)
@given(seed=seeds, b=sides, n=sides, heads=st.sampled_from([1, 2, 4]), dtype=dtypes)
def test_encoder_block_full_and_causal(assert_close, seed, b, n, heads, dtype, norm, activation):
    layer = torch.nn.TransformerEncoderLayer(
        8, heads, 12, 0.0, activation, 1e-4, batch_first=True, norm_first=norm == "pre"
    )
    layer, (X,) = randomise(layer, seed, dtype), draw(seed, dtype, (b, n, 8))
    options = {"heads": heads, "norm": norm, "activation": activation, "eps": 1e-4}
    mask = attn.causal_mask(n)
    for seen, hidden in ((None, None), (mask, torch.from_numpy(~mask))):
        theirs = layer(torch.from_numpy(X), src_mask=hidden).detach()
        ours = attn.encoder_block(X, block_params(layer), mask=seen, **options)
        assert_close(ours, theirs.numpy())


@pytest.mark.parametrize(("padding", "mode"), [("zeros", "constant"), ("none", "replicate")])
@given(seed=seeds, H=sides, W=sides, size=st.sampled_from([1, 3, 5]), dtype=dtypes)
def test_sharp_conv_as_attention(assert_close, seed, H, W, size, dtype, padding, mode):
    edge = (size - 1) // 2
    for shape, convolve in (((H,), F.conv1d), ((H, W), F.conv2d)):
        axes = len(shape)
        image, kernel = draw(seed, dtype, shape, (size,) * axes)
        x = F.pad(torch.from_numpy(image)[None, None], (edge, edge) * axes, mode=mode)
        theirs = convolve(x, torch.from_numpy(kernel)[None, None])[0, 0]
        ours = attn.conv_as_attention(image, kernel, alpha=1e3, padding=padding)
        assert_close(ours, theirs.numpy())


@given(seeds, leads, sides, sides, sides, dtypes)
def test_linear_attention_full_and_causal(assert_close, seed, lead, n, d_k, d_v, dtype):
    Q, K, V = draw(seed, dtype, (*lead, n, d_k), (*lead, n, d_k), (*lead, n, d_v))
    q, k, v = map(torch.from_numpy, (Q, K, V))
    table = (F.elu(q) + 1) @ (F.elu(k) + 1).mT
    for causal, weights in ((False, table), (True, table.tril())):
        theirs = weights / weights.sum(-1, keepdim=True) @ v
        assert_close(attn.linear_attention(Q, K, V, causal=causal), theirs.numpy())
