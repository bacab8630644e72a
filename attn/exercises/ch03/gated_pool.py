"""Pool a bag of vectors with gated attention."""

import numpy as np

from attn import attention_pool, softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _gated_pool(H, w, W_tanh, W_gate):
    return attention_pool(H, w, W_tanh, W_gate=W_gate)[0]


def _pool_by_hidden(H, w, hidden):
    return softmax(hidden @ w) @ H


def _probe(label, *, seed, n, d, a, advice):
    rng = np.random.default_rng(seed)
    sizes = {"H": (n, d), "w": (a,), "W_tanh": (d, a), "W_gate": (d, a)}
    return Probe(label, {k: (1.5 * rng.normal(size=s)).round(1) for k, s in sizes.items()}, advice)


PROBES = (
    _probe(
        "a bag of four patches",
        seed=41,
        n=4,
        d=5,
        a=3,
        advice="Print the shape after each line: (n, a), (n, a), (n,), (n,), (d,).",
    ),
    _probe(
        "a bag of seven patches",
        seed=42,
        n=7,
        d=2,
        a=6,
        advice="Bags have any number of patches: do not use a fixed count.",
    ),
    _probe(
        "a single patch",
        seed=43,
        n=1,
        d=5,
        a=3,
        advice="With one patch the softmax gives 1, and the bag is that patch.",
    ),
)

MISTAKES = (
    Mistake(
        "forgets-the-gate",
        "Your scores come from tanh alone; the gate never closes. Multiply the hidden layer by "
        "the sigmoid of H @ W_gate.",
        lambda H, w, W_tanh, W_gate: attention_pool(H, w, W_tanh)[0],
    ),
    Mistake(
        "swaps-tanh-and-gate",
        "You take tanh of the gate and sigmoid of the other. W_tanh goes with np.tanh, W_gate "
        "with the sigmoid: swap them.",
        lambda H, w, W_tanh, W_gate: _gated_pool(H, w, W_gate, W_tanh),
    ),
    Mistake(
        "adds-the-gate",
        "You add the gate; then it cannot close. A gate multiplies: use * between the two "
        "hidden layers.",
        lambda H, w, W_tanh, W_gate: _pool_by_hidden(
            H, w, np.tanh(H @ W_tanh) + _sigmoid(H @ W_gate)
        ),
    ),
    Mistake(
        "gates-with-tanh",
        "You use tanh for the gate too, which lets a gate turn the sign. A gate lies between 0 "
        "and 1: use the sigmoid, 1 / (1 + exp(-x)).",
        lambda H, w, W_tanh, W_gate: _pool_by_hidden(
            H, w, np.tanh(H @ W_tanh) * np.tanh(H @ W_gate)
        ),
    ),
    Mistake(
        "sigmoid-of-the-wrong-sign",
        "Your gate is 1 / (1 + exp(x)), which is open where it should be closed. Put a minus "
        "sign in front of the product.",
        lambda H, w, W_tanh, W_gate: _pool_by_hidden(
            H, w, np.tanh(H @ W_tanh) * _sigmoid(-(H @ W_gate))
        ),
    ),
    Mistake(
        "takes-the-plain-mean",
        "You average the patches, and every patch counts alike. Weight them by the softmax of "
        "their scores.",
        lambda H, w, W_tanh, W_gate: H.mean(axis=0),
    ),
    Mistake(
        "skips-the-softmax",
        "You use the scores themselves as weights; they may be negative and do not sum to 1. "
        "Pass them through a softmax over the patches.",
        lambda H, w, W_tanh, W_gate: (np.tanh(H @ W_tanh) * _sigmoid(H @ W_gate)) @ w @ H,
    ),
    Mistake(
        "does-not-add-up",
        "You return the weighted patches one by one; the bag wants a single vector. Sum over "
        "the patches: weights @ H does both.",
        lambda H, w, W_tanh, W_gate: attention_pool(H, w, W_tanh, W_gate=W_gate)[1][:, None] * H,
    ),
    Mistake(
        "returns-the-weights",
        "You return the weights of the patches; they still have to blend them. Return "
        "weights @ H, one vector for the bag.",
        lambda H, w, W_tanh, W_gate: attention_pool(H, w, W_tanh, W_gate=W_gate)[1],
    ),
)

EXERCISE = Exercise(
    "03-gated-pool",
    title="One vector for a whole slide",
    chapter=3,
    difficulty=2,
    minutes=10,
    hints=(
        "Two hidden layers of shape (n, a): tanh of one product, sigmoid of the other. Multiply "
        "them entry by entry.",
        "hidden @ w gives one score for each patch, (n,). Softmax makes them shares of the bag.",
        "The answer is one vector (d,): the weights, (n,), times H, (n, d).",
    ),
    mistakes=MISTAKES,
    section="sec-03-additive",
    task=Task(
        "gated_pool",
        _gated_pool,
        PROBES,
    ),
)
