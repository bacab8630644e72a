"""Chapter 12: right answers in another style, near misses, likely slips."""

from collections import Counter

import numpy as np
import pytest
import torch
from exercises.answers import PASSES, UNNAMED, judged

import attn
from attn.exercises import check
from attn.exercises.catalog import find


def _offset_by_loops(A, places, targets):
    hits = sum(list(row).index(max(row)) == t for row, t in zip(A, targets, strict=True))
    offsets = Counter(int(t) - int(p) for p, t in zip(places, targets, strict=True))
    return hits / len(A), offsets.most_common(1)[0][1] / len(A)


def _offset_by_tables(A, places, targets):
    """Every offset that a sentence of m words has room for."""
    m = A.shape[1]
    tried = np.arange(1 - m, m)
    return [np.mean(A.argmax(1) == targets), (targets == places + tried[:, None]).mean(1).max()]


def _weighted_by_loops(A, V, W_o):
    h, n, m = A.shape
    d_v = V.shape[-1]
    result = np.zeros((h, n, m))
    for head in range(h):
        for i in range(n):
            sizes = [
                A[head, i, j]
                * np.sqrt(((V[head, j] @ W_o[head * d_v : (head + 1) * d_v]) ** 2).sum())
                for j in range(m)
            ]
            result[head, i] = np.array(sizes) / sum(sizes)
    return result


def _weighted_by_squares(A, V, W_o):
    """‖x‖² = v (W_o W_oᵀ) v."""
    own = np.array_split(W_o, len(V))
    norms = np.sqrt(np.stack([((v @ (w @ w.T)) * v).sum(-1) for v, w in zip(V, own, strict=True)]))
    found = np.einsum("hij,hj->hij", A, norms)
    return (found / found.sum(2)[:, :, None]).astype(np.float32)


def _layer_output(A, V, W_o):
    return np.concatenate(list(A @ V), axis=1) @ W_o


def _effect_by_running_it_again(A, V, W_o):
    effects = []
    for j in range(A.shape[-1]):
        empty = V.copy()
        empty[:, j] = 0
        change = _layer_output(A, V, W_o) - _layer_output(A, empty, W_o)
        effects.append(np.sqrt((change**2).sum()))
    return [A.mean(0).mean(0), effects]


def _effect_by_einsum(A, V, W_o):
    lost = np.einsum("hij,hjv,hvd->jid", A, V, W_o.reshape(*V.shape[::2], -1))
    return np.vstack([A.mean(axis=(0, 1)), np.linalg.norm(lost.reshape(len(lost), -1), axis=1)])


def _another_by_null_space(p, V, direction):
    """Columns of the full U beyond the rank span all changes that are not noticed."""
    B = np.hstack([np.ones((len(V), 1)), V])
    U = np.linalg.svd(B)[0][:, B.shape[1] :]
    change = U @ (U.T @ direction)
    return p + change * min(a / -c for a, c in zip(p, change, strict=True) if c < 0)


def _another_by_pseudo_inverse(p, V, direction):
    B = np.column_stack([V, np.ones(len(V))])
    change = (np.eye(len(p)) - B @ np.linalg.pinv(B)) @ direction
    with np.errstate(divide="ignore"):
        limits = np.where(change < 0, -p / change, np.inf)
    return p + limits.min() * change


def _embed_one_by_one(X, lengths, layers, heads):
    """Each text alone, without its padding."""
    vectors = []
    for x, length in zip(X, lengths, strict=True):
        x = x[:length]
        for layer in layers:
            x = attn.encoder_block(x, layer, heads=heads, norm="post", activation="gelu", eps=1e-12)
        mean = x.mean(axis=0)
        vectors.append(mean / np.sqrt(mean @ mean))
    return vectors


def _own_norm(X, gain, shift):
    centred = X - X.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12) * gain + shift


