"""Chapter 10: right answers in another style, near misses, likely slips."""

import numpy as np
import torch
from exercises.answers import PASSES, UNNAMED, judged

from attn import encoder_block, feed_forward, layer_norm, multi_head_attention


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


def _centred_over_tokens(X, gain, shift, eps):
    return (X - X.mean(0)) / np.sqrt(X.var(0) + eps) * gain + shift


def _with_the_library(X, W, W_1, b_1, W_2, b_2, heads):
    d = X.shape[-1]
    names = dict(zip(("W_q", "W_k", "W_v", "W_o"), W, strict=True))
    plain = {f"gain_{i}": np.ones(d) for i in (1, 2)} | {f"shift_{i}": np.zeros(d) for i in (1, 2)}
    rest = {"W_1": W_1, "b_1": b_1, "W_2": W_2, "b_2": b_2}
    return encoder_block(X, names | plain | rest, heads=heads, norm="post")


test_an_answer = judged(
    {
        "10-block": {
            PASSES: [_block_by_sum, _block_of_torch],
            UNNAMED: [lambda X, *rest: 2 * _block_by_sum(X, *rest)],
            "uses-ours": [_with_the_library],
        },
        "10-feed-forward": {
            PASSES: [_forward_by_loops, _forward_by_where],
            UNNAMED: [
                lambda X, W_1, b_1, W_2, b_2: np.tanh(X @ W_1 + b_1) @ W_2 + b_2,
                lambda X, *rest: _forward_by_where(np.maximum(X, 0), *rest),
                lambda X, W_1, b_1, W_2, b_2: np.maximum(X @ W_1 + b_1, 1) @ W_2 + b_2,
                lambda X, W_1, b_1, W_2, b_2: np.maximum(X @ W_1 + b_1, 0) ** 2 @ W_2 + b_2,
            ],
            "forgets-the-relu": [lambda X, W_1, b_1, W_2, b_2: X @ (W_1 @ W_2) + b_1 @ W_2 + b_2],
            "uses-ours": [feed_forward],
        },
        "10-layer-norm": {
            PASSES: [_norm_by_loops, _norm_by_einsum, _norm_by_torch],
            UNNAMED: [
                lambda X, g, s, eps: _norm_by_loops(X, g, s, eps) + 1,
                lambda X, g, s, eps: (X - np.median(X, -1, keepdims=True)) * g + s,
                lambda X, g, s, eps: _norm_by_loops(X, g, s, 1e-5),
                lambda X, g, s, eps: _norm_by_loops(X, g, s, eps**2),
            ],
            "norms-over-the-tokens": [_centred_over_tokens],
            "forgets-eps": [
                lambda X, g, s, eps: (
                    (X - X.mean(-1, keepdims=True)) / X.std(-1, keepdims=True) * g + s
                )
            ],
            "uses-ours": [lambda X, g, s, eps: layer_norm(X, g, s, eps=eps)],
        },
        "10-parameters": {
            PASSES: [_count_of_torch, lambda d, h, f, L: L * (4 * d * d + 2 * d * f + 9 * d + f)],
            UNNAMED: [
                lambda d, h, f, L: L * (4 * d * d + 2 * d * f + 9 * d + f) + d,
                lambda d, h, f, L: L * (4 * d * d + 2 * d * f + 2 * d),
            ],
            # without the biases of attention: as many numbers as the norms hold
            "forgets-the-norms": [lambda d, h, f, L: L * (4 * d * d + 2 * d * f + 5 * d + f)],
            "counts-matrices-only": [lambda d, h, f, L: L * (4 * d * d + 2 * d * f)],
        },
        "10-pre-norm": {
            PASSES: [_stack_by_recursion],
            UNNAMED: [lambda X, W: _stack_by_recursion(X, W[::-1])],
        },
    }
)
