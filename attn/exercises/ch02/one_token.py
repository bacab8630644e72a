"""What one token takes home from its sequence."""

import numpy as np

from attn import softmax
from attn.exercises.ch02.sequences import FIVE, LARGE, SQUARE, THREE, WIDE
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import naive_softmax, overflows


def _attend(X, i):
    return softmax(X @ X[i]) @ X


PROBES = (
    Probe.of("the second of three tokens", X=THREE, i=1).advise(
        "Work it out by hand: the scores of (0, 2) are 0, 4 and 2."
    ),
    Probe.of("the first of three tokens", X=THREE, i=0).advise(
        "Print the scores of (1, 0): 1, 0 and 1. Then the weights, and their sum."
    ),
    Probe.of("the last of five tokens in three dimensions", X=FIVE, i=4).advise(
        "Follow the shapes: scores (5,), weights (5,), output (3,)."
    ),
    Probe.of("as many tokens as dimensions", X=SQUARE, i=2).advise(
        "Here n = d, so a transposed product also fits. Sum over the tokens, the first axis."
    ),
    Probe.of("a single token", X=WIDE[:1], i=0).advise(
        "A token alone gives itself all the weight: y equals x."
    ),
    Probe.of("tokens with large entries", X=LARGE, i=0).advise(
        "Use the stable softmax: subtract the largest score before np.exp."
    ),
)


def _without_own_score(X, i):
    scores = X @ X[i]
    scores[i] = -np.inf
    return softmax(scores) @ X


def _without_own_row(X, i):
    others = np.delete(X, i, axis=0)
    return softmax(others @ X[i]) @ others


def _others_only(X, i):
    return _without_own_score(X, i) if len(X) > 1 else X[i] * 0


MISTAKES = (
    Mistake(
        "returns-the-scores",
        "You return the scores, n numbers; the output is a blend of the tokens and has d numbers.",
        lambda X, i: X @ X[i],
        hint="Turn the scores into weights, then blend the rows of X.",
    ),
    Mistake(
        "returns-the-weights",
        "You return the weights, one per token; the output is the tokens blended by them and has d"
        " numbers.",
        lambda X, i: softmax(X @ X[i]),
        hint="Multiply the rows of X by the weights and add them up.",
    ),
    Mistake(
        "sums-over-the-dimension",
        "You sum over the entries of each token, so you get one number per token.",
        lambda X, i: (softmax(X @ X[i])[:, None] * X).sum(axis=1),
        hint="Sum over the tokens: axis 0, or weights @ X.",
    ),
    Mistake(
        "blends-from-the-wrong-side",
        "You multiply X by the weights from the right, so the sum runs over the entries of a "
        "token, not over the tokens.",
        lambda X, i: X @ softmax(X @ X[i]),
        hint="Each row of X wants one weight, so the weights belong on the left.",
    ),
    Mistake(
        "compares-dimensions",
        "X.T @ X[i] compares the columns of X with a token, and the shapes (d, n) and (d,) do not "
        "meet.",
        lambda X, i: softmax(X.T @ X[i]) @ X,
        hint="A score compares two tokens: each row of X meets X[i].",
    ),
    Mistake(
        "forgets-the-softmax",
        "You blend with the scores themselves, which do not sum to 1 and may be negative.",
        lambda X, i: (X @ X[i]) @ X,
        hint="Pass them through the softmax first.",
    ),
    Mistake(
        "divides-by-the-sum-of-scores",
        "You divide the scores by their sum, so a negative score gets a negative weight.",
        lambda X, i: (X @ X[i] / (X @ X[i]).sum()) @ X,
        hint="Weights are exponentials divided by their sum: use softmax.",
    ),
    Mistake(
        "leaves-itself-out",
        "You leave token i out of its own blend, but in self-attention a token is also its own key"
        " and value.",
        _others_only,
        variants=(_without_own_score, _without_own_row),
        hint="Score all n tokens, token i among them.",
    ),
    Mistake(
        "ignores-the-query",
        "You return the plain mean of the tokens, the same for every i.",
        lambda X, i: X.mean(axis=0),
        hint="The weights come from the dot products with token i: X @ X[i].",
    ),
    overflows(
        lambda X, i: naive_softmax(X @ X[i]) @ X, score="of 901", largest="the largest score"
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="What one token takes home",
    difficulty=1,
    minutes=8,
    hints=(
        "Token i is the query, and all the tokens are keys and values: this is chapter 1's soft "
        "lookup.",
        "X @ X[i] scores every token at once: n numbers, one for each row of X.",
        "The output is the sum over j of weights[j] * X[j]: a sum over the tokens, not over the "
        "entries of one.",
    ),
    mistakes=MISTAKES,
    section="sec-02-derived",
    passed=(
        "The token now takes the others into account. Compare your vector with row i of "
        "attn.self_attention(X)."
    ),
    task=Task(
        "attend_one",
        _attend,
        PROBES,
        steps={
            "scores": (lambda X, i: X @ X[i],),
            "weights": (lambda X, i: softmax(X @ X[i]),),
        },
    ),
)
