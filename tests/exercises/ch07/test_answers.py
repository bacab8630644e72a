"""Chapter 7: answers in another style pass, and near misses are told what they are."""

import math

import numpy as np
from exercises.answers import PASSES, UNNAMED, judged

import attn


def _loops(n, d_model, base):
    rows = []
    for i in range(n):
        angles = [i / base ** (2 * c / d_model) for c in range(d_model // 2)]
        rows.append([f(angle) for angle in angles for f in (math.sin, math.cos)])
    return rows


def _by_logarithm(n, d_model, base):
    speeds = np.exp(np.arange(0, d_model, 2, dtype=np.float32) * (-np.log(base) / d_model))
    PE = np.zeros((n, d_model), dtype=np.float32)
    PE[:, ::2], PE[:, 1::2] = (f(np.arange(n)[:, None] * speeds) for f in (np.sin, np.cos))
    return PE


def _woven(n, speeds):
    angles = np.arange(n)[:, None] * speeds
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, -1)


def _cosines_then_sines(n, d_model, base):
    angles = np.arange(n)[:, None] * base ** (-np.arange(0, d_model, 2) / d_model)
    return np.hstack([np.cos(angles), np.sin(angles)])


def _step_by_solving(offset, d_model, base):
    PE = attn.sinusoidal_positions(400, d_model, base=base)
    start, end = PE[100:300], PE[100 + offset : 300 + offset]
    return np.linalg.lstsq(start, end, rcond=None)[0]


def _step_by_rotation(offset, d_model, base):
    return attn.rotate(np.eye(d_model), np.full(d_model, -offset), base=base)


def _complex(X, positions, base):
    z = X[:, 0::2] + 1j * X[:, 1::2]
    z = z * np.exp(1j * positions[:, None] * base ** (-np.arange(0, X.shape[1], 2) / X.shape[1]))
    return np.stack([z.real, z.imag], axis=-1).reshape(X.shape)


def _matrices(X, positions, base):
    d = X.shape[1]
    rows = []
    for x, i in zip(X, positions, strict=True):
        R = np.zeros((d, d))
        for c in range(d // 2):
            a = i * base ** (-2 * c / d)
            R[2 * c : 2 * c + 2, 2 * c : 2 * c + 2] = [
                [math.cos(a), math.sin(a)],
                [-math.sin(a), math.cos(a)],
            ]
        rows.append(x @ R)
    return rows


def _bias_by_loops(n, heads):
    slopes = -attn.alibi_bias(2, heads)[:, 0, 1]
    return [[[-m * abs(i - j) for j in range(n)] for i in range(n)] for m in slopes]


def _one_formula(n, heads):
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    return -slopes[:, None, None] * np.abs(np.subtract.outer(np.arange(n), np.arange(n)))


test_an_answer = judged(
    {
        "07-sinusoids": {
            PASSES: [_loops, _by_logarithm],
            UNNAMED: [_cosines_then_sines],
            "reaches-the-base": [
                lambda n, d, base: _woven(n, base ** (-np.arange(0, d, 2) / (d - 2))),
                lambda n, d, base: _woven(n, base ** -np.linspace(0, 1, d // 2)),
            ],
        },
        "07-shift": {PASSES: [_step_by_solving, _step_by_rotation]},
        "07-rotate": {
            PASSES: [lambda X, p, base: attn.rotate(X, p, base=base), _complex, _matrices],
            "counts-from-one": [lambda X, p, base: attn.rotate(X, p + 1, base=base)],
            "adds-the-sinusoids": [
                lambda X, p, base: X + attn.sinusoidal_positions(*X.shape, base=base)
            ],
        },
        "07-alibi": {
            PASSES: [attn.alibi_bias, _bias_by_loops],
            UNNAMED: [lambda n, heads: np.sort(attn.alibi_bias(n, heads), axis=0)],
            "one-formula-for-all-counts": [_one_formula],
        },
        "07-half-split": {
            PASSES: [
                lambda W: W[:, [*range(0, W.shape[1], 2), *range(1, W.shape[1], 2)]],
                lambda W: W.reshape(len(W), -1, 2).swapaxes(1, 2).reshape(len(W), -1),
            ],
        },
    }
)


def test_the_moved_columns_give_the_other_library_the_same_scores():
    rng = np.random.default_rng(0)
    X, W_q, W_k = rng.normal(size=(5, 6)), rng.normal(size=(6, 8)), rng.normal(size=(6, 8))

    def halves(Y):
        angles = np.arange(5)[:, None] * 10000.0 ** (-np.arange(0, 8, 2) / 8)
        y0, y1, cos, sin = Y[:, :4], Y[:, 4:], np.cos(angles), np.sin(angles)
        return np.hstack([y0 * cos - y1 * sin, y0 * sin + y1 * cos])

    def moved(W):
        return np.concatenate([W[:, 0::2], W[:, 1::2]], axis=1)

    here = attn.rotate(X @ W_q) @ attn.rotate(X @ W_k).T
    there = halves(X @ moved(W_q)) @ halves(X @ moved(W_k)).T
    np.testing.assert_allclose(there, here, atol=1e-12)
    unmoved = halves(X @ W_q) @ halves(X @ W_k).T
    assert np.abs(unmoved - here).max() > 0.1
