"""Chapter 5: right answers in other styles, and wrong ones that look right."""

import numpy as np
import pytest
import torch

from attn import attention, softmax
from attn.exercises import check
from attn.exercises.catalog import find


def _columns(M, heads):
    return np.split(M, heads, axis=-1)


def _each(X, W_q, W_k, W_v, heads):
    parts = zip(*(_columns(X @ W, heads) for W in (W_q, W_k, W_v)), strict=True)
    return [attention(*part) for part in parts]


def _loop(X, W_q, W_k, W_v, W_o, heads):
    return np.concatenate(_each(X, W_q, W_k, W_v, heads), axis=-1) @ W_o


def _einsum(X, W_q, W_k, W_v, W_o, heads):
    d = X.shape[1]
    Q, K, V = (np.einsum("nd,dhk->hnk", X, W.reshape(d, heads, -1)) for W in (W_q, W_k, W_v))
    A = softmax(np.einsum("hnk,hmk->hnm", Q, K) / np.sqrt(Q.shape[-1]))
    return np.einsum("hnm,hmv,hvo->no", A, V, W_o.reshape(heads, -1, W_o.shape[1]))


def _in_float32(X, W_q, W_k, W_v, W_o, heads):
    return _loop(*(np.float32(M) for M in (X, W_q, W_k, W_v, W_o)), heads)


def _own_part_of_W_o(X, W_q, W_k, W_v, W_o, heads):
    pairs = zip(_each(X, W_q, W_k, W_v, heads), np.split(W_o, heads), strict=True)
    return sum(blend @ rows for blend, rows in pairs).tolist()


@pytest.mark.parametrize("answer", [_loop, _einsum, _in_float32, _own_part_of_W_o])
def test_any_right_way_to_many_heads_passes(answer):
    verdict = check("05-multi-head", answer)
    assert verdict.passed is True, str(verdict)


@pytest.mark.parametrize(
    "answer",
    [
        lambda X, heads: np.stack(np.split(X, heads, axis=1)),
        lambda X, heads: [part.tolist() for part in np.split(X, heads, axis=1)],
        lambda X, heads: np.einsum("nhk->hnk", X.reshape(len(X), heads, -1)),
        lambda X, heads: X.T.reshape(heads, -1, len(X)).transpose(0, 2, 1),
    ],
)
def test_any_right_way_to_split_passes(answer):
    assert check("05-split-heads", answer).passed is True


@pytest.mark.parametrize(
    "answer",
    [
        lambda Z, W_o, keep: np.concatenate(list(Z * keep[:, None, None]), axis=-1) @ W_o,
        lambda Z, W_o, keep: sum(
            on * h @ rows for on, h, rows in zip(keep, Z, np.split(W_o, len(Z)), strict=True)
        ),
        lambda Z, W_o, keep: (
            np.concatenate([*Z], axis=-1) @ (W_o * np.repeat(keep, Z.shape[-1])[:, None])
        ),
    ],
)
def test_any_right_way_to_switch_off_passes(answer):
    assert check("05-ablate", answer).passed is True


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


@pytest.mark.parametrize(
    ("exercise", "answer", "mistake"),
    [
        (
            "05-multi-head",
            lambda X, W_q, W_k, W_v, W_o, heads: (
                np.mean(_each(X, W_q, W_k, W_v, heads), axis=0) @ W_o
            ),
            "has-one-head-s-width",
        ),
        (
            "05-multi-head",
            lambda X, W_q, W_k, W_v, W_o, heads: (
                np.concatenate(list(_each(X, W_q, W_k, W_v, heads))) @ W_o
            ),
            "has-one-head-s-width",
        ),
        (
            "05-multi-head",
            lambda X, W_q, W_k, W_v, W_o, heads: np.stack(_each(X, W_q, W_k, W_v, heads)) @ W_o,
            "does-not-merge",
        ),
        (
            "05-ablate",
            lambda Z, W_o, keep: (
                np.concatenate(list(Z * keep[:, None, None] * (len(keep) / keep.sum())), axis=-1)
                @ W_o
            ),
            "makes-up-for-the-missing",
        ),
        (
            "05-parameters",
            lambda d_model, heads, d_k, d_v, d_out: (
                heads * ((d_model + 1) * (2 * d_k + d_v) + d_v * d_out)
            ),
            "adds-biases",
        ),
        (
            "05-split-heads",
            lambda X, heads: np.array(np.split(X, heads)),
            "splits-the-sequence",
        ),
        (
            "05-ablate",
            lambda Z, W_o, keep: np.hstack([h for h, on in zip(Z, keep, strict=True) if on]) @ W_o,
            "leaves-rows-of-W_o-behind",
        ),
    ],
)
def test_likely_slips_are_named(exercise, answer, mistake):
    verdict = check(exercise, answer)
    assert verdict.passed is False
    assert verdict.mistake == mistake


def test_a_head_of_another_scale_is_not_taken_for_a_known_one():
    def tripled(X, W_q, W_k, W_v, W_o, heads):
        return _loop(X, 3 * W_q, W_k, W_v, W_o, heads)

    assert check("05-multi-head", tripled).mistake is None


def test_an_output_matrix_of_all_the_heads_model_sizes_is_not_told_of_one():
    def count(d_model, heads, d_k, d_v, d_out):
        return heads * d_model * (2 * d_k + d_v) + heads * d_model * d_out

    verdict = check("05-parameters", count)
    assert verdict.passed is False
    assert verdict.mistake is None
