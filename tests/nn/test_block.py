import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attn import causal_mask, encoder_block
from attn.nn import EncoderBlock

seeds = st.integers(0, 2**32 - 1)
sides = st.integers(1, 5)
head_counts = st.sampled_from([1, 2, 4])
dtypes = st.sampled_from([torch.float64, torch.float32])
styles = pytest.mark.parametrize(
    ("norm", "activation"), [(n, a) for n in ("pre", "post") for a in ("relu", "gelu")]
)


def randomise(module):
    """Move every parameter away from its tidy start, so that a forgotten one shows."""
    for p in module.parameters():
        torch.nn.init.normal_(p, std=0.5)
    return module


@styles
@settings(max_examples=15)
@given(seed=seeds, b=sides, n=sides, heads=head_counts, dtype=dtypes, bias=st.booleans())
def test_the_block_equals_the_reference(
    assert_close, norm, activation, seed, b, n, heads, dtype, bias
):
    torch.manual_seed(seed)
    block = randomise(
        EncoderBlock(8, heads, d_ff=12, norm=norm, activation=activation, eps=1e-3, bias=bias)
    ).to(dtype)
    X, mask = torch.randn(b, n, 8, dtype=dtype), causal_mask(n)
    with torch.no_grad():
        ours = block(X, mask=torch.from_numpy(mask)).numpy()
    options = {"heads": heads, "mask": mask, "norm": norm, "activation": activation, "eps": 1e-3}
    assert_close(ours, encoder_block(X.numpy(), block.params(), **options))


@styles
@settings(max_examples=15)
@given(seed=seeds, b=sides, n=sides, bias=st.booleans(), batch_first=st.booleans())
def test_a_copy_of_torchs_layer_equals_it(norm, activation, seed, b, n, bias, batch_first):
    torch.manual_seed(seed)
    theirs = torch.nn.TransformerEncoderLayer(
        8, 2, 12, activation=activation, batch_first=batch_first, norm_first=norm == "pre",
        bias=bias, dtype=torch.float64, layer_norm_eps=1e-2,
    )  # fmt: skip
    theirs = randomise(theirs).eval()
    ours = EncoderBlock.from_torch(theirs)
    X = torch.randn(b, n, 8, dtype=torch.float64, requires_grad=True)
    x = X if batch_first else X.transpose(0, 1)
    mask = torch.from_numpy(causal_mask(n))
    for seen, hidden in ((None, None), (mask, ~mask)):
        expected = theirs(x, src_mask=hidden)
        expected = expected if batch_first else expected.transpose(0, 1)
        torch.testing.assert_close(ours(X, mask=seen), expected, rtol=1e-12, atol=1e-12)


@styles
def test_a_stack_of_copies_equals_torchs_encoder_and_learns_as_much(norm, activation):
    torch.manual_seed(3)
    layer = torch.nn.TransformerEncoderLayer(
        8, 2, 12, activation=activation, batch_first=True, norm_first=norm == "pre",
        dtype=torch.float64,
    )  # fmt: skip
    last = torch.nn.LayerNorm(8, dtype=torch.float64) if norm == "pre" else None
    theirs = torch.nn.TransformerEncoder(layer, 3, last, enable_nested_tensor=False)
    theirs = randomise(theirs).eval()
    blocks = [EncoderBlock.from_torch(one) for one in theirs.layers]
    X = Y = torch.randn(2, 5, 8, dtype=torch.float64)
    for block in blocks:
        Y = block(Y)
    Y = Y if last is None else theirs.norm(Y)
    torch.testing.assert_close(Y, theirs(X), rtol=1e-12, atol=1e-12)
    counts = [sum(p.numel() for p in one.parameters()) for one in (*blocks, *theirs.layers)]
    assert len(set(counts)) == 1


@pytest.mark.parametrize(
    ("activation", "name"),
    [(torch.nn.ReLU(), "relu"), (torch.nn.GELU(), "gelu"), ("relu", "relu"), ("gelu", "gelu")],
)
def test_activations_are_recognised_as_functions_and_as_modules(activation, name):
    layer = torch.nn.TransformerEncoderLayer(4, 1, 4, activation=activation)
    assert EncoderBlock.from_torch(layer).activation == name


def test_the_block_attends_to_a_memory_if_given():
    torch.manual_seed(0)
    block, X, memory = EncoderBlock(4, 2), torch.randn(2, 3, 4), torch.randn(2, 5, 4)
    expected = X + block.attention(block.norm_1(X), memory)
    expected = expected + block.W_2(torch.relu(block.W_1(block.norm_2(expected))))
    torch.testing.assert_close(block(X, memory), expected)
    assert block.weights(X, memory).shape == (2, 2, 3, 5)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_weights_are_the_ones_the_block_uses(norm):
    torch.manual_seed(1)
    block, X = EncoderBlock(4, 2, norm=norm), torch.randn(3, 4)
    inside = block.norm_1(X) if norm == "pre" else X
    torch.testing.assert_close(block.weights(X), block.attention.weights(inside))


def test_gradients_from_the_future_are_exactly_zero():
    torch.manual_seed(2)
    block, X = EncoderBlock(4, 2), torch.randn(5, 4, requires_grad=True)
    mask = torch.from_numpy(causal_mask(5))
    (gradient,) = torch.autograd.grad(block(X, mask=mask)[2].square().sum(), X)
    assert (gradient[3:] == 0).all()
    assert (gradient[:3] != 0).any(-1).all()


TANH = torch.nn.TransformerEncoderLayer(4, 1, 4, activation=torch.tanh)
APPROXIMATE = torch.nn.TransformerEncoderLayer(4, 1, 4, activation=torch.nn.GELU("tanh"))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: EncoderBlock(4, 3), ValueError, "3 heads, d_model is 4"),
        (lambda: EncoderBlock(4, 1, norm="none"), ValueError, '"pre" or "post", got \'none\''),
        (
            lambda: EncoderBlock(4, 1, activation="silu"),
            ValueError,
            '"relu" or "gelu", got \'silu\'',
        ),
        (lambda: EncoderBlock.from_torch(TANH), ValueError, "relu or the erf form of gelu, got"),
        (lambda: EncoderBlock.from_torch(APPROXIMATE), ValueError, r"got GELU\(approximate='tanh'"),
        (
            lambda: EncoderBlock.from_torch(torch.nn.Linear(4, 2)),
            TypeError,
            "must be a torch.nn.TransformerEncoderLayer, got a Linear",
        ),
    ],
)
def test_a_bad_argument_is_refused_with_what_was_received(call, error, message):
    with pytest.raises(error, match=message):
        call()
