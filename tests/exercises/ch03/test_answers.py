"""Chapter 3's checks: other right answers pass, and what they read is read as meant."""

import numpy as np
import pytest

import attn
from attn.exercises import check
from attn.exercises.ch03.design import attended_types


def test_the_library_passes():
    assert check("03-swapped-index", attn.attention).passed is True

    def gated_pool(H, w, W_tanh, W_gate):
        return attn.attention_pool(H, w, W_tanh, W_gate=W_gate)[0]

    def cross_attention(X, memory, W_q, W_k, W_v):
        eye = np.eye(W_v.shape[1])
        return attn.multi_head_attention(X, W_q, W_k, W_v, eye, heads=1, memory=memory)

    assert check("03-gated-pool", gated_pool).passed is True
    assert check("03-cross-attention", cross_attention).passed is True


def test_shapes_may_be_read_off_arrays():
    def shapes(n, m, d_model, d_k, d_v):
        W_q, W_k, W_v = np.zeros((d_model, d_k)), np.zeros((d_model, d_k)), np.zeros((d_model, d_v))
        X, memory = np.zeros((n, d_model)), np.zeros((m, d_model))
        Q, K, V = X @ W_q, memory @ W_k, memory @ W_v
        return [M.shape for M in (W_q, W_k, W_v, Q, K, V, Q @ K.T, Q @ K.T @ V)]

    assert check("03-shapes", shapes).passed is True


def test_a_design_with_the_choice_spread_over_both_matrices_passes():
    """A rotation put into both matrices changes no score."""

    def design(wants):
        R = np.linalg.qr(np.random.default_rng(3).normal(size=(len(wants), len(wants))))[0]
        return 5 * np.eye(len(wants))[wants] @ R, 6 * R

    assert check("03-design", design).passed is True


def test_a_design_with_fewer_dimensions_than_types_passes():
    """Keys on a circle: two numbers are enough for any number of types."""

    def design(wants):
        angles = 2 * np.pi * np.arange(len(wants)) / len(wants)
        circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        return 400 * circle[wants], circle

    assert check("03-design", design).passed is True


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


@pytest.mark.parametrize("factor", [1, 2, 5])
def test_a_design_that_prefers_the_right_type_too_little_is_called_too_soft(factor):
    verdict = check(
        "03-design", lambda wants: (factor * np.eye(len(wants))[wants], np.eye(len(wants)))
    )
    assert verdict.mistake == "too-soft"


@pytest.mark.parametrize("factor", [0, -1, -20])
def test_a_design_that_prefers_nothing_or_the_wrong_type_is_not_called_too_soft(factor):
    verdict = check(
        "03-design", lambda wants: (factor * np.eye(len(wants))[wants], np.eye(len(wants)))
    )
    assert verdict.passed is False
    assert verdict.mistake is None


@pytest.mark.parametrize("factor", [8, 12, 19])
def test_a_design_that_fails_for_sixteen_types_is_told_so(factor):
    verdict = check(
        "03-design", lambda wants: (factor * np.eye(len(wants))[wants], np.eye(len(wants)))
    )
    assert verdict.passed is False
    assert "sixteen types" in verdict.message or factor == 8


def test_scores_by_the_other_index_are_named_even_with_loops():
    def attend(Q, K, V):
        scores = np.zeros((len(Q), len(K)))
        for i in range(len(Q)):
            for j in range(len(K)):
                scores[i, j] = Q[j] @ K[i] / np.sqrt(Q.shape[1])
        return attn.softmax(scores) @ V

    assert check("03-swapped-index", attend).mistake == "still-swapped"


def test_a_sigmoid_that_cannot_overflow_passes():
    def gated_pool(H, w, W_tanh, W_gate):
        gate = (1 + np.tanh(H @ W_gate / 2)) / 2
        return attn.softmax((np.tanh(H @ W_tanh) * gate) @ w) @ H

    assert check("03-gated-pool", gated_pool).passed is True


def test_a_wrong_root_is_not_taken_for_another():
    """Probes where two sizes agree once gave each of these the name of another mistake."""

    def by(size):
        return lambda Q, K, V: attn.softmax(Q @ K.T / size(Q, K)) @ V

    roots = [lambda Q, K: np.sqrt(len(Q)), lambda Q, K: np.sqrt(len(K))]
    assert [check("03-swapped-index", by(root)).mistake for root in roots] == [None, None]

    def by_d_k(X, memory, W_q, W_k, W_v):
        Q, K, V = X @ W_q, memory @ W_k, memory @ W_v
        return attn.softmax(Q @ K.T / Q.shape[-1]) @ V

    assert check("03-cross-attention", by_d_k).mistake != "scales-by-the-model-size"


def _layer(scale=lambda X, memory, d_k, d_v: np.sqrt(d_k), blend=lambda A, V: A @ V, axis=-1):
    """Cross-attention with one thing done otherwise."""

    def cross_attention(X, memory, W_q, W_k, W_v):
        Q, K, V = X @ W_q, memory @ W_k, memory @ W_v
        by = scale(X, memory, Q.shape[-1], V.shape[-1])
        return blend(attn.softmax(Q @ K.T / by, axis=axis), V)

    return cross_attention


