import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn import (
    alibi_bias,
    attention_weights,
    causal_mask,
    multi_head_attention,
    rotate,
    split_heads,
)
from attn.nn import MultiHeadAttention

seeds = st.integers(0, 2**32 - 1)
sides = st.integers(1, 5)
head_counts = st.sampled_from([1, 2, 3])
dtypes = st.sampled_from([torch.float64, torch.float32])
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)


def draw_mask(shape):
    mask = torch.rand(shape) < 0.5
    mask[..., 0] = True
    return mask


@given(seeds, leads, sides, sides, head_counts, dtypes, st.booleans(), st.booleans())
def test_the_module_equals_the_reference(
    assert_close, seed, lead, n, m, heads, dtype, bias, rotary
):
    torch.manual_seed(seed)
    module = MultiHeadAttention(4 * heads, heads, bias=bias).to(dtype)
    X, memory = (torch.randn(*lead, k, 4 * heads, dtype=dtype) for k in (n, m))
    mask, slopes = draw_mask((*lead, n, m)), torch.randn(heads, n, m, dtype=dtype)
    with torch.no_grad():
        ours = module(X, memory, mask, bias=slopes, rotary=rotary)
        alone = module(X)
    options = {"memory": memory.numpy(), "mask": mask.numpy(), "bias": slopes.numpy()}
    reference = multi_head_attention(
        X.numpy(), **module.params(), heads=heads, rotary=rotary, **options
    )
    assert_close(ours.numpy(), reference)
    assert_close(alone.numpy(), multi_head_attention(X.numpy(), **module.params(), heads=heads))


@given(seeds, sides, sides, head_counts, dtypes, st.booleans(), st.booleans())
def test_a_copy_of_torchs_module_equals_it(seed, b, n, heads, dtype, bias, batch_first):
    torch.manual_seed(seed)
    theirs = torch.nn.MultiheadAttention(
        2 * heads, heads, dropout=0.5, bias=bias, batch_first=batch_first, dtype=dtype
    ).eval()
    if bias:
        torch.nn.init.normal_(theirs.in_proj_bias)
        torch.nn.init.normal_(theirs.out_proj.bias)
    ours = MultiHeadAttention.from_torch(theirs)
    X, mask = torch.randn(b, n, 2 * heads, dtype=dtype), draw_mask((b, n, n))
    x = X if batch_first else X.transpose(0, 1)
    hidden = ~mask.repeat_interleave(heads, 0)  # torch: True = may not look
    with torch.no_grad():
        expected, weights = theirs(x, x, x, attn_mask=hidden, average_attn_weights=False)
        expected = expected if batch_first else expected.transpose(0, 1)
        tolerance = {"rtol": 1e-12, "atol": 1e-12} if dtype is torch.float64 else {}
        torch.testing.assert_close(ours(X, mask=mask), expected, **tolerance)
        torch.testing.assert_close(ours.weights(X, mask=mask), weights, **tolerance)


def test_a_copy_shares_no_memory_with_its_source():
    theirs = torch.nn.MultiheadAttention(4, 2)
    ours = MultiHeadAttention.from_torch(theirs)
    with torch.no_grad():
        theirs.in_proj_weight.zero_()
        theirs.out_proj.weight.zero_()
    assert all(p.abs().sum() > 0 for name, p in ours.named_parameters() if "weight" in name)


def test_the_weights_are_those_of_each_head():
    torch.manual_seed(0)
    module = MultiHeadAttention(6, 3, bias=False).double()
    X = torch.randn(2, 5, 6, dtype=torch.float64)
    bias = alibi_bias(5, 3)
    ours = module.weights(X, mask=torch.from_numpy(causal_mask(5)), bias=torch.from_numpy(bias))
    p = module.params()
    Q, K = (split_heads(X.numpy() @ p[name], 3) for name in ("W_q", "W_k"))
    expected = attention_weights(Q, K, mask=causal_mask(5), bias=bias)
    np.testing.assert_allclose(ours.detach().numpy(), expected, atol=1e-13)


@given(seeds, sides, sides, head_counts, st.booleans(), st.booleans())
def test_what_is_hidden_takes_no_part_as_in_the_reference(seed, n, m, heads, by_bias, rotary):
    torch.manual_seed(seed)
    module = MultiHeadAttention(4 * heads, heads).double()
    X, memory = (torch.randn(2, k, 4 * heads, dtype=torch.float64) for k in (n, m))
    mask = draw_mask((2, n, m))
    strange = torch.rand(2, m) < 0.4
    memory[strange] = torch.tensor([torch.nan, torch.inf])[torch.randint(2, (1,))].double()
    bias = torch.zeros(2, 1, n, m).masked_fill(~mask[:, None], -torch.inf) if by_bias else None
    options = {"memory": memory, "mask": None if by_bias else mask, "bias": bias}
    with torch.no_grad():
        ours = module(X, **options, rotary=rotary).numpy()
    arrays = {name: None if a is None else a.numpy() for name, a in options.items()}
    with np.errstate(invalid="ignore"):
        reference = multi_head_attention(
            X.numpy(), **module.params(), **arrays, heads=heads, rotary=rotary
        )
    np.testing.assert_allclose(ours, reference, atol=1e-12)
    touched = (mask & strange[:, None]).any(-1).numpy()
    assert (np.isnan(ours).any(-1) == touched).all()


