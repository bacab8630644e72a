"""Attention with the sums written over the right index."""

import numpy as np

from attn import attention, softmax
from attn.exercises.ch03.scores import scaled_scores
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _swapped_in_the_loop(Q, K, V):
    scores = np.zeros((len(Q), len(K)))
    for i, j in np.ndindex(scores.shape):
        scores[i, j] = Q[j] @ K[i] / np.sqrt(Q.shape[1])
    return softmax(scores) @ V


PROBES = (
    Probe.of(
        "three tokens whose queries are not their keys",
        Q=[[1.0, 0.0], [0.0, 2.0], [1.0, -1.0]],
        K=[[0.5, 1.0], [2.0, 0.0], [-1.0, 1.0]],
        V=[[1.0, 0.0, 2.0, 0.5, 1.0], [0.0, 3.0, -1.0, 2.0, 0.3], [2.0, 1.0, 0.0, -1.0, 0.7]],
        advice="Print the scores: row i holds query i against every key.",
    ),
    Probe.of(
        "two queries and five keys",
        Q=[[1.0, 0.5, -1.0], [0.0, 2.0, 1.0]],
        K=[[1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [2.0, -1.0, 1.0], [0.3, 0.3, 0.3], [-1.0, 0.4, 0.0]],
        V=[[1.0] * 6, [2.0, 0.0, 1.0] * 2, [-3.0, 0.5] * 3, [0.5] * 6, [0.0, 1.0, 4.0] * 2],
        advice=(
            "The result has one row for each query: loop over the queries, and inside over the "
            "keys."
        ),
    ),
    Probe.of(
        "seven queries and two keys",
        Q=np.arange(42).reshape(7, 6) % 5 - 1.5,
        K=[[1.0, 1.0, 0.0, 0.5, -1.0, 0.2], [0.0, -2.0, 1.0, 0.0, 0.3, 1.0]],
        V=[[1.0, 2.0, 3.0], [-1.0, 0.0, 4.0]],
        advice="With more queries than keys the same two loops must do: check their ends.",
    ),
)

MISTAKES = (
    Mistake(
        "still-swapped",
        "You still score q_j · k_i: your row i holds what others ask of token i. Row i must "
        "hold what token i asks: q_i · k_j.",
        lambda Q, K, V: softmax(scaled_scores(K, Q)) @ V,
        variants=(_swapped_in_the_loop,),
    ),
    Mistake(
        "transposes-the-weights-instead",
        "You swap the weights after the softmax. Then the columns sum to 1 and the rows do "
        "not; repair the score, before the softmax.",
        lambda Q, K, V: softmax(scaled_scores(Q, K)).T @ V,
    ),
    Mistake(
        "softmax-over-the-queries",
        "Your softmax runs over the queries, so each key shares itself out. Each query shares "
        "its attention among the keys: use the last axis.",
        lambda Q, K, V: softmax(scaled_scores(Q, K), axis=0) @ V,
    ),
    Mistake(
        "forgets-the-scale",
        "The index is right, but the scores are no longer divided. Keep the division by the "
        "square root of d_k.",
        lambda Q, K, V: softmax(Q @ K.T) @ V,
    ),
    Mistake(
        "divides-by-d-k",
        "You divide by d_k itself; the scores are to be divided by its square root. Use "
        "np.sqrt(Q.shape[1]).",
        lambda Q, K, V: softmax(Q @ K.T / Q.shape[-1]) @ V,
    ),
    Mistake(
        "scales-by-the-values",
        "You divide by the square root of d_v, the size of a value. The sum runs over the "
        "coordinates of query and key: use d_k.",
        lambda Q, K, V: softmax(scaled_scores(Q, K, V.shape[-1])) @ V,
    ),
    Mistake(
        "returns-the-weights",
        "You return the weights; they still have to blend the values. Multiply them with V.",
        lambda Q, K, V: softmax(scaled_scores(Q, K)),
    ),
    Mistake(
        "blends-the-keys",
        "You blend the keys; keys decide how much, values decide what. Multiply the weights "
        "with V, not with K.",
        lambda Q, K, V: softmax(scaled_scores(Q, K)) @ K,
    ),
)

EXERCISE = Exercise(
    "03-swapped-index",
    title="Find the swapped index",
    chapter=3,
    difficulty=2,
    minutes=8,
    hints=(
        "Say in words what row i of the scores should hold, then read what the loop puts there.",
        "Row i belongs to query i. Its scores are q_i · k_j for every j.",
    ),
    mistakes=MISTAKES,
    section="sec-03-matrix",
    task=Task("attend", attention, PROBES),
)
