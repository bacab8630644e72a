"""Chapter 10: right answers in another style pass, and near misses are told of no other mistake."""

import numpy as np
import pytest
import torch

from attn import encoder_block, feed_forward, layer_norm, multi_head_attention
from attn.exercises import check


def _norm_by_loops(X, gain, shift, eps):
    Y = np.empty_like(X)
    for place in np.ndindex(X.shape[:-1]):
        x = X[place]
        Y[place] = (x - x.mean()) / (x.var() + eps) ** 0.5 * gain + shift
    return Y


def _norm_by_einsum(X, gain, shift, eps):
    centred = X - X.mean(-1)[..., None]
    variance = np.einsum("...d,...d->...", centred, centred) / X.shape[-1]
    return gain * centred / np.sqrt(variance + eps)[..., None] + shift


def _norm_by_torch(X, gain, shift, eps):
    X, gain, shift = map(torch.tensor, (X, gain, shift))
    return torch.nn.functional.layer_norm(X, X.shape[-1:], gain, shift, eps).numpy()


def _forward_by_loops(X, W_1, b_1, W_2, b_2):
    rows = X.reshape(-1, X.shape[-1])
    hidden = [[max(0.0, float(x @ w + b)) for w, b in zip(W_1.T, b_1, strict=True)] for x in rows]
    Y = np.array([W_2.T @ h + b_2 for h in np.array(hidden)])
    return Y.reshape(*X.shape[:-1], -1)


def _forward_by_where(X, W_1, b_1, W_2, b_2):
    hidden = np.einsum("...d,df->...f", X, W_1) + b_1
    return np.where(hidden > 0, hidden, 0) @ W_2 + b_2


def _block_by_sum(X, W, W_1, b_1, W_2, b_2, heads):
    for part in (
        lambda Z: multi_head_attention(Z, W[0], W[1], W[2], W[3], heads=heads),
        lambda Z: feed_forward(Z, W_1, b_1, W_2, b_2),
    ):
        X = layer_norm(part(X) + X)
    return X


def _block_of_torch(X, W, W_1, b_1, W_2, b_2, heads):
    d, d_ff = W_1.shape
    layer = torch.nn.TransformerEncoderLayer(
        d, heads, d_ff, dropout=0.0, batch_first=True, dtype=torch.float64
    )
    with torch.no_grad():
        layer.self_attn.in_proj_weight.copy_(torch.tensor(np.concatenate([w.T for w in W[:3]])))
        layer.self_attn.in_proj_bias.zero_()
        layer.self_attn.out_proj.weight.copy_(torch.tensor(W[3].T))
        layer.self_attn.out_proj.bias.zero_()
        for linear, w, b in ((layer.linear1, W_1, b_1), (layer.linear2, W_2, b_2)):
            linear.weight.copy_(torch.tensor(w.T))
            linear.bias.copy_(torch.tensor(b))
        return layer(torch.tensor(X)[None])[0].numpy()


def _stack_by_recursion(X, W):
    if len(W) == 0:
        return layer_norm(X)
    return _stack_by_recursion(X + np.tanh(layer_norm(X) @ W[0]), W[1:])


