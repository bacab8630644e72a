"""Self-attention as two matrix products."""

import numpy as np

from attn import self_attention, softmax
from attn.exercises.ch02.sequences import FIVE, LARGE, SQUARE, THREE, WIDE
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import naive_softmax, one_maximum_for_the_whole_table, overflows

PROBES = (
    Probe.of("three tokens in the plane", X=THREE).advise(
        "Work out the first row by hand: it is (0.845, 0.733)."
    ),
    Probe.of("five tokens in three dimensions", X=FIVE).advise(
        "Follow the shapes: (5, 3) @ (3, 5) is (5, 5), and (5, 5) @ (5, 3) is (5, 3)."
    ),
    Probe.of("as many tokens as dimensions", X=SQUARE).advise(
        "Here n = d, so a product the wrong way round also fits. Scores compare rows of X."
    ),
    Probe.of("a single token", X=WIDE[:1]).advise("A token alone gives itself all the weight."),
    Probe.of("a batch of two sequences", X=np.stack([FIVE, FIVE[::-1] - 0.5])).advise(
        "The last two axes are n and d. Leave the others alone, in every step."
    ),
    Probe.of("two batches of one sequence each", X=np.stack([FIVE[None], 0.5 - FIVE[None]])).advise(
        "The last two axes are n and d. Leave the others alone, however many there are."
    ),
    Probe.of("tokens with large entries", X=LARGE).advise(
        "Use the stable softmax: subtract each row's largest score before np.exp."
    ),
)


def _scores(X):
    return X @ X.swapaxes(-1, -2)


def _without_the_diagonal(X):
    return X * 0 if X.shape[-2] == 1 else _masked_diagonal(X)


def _masked_diagonal(X):
    return softmax(np.where(np.eye(X.shape[-2], dtype=bool), -np.inf, _scores(X))) @ X


MISTAKES = (
    Mistake(
        "returns-the-weights",
        "You return the weights, an n by n table, not the tokens blended by them.",
        lambda X: softmax(_scores(X)),
        hint="Multiply the weights with X.",
    ),
    Mistake(
        "forgets-the-softmax",
        "You blend with the scores themselves, whose rows do not sum to 1.",
        lambda X: _scores(X) @ X,
        hint="Put the softmax between the two products.",
    ),
    Mistake(
        "normalises-the-columns",
        "Your columns sum to 1, not your rows: you ran the softmax along axis -2, or transposed "
        "the weights, which is the same slip because the scores are symmetric.",
        lambda X: softmax(_scores(X), axis=-2) @ X,
        hint="Each query shares out its own 1: run the softmax along axis -1, then A @ X.",
    ),
    Mistake(
        "one-softmax-for-the-whole-table",
        "You share a single 1 among all n × n cells, but every query, that is, every row, has its "
        "own to share.",
        lambda X: softmax(_scores(X).reshape(*X.shape[:-2], -1)).reshape(_scores(X).shape) @ X,
        hint="Take the sum along axis -1.",
    ),
    Mistake(
        "compares-dimensions",
        "You compare the columns of X: XᵀX is (d, d), one score for each pair of dimensions.",
        lambda X: X @ softmax(X.swapaxes(-1, -2) @ X),
        hint="Attention compares tokens: X Xᵀ, of shape (n, n).",
    ),
    Mistake(
        "scales-the-scores",
        "You divide the scores by the square root of d. That belongs to the next chapter's "
        "attention; here the raw dot products are asked for.",
        lambda X: softmax(_scores(X) / np.sqrt(X.shape[-1])) @ X,
        hint="Leave the division out.",
    ),
    Mistake(
        "leaves-the-diagonal-out",
        "You keep each token from looking at itself, which self-attention allows.",
        _without_the_diagonal,
        variants=(_masked_diagonal,),
        hint="Leave the diagonal of the scores as it is.",
    ),
    Mistake(
        "adds-the-input",
        "You add X to the result. Real models do that too, but here the blend alone is asked for.",
        lambda X: X + self_attention(X),
        hint="Return the product with the weights and nothing else.",
    ),
    Mistake(
        "works-for-one-sequence-only",
        "X.T reverses all the axes. That fits one sequence, (n, d), but not a batch, (b, n, d).",
        lambda X: softmax(X @ X.T) @ X,
        hint="Swap only the last two: X.swapaxes(-1, -2).",
    ),
    Mistake(
        "softmax-along-axis-1",
        "You take the softmax along axis 1. That is the last axis of one table of scores, but not "
        "of a batch of them.",
        lambda X: softmax(_scores(X), axis=1) @ X,
        hint="Count from the end: axis -1.",
    ),
    one_maximum_for_the_whole_table(lambda X: naive_softmax(_scores(X) - _scores(X).max()) @ X),
    overflows(lambda X: naive_softmax(_scores(X)) @ X, score="of 901"),
)

EXERCISE = Exercise.of(
    __name__,
    title="From loops to two products",
    difficulty=2,
    minutes=10,
    hints=(
        "S[i, j] is the dot product of rows i and j of X. Find the product of X with itself that "
        "holds them all.",
        "A softmax along the last axis makes each row sum to 1. One more product then blends the "
        "rows of X.",
        "With leading axes, transpose only the last two: X.swapaxes(-1, -2).",
    ),
    mistakes=MISTAKES,
    section="sec-02-matrix",
    passed=(
        "Two products and a softmax do what the loops did, for a whole batch at once. Compare it "
        "with attn.self_attention, and read its source: it is no longer than yours."
    ),
    task=Task("self_attention", self_attention, PROBES),
)
