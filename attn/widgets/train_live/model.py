"""The model that the page trains, in NumPy: one layer of attention, its gradients, Adam's step.

gradients.js and training.js are its twins. Sizes: b sequences of n tokens, v different tokens, d
entries per vector, h heads, q asked places, each giving `groups` answers out of c.
"""

from dataclasses import dataclass

import numpy as np

from attn.core import softmax
from attn.widgets.kit.random_normals import normals, uniforms

NAMES = ("T", "W_q", "W_k", "W_v", "R")


@dataclass(frozen=True)
class Shape:
    """What a task needs of the model; `drawn` digits make one sequence."""

    n: int
    v: int
    d: int
    asked: tuple
    groups: int
    c: int
    drawn: int
    h: int = 1
    positions: bool = True


def examples(task, shape, count, seed, skip=0):
    """`count` sequences (count, n) and answers (count, q · groups), after the first `skip`."""
    digits = np.floor(10 * uniforms(count * shape.drawn, seed, skip * shape.drawn)).astype(int)
    digits = digits.reshape(count, shape.drawn)
    if task == "reverse":
        return digits, digits[:, ::-1]
    ten, eleven = np.full((2, count), [[10], [11]])
    return np.stack([digits[:, 0], ten, digits[:, 1], eleven], axis=1), digits


def first_weights(shape, seed):
    """Normal numbers: the tables T (v + n, d) with standard deviation 1, matrices with 1/√d."""
    d, wide = shape.d, shape.groups * shape.c
    shapes = [(shape.v + shape.n, d), (d, d), (d, d), (d, d), (d, wide)]
    ends = np.cumsum([rows * columns for rows, columns in shapes])
    parts = np.split(normals(ends[-1], seed), ends[:-1])
    weights = {
        name: part.reshape(size) / (1 if name == "T" else np.sqrt(d))
        for name, part, size in zip(NAMES, parts, shapes, strict=True)
    }
    if not shape.positions:
        weights["T"][shape.v :] = 0
    return weights


def _split(X, h):
    """(b, n, d) → (b, h, n, d / h)."""
    b, n, d = X.shape
    return X.reshape(b, n, h, d // h).swapaxes(1, 2)


def _merge(X):
    """(b, h, n, d / h) → (b, n, d)."""
    b, h, n, size = X.shape
    return X.swapaxes(1, 2).reshape(b, n, h * size)


def forward(weights, tokens, shape):
    """Everything on the way from tokens (b, n) to probabilities p (b, q · groups, c), by name."""
    X = weights["T"][tokens] + weights["T"][shape.v :]  # (b, n, d)
    Q = _split(X[:, list(shape.asked)] @ weights["W_q"], shape.h)  # (b, h, q, d / h)
    K, V = (_split(X @ weights[name], shape.h) for name in ("W_k", "W_v"))  # (b, h, n, d / h)
    A = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))  # (b, h, q, n)
    Y = _merge(A @ V)  # (b, q, d)
    logits = (Y @ weights["R"]).reshape(len(tokens), -1, shape.c)
    return {"X": X, "Q": Q, "K": K, "V": V, "A": A, "Y": Y, "p": softmax(logits)}


def loss_and_gradients(weights, tokens, targets, shape):
    """Mean cross-entropy of the targets (b, q · groups), and its gradient by every weight."""
    f = forward(weights, tokens, shape)
    X, Q, K, V, A, Y, p = f.values()
    one_hot = np.eye(shape.c)[targets]
    loss = -np.log((p * one_hot).sum(-1)).mean()
    d_logits = ((p - one_hot) / targets.size).reshape(*Y.shape[:2], -1)  # (b, q, groups · c)
    d_Y = _split(d_logits @ weights["R"].T, shape.h)
    d_A, d_V = d_Y @ V.swapaxes(-1, -2), A.swapaxes(-1, -2) @ d_Y
    d_S = A * (d_A - (A * d_A).sum(-1, keepdims=True)) / np.sqrt(Q.shape[-1])  # (b, h, q, n)
    d_Q = np.zeros_like(X)
    d_Q[:, list(shape.asked)] = _merge(d_S @ K)
    d_K, d_V = _merge(d_S.swapaxes(-1, -2) @ Q), _merge(d_V)
    projections = {"W_q": d_Q, "W_k": d_K, "W_v": d_V}
    d_X = sum(d @ weights[name].T for name, d in projections.items())  # (b, n, d)
    gradients = {"T": np.zeros_like(weights["T"])}
    np.add.at(gradients["T"], tokens, d_X)
    if shape.positions:
        gradients["T"][shape.v :] = d_X.sum(0)
    for name, d in projections.items():
        gradients[name] = np.einsum("bni,bnj->ij", X, d)
    gradients["R"] = np.einsum("bqi,bqj->ij", Y, d_logits)
    return loss, gradients


def adam_step(weights, gradients, moments, rate, t):
    """Adam's step number t, counted from 1, in place."""
    first, second = moments
    for name, g in gradients.items():
        first[name] = 0.9 * first[name] + (1 - 0.9) * g
        second[name] = 0.999 * second[name] + (1 - 0.999) * g * g
        size = np.sqrt(second[name] / (1 - 0.999**t)) + 1e-8
        weights[name] = weights[name] - rate * (first[name] / (1 - 0.9**t)) / size


def measure(weights, tokens, targets, shape):
    """The share of right answers, and the mean of the largest weight of each query and head."""
    f = forward(weights, tokens, shape)
    return (f["p"].argmax(-1) == targets).mean(), f["A"].max(-1).mean()
