"""Queries from one sequence, keys and values from another."""

import numpy as np

from attn import attention, softmax
from attn.exercises.ch03.scores import scaled_scores
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.random_arrays import random_arrays


def _cross(X, memory, W_q, W_k, W_v, *, keys=None, values=None, scale=None):
    K = (memory if keys is None else keys) @ W_k
    V = (memory if values is None else values) @ W_v
    return attention(X @ W_q, K, V, scale=scale)


def _probe(label, *, seed, n, m, d_x, d_m, d_k, d_v, advice):
    shapes = {"X": (n, d_x), "memory": (m, d_m), "W_q": (d_x, d_k)}
    shapes |= {"W_k": (d_m, d_k), "W_v": (d_m, d_v)}
    return Probe(label, random_arrays(seed, shapes, digits=1), advice)


PROBES = (
    _probe(
        "three tokens that ask three others",
        seed=31,
        n=3,
        m=3,
        d_x=6,
        d_m=6,
        d_k=2,
        d_v=5,
        advice="Print the shapes of Q, K and V, and which sequence each of them comes from.",
    ),
    _probe(
        "two tokens that ask five",
        seed=32,
        n=2,
        m=5,
        d_x=7,
        d_m=7,
        d_k=3,
        d_v=6,
        advice="The weights are (2, 5): a row for each token that asks, a column for each asked.",
    ),
    _probe(
        "two sequences of different width",
        seed=33,
        n=4,
        m=3,
        d_x=6,
        d_m=10,
        d_k=5,
        d_v=7,
        advice="W_q fits X and W_k, W_v fit the memory; nothing else needs the widths.",
    ),
)

MISTAKES = (
    Mistake(
        "asks-itself",
        "You take keys and values from X too, which is self-attention. The memory is what is "
        "asked: compute K and V from it.",
        lambda X, memory, W_q, W_k, W_v: _cross(X, X, W_q, W_k, W_v),
    ),
    Mistake(
        "lets-the-memory-ask",
        "You let the memory ask and X answer. Each token of X wants an output: its queries "
        "come from X, keys and values from the memory.",
        lambda X, memory, W_q, W_k, W_v: _cross(memory, X, W_q, W_k, W_v),
    ),
    Mistake(
        "takes-values-from-x",
        "Your keys come from the memory but your values from X. Key j and value j belong to "
        "the same token: compute V from the memory.",
        lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, values=X),
    ),
    Mistake(
        "takes-keys-from-x",
        "Your values come from the memory but your keys from X. Key j and value j belong to "
        "the same token: compute K from the memory.",
        lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, keys=X),
    ),
    Mistake(
        "forgets-the-scale",
        "Your scores are not divided, and the softmax comes out too sharp. Divide them by the "
        "square root of d_k before the softmax.",
        lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, scale=1.0),
    ),
    Mistake(
        "scales-by-the-model-size",
        "You divide by the square root of d_model. The sum runs over the coordinates of query "
        "and key, of which there are d_k: use Q.shape[-1].",
        lambda X, memory, W_q, W_k, W_v: _cross(
            X, memory, W_q, W_k, W_v, scale=1 / np.sqrt(X.shape[-1])
        ),
        variants=(
            lambda X, memory, W_q, W_k, W_v: _cross(
                X, memory, W_q, W_k, W_v, scale=1 / np.sqrt(memory.shape[-1])
            ),
        ),
    ),
    Mistake(
        "divides-by-d-k",
        "You divide by d_k itself; the scores are to be divided by its square root. Use "
        "np.sqrt(Q.shape[-1]).",
        lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, scale=1 / W_q.shape[-1]),
    ),
    Mistake(
        "softmax-over-the-queries",
        "Your softmax runs over the queries, so your columns sum to 1. Each query shares its "
        "attention among the keys: use the last axis.",
        lambda X, memory, W_q, W_k, W_v: (
            softmax(scaled_scores(X @ W_q, memory @ W_k), axis=0) @ (memory @ W_v)
        ),
    ),
    Mistake(
        "blends-the-keys",
        "You blend the keys; keys decide how much, values decide what. Multiply the weights "
        "with memory @ W_v.",
        lambda X, memory, W_q, W_k, W_v: attention(X @ W_q, memory @ W_k, memory @ W_k),
    ),
    Mistake(
        "forgets-the-value-projection",
        "You blend the memory itself; it has to pass through W_v first. Multiply the weights "
        "with memory @ W_v.",
        lambda X, memory, W_q, W_k, W_v: attention(X @ W_q, memory @ W_k, memory),
    ),
)

EXERCISE = Exercise(
    "03-cross-attention",
    title="Let one sequence ask another",
    chapter=3,
    difficulty=2,
    minutes=8,
    hints=(
        "Only one of the three projections is applied to X.",
        "X asks: Q = X @ W_q. The memory is asked: K = memory @ W_k, V = memory @ W_v.",
        "After that it is attention as before: scores (n, m), divided by the square root of d_k, "
        "softmax over the keys, times V.",
    ),
    mistakes=MISTAKES,
    section="sec-03-who-asks",
    task=Task(
        "cross_attention",
        _cross,
        PROBES,
    ),
)
