"""Chapter 2's checks: right answers in any style pass, wrong ones get the name they deserve."""

import numpy as np
import pytest

from attn import self_attention, softmax
from attn.exercises import check


def masked(X, i):
    scores = X @ X[i]
    scores[i] = -np.inf
    return softmax(scores) @ X


def masked_diagonal(X):
    scores = X @ X.swapaxes(-1, -2)
    scores[..., range(X.shape[-2]), range(X.shape[-2])] = -np.inf
    return softmax(scores) @ X


def one_leading_axis(X):
    b = X if X.ndim > 2 else X[None]
    return softmax(np.einsum("bid,bjd->bij", b, b)).reshape(*X.shape[:-1], -1) @ X


def one_maximum(X, axis=None):
    scores = X @ X.swapaxes(-1, -2)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ X


RIGHT = {
    "02-one-token": {
        "einsum": lambda X, i: np.einsum("n,nd->d", softmax(np.einsum("nd,d->n", X, X[i])), X),
        "lists": lambda X, i: list(map(float, self_attention(X)[i])),
        "float32": lambda X, i: self_attention(X.astype(np.float32))[i],
    },
    "02-matrix-form": {
        "einsum": lambda X: softmax(np.einsum("...id,...jd->...ij", X, X)) @ X,
        "matmul": lambda X: np.matmul(softmax(np.matmul(X, np.swapaxes(X, -1, -2))), X),
        "float32": lambda X: self_attention(X.astype(np.float32)),
    },
    "02-rival": {
        "unit vector": lambda x, d: (
            (x @ x) / (x @ (d / np.linalg.norm(d))) if x @ d > 0 else float("inf")
        ),
        "divide by what is left": lambda x, d: (
            np.sqrt(x @ x) * np.sqrt(x @ x) * np.sqrt(d @ d) / max(x @ d, 0.0)
            if x @ d > 0
            else np.inf
        ),
    },
    "02-equivariance": {
        "allclose": lambda Y, S, order: bool(np.allclose(S, Y[order], rtol=0, atol=1e-9)),
        "undo the shuffle": lambda Y, S, order: bool(
            np.abs(S[np.argsort(order)] - Y).max() <= 1e-9
        ),
        "loops": lambda Y, S, order: all(
            abs(S[i, c] - Y[order[i], c]) <= 1e-9 for i in range(len(Y)) for c in range(Y.shape[1])
        ),
    },
    "02-tag": {
        "dots": lambda X, w, c: [float(w @ y) + c for y in self_attention(X)],
        "einsum": lambda X, w, c: np.einsum("nd,d->n", self_attention(X), w) + c,
    },
}