WRONG = {
    "√d_v": (_layer(scale=lambda X, memory, d_k, d_v: np.sqrt(d_v)), None),
    "√n": (_layer(scale=lambda X, memory, d_k, d_v: np.sqrt(len(X))), None),
    "√m": (_layer(scale=lambda X, memory, d_k, d_v: np.sqrt(len(memory))), None),
    "√d_x": (
        _layer(scale=lambda X, memory, d_k, d_v: np.sqrt(X.shape[1])),
        "scales-by-the-model-size",
    ),
    "d_k": (_layer(scale=lambda X, memory, d_k, d_v: d_k), "divides-by-d-k"),
    "2": (_layer(scale=lambda X, memory, d_k, d_v: 2.0), None),
    "not at all": (_layer(scale=lambda X, memory, d_k, d_v: 1.0), "forgets-the-scale"),
    "times √d_k": (_layer(scale=lambda X, memory, d_k, d_v: 1 / np.sqrt(d_k)), None),
    "over the queries": (_layer(axis=0), "softmax-over-the-queries"),
    "twice the blend": (_layer(blend=lambda A, V: 2 * A @ V), None),
    "the mean of the values": (_layer(blend=lambda A, V: A * 0 @ V + V.mean(axis=0)), None),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_cross_attention_is_named_for_what_it_is_or_advised(what):
    answer, mistake = WRONG[what]
    verdict = check("03-cross-attention", answer)
    assert verdict.passed is False
    assert verdict.mistake == mistake, verdict.message


@pytest.mark.parametrize("exercise", ["03-swapped-index", "03-cross-attention", "03-gated-pool"])
def test_no_two_sizes_of_a_probe_agree_by_accident(exercise):
    """One probe may have n = m, to tell apart what else would only raise; roots never agree."""
    task = next(e.task for e in attn.exercises.catalog() if e.id == exercise)
    square = 0
    for probe in task.probes:
        first, second, *_ = probe.arguments.values()
        sizes = sorted({size for value in probe.arguments.values() for size in value.shape})
        assert not {size**2 for size in sizes if size > 1} & set(sizes), probe.label
        square += len(first) == len(second)
    assert square <= 1


def _eye(wants):
    return np.eye(len(wants))


def _filled_in(wants):
    W_k = np.zeros((len(wants), len(wants)))
    W_k[wants] = _eye(wants)
    return 20 * _eye(wants), W_k


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda wants: (20 * _eye(wants)[:, wants], _eye(wants)), "looks-the-other-way"),
        (lambda wants: (10 * _eye(wants)[wants], _eye(wants)), "too-soft"),
        (lambda wants: (20 * _eye(wants), np.linalg.inv(_eye(wants)[wants])), "one-to-one"),
        (_filled_in, "one-to-one"),
    ],
    ids=["transposed", "factor 10", "inverted", "filled in"],
)
def test_a_design_that_fails_is_told_why_and_how_to_read_the_table(answer, mistake):
    verdict = check("03-design", answer)
    assert verdict.passed is False
    assert mistake in verdict.mistake
    assert verdict.table is None or "(-1: none)" in verdict.table[0][0]
    assert "in the keys" not in verdict.message


def test_a_design_whose_weight_is_nine_tenths_but_for_rounding_passes():
    def design(wants):
        t = len(wants)
        return np.log(9 * (t - 1)) * np.sqrt(t) * np.eye(t)[wants], np.eye(t)

    assert check("03-design", design).passed is True


def test_the_root_of_the_memory_s_width_is_named():
    def cross_attention(X, memory, W_q, W_k, W_v):
        scores = X @ W_q @ (memory @ W_k).T / np.sqrt(memory.shape[-1])
        return attn.softmax(scores) @ (memory @ W_v)

    assert check("03-cross-attention", cross_attention).mistake == "scales-by-the-model-size"


def test_one_maximum_for_the_whole_table_is_refused_and_named():
    def attend(Q, K, V):
        scores = Q @ K.T / np.sqrt(Q.shape[1])
        e = np.exp(scores - scores.max())
        return e / e.sum(-1, keepdims=True) @ V

    assert check("03-swapped-index", attend).mistake == "one-maximum-for-the-whole-table"


def _turned_shapes(n, m, d_model, d_k, d_v):
    inputs = [(d_k, d_model), (d_k, d_model), (d_v, d_model)]
    return [*inputs, (n, d_k), (m, d_k), (m, d_v), (n, m), (n, d_v)]


@pytest.mark.parametrize(
    ("exercise", "answer", "cure"),
    [
        ("03-shapes", _turned_shapes, "(in, out)"),
        ("03-design", lambda wants: (20 * _eye(wants), _eye(wants)[wants]), "column wants[i]"),
    ],
)
def test_the_cure_stands_in_the_hint_and_not_in_the_verdict(exercise, answer, cure):
    verdict = check(exercise, answer)
    assert verdict.mistake is not None
    assert cure not in verdict.message
    assert cure in verdict.hint
