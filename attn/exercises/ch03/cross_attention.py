"""Queries from one sequence, keys and values from another."""

import numpy as np

from attn import attention, softmax
from attn.exercises.ch03.scores import scaled_scores
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import divides_by_d_k, forgets_the_scale, naive_softmax, overflows


def _cross(X, memory, W_q, W_k, W_v, *, keys=None, values=None, scale=None):
    K = (memory if keys is None else keys) @ W_k
    V = (memory if values is None else values) @ W_v
    return attention(X @ W_q, K, V, scale=scale)


def _probe(label, *, seed, n, m, d_x, d_m, d_k, d_v):
    W = {"W_q": (d_x, d_k), "W_k": (d_m, d_k), "W_v": (d_m, d_v)}
    return Probe.random(label, seed, digits=1, X=(n, d_x), memory=(m, d_m), **W)


PROBES = (
    _probe(
        "four tokens that ask four others", seed=31, n=4, m=4, d_x=7, d_m=7, d_k=3, d_v=5
    ).advise("Print the shapes of Q, K and V, and which sequence each of them comes from."),
    _probe("two tokens that ask five", seed=32, n=2, m=5, d_x=7, d_m=7, d_k=3, d_v=6).advise(
        "The weights are (2, 5): a row for each token that asks, a column for each asked."
    ),
    _probe(
        "two sequences of different width", seed=33, n=4, m=3, d_x=6, d_m=10, d_k=5, d_v=7
    ).advise("W_q fits X and W_k, W_v fit the memory; nothing else needs the widths."),
    Probe.of(
        "scores above 1000",
        X=[[90.0, 1.0], [-80.0, 2.0], [0.5, -1.0]],
        memory=[[30.0, 0.5, 1], [-29.0, 1, 0], [29.9, -1.5, 2], [1.0, 0, -1], [2.0, 1, 0]],
        W_q=np.eye(2, 5),
        W_k=np.eye(3, 5),
        W_v=np.arange(18.0).reshape(3, 6) % 7 - 3,
    ).advise("Print np.exp of the largest score: it is inf. attn.softmax shifts scores first."),
)

MISTAKES = (
    Mistake(
        "asks-itself",
        "You take keys and values from X too, which is self-attention.",
        lambda X, memory, W_q, W_k, W_v: _cross(X, X, W_q, W_k, W_v),
        hint="The memory is what is asked: compute K and V from it.",
    ),
    Mistake(
        "lets-the-memory-ask",
        "You let the memory ask and X answer, but each token of X wants an output.",
        lambda X, memory, W_q, W_k, W_v: _cross(memory, X, W_q, W_k, W_v),
        hint="Queries come from X, keys and values from the memory.",
    ),
    Mistake(
        "takes-values-from-x",
        "Your keys come from the memory but your values from X, although key j and value j belong "
        "to the same token.",
        lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, values=X),
        hint="Compute V from the memory.",
    ),
    Mistake(
        "takes-keys-from-x",
        "Your values come from the memory but your keys from X, although key j and value j belong "
        "to the same token.",
        lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, keys=X),
        hint="Compute K from the memory.",
    ),
    forgets_the_scale(lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, scale=1.0)),
    Mistake(
        "scales-by-the-model-size",
        "You divide by the square root of a token's width, but the sum in a score runs over the "
        "d_k entries of query and key.",
        lambda X, memory, W_q, W_k, W_v: _cross(
            X, memory, W_q, W_k, W_v, scale=1 / np.sqrt(X.shape[-1])
        ),
        variants=(
            lambda X, memory, W_q, W_k, W_v: _cross(
                X, memory, W_q, W_k, W_v, scale=1 / np.sqrt(memory.shape[-1])
            ),
        ),
        hint="Q.shape[-1] is d_k.",
    ),
    divides_by_d_k(
        lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, scale=1 / W_q.shape[-1])
    ),
    Mistake(
        "softmax-over-the-queries",
        "Your softmax runs over the queries, so your columns sum to 1.",
        lambda X, memory, W_q, W_k, W_v: (
            softmax(scaled_scores(X @ W_q, memory @ W_k), axis=0) @ (memory @ W_v)
        ),
        hint="Each query shares its attention among the keys: use the last axis.",
    ),
    overflows(
        lambda X, memory, W_q, W_k, W_v: (
            naive_softmax(scaled_scores(X @ W_q, memory @ W_k)) @ (memory @ W_v)
        )
    ),
    Mistake(
        "blends-the-keys",
        "You blend the keys. Keys decide how much, values decide what.",
        lambda X, memory, W_q, W_k, W_v: attention(X @ W_q, memory @ W_k, memory @ W_k),
        hint="Multiply the weights with memory @ W_v.",
    ),
    Mistake(
        "forgets-the-value-projection",
        "You blend the memory itself, which has not been through W_v.",
        lambda X, memory, W_q, W_k, W_v: attention(X @ W_q, memory @ W_k, memory),
        hint="Multiply the weights with memory @ W_v.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Let one sequence ask another",
    difficulty=2,
    minutes=8,
    hints=(
        "Only one of the three projections is applied to X.",
        "X asks: Q = X @ W_q. The memory is asked: K = memory @ W_k and V = memory @ W_v.",
        "After that it is attention as before: scores of shape (n, m), divided by the square root "
        "of d_k, a softmax over the keys, times V.",
    ),
    mistakes=MISTAKES,
    section="sec-03-who-asks",
    passed=(
        "This is cross-attention, which lets one sequence read another. Compare it with "
        "attn.attention(X @ W_q, memory @ W_k, memory @ W_v)."
    ),
    task=Task(
        "cross_attention",
        _cross,
        PROBES,
        steps={
            "Q": (lambda X, memory, W_q, W_k, W_v: X @ W_q,),
            "K": (lambda X, memory, W_q, W_k, W_v: memory @ W_k,),
            "V": (lambda X, memory, W_q, W_k, W_v: memory @ W_v,),
        },
    ),
)
