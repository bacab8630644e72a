"""Pool a bag of vectors with gated attention."""

import numpy as np

from attn import attention_pool, softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import naive_softmax, overflows


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _gated_pool(H, w, W_tanh, W_gate):
    return attention_pool(H, w, W_tanh, W_gate=W_gate)[0]


def _pool_by_hidden(H, w, hidden):
    return softmax(hidden @ w) @ H


def _probe(label, *, seed, n, d, a):
    W = {"W_tanh": (d, a), "W_gate": (d, a)}
    return Probe.random(label, seed, digits=1, spread=1.5, H=(n, d), w=(a,), **W)


PROBES = (
    _probe("a bag of four patches", seed=41, n=4, d=5, a=3).advise(
        "Print the shape after each line: (n, a), (n, a), (n,), (n,), (d,)."
    ),
    _probe("a bag of seven patches", seed=42, n=7, d=2, a=6).advise(
        "Bags have any number of patches: do not use a fixed count."
    ),
    _probe("a single patch", seed=43, n=1, d=5, a=3).advise(
        "With one patch the softmax gives 1, and the bag is that patch."
    ),
    Probe.of(
        "scores in the thousands",
        H=[[1.0, -0.5], [0.5, 2.0], [-1.0, 0.3], [0.2, 0.1], [0.4, -1.2]],
        w=[3000.0, -2000.0, 1000.0],
        W_tanh=[[1.0, 0.5, -1.0], [0.3, -1.0, 2.0]],
        W_gate=[[0.5, 1.0, -0.5], [1.0, 0.0, 0.7]],
    ).advise("Print np.exp of the largest score: it is inf. attn.softmax shifts scores first."),
)

MISTAKES = (
    Mistake(
        "forgets-the-gate",
        "Your scores come from tanh alone, so the gate never closes.",
        lambda H, w, W_tanh, W_gate: attention_pool(H, w, W_tanh)[0],
        hint="Multiply the hidden layer by the sigmoid of H @ W_gate.",
    ),
    Mistake(
        "swaps-tanh-and-gate",
        "You take the tanh of the gate and the sigmoid of the other.",
        lambda H, w, W_tanh, W_gate: _gated_pool(H, w, W_gate, W_tanh),
        hint="W_tanh goes with np.tanh, W_gate with the sigmoid.",
    ),
    Mistake(
        "adds-the-gate",
        "You add the gate to the hidden layer, and then it cannot close.",
        lambda H, w, W_tanh, W_gate: _pool_by_hidden(
            H, w, np.tanh(H @ W_tanh) + _sigmoid(H @ W_gate)
        ),
        hint="A gate multiplies: use * between the two hidden layers.",
    ),
    Mistake(
        "gates-with-tanh",
        "You use tanh for the gate too, which lets a gate flip the sign.",
        lambda H, w, W_tanh, W_gate: _pool_by_hidden(
            H, w, np.tanh(H @ W_tanh) * np.tanh(H @ W_gate)
        ),
        hint="A gate lies between 0 and 1: use the sigmoid, 1 / (1 + exp(-x)).",
    ),
    Mistake(
        "sigmoid-of-the-wrong-sign",
        "Your gate is 1 / (1 + exp(x)), which is open where it should be closed.",
        lambda H, w, W_tanh, W_gate: _pool_by_hidden(
            H, w, np.tanh(H @ W_tanh) * _sigmoid(-(H @ W_gate))
        ),
        hint="The sigmoid has a minus sign in front of the product.",
    ),
    Mistake(
        "takes-the-plain-mean",
        "You average the patches, so every patch counts the same.",
        lambda H, w, W_tanh, W_gate: H.mean(axis=0),
        hint="Weight them by the softmax of their scores.",
    ),
    Mistake(
        "skips-the-softmax",
        "You use the scores themselves as weights; they may be negative and do not sum to 1.",
        lambda H, w, W_tanh, W_gate: (np.tanh(H @ W_tanh) * _sigmoid(H @ W_gate)) @ w @ H,
        hint="Pass them through a softmax over the patches.",
    ),
    overflows(
        lambda H, w, W_tanh, W_gate: (
            naive_softmax((np.tanh(H @ W_tanh) * _sigmoid(H @ W_gate)) @ w) @ H
        ),
        largest="the largest score",
    ),
    Mistake(
        "does-not-add-up",
        "You return the weighted patches one by one, not a single vector for the bag.",
        lambda H, w, W_tanh, W_gate: attention_pool(H, w, W_tanh, W_gate=W_gate)[1][:, None] * H,
        hint="Sum over the patches: weights @ H does both.",
    ),
    Mistake(
        "returns-the-weights",
        "You return the weights of the patches; they still have to blend them.",
        lambda H, w, W_tanh, W_gate: attention_pool(H, w, W_tanh, W_gate=W_gate)[1],
        hint="Return weights @ H, one vector for the bag.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="One vector for a whole slide",
    difficulty=2,
    minutes=10,
    hints=(
        "Two hidden layers of shape (n, a): tanh of one product, sigmoid of the other. Multiply "
        "them entry by entry.",
        "hidden @ w gives one score per patch, (n,). A softmax makes them shares of the bag.",
        "The answer is one vector, (d,): the weights, (n,), times H, (n, d).",
    ),
    mistakes=MISTAKES,
    section="sec-03-additive",
    passed=(
        "A bag of any size becomes one vector, and the weights say which patches it comes from. "
        "Compare it with attn.attention_pool, which returns the weights as well."
    ),
    task=Task(
        "gated_pool",
        _gated_pool,
        PROBES,
    ),
)
