"""Chapter 2: right answers in any style pass, wrong ones get the name they deserve."""

import numpy as np
from exercises.answers import PASSES, UNNAMED, judged

from attn import self_attention, softmax


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


def one_maximum(axis):
    def self_attention(X):
        scores = X @ X.swapaxes(-1, -2)
        e = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return e / e.sum(-1, keepdims=True) @ X

    return self_attention


def cosines(X, i):
    return softmax(X @ X[i] / np.linalg.norm(X, axis=1) / np.linalg.norm(X[i])) @ X


def rival_by_roots(x, d):
    product = np.sqrt(x @ x) * np.sqrt(x @ x) * np.sqrt(d @ d)
    return product / max(x @ d, 0.0) if x @ d > 0 else np.inf


def squared_cosine(x, d):
    cosine = (x @ d) / np.linalg.norm(x) / np.linalg.norm(d)
    return np.linalg.norm(x) / cosine**2 if x @ d > 0 else np.inf


def gap(measure, room=1e-9):
    """A test of order that asks whether some measure of the gaps is within the room."""
    return lambda Y, S, order: bool(measure(S - Y[order]) < room)


def largest(gaps):
    return np.abs(gaps).max()


def close(**options):
    return lambda Y, S, order: bool(np.allclose(S, Y[order], **options))


def rounded(digits):
    return lambda Y, S, order: bool((S.round(digits) == Y[order].round(digits)).all())


def same(view, room=1e-9):
    """A test of order that compares only some view of both runs."""
    return lambda Y, S, order: bool(np.abs(view(S) - view(Y[order])).max() <= room)


def by_loops(Y, S, order):
    cells = np.ndindex(Y.shape)
    return all(abs(S[i, c] - Y[order[i], c]) <= 1e-9 for i, c in cells)


test_an_answer = judged(
    {
        "02-one-token": {
            PASSES: [
                lambda X, i: np.einsum("n,nd->d", softmax(np.einsum("nd,d->n", X, X[i])), X),
                lambda X, i: list(map(float, self_attention(X)[i])),
                lambda X, i: self_attention(X.astype(np.float32))[i],
            ],
            UNNAMED: [
                lambda X, i: np.delete(X, i, 0).mean(0),
                lambda X, i: 2 * self_attention(X)[i],
                lambda X, i: softmax(X @ X[i] / np.sqrt(X.shape[1])) @ X,
                cosines,
                lambda X, i: (X @ X[i] / X.shape[1]) @ X,
                lambda X, i: self_attention(X)[0],
            ],
            "divides-by-the-sum-of-scores": [lambda X, i: (X @ X[i] / (X @ X[i]).sum()) @ X],
            "leaves-itself-out": [
                masked,
                lambda X, i: softmax(np.delete(X, i, 0) @ X[i]) @ np.delete(X, i, 0),
            ],
        },
        "02-matrix-form": {
            PASSES: [
                lambda X: softmax(np.einsum("...id,...jd->...ij", X, X)) @ X,
                lambda X: np.matmul(softmax(np.matmul(X, np.swapaxes(X, -1, -2))), X),
                lambda X: self_attention(X.astype(np.float32)),
            ],
            UNNAMED: [
                lambda X: softmax(X @ X.swapaxes(-1, -2) / X.shape[-2]) @ X,
                lambda X: softmax(-X @ X.swapaxes(-1, -2)) @ X,
                one_leading_axis,
                lambda X: np.broadcast_to(X.mean(-2, keepdims=True), X.shape),
            ],
            "leaves-the-diagonal-out": [masked_diagonal],
            "softmax-along-axis-1": [lambda X: softmax(X @ X.swapaxes(-1, -2), axis=1) @ X],
            "works-for-one-sequence-only": [lambda X: softmax(X @ X.T) @ X],
            "one-maximum-for-the-whole-table": [*map(one_maximum, (None, (-2, -1)))],
        },
        "02-rival": {
            PASSES: [
                lambda x, d: (x @ x) / (x @ (d / np.linalg.norm(d))) if x @ d > 0 else np.inf,
                rival_by_roots,
            ],
            UNNAMED: [
                squared_cosine,
                lambda x, d: x @ x,
                lambda x, d: x @ x * np.linalg.norm(d) / (x @ d) / 2 if x @ d > 0 else np.inf,
            ],
        },
        "02-equivariance": {
            PASSES: [
                close(rtol=0, atol=1e-9),
                lambda Y, S, order: bool(np.abs(S[np.argsort(order)] - Y).max() <= 1e-9),
                by_loops,
            ],
            UNNAMED: [
                gap(lambda gaps: np.abs(gaps).sum()),
                gap(np.linalg.norm),
                rounded(9),
                same(lambda rows: rows[:, :2]),
                lambda Y, S, order: bool(np.allclose(S[0], Y[order[0]])),
                same(np.abs),
            ],
            "compares-the-rows-as-a-set": [
                lambda Y, S, order: {tuple(y.round(9)) for y in Y} == {tuple(y.round(9)) for y in S}
            ],
            "compares-the-means": [
                lambda Y, S, order: bool(np.allclose(Y.mean(0), S.mean(0))),
                same(lambda rows: rows.mean(0)),
            ],
            "too-much-room": [
                gap(largest, 1e-3),
                close(),
                close(rtol=0),
                close(rtol=0, atol=1e-7),
                rounded(6),
                gap(lambda gaps: np.abs(gaps).mean()),
                gap(lambda gaps: (gaps**2).mean()),
            ],
            "no-room-for-rounding": [gap(largest, 1e-15)],
            "compares-the-row-sums": [same(lambda rows: rows.sum(1))],
            "sorts-each-column": [same(lambda rows: np.sort(rows, 0))],
            "uses-the-inverse": [
                lambda Y, S, order: bool(np.abs(S - Y[np.argsort(order)]).max() <= 1e-9)
            ],
        },
        "02-tag": {
            PASSES: [
                lambda X, w, c: [float(w @ y) + c for y in self_attention(X)],
                lambda X, w, c: np.einsum("nd,d->n", self_attention(X), w) + c,
            ],
            UNNAMED: [
                lambda X, w, c: (self_attention(X) @ w) * (1 + c),
                lambda X, w, c: self_attention(X) @ w - c,
                lambda X, w, c: 1 / (1 + np.exp(-(self_attention(X) @ w + c))),
            ],
            "weighs-the-tokens": [lambda X, w, c: w @ self_attention(X) + c],
        },
    }
)
