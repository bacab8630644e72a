"""Chapter 3: other right answers pass, and what they read is read as meant."""

import numpy as np
import pytest
from exercises.answers import PASSES, UNNAMED, judged

import attn
from attn.exercises import check
from attn.exercises.catalog import find
from attn.exercises.ch03.design import attended_types


def _shapes_of_arrays(n, m, d_model, d_k, d_v):
    W_q, W_k, W_v = np.zeros((d_model, d_k)), np.zeros((d_model, d_k)), np.zeros((d_model, d_v))
    X, memory = np.zeros((n, d_model)), np.zeros((m, d_model))
    Q, K, V = X @ W_q, memory @ W_k, memory @ W_v
    return [M.shape for M in (W_q, W_k, W_v, Q, K, V, Q @ K.T, Q @ K.T @ V)]


def _transposed_shapes(n, m, d_model, d_k, d_v):
    inputs = [(d_k, d_model), (d_k, d_model), (d_v, d_model)]
    return [*inputs, (n, d_k), (m, d_k), (m, d_v), (n, m), (n, d_v)]


def _scores_by_the_other_index(Q, K, V):
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            scores[i, j] = Q[j] @ K[i] / np.sqrt(Q.shape[1])
    return attn.softmax(scores) @ V


def _one_maximum(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(scores - scores.max())
    return e / e.sum(-1, keepdims=True) @ V


def _eye(wants):
    return np.eye(len(wants))


def _sharpened(factor):
    return lambda wants: (factor * _eye(wants)[wants], _eye(wants))


def _choice_in_both(wants):
    """A rotation put into both matrices changes no score."""
    R = np.linalg.qr(np.random.default_rng(3).normal(size=(len(wants), len(wants))))[0]
    return 5 * _eye(wants)[wants] @ R, 6 * R


def _keys_on_a_circle(wants):
    """Two numbers are enough for any number of types."""
    angles = 2 * np.pi * np.arange(len(wants)) / len(wants)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return 400 * circle[wants], circle


def _exactly_nine_tenths(wants):
    t = len(wants)
    return np.log(9 * (t - 1)) * np.sqrt(t) * np.eye(t)[wants], np.eye(t)


def _filled_in(wants):
    W_k = np.zeros((len(wants), len(wants)))
    W_k[wants] = _eye(wants)
    return 20 * _eye(wants), W_k


def _gated_pool(H, w, W_tanh, W_gate):
    return attn.attention_pool(H, w, W_tanh, W_gate=W_gate)[0]


def _gate_that_cannot_overflow(H, w, W_tanh, W_gate):
    gate = (1 + np.tanh(H @ W_gate / 2)) / 2
    return attn.softmax((np.tanh(H @ W_tanh) * gate) @ w) @ H


def _one_head(X, memory, W_q, W_k, W_v):
    eye = np.eye(W_v.shape[1])
    return attn.multi_head_attention(X, W_q, W_k, W_v, eye, heads=1, memory=memory)


def _layer(scale=lambda X, memory, d_k, d_v: np.sqrt(d_k), blend=lambda A, V: A @ V, axis=-1):
    """Cross-attention with one thing done otherwise."""

    def cross_attention(X, memory, W_q, W_k, W_v):
        Q, K, V = X @ W_q, memory @ W_k, memory @ W_v
        by = scale(X, memory, Q.shape[-1], V.shape[-1])
        return blend(attn.softmax(Q @ K.T / by, axis=axis), V)

    return cross_attention


test_an_answer = judged(
    {
        "03-shapes": {
            PASSES: [_shapes_of_arrays],
            "stores-projections-as-torch-does": [_transposed_shapes],
        },
        "03-swapped-index": {
            PASSES: [attn.attention],
            # probes where two sizes agree once gave these the name of another mistake
            UNNAMED: [
                lambda Q, K, V: attn.softmax(Q @ K.T / np.sqrt(len(Q))) @ V,
                lambda Q, K, V: attn.softmax(Q @ K.T / np.sqrt(len(K))) @ V,
            ],
            "still-swapped": [_scores_by_the_other_index],
            "one-maximum-for-the-whole-table": [_one_maximum],
        },
        "03-design": {
            PASSES: [_choice_in_both, _keys_on_a_circle, _exactly_nine_tenths],
            UNNAMED: [*map(_sharpened, (0, -1, -20))],
            "too-soft": [*map(_sharpened, (1, 2, 5, 8, 10, 12, 19))],
            "looks-the-other-way": [
                lambda wants: (20 * _eye(wants)[:, wants], _eye(wants)),
                lambda wants: (20 * _eye(wants), _eye(wants)[wants]),
            ],
            "works-for-one-to-one-only": [
                lambda wants: (20 * _eye(wants), np.linalg.inv(_eye(wants)[wants])),
                _filled_in,
            ],
        },
        "03-cross-attention": {
            PASSES: [_one_head],
            UNNAMED: [
                _layer(lambda X, memory, d_k, d_v: np.sqrt(d_v)),
                _layer(lambda X, memory, d_k, d_v: np.sqrt(len(X))),
                _layer(lambda X, memory, d_k, d_v: np.sqrt(len(memory))),
                _layer(lambda X, memory, d_k, d_v: 2.0),
                _layer(lambda X, memory, d_k, d_v: 1 / np.sqrt(d_k)),
                _layer(blend=lambda A, V: 2 * A @ V),
                _layer(blend=lambda A, V: A * 0 @ V + V.mean(axis=0)),
            ],
            "scales-by-the-model-size": [
                _layer(lambda X, memory, d_k, d_v: np.sqrt(X.shape[1])),
                _layer(lambda X, memory, d_k, d_v: np.sqrt(memory.shape[1])),
            ],
            "divides-by-d-k": [_layer(lambda X, memory, d_k, d_v: d_k)],
            "forgets-the-scale": [_layer(lambda X, memory, d_k, d_v: 1.0)],
            "softmax-over-the-queries": [_layer(axis=0)],
        },
        "03-gated-pool": {PASSES: [_gated_pool, _gate_that_cannot_overflow]},
    }
)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (np.eye(3), "something else than the two matrices"),
        ((np.eye(3), np.eye(2)), r"shapes (3, 3) and (2, 2)"),
        ((np.ones(3), np.ones(3)), "both must be (types, d_k)"),
        ((np.full((2, 2), np.nan), np.eye(2)), "nan or inf"),
        (("a", np.eye(2)), "return numbers"),
    ],
)
def test_a_design_that_is_no_pair_of_matrices_is_described(result, words):
    assert words in check("03-design", lambda wants: result).message


def test_a_design_is_read_as_the_type_that_gets_nine_tenths():
    gap = np.log(9)
    W_q = np.array([[gap + 0.01, 0.0], [0.0, gap - 0.01]]) * np.sqrt(2)
    assert attended_types((W_q, np.eye(2))).value.tolist() == [[0, 1], [0, -1]]


def test_a_design_that_fails_for_sixteen_types_alone_is_told_so_with_a_table_to_read():
    verdict = check("03-design", _sharpened(12))
    assert "sixteen types" in verdict.message
    table = check("03-design", _sharpened(10)).table
    assert table is None or "(-1: none)" in table[0][0]


@pytest.mark.parametrize("exercise", ["03-swapped-index", "03-cross-attention", "03-gated-pool"])
def test_no_two_sizes_of_a_probe_agree_by_accident(exercise):
    """One probe may have n = m, to tell apart what else would only raise; roots never agree."""
    square = 0
    for probe in find(exercise).task.probes:
        first, second, *_ = probe.arguments.values()
        sizes = sorted({size for value in probe.arguments.values() for size in value.shape})
        assert not {size**2 for size in sizes if size > 1} & set(sizes), probe.label
        square += len(first) == len(second)
    assert square <= 1