@given(seeds, st.integers(2, 6), st.integers(0, 3))
def test_gradients_from_the_future_are_exactly_zero(seed, n, extra):
    torch.manual_seed(seed)
    module, m = MultiHeadAttention(4, 2), n + extra
    X, memory = torch.randn(n, 4), torch.randn(m, 4, requires_grad=True)
    mask = torch.from_numpy(causal_mask(n, m))
    for i in range(n):
        (gradient,) = torch.autograd.grad(module(X, memory, mask)[i].sum(), memory)
        assert (gradient[i + extra + 1 :] == 0).all()
        assert (gradient[: i + extra + 1] != 0).any(-1).all()


def test_training_reaches_every_parameter_but_the_key_bias():
    torch.manual_seed(0)
    module = MultiHeadAttention(4, 2).double()
    module(torch.randn(3, 5, 4, dtype=torch.float64)).square().sum().backward()
    sizes = {name: p.grad.abs().max().item() for name, p in module.named_parameters()}
    assert sizes.pop("W_k.bias") < 1e-12
    assert min(sizes.values()) > 1e-6


X = torch.ones(2, 3, 4)
BLIND = torch.tensor([[True] * 3, [True] * 3, [False] * 3])
HIDING = torch.zeros(3, 3).masked_fill(~BLIND, -torch.inf)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: MultiHeadAttention(4, 3), ValueError, "divide d_model: 3 heads, d_model is 4"),
        (lambda: MultiHeadAttention(4, 0), ValueError, "divide d_model: 0 heads, d_model is 4"),
        (
            lambda: MultiHeadAttention(5, 1)(X),
            ValueError,
            r"X must be \(..., n, 5\): X is \(2, 3, 4\)",
        ),
        (
            lambda: MultiHeadAttention(4, 1)(X, X[..., :3]),
            ValueError,
            r"memory must be \(..., n, 4\): memory is \(2, 3, 3\)",
        ),
        (
            lambda: MultiHeadAttention(4, 1)(X, mask=torch.ones(3, 3)),
            TypeError,
            "a mask must be boolean .*, got dtype torch.float32",
        ),
        (
            lambda: MultiHeadAttention(4, 1)(X, mask=torch.ones(4, 3, dtype=torch.bool)),
            ValueError,
            r"\(..., 3, 3\): mask is \(4, 3\)",
        ),
        (
            lambda: MultiHeadAttention(4, 1)(X, mask=BLIND),
            ValueError,
            "hides every key from query 2$",
        ),
        (
            lambda: MultiHeadAttention(4, 1)(X, mask=torch.stack([~BLIND | BLIND, BLIND])),
            ValueError,
            r"hides every key from query 2 at leading index \(1,\)",
        ),
        (
            lambda: MultiHeadAttention(4, 1)(X, bias=torch.ones(3, 3, dtype=torch.bool)),
            TypeError,
            "got dtype torch.bool: give a mask as mask=",
        ),
        (
            lambda: MultiHeadAttention(4, 1)(X, bias=HIDING),
            ValueError,
            "mask and bias together hide every key from query 2$",
        ),
        (
            lambda: MultiHeadAttention(3, 1)(X[..., :3], rotary=True),
            ValueError,
            "must be even: got 3",
        ),
        (
            lambda: MultiHeadAttention.from_torch(torch.nn.MultiheadAttention(4, 2, kdim=3)),
            ValueError,
            "must equal embed_dim=4: kdim is 3, vdim is 4",
        ),
        (
            lambda: MultiHeadAttention.from_torch(
                torch.nn.MultiheadAttention(4, 2, add_bias_kv=True)
            ),
            ValueError,
            "add_bias_kv and add_zero_attn must be off",
        ),
        (
            lambda: MultiHeadAttention.from_torch(torch.nn.Linear(4, 2)),
            TypeError,
            "must be a torch.nn.MultiheadAttention, got a Linear",
        ),
    ],
)
def test_a_bad_argument_is_refused_with_what_was_received(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_other_speeds_turn_queries_and_keys_by_other_angles():
    torch.manual_seed(0)
    module = MultiHeadAttention(8, 2, bias=False).double()
    module.rotary_speeds = (1, 50**-0.5)
    X = torch.randn(5, 8, dtype=torch.float64)
    p = module.params()
    Q, K = (rotate(split_heads(X.numpy() @ p[f"W_{r}"], 2), base=50.0) for r in "qk")
    with torch.no_grad():
        found = module.weights(X, rotary=True).numpy()
    np.testing.assert_allclose(found, attention_weights(Q, K), atol=1e-12)
