"""Which d goes under the root when there are heads."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import naive_softmax, overflows, shares_among_the_queries


def _probe(label, *, h, n, m, d_head, seed):
    return Probe.random(label, seed, Q=(h, n, d_head), K=(h, m, d_head))


PROBES = (
    _probe("two heads of size 5", h=2, n=3, m=7, d_head=5, seed=48).advise(
        "Divide the scores by the root of d_head = 5, about 2.24."
    ),
    _probe("three heads of size 7", h=3, n=2, m=5, d_head=7, seed=49).advise(
        "The sum in a dot product runs over d_head = 7 entries: which number undoes its growth?"
    ),
    _probe("eight heads of size 6", h=8, n=3, m=2, d_head=6, seed=50).advise(
        "Q is (8, 3, 6): the head's size is the last axis, whatever d_model was."
    ),
    _probe("two heads of size 64", h=2, n=3, m=5, d_head=64, seed=51).advise(
        "Print the spread of your scaled scores: it should be near 1."
    ),
    Probe.of(
        "scores in the thousands",
        Q=[[[90.0, 1.0, -2.0], [-80.0, 3.0, 0.5]]],
        K=[[[70.0, 0.5, 1.0], [-60.0, 2.0, 1.0], [70.1, -1.0, 0.5], [1.0, 2.0, 3.0]]],
    ).advise("Print np.exp of the largest score: it is inf. attn.softmax shifts scores first."),
)


def _raw_scores(Q, K):
    return Q @ K.swapaxes(-1, -2)


def _head_weights(Q, K):
    return softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[-1]))


MISTAKES = (
    Mistake(
        "uses-the-model-size",
        "You divide by the square root of d_model, the size of all heads together, so your weights"
        " come out too even.",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[0] * Q.shape[-1])),
        hint="A head's dot product sums over d_head entries: Q.shape[-1].",
    ),
    Mistake(
        "forgets-the-scale",
        "You do not divide at all, so the spread of the scores is √d_head instead of 1.",
        lambda Q, K: softmax(_raw_scores(Q, K)),
        hint="Divide before the softmax.",
    ),
    Mistake(
        "forgets-the-root",
        "You divide by d_head, which is the variance of the scores, not their spread.",
        lambda Q, K: softmax(_raw_scores(Q, K) / Q.shape[-1]),
        hint="Divide by np.sqrt(d_head).",
    ),
    Mistake(
        "multiplies",
        "You multiply by the square root of d_head, which makes large scores even larger.",
        lambda Q, K: softmax(_raw_scores(Q, K) * np.sqrt(Q.shape[-1])),
        hint="Divide by it.",
    ),
    Mistake(
        "divides-after-the-softmax",
        "You divide the weights, so a row no longer sums to 1, and the softmax has already "
        "saturated.",
        lambda Q, K: softmax(_raw_scores(Q, K)) / np.sqrt(Q.shape[-1]),
        hint="Divide the scores, before the softmax.",
    ),
    Mistake(
        "divides-by-eight",
        "You divide by 8, the square root of 64: right for heads of size 64, and only for them.",
        lambda Q, K: softmax(_raw_scores(Q, K) / 8),
        hint="Read the size off Q.",
    ),
    Mistake(
        "uses-the-number-of-keys",
        "You divide by the square root of the number of keys, but scores grow with the size of a "
        "key.",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(K.shape[-2])),
        hint="That is the last axis.",
    ),
    Mistake(
        "uses-the-number-of-queries",
        "You divide by the square root of the number of queries, but scores grow with the size of "
        "a query.",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[-2])),
        hint="That is the last axis.",
    ),
    Mistake(
        "uses-the-number-of-heads",
        "You divide by the square root of the number of heads, but each head makes its own scores,"
        " over d_head entries.",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[0])),
        hint="That is the last axis.",
    ),
    Mistake(
        "forgets-the-softmax",
        "You return the scaled scores, which may be negative and need not sum to 1; weights were "
        "asked for.",
        lambda Q, K: _raw_scores(Q, K) / np.sqrt(Q.shape[-1]),
        hint="Run a softmax over the last axis.",
    ),
    overflows(lambda Q, K: naive_softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[-1]))),
    Mistake(
        "transposes-all-axes",
        "K.T reverses all three axes, so (h, m, d_head) becomes (d_head, m, h), and the shapes do "
        "not fit.",
        lambda Q, K: Q @ K.T,
        hint="Swap only the last two: K.swapaxes(-1, -2).",
    ),
    Mistake(
        "shares-among-the-heads",
        "Your softmax runs over axis 0, so the heads share a 1 among them.",
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[-1]), axis=0),
        hint="Within each head, each query's row must sum to 1: use the last axis.",
    ),
    shares_among_the_queries(
        lambda Q, K: softmax(_raw_scores(Q, K) / np.sqrt(Q.shape[-1]), axis=-2)
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Which d goes under the root?",
    difficulty=2,
    minutes=8,
    hints=(
        "Every score is a sum of d_head products. For entries of variance 1, its variance is "
        "d_head.",
        "All heads at once: Q @ K.swapaxes(-1, -2) is (h, n, m). Divide, then softmax.",
    ),
    mistakes=MISTAKES,
    section="sec-04-head-size",
    passed=(
        "The size of one head goes under the root, however many heads there are. Compare it with "
        "attn.attention_weights(Q, K)."
    ),
    task=Task("head_weights", _head_weights, PROBES),
)