def _embed_from_parts(X, lengths, layers, heads):
    real = np.arange(X.shape[1]) < lengths[:, None]
    for layer in layers:
        Q, K, V = (attn.split_heads(X @ layer[f"W_{k}"] + layer[f"b_{k}"], heads) for k in "qkv")
        S = np.where(real[:, None, None], Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), -np.inf)
        Y = attn.merge_heads(attn.softmax(S) @ V) @ layer["W_o"] + layer["b_o"]
        X = _own_norm(X + Y, layer["gain_1"], layer["shift_1"])
        H = torch.nn.functional.gelu(torch.tensor(X @ layer["W_1"] + layer["b_1"])).numpy()
        X = _own_norm(X + H @ layer["W_2"] + layer["b_2"], layer["gain_2"], layer["shift_2"])
    mean = np.stack([x[:length].mean(0) for x, length in zip(X, lengths, strict=True)])
    return mean / np.linalg.norm(mean, axis=1)[:, None]


def _head_share(A, targets):
    return (A.argmax(axis=1) == targets).mean()


def _best_share(offsets, tried=range(12)):
    return max((offsets == k).mean() for k in tried)


def _with_effect(effect):
    """An answer whose effect is made of what is lost, (h, m, n, d_model)."""

    def answer(A, V, W_o):
        lost = np.einsum("hij,hjv,hvd->hjid", A, V, W_o.reshape(*V.shape[::2], -1))
        return [A.mean(axis=(0, 1)), effect(lost)]

    return answer


def _without_w_o_and_heads_added(A, V, W_o):
    return _effect_by_einsum(A, V, np.tile(np.eye(V.shape[2]), (len(V), 1)))


def _until_the_smallest_weight_is_0(p, V, direction):
    B = np.column_stack([V, np.ones(len(V))])
    change = direction - B @ np.linalg.pinv(B) @ direction
    return p - p.min() / change[p.argmin()] * change


def _average_of_maxima(A, places, targets):
    """Weights on targets, as one is tempted to report them."""
    weights = [A[c, t] for c, t in enumerate(targets)]
    return sum(weights) / len(weights), _offset_by_loops(A, places, targets)[1]


def _heads_apart(A, V, W_o):
    own = np.array_split(W_o, len(V))
    parts = [
        [np.linalg.norm(np.outer(a[:, j], v[j] @ w)) for j in range(A.shape[-1])]
        for a, v, w in zip(A, V, own, strict=True)
    ]
    return [A.mean(axis=(0, 1)), np.sum(parts, axis=0)]


def _clip_and_divide(p, V, direction):
    B = np.column_stack([V, np.ones(len(V))])
    q = p + direction - B @ np.linalg.pinv(B) @ direction
    q[q < 0] = 0
    return q / q.sum()


def _mean_over_places(X, lengths, layers, heads):
    mask = attn.padding_mask(lengths, X.shape[1])
    for layer in layers:
        X = attn.encoder_block(
            X, layer, heads=heads, mask=mask, norm="post", activation="gelu", eps=1e-12
        )
    mean = X.mean(axis=1)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def _one_norm_per_head(A, V, W_o):
    scaled = A * np.linalg.norm(V, axis=(1, 2), keepdims=True)
    return scaled / scaled.sum(axis=-1, keepdims=True)


