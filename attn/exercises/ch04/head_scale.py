"""Which d goes under the root when there are heads."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.random_arrays import random_arrays


def _probe(label, *, h, n, m, d_head, seed, advice):
    shapes = {"Q": (h, n, d_head), "K": (h, m, d_head)}
    return Probe(label, random_arrays(seed, shapes), advice)


PROBES = (
    _probe(
        "one head",
        h=1,
        n=2,
        m=3,
        d_head=5,
        seed=48,
        advice="Divide the scores by the root of d_head = 5, about 2.24.",
    ),
    _probe(
        "three heads of size 7",
        h=3,
        n=2,
        m=5,
        d_head=7,
        seed=49,
        advice=(
            "The sum in a dot product runs over d_head = 7 entries: which number undoes its growth?"
        ),
    ),
    _probe(
        "eight heads of size 6",
        h=8,
        n=3,
        m=2,
        d_head=6,
        seed=50,
        advice="Q is (8, 3, 6): the head's size is the last axis, whatever d_model was.",
    ),
    _probe(
        "two heads of size 64",
        h=2,
        n=3,
        m=5,
        d_head=64,
        seed=51,
        advice="Print the spread of your scaled scores: it should be near 1.",
    ),
)


def _raw_scores(Q, K):
    return Q @ K.swapaxes(-1, -2)


def _head_weights(Q, K):
    return softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[-1]))


MISTAKES = (
    Mistake(
        "uses-the-model-size",
        "You divide by the root of d_model, all heads together; a head's dot product sums over "
        "d_head entries only. Your weights are too even. Use Q.shape[-1].",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[0] * Q.shape[-1])),
    ),
    Mistake(
        "forgets-the-scale",
        "You do not divide at all, so the spread of the scores is the root of d_head instead "
        "of 1. Divide before the softmax.",
        lambda Q, K: softmax(_raw_scores(Q, K)),
    ),
    Mistake(
        "forgets-the-root",
        "You divide by d_head; that is the variance. The spread is its root, so divide by "
        "np.sqrt(d_head).",
        lambda Q, K: softmax(_raw_scores(Q, K) / Q.shape[-1]),
    ),
    Mistake(
        "multiplies",
        "You multiply by the root of d_head, which makes large scores larger. Divide by it.",
        lambda Q, K: softmax(_raw_scores(Q, K) * np.sqrt(Q.shape[-1])),
    ),
    Mistake(
        "divides-after-the-softmax",
        "You divide the weights, so a row no longer sums to 1, and the softmax has already "
        "saturated. Divide the scores, before the softmax.",
        lambda Q, K: softmax(_raw_scores(Q, K)) / np.sqrt(Q.shape[-1]),
    ),
    Mistake(
        "divides-by-eight",
        "You divide by 8, the root of 64: right for heads of size 64, and only for them. Read "
        "the size off Q.",
        lambda Q, K: softmax(_raw_scores(Q, K) / 8),
    ),
    Mistake(
        "uses-the-number-of-keys",
        "You divide by the root of the number of keys; the scores grow with the size of a key. "
        "That is the last axis.",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(K.shape[-2])),
    ),
    Mistake(
        "uses-the-number-of-queries",
        "You divide by the root of the number of queries; the scores grow with the size of a "
        "query. That is the last axis.",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[-2])),
    ),
    Mistake(
        "uses-the-number-of-heads",
        "You divide by the root of the number of heads; each head makes its own scores, over "
        "d_head entries. Use the last axis.",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[0])),
    ),
    Mistake(
        "forgets-the-softmax",
        "You return the scaled scores, which may be negative and need not sum to 1; weights were "
        "asked for. Run a softmax over the last axis.",
        lambda Q, K: _raw_scores(Q, K) / np.sqrt(Q.shape[-1]),
    ),
    Mistake(
        "transposes-all-axes",
        "K.T turns all three axes round, so (h, m, d_head) becomes (d_head, m, h), and the shapes "
        "do not fit. Swap the last two only: K.swapaxes(-1, -2).",
        lambda Q, K: Q @ K.T,
    ),
    Mistake(
        "shares-among-the-heads",
        "Your softmax runs over axis 0, so the heads share 1 among them; within each head, each "
        "query's row must sum to 1. Run it over the last axis.",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[-1]), axis=0),
    ),
    Mistake(
        "shares-among-the-queries",
        "Your columns sum to 1; each query's row must. Run the softmax over the last axis.",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[-1]), axis=-2),
    ),
)

EXERCISE = Exercise(
    "04-head-scale",
    title="Which d goes under the root?",
    chapter=4,
    difficulty=2,
    minutes=8,
    hints=(
        "Every score is a sum of d_head products. Its variance, for entries of variance 1, is "
        "d_head.",
        "All heads at once: Q @ K.swapaxes(-1, -2) is (h, n, m). Divide, then softmax.",
    ),
    mistakes=MISTAKES,
    section="sec-04-head-size",
    task=Task("head_weights", _head_weights, PROBES),
)
