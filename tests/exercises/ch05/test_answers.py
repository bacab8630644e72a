"""Chapter 5: right answers in other styles, and wrong ones that look right."""

import numpy as np
import torch
from exercises.answers import PASSES, UNNAMED, judged

from attn import attention, softmax
from attn.exercises.catalog import find


def _each(X, W_q, W_k, W_v, heads):
    parts = zip(*(np.split(X @ W, heads, axis=-1) for W in (W_q, W_k, W_v)), strict=True)
    return [attention(*part) for part in parts]


def _loop(X, W_q, W_k, W_v, W_o, heads):
    return np.concatenate(_each(X, W_q, W_k, W_v, heads), axis=-1) @ W_o


def _einsum(X, W_q, W_k, W_v, W_o, heads, softmax=softmax):
    d = X.shape[1]
    Q, K, V = (np.einsum("nd,dhk->hnk", X, W.reshape(d, heads, -1)) for W in (W_q, W_k, W_v))
    A = softmax(np.einsum("hnk,hmk->hnm", Q, K) / np.sqrt(Q.shape[-1]))
    return np.einsum("hnm,hmv,hvo->no", A, V, W_o.reshape(heads, -1, W_o.shape[1]))


def _without_a_shift(*given):
    return _einsum(*given, softmax=lambda S: np.exp(S) / np.exp(S).sum(axis=-1, keepdims=True))


def _in_float32(X, W_q, W_k, W_v, W_o, heads):
    return _loop(*(np.float32(M) for M in (X, W_q, W_k, W_v, W_o)), heads)


def _own_part_of_W_o(X, W_q, W_k, W_v, W_o, heads):
    pairs = zip(_each(X, W_q, W_k, W_v, heads), np.split(W_o, heads), strict=True)
    return sum(blend @ rows for blend, rows in pairs).tolist()


def _joined(join):
    """Heads that attend as they should, and are put together in some way before W_o."""
    return lambda X, W_q, W_k, W_v, W_o, heads: join(_each(X, W_q, W_k, W_v, heads)) @ W_o


def _parts(Z, W_o):
    return zip(Z, np.split(W_o, len(Z)), strict=True)


def _merged(Z, W_o):
    return np.concatenate(list(Z), axis=-1) @ W_o


test_an_answer = judged(
    {
        "05-split-heads": {
            PASSES: [
                lambda X, heads: np.stack(np.split(X, heads, axis=1)),
                lambda X, heads: [part.tolist() for part in np.split(X, heads, axis=1)],
                lambda X, heads: np.einsum("nhk->hnk", X.reshape(len(X), heads, -1)),
                lambda X, heads: X.T.reshape(heads, -1, len(X)).transpose(0, 2, 1),
            ],
            "splits-the-sequence": [lambda X, heads: np.array(np.split(X, heads))],
        },
        "05-multi-head": {
            PASSES: [_loop, _einsum, _in_float32, _own_part_of_W_o],
            UNNAMED: [lambda X, W_q, W_k, W_v, W_o, heads: _loop(X, 3 * W_q, W_k, W_v, W_o, heads)],
            "overflows": [_without_a_shift],
            "has-one-head-s-width": [
                _joined(lambda each: np.mean(each, axis=0)),
                _joined(np.concatenate),
            ],
            "does-not-merge": [_joined(np.stack)],
        },
        "05-parameters": {
            UNNAMED: [
                lambda d_model, heads, d_k, d_v, d_out: (
                    heads * d_model * (2 * d_k + d_v) + heads * d_model * d_out
                )
            ],
            "adds-biases": [
                lambda d_model, heads, d_k, d_v, d_out: (
                    heads * ((d_model + 1) * (2 * d_k + d_v) + d_v * d_out)
                )
            ],
        },
        "05-ablate": {
            PASSES: [
                lambda Z, W_o, keep: _merged(Z * keep[:, None, None], W_o),
                lambda Z, W_o, keep: sum(
                    on * (z @ W) for on, (z, W) in zip(keep, _parts(Z, W_o), strict=True)
                ),
                lambda Z, W_o, keep: _merged(Z, W_o * np.repeat(keep, Z.shape[-1])[:, None]),
            ],
            "makes-up-for-the-missing": [
                lambda Z, W_o, keep: _merged(
                    Z * keep[:, None, None] * (len(keep) / keep.sum()), W_o
                )
            ],
            "leaves-rows-of-W_o-behind": [
                lambda Z, W_o, keep: (
                    np.hstack([z for z, on in zip(Z, keep, strict=True) if on]) @ W_o
                )
            ],
        },
    }
)


def test_the_reference_of_torch_s_layout_is_torch():
    task = find("05-torch-layout").task
    for probe in task.probes:
        X, W, W_o, heads = probe.arguments.values()
        module = torch.nn.MultiheadAttention(X.shape[1], heads, bias=False).double()
        with torch.no_grad():
            module.in_proj_weight.copy_(torch.tensor(W))
            module.out_proj.weight.copy_(torch.tensor(W_o))
            x = torch.tensor(X)
            expected = module(x, x, x, need_weights=False)[0].numpy()
        np.testing.assert_allclose(task.reference(X, W, W_o, heads), expected, atol=1e-12)