def _count_of_torch(d_model, heads, d_ff, layers):
    layer = torch.nn.TransformerEncoderLayer(d_model, heads, d_ff, device="meta")
    return layers * sum(p.numel() for p in layer.parameters())


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("10-layer-norm", _norm_by_loops),
        ("10-layer-norm", _norm_by_einsum),
        ("10-layer-norm", _norm_by_torch),
        ("10-feed-forward", _forward_by_loops),
        ("10-feed-forward", _forward_by_where),
        ("10-block", _block_by_sum),
        ("10-block", _block_of_torch),
        ("10-pre-norm", _stack_by_recursion),
        ("10-parameters", _count_of_torch),
        ("10-parameters", lambda d, h, f, L: L * (4 * d * d + 2 * d * f + 9 * d + f)),
    ],
)
def test_another_right_way_passes(exercise, answer):
    verdict = check(exercise, answer)
    assert verdict.passed is True, str(verdict)


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("10-layer-norm", lambda X, g, s, eps: _norm_by_loops(X, g, s, eps) + 1),
        ("10-layer-norm", lambda X, g, s, eps: (X - np.median(X, -1, keepdims=True)) * g + s),
        ("10-layer-norm", lambda X, g, s, eps: _norm_by_loops(X, g, s, 1e-5)),
        ("10-layer-norm", lambda X, g, s, eps: _norm_by_loops(X, g, s, eps**2)),
        ("10-feed-forward", lambda X, W_1, b_1, W_2, b_2: np.tanh(X @ W_1 + b_1) @ W_2 + b_2),
        ("10-feed-forward", lambda X, *rest: _forward_by_where(np.maximum(X, 0), *rest)),
        ("10-feed-forward", lambda X, W_1, b_1, W_2, b_2: np.maximum(X @ W_1 + b_1, 1) @ W_2 + b_2),
        (
            "10-feed-forward",
            lambda X, W_1, b_1, W_2, b_2: np.maximum(X @ W_1 + b_1, 0) ** 2 @ W_2 + b_2,
        ),
        ("10-block", lambda X, *rest: 2 * _block_by_sum(X, *rest)),
        ("10-pre-norm", lambda X, W: _stack_by_recursion(X, W[::-1])),
        ("10-parameters", lambda d, h, f, L: L * (4 * d * d + 2 * d * f + 9 * d + f) + d),
        ("10-parameters", lambda d, h, f, L: L * (4 * d * d + 2 * d * f + 2 * d)),
    ],
)
def test_a_near_miss_fails_and_is_told_of_no_known_mistake(exercise, answer):
    verdict = check(exercise, answer)
    assert verdict.passed is False
    assert verdict.mistake is None


def test_a_count_without_attention_s_biases_is_not_blamed_on_the_norms_alone():
    # Both leave out 4 d_model numbers: no probe can tell them apart, so the words name both.
    verdict = check("10-parameters", lambda d, h, f, L: L * (4 * d * d + 2 * d * f + 5 * d + f))
    assert verdict.mistake == "forgets-the-norms"
    assert "or the biases of attention's four matrices" in verdict.message


def _centred_over_tokens(X, gain, shift, eps):
    return (X - X.mean(0)) / np.sqrt(X.var(0) + eps) * gain + shift


@pytest.mark.parametrize(
    ("exercise", "answer", "mistake"),
    [
        ("10-layer-norm", _centred_over_tokens, "norms-over-the-tokens"),
        (
            "10-layer-norm",
            lambda X, g, s, eps: (X - X.mean(-1, keepdims=True)) / X.std(-1, keepdims=True) * g + s,
            "forgets-eps",
        ),
        (
            "10-feed-forward",
            lambda X, W_1, b_1, W_2, b_2: X @ (W_1 @ W_2) + b_1 @ W_2 + b_2,
            "forgets-the-relu",
        ),
        ("10-parameters", lambda d, h, f, L: L * (4 * d * d + 2 * d * f), "counts-matrices-only"),
    ],
)
def test_a_likely_slip_is_named(exercise, answer, mistake):
    assert check(exercise, answer).mistake == mistake


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("10-layer-norm", lambda X, g, s, eps: layer_norm(X, g, s, eps=eps)),
        ("10-feed-forward", feed_forward),
        ("10-block", lambda X, W, *rest: _with_the_library(X, W, *rest)),
    ],
)
def test_the_library_s_own_function_is_not_an_answer(exercise, answer):
    verdict = check(exercise, answer)
    assert verdict.passed is False
    assert "without attn" in verdict.message or "does all the work" in verdict.message


def _with_the_library(X, W, W_1, b_1, W_2, b_2, heads):
    d = X.shape[-1]
    names = dict(zip(("W_q", "W_k", "W_v", "W_o"), W, strict=True))
    plain = {f"gain_{i}": np.ones(d) for i in (1, 2)} | {f"shift_{i}": np.zeros(d) for i in (1, 2)}
    rest = {"W_1": W_1, "b_1": b_1, "W_2": W_2, "b_2": b_2}
    return encoder_block(X, names | plain | rest, heads=heads, norm="post")