WRONG = {
    "02-one-token": {
        "the other tokens' mean": (lambda X, i: np.delete(X, i, 0).mean(0), None),
        "twice the output": (lambda X, i: 2 * self_attention(X)[i], None),
        "scaled": (lambda X, i: softmax(X @ X[i] / np.sqrt(X.shape[1])) @ X, None),
        "cosines": (
            lambda X, i: softmax(X @ X[i] / np.linalg.norm(X, axis=1) / np.linalg.norm(X[i])) @ X,
            None,
        ),
        "scores over d, no softmax": (lambda X, i: (X @ X[i] / X.shape[1]) @ X, None),
        "scores over their sum": (
            lambda X, i: (X @ X[i] / (X @ X[i]).sum()) @ X,
            "divides-by-the-sum-of-scores",
        ),
        "itself masked": (masked, "leaves-itself-out"),
        "itself deleted": (
            lambda X, i: softmax(np.delete(X, i, 0) @ X[i]) @ np.delete(X, i, 0),
            "leaves-itself-out",
        ),
        "always the first": (lambda X, i: self_attention(X)[0], None),
    },
    "02-matrix-form": {
        "scaled by n": (lambda X: softmax(X @ X.swapaxes(-1, -2) / X.shape[-2]) @ X, None),
        "negated scores": (lambda X: softmax(-X @ X.swapaxes(-1, -2)) @ X, None),
        "the diagonal masked": (masked_diagonal, "leaves-the-diagonal-out"),
        "axis 1": (lambda X: softmax(X @ X.swapaxes(-1, -2), axis=1) @ X, "softmax-along-axis-1"),
        "X.T": (lambda X: softmax(X @ X.T) @ X, "works-for-one-sequence-only"),
        "one leading axis": (one_leading_axis, None),
        "one maximum": (one_maximum, "one-maximum-for-the-whole-table"),
        "one maximum for each table": (
            lambda X: one_maximum(X, axis=(-2, -1)),
            "one-maximum-for-the-whole-table",
        ),
        "the mean": (lambda X: np.broadcast_to(X.mean(-2, keepdims=True), X.shape), None),
    },
    "02-rival": {
        "squared cosine": (
            lambda x, d: (
                np.linalg.norm(x) / ((x @ d) / np.linalg.norm(x) / np.linalg.norm(d)) ** 2
                if x @ d > 0
                else np.inf
            ),
            None,
        ),
        "the square": (lambda x, d: x @ x, None),
        "half": (
            lambda x, d: x @ x * np.linalg.norm(d) / (x @ d) / 2 if x @ d > 0 else np.inf,
            None,
        ),
    },
    "02-equivariance": {
        "rows as a set": (
            lambda Y, S, order: {tuple(y.round(9)) for y in Y} == {tuple(y.round(9)) for y in S},
            "compares-the-rows-as-a-set",
        ),
        "means": (
            lambda Y, S, order: bool(np.allclose(Y.mean(0), S.mean(0))),
            "compares-the-means",
        ),
        "a thousandth": (
            lambda Y, S, order: bool(np.abs(S - Y[order]).max() <= 1e-3),
            "too-much-room",
        ),
        "allclose as it comes": (
            lambda Y, S, order: bool(np.allclose(S, Y[order])),
            "too-much-room",
        ),
        "allclose with rtol=0": (
            lambda Y, S, order: bool(np.allclose(S, Y[order], rtol=0)),
            "too-much-room",
        ),
        "atol=1e-7": (
            lambda Y, S, order: bool(np.allclose(S, Y[order], rtol=0, atol=1e-7)),
            "too-much-room",
        ),
        "rounded to six digits": (
            lambda Y, S, order: bool((S.round(6) == Y[order].round(6)).all()),
            "too-much-room",
        ),
        "a mean gap": (
            lambda Y, S, order: bool(np.abs(S - Y[order]).mean() < 1e-9),
            "too-much-room",
        ),
        "a mean squared gap": (
            lambda Y, S, order: bool(((S - Y[order]) ** 2).mean() < 1e-9),
            "too-much-room",
        ),
        "a sum of gaps": (lambda Y, S, order: bool(np.abs(S - Y[order]).sum() < 1e-9), None),
        "a norm": (lambda Y, S, order: bool(np.linalg.norm(S - Y[order]) < 1e-9), None),
        "rounded to nine digits": (
            lambda Y, S, order: bool((S.round(9) == Y[order].round(9)).all()),
            None,
        ),
        "a room of 1e-15": (
            lambda Y, S, order: bool(np.abs(S - Y[order]).max() <= 1e-15),
            "no-room-for-rounding",
        ),
        "row sums": (
            lambda Y, S, order: bool(np.abs(S.sum(1) - Y[order].sum(1)).max() <= 1e-9),
            "compares-the-row-sums",
        ),
        "two columns": (
            lambda Y, S, order: bool(np.abs(S[:, :2] - Y[order][:, :2]).max() <= 1e-9),
            None,
        ),
        "columns sorted": (
            lambda Y, S, order: bool(np.abs(np.sort(S, 0) - np.sort(Y, 0)).max() <= 1e-9),
            "sorts-each-column",
        ),
        "means within 1e-9": (
            lambda Y, S, order: bool(np.abs(S.mean(0) - Y.mean(0)).max() <= 1e-9),
            "compares-the-means",
        ),
        "the inverse": (
            lambda Y, S, order: bool(np.abs(S - Y[np.argsort(order)]).max() <= 1e-9),
            "uses-the-inverse",
        ),
        "the first row": (lambda Y, S, order: bool(np.allclose(S[0], Y[order[0]])), None),
        "absolute values": (
            lambda Y, S, order: bool(np.abs(np.abs(S) - np.abs(Y[order])).max() <= 1e-9),
            None,
        ),
    },
    "02-tag": {
        "c once": (lambda X, w, c: (self_attention(X) @ w) * (1 + c), None),
        "minus c": (lambda X, w, c: self_attention(X) @ w - c, None),
        "a sigmoid": (lambda X, w, c: 1 / (1 + np.exp(-(self_attention(X) @ w + c))), None),
    },
}


@pytest.mark.parametrize(
    ("exercise", "style"), [(e, style) for e, answers in RIGHT.items() for style in answers]
)
def test_a_right_answer_passes_in_any_style(exercise, style):
    verdict = check(exercise, RIGHT[exercise][style])
    assert verdict.passed is True, verdict.message


@pytest.mark.parametrize(
    ("exercise", "what"), [(e, what) for e, answers in WRONG.items() for what in answers]
)
def test_a_wrong_answer_is_named_for_what_it_is_or_advised(exercise, what):
    answer, mistake = WRONG[exercise][what]
    verdict = check(exercise, answer)
    assert verdict.passed is False
    assert verdict.mistake == mistake, verdict.message


def test_room_is_not_blamed_on_a_function_that_is_not_used():
    verdict = check("02-equivariance", lambda Y, S, order: np.abs(S - Y[order]).mean() < 1e-9)
    assert "If you use np.allclose: by default" in verdict.message
    assert "every gap" in verdict.hint


def test_weights_over_the_tokens_are_told_what_they_do_and_the_hint_the_cure():
    verdict = check("02-tag", lambda X, w, c: w @ self_attention(X) + c)
    assert verdict.mistake == "weighs-the-tokens"
    assert "one per dimension" not in verdict.message
    assert "one per dimension" in verdict.hint