test_an_answer = judged(
    {
        "12-average": {
            PASSES: [_effect_by_running_it_again, _effect_by_einsum],
            UNNAMED: [
                lambda A, V, W: np.square(_effect_by_einsum(A, V, W)),
                lambda A, V, W: _effect_by_einsum(A, V, W)[::-1],
                _with_effect(lambda lost: np.linalg.norm(lost.sum((0, 2)), axis=-1)),
                _with_effect(lambda lost: np.linalg.norm(lost, axis=-1).sum((0, 2))),
                _without_w_o_and_heads_added,
            ],
            "adds-the-norms-of-heads": [_heads_apart],
        },
        "12-embed": {
            PASSES: [_embed_one_by_one, _embed_from_parts],
            UNNAMED: [
                lambda X, n, L, h: np.abs(_embed_one_by_one(X, n, L, h)),
                lambda X, n, L, h: _embed_one_by_one(X, n, L[:1] + L, h),
            ],
            "averages-the-padding": [_mean_over_places],
        },
        "12-norm-weighted": {
            PASSES: [_weighted_by_loops, _weighted_by_squares],
            UNNAMED: [
                lambda A, V, W: _weighted_by_loops(A, V, W) ** 2,
                lambda A, V, W: _weighted_by_loops(np.ones_like(A), V, W),
            ],
            "returns-the-weights": [_one_norm_per_head],
        },
        "12-offset": {
            PASSES: [_offset_by_loops, _offset_by_tables],
            UNNAMED: [
                lambda A, p, t: 1 - np.array(_offset_by_loops(A, p, t)),
                lambda A, p, t: _offset_by_loops(A.cumsum(1), p, t),
                lambda A, p, t: (_head_share(A, t), _best_share(t - p, range(-5, 5))),
                lambda A, p, t: (_head_share(A, t), _best_share(t - p, range(-6, 7))),
                lambda A, p, t: (_head_share(A, t), _best_share(t - p, {*(t - p)} - {0})),
                lambda A, p, t: (_head_share(A, t), _best_share((t - p) % len(A.T))),
            ],
            "measures-the-weight": [_average_of_maxima],
        },
        "12-same-output": {
            PASSES: [_another_by_null_space, _another_by_pseudo_inverse],
            UNNAMED: [
                lambda p, V, z: _another_by_null_space(p, V, z[::-1]),
                lambda p, V, z: _another_by_null_space(p, V**2, z),
                _until_the_smallest_weight_is_0,
            ],
            "rescales-at-the-end": [_clip_and_divide],
        },
    }
)


def test_half_of_a_measure_gets_credit():
    def average_and_effect(A, V, W_o):
        average = A.mean(axis=(0, 1))  # noqa: F841
        handed = ...  # noqa: F841
        return ...

    message = check("12-average", average_and_effect).message
    assert message == "Your average is right; handed is still missing."


def test_what_the_exercise_finds_is_another_attention_with_the_same_output():
    task = find("12-same-output").task
    for probe in task.probes:
        p, V, direction = probe.arguments.values()
        q = task.reference(p, V, direction)
        assert len(p) > V.shape[1] + 1
        np.testing.assert_allclose(q @ V, p @ V, atol=1e-12)
        assert q.sum() == pytest.approx(1)
        assert (q > -1e-12).all()
        assert np.abs(q).min() < 1e-12
        assert np.abs(q - p).max() > 0.05


def test_a_key_of_the_average_leads_it_and_has_the_least_effect():
    task = find("12-average").task
    average, effect = task.reference(**task.probes[-1].arguments)
    assert average.argmax() == effect.argmin() == 0
    cancelled = task.reference(**task.probes[2].arguments)[1]
    assert cancelled[1] == pytest.approx(0, abs=1e-12)


def test_no_row_of_the_offsets_rests_on_a_tie():
    for probe in find("12-offset").task.probes:
        top = np.sort(probe.arguments["A"], axis=1)
        assert (top[:, -1] - top[:, -2]).min() > 0.01


def test_layers_are_not_spoiled_by_an_answer_that_writes_into_them():
    def spoils(X, lengths, layers, heads):
        for layer in layers:
            layer["W_q"] *= 0
        return _embed_one_by_one(X, lengths, layers, heads)

    assert check("12-embed", spoils).passed is False
    assert check("12-embed", _embed_one_by_one).passed is True


def test_a_verdict_on_layers_counts_them_instead_of_printing_them():
    message = check("12-embed", lambda X, lengths, layers, heads: X[:, 0]).message
    assert "layers (1 of them)" in message
    assert "W_q" not in message
