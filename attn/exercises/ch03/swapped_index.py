"""Attention with the sums written over the right index."""

import numpy as np

from attn import attention, softmax
from attn.exercises.ch03.scores import scaled_scores
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import (
    divides_by_d_k,
    naive_softmax,
    one_maximum_for_the_whole_table,
    overflows,
)


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
    ).advise("Print the scores: row i holds query i against every key."),
    Probe.of(
        "two queries and five keys",
        Q=[[1.0, 0.5, -1.0], [0.0, 2.0, 1.0]],
        K=[[1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [2.0, -1.0, 1.0], [0.3, 0.3, 0.3], [-1.0, 0.4, 0.0]],
        V=[[1.0] * 6, [2.0, 0.0, 1.0] * 2, [-3.0, 0.5] * 3, [0.5] * 6, [0.0, 1.0, 4.0] * 2],
    ).advise(
        "The result has one row for each query: loop over the queries, and inside over the keys."
    ),
    Probe.of(
        "seven queries and two keys",
        Q=np.arange(42).reshape(7, 6) % 5 - 1.5,
        K=[[1.0, 1.0, 0.0, 0.5, -1.0, 0.2], [0.0, -2.0, 1.0, 0.0, 0.3, 1.0]],
        V=[[1.0, 2.0, 3.0], [-1.0, 0.0, 4.0]],
    ).advise("The same two loops must work with more queries than keys: check where they end."),
    Probe.of(
        "scores above 1000",
        Q=[[90.0, 1.0, 0.0], [-80.0, 2.0, 1.0], [0.5, -1.0, 0.0]],
        K=[
            [30.0, 0.5, 1.0],
            [-29.0, 1.0, 0.0],
            [29.5, -1.5, 2.0],
            [1.0, 0.0, -1.0],
            [2.0, 1.0, 1.0],
        ],
        V=np.arange(30.0).reshape(5, 6) % 7 - 3,
    ).advise(
        "Print np.exp of the largest score: it is inf. attn.softmax first shifts each row by "
        "its own largest score."
    ),
)

MISTAKES = (
    Mistake(
        "still-swapped",
        "You still score q_j · k_i: your row i holds what the others ask of token i, not what "
        "token i asks.",
        lambda Q, K, V: softmax(scaled_scores(K, Q)) @ V,
        variants=(_swapped_in_the_loop,),
        hint="Row i must hold q_i · k_j for every j.",
    ),
    Mistake(
        "transposes-the-weights-instead",
        "You swap the weights after the softmax, so the columns sum to 1 and the rows do not.",
        lambda Q, K, V: softmax(scaled_scores(Q, K)).T @ V,
        hint="Repair the score, before the softmax.",
    ),
    Mistake(
        "softmax-over-the-queries",
        "Your softmax runs over the queries, so each key shares itself out.",
        lambda Q, K, V: softmax(scaled_scores(Q, K), axis=0) @ V,
        hint="Each query shares its attention among the keys: use the last axis.",
    ),
    Mistake(
        "forgets-the-scale",
        "The index is right, but the scores are no longer divided by the square root of d_k.",
        lambda Q, K, V: softmax(Q @ K.T) @ V,
        hint="Keep the division that the code had.",
    ),
    divides_by_d_k(lambda Q, K, V: softmax(Q @ K.T / Q.shape[-1]) @ V),
    Mistake(
        "scales-by-the-values",
        "You divide by the square root of d_v, the size of a value, but the sum runs over the "
        "entries of query and key.",
        lambda Q, K, V: softmax(scaled_scores(Q, K, V.shape[-1])) @ V,
        hint="Their number is d_k.",
    ),
    Mistake(
        "returns-the-weights",
        "You return the weights; they still have to blend the values.",
        lambda Q, K, V: softmax(scaled_scores(Q, K)),
        hint="Multiply them with V.",
    ),
    overflows(lambda Q, K, V: naive_softmax(scaled_scores(Q, K)) @ V),
    one_maximum_for_the_whole_table(
        lambda Q, K, V: naive_softmax(scaled_scores(Q, K) - scaled_scores(Q, K).max()) @ V
    ),
    Mistake(
        "blends-the-keys",
        "You blend the keys. Keys decide how much, values decide what.",
        lambda Q, K, V: softmax(scaled_scores(Q, K)) @ K,
        hint="Multiply the weights with V, not with K.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Find the swapped index",
    difficulty=2,
    minutes=8,
    hints=(
        "Say in words what row i of the scores should hold, then read what the loop puts there.",
        "Row i belongs to query i. Its scores are q_i · k_j for every j.",
    ),
    mistakes=MISTAKES,
    section="sec-03-matrix",
    passed=(
        "Tests with Q = K could never have caught this: test with inputs where every size and every"
        " role differs. Compare it with attn.attention."
    ),
    task=Task("attend", attention, PROBES),
)
