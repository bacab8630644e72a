"""Chapter 9: how much of the first token reaches an output, by recurrence and by attention."""

from functools import cache
from typing import ClassVar

import numpy as np

from attn.core import softmax
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.random_normals import normals
from attn.widgets.kit.traits import Choice, Real, Whole

SEED = 90
SIZE = 16
LONGEST = 200
DRAWS = 5
DEVIATION = float(1 / np.sqrt(3 * SIZE))  # of the matrices, as of torch's first weights
LEAST = float(np.finfo(np.float32).smallest_subnormal)
AXES = {"whole": "82 powers of ten", "top": "the top 5 powers of ten"}
# One letter for each matrix: those that read the token, and those that read the state.
GATES = {"RNN": "c", "GRU": "rzc", "LSTM": "ifgo"}


@cache
def drawn(draw):
    """The tokens X (200, 16) and every matrix (16, 16) of one draw, by name."""
    matrices = [f"{net} {part}{gate}" for net, g in GATES.items() for gate in g for part in "WU"]
    matrices += ["attention q", "attention k", "attention v"]
    numbers = normals((LONGEST + SIZE * len(matrices)) * SIZE, SEED + draw)
    X, rest = np.split(numbers.reshape(-1, SIZE), [LONGEST])
    return X, dict(zip(matrices, DEVIATION * rest.reshape(-1, SIZE, SIZE), strict=True))


class GradientPaths(Figure):
    """Follow the first token to an output n − 1 tokens later, in four untrained layers.

    Every layer reads the same 200 random tokens of size 16. Its weights are random, with the
    standard deviation of torch's defaults; biases are 0, but for `keep`.

    Parameters
    ----------
    n : int
        Which output is asked, 1 to 200.
    keep : float
        Bias of the gate that keeps the old state (GRU: update, LSTM: forget), 0 to 6.
    gain : float
        What the matrices that read the state are multiplied by, 0.5 to 4.
    draw : int
        Which random tokens and weights, 1 to 5.
    axis : {"whole", "top"}
        All that the lines cover, or only from 10⁻⁴ to 10.

    Examples
    --------
    >>> GradientPaths().norms["attention"].shape
    (200,)
    """

    n = Whole(30, 1, LONGEST)
    keep = Real(0.0, 0, 6, step=0.5)
    gain = Real(1.0, 0.5, 4, step=0.1)
    draw = Whole(1, 1, DRAWS)
    axis = Choice(AXES)
    # Pairs, not a mapping: the order is that of the draws, and a page may sort a mapping's keys.
    constants: ClassVar = {
        "seed": SEED,
        "size": SIZE,
        "gates": [list(pair) for pair in GATES.items()],
        "deviation": DEVIATION,
        "least": LEAST,
    }

    @property
    def norms(self):
        """‖∂out_n/∂x₁‖ (Frobenius) for n = 1 … 200 by layer, (200,) each."""
        X, W = drawn(self.draw)
        walks = {"RNN": _rnn, "GRU": _gru, "LSTM": _lstm}
        found = {
            name: _along(walk, X, _matrices(W, name, self.gain), self.keep)
            for name, walk in walks.items()
        }
        return found | {"attention": _attention(X, W)}


def _matrices(W, net, gain):
    """W for each gate, and U, which reads the state, times the gain."""
    return [{g: s * W[f"{net} {p}{g}"] for g in GATES[net]} for p, s in (("W", 1), ("U", gain))]


def _along(walk, X, matrices, keep):
    """Carry G = ∂h/∂x₁ along with the state; entry (i, j) is ∂h_j/∂x₁ᵢ."""
    state, norms = (np.zeros(SIZE), np.zeros((SIZE, SIZE))) * 2, []
    for t, x in enumerate(X):
        state = walk(x, state, *matrices, keep, float(t == 0))
        norms.append(np.linalg.norm(state[1]))
    return np.array(norms)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _rnn(x, state, W, U, keep, first):
    h, G = state[:2]
    h = np.tanh(x @ W["c"] + h @ U["c"])
    return h, (first * W["c"] + G @ U["c"]) * (1 - h * h)


def _gru(x, state, W, U, keep, first):
    h, G = state[:2]
    r, z = (_sigmoid(x @ W[g] + h @ U[g] + b) for g, b in (("r", 0), ("z", keep)))
    dr, dz = (s * (1 - s) * (first * W[g] + G @ U[g]) for g, s in (("r", r), ("z", z)))
    past = h @ U["c"]
    c = np.tanh(x @ W["c"] + r * past)
    dc = (1 - c * c) * (first * W["c"] + r * (G @ U["c"]) + past * dr)
    return (1 - z) * c + z * h, (1 - z) * dc + z * G + (h - c) * dz


def _lstm(x, state, W, U, keep, first):
    h, G, c, C = state
    gate, d = {}, {}
    for g in GATES["LSTM"]:
        total = x @ W[g] + h @ U[g] + (keep if g == "f" else 0)
        gate[g] = np.tanh(total) if g == "g" else _sigmoid(total)
        slope = 1 - gate[g] ** 2 if g == "g" else gate[g] * (1 - gate[g])
        d[g] = slope * (first * W[g] + G @ U[g])
    C = gate["f"] * C + c * d["f"] + gate["i"] * d["g"] + gate["g"] * d["i"]
    c = gate["f"] * c + gate["i"] * gate["g"]
    out = np.tanh(c)
    return gate["o"] * out, gate["o"] * (1 - out * out) * C + out * d["o"], c, C


def _attention(X, W):
    """One causal head: ∂y_n/∂x₁ = p₁ (W_v + W_k qᵀ (v₁ − y) / √d), and at n = 1 y is x₁ W_v."""
    W_q, W_k, W_v = (W[f"attention {part}"] for part in "qkv")
    Q, K, V, scale = X @ W_q, X @ W_k, X @ W_v, SIZE**-0.5
    norms = []
    for n in range(1, len(X) + 1):
        p = softmax(scale * Q[n - 1] @ K[:n].T)
        key = np.outer(W_k @ Q[n - 1], V[0] - p @ V[:n])
        norms.append(p[0] * np.linalg.norm(W_v + scale * key))
    return np.array(norms)
