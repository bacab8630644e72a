"""Chapter 2, Self-attention: one token, all tokens, a rival, a test of order, a tag each."""

import numpy as np

from attn import self_attention, softmax
from attn.exercises.catalogue import Exercise, Mistake
from attn.exercises.examination import Task
from attn.exercises.probe import Probe, truth

_THREE = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
_FIVE = np.array(
    [[0.5, -1.0, 0.2], [1.5, 0.3, -0.4], [-0.7, 0.9, 1.1], [0.0, 0.6, -1.2], [0.8, 0.8, 0.1]]
)
_SQUARE = np.array([[0.5, -1.0, 0.2], [1.5, 0.3, -0.4], [-0.7, 0.9, 1.1]])
_WIDE = np.array([[0.5, -1.0, 0.2, 0.9], [1.5, 0.3, -0.4, -0.2]])
_LARGE = np.array([[30.0, 1.0], [29.0, 10.0], [-5.0, 40.0]])


def _naive(scores):
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


# --- 02-one-token -------------------------------------------------------------------------


def _one(X, i):
    return softmax(X @ X[i]) @ X


def _token(label, X, i, advice):
    return Probe(label, {"X": X, "i": i}, advice)


_ONE_PROBES = (
    _token(
        "the first of three tokens",
        _THREE,
        0,
        "Work it out by hand: the scores of (1, 0) are 1, 0 and 1.",
    ),
    _token(
        "the second of three tokens",
        _THREE,
        1,
        "Print the scores of (0, 2): 0, 4 and 2. Then the weights, and their sum.",
    ),
    _token(
        "the last of five tokens in three dimensions",
        _FIVE,
        4,
        "Follow the shapes: scores (5,), weights (5,), output (3,).",
    ),
    _token(
        "as many tokens as dimensions",
        _SQUARE,
        2,
        "Here n = d, so a transposed product also fits. Sum over the tokens, the first axis.",
    ),
    _token(
        "a single token", _WIDE[:1], 0, "A token alone gives itself all the weight: y equals x."
    ),
    _token(
        "tokens with large entries",
        _LARGE,
        0,
        "Use the stable softmax: subtract the largest score before np.exp.",
    ),
)


def _others_only(X, i):
    scores = X @ X[i]
    scores[i] = -np.inf
    return softmax(scores) @ X if len(X) > 1 else X[i] * 0


_ONE = Exercise(
    "02-one-token",
    "What one token takes home",
    2,
    difficulty=1,
    minutes=8,
    hints=(
        "Token i is the query, all tokens are keys and values: this is chapter 1's soft look-up.",
        "X @ X[i] scores every token at once: n numbers, one for each row of X.",
        "The output is the sum over j of weights[j] * X[j]: a sum over the tokens, not over the "
        "entries of one.",
    ),
    mistakes=(
        Mistake(
            "returns-the-scores",
            "You return the scores, one number for each token; the output is a blend of the "
            "tokens and has d numbers. Turn the scores into weights, then blend the rows of X.",
            lambda X, i: X @ X[i],
        ),
        Mistake(
            "returns-the-weights",
            "You return the weights, one for each token; the output is the tokens blended by "
            "them, d numbers. Multiply the rows of X by the weights and add them up.",
            lambda X, i: softmax(X @ X[i]),
        ),
        Mistake(
            "sums-over-the-dimension",
            "You sum over the entries of each token, so you get one number per token; sum over "
            "the sequence: each of the d entries is blended on its own. Use axis 0, or "
            "weights @ X.",
            lambda X, i: (softmax(X @ X[i])[:, None] * X).sum(axis=1),
        ),
        Mistake(
            "compares-dimensions",
            "X.T @ X[i] compares the columns of X with a token, and the shapes (d, n) and (d,) do "
            "not meet; a score compares two tokens, so each row of X meets X[i]. Write X @ X[i].",
            lambda X, i: softmax(X.T @ X[i]) @ X,
        ),
        Mistake(
            "forgets-the-softmax",
            "You blend with the scores themselves, which do not sum to 1 and may be negative. "
            "Pass them through the softmax first.",
            lambda X, i: (X @ X[i]) @ X,
        ),
        Mistake(
            "divides-by-the-sum-of-scores",
            "You divide the scores by their sum; a negative score then gets a negative weight. "
            "Weights are exponentials divided by their sum: use softmax.",
            lambda X, i: (X @ X[i] / (X @ X[i]).sum()) @ X,
        ),
        Mistake(
            "leaves-itself-out",
            "You leave token i out of its own blend; in self-attention a token is also its own "
            "key and value. Score all n tokens, token i among them.",
            _others_only,
        ),
        Mistake(
            "ignores-the-query",
            "You return the plain mean of the tokens, the same for every i; the weights must come "
            "from the dot products with token i. Compute X @ X[i].",
            lambda X, i: X.mean(axis=0),
        ),
        Mistake(
            "overflows",
            "You exponentiate the scores as they are, and np.exp of 901 is inf: inf / inf is nan. "
            "Subtract the largest score first, or use attn.softmax.",
            lambda X, i: _naive(X @ X[i]) @ X,
        ),
    ),
    section="sec-02-derived",
    task=Task("attend_one", _one, _ONE_PROBES),
)

# --- 02-matrix-form -----------------------------------------------------------------------


def _sequence(label, X, advice):
    return Probe(label, {"X": X}, advice)


_MATRIX_PROBES = (
    _sequence(
        "three tokens in the plane",
        _THREE,
        "The chapter works this one out: the first row of the result is (0.845, 0.733).",
    ),
    _sequence(
        "five tokens in three dimensions",
        _FIVE,
        "Follow the shapes: (5, 3) @ (3, 5) is (5, 5), and (5, 5) @ (5, 3) is (5, 3).",
    ),
    _sequence(
        "as many tokens as dimensions",
        _SQUARE,
        "Here n = d, so a product the wrong way round also fits. Scores compare rows of X.",
    ),
    _sequence("a single token", _WIDE[:1], "A token alone gives itself all the weight."),
    _sequence(
        "a batch of two sequences",
        np.stack([_FIVE, _FIVE[::-1] - 0.5]),
        "X.T reverses all the axes. Swap the last two only: X.swapaxes(-1, -2).",
    ),
    _sequence(
        "tokens with large entries",
        _LARGE,
        "Use the stable softmax: subtract each row's largest score before np.exp.",
    ),
)


def _scores(X):
    return X @ X.swapaxes(-1, -2)


def _without_the_diagonal(X):
    n = X.shape[-2]
    if n == 1:
        return X * 0
    return softmax(np.where(np.eye(n, dtype=bool), -np.inf, _scores(X))) @ X


_MATRIX = Exercise(
    "02-matrix-form",
    "From loops to two products",
    2,
    difficulty=2,
    minutes=10,
    hints=(
        "S[i, j] is the dot product of rows i and j of X. Find the product of X "
        "with itself that holds them all.",
        "softmax along the last axis makes each row sum to 1. Then one more product blends the "
        "rows of X.",
        "For leading axes transpose only the last two: X.swapaxes(-1, -2).",
    ),
    mistakes=(
        Mistake(
            "returns-the-weights",
            "You return the weights, a table of n by n; the output is the tokens blended by them. "
            "Multiply the weights with X.",
            lambda X: softmax(_scores(X)),
        ),
        Mistake(
            "forgets-the-softmax",
            "You blend with the scores themselves, whose rows do not sum to 1. Put the softmax "
            "between the two products.",
            lambda X: _scores(X) @ X,
        ),
        Mistake(
            "normalises-the-columns",
            "Your columns sum to 1, not your rows (a softmax along axis -2, or the weights "
            "transposed: the scores are symmetric, so it is the same slip). Each query shares out "
            "its own 1: softmax along axis -1, then A @ X.",
            lambda X: softmax(_scores(X), axis=-2) @ X,
        ),
        Mistake(
            "one-softmax-for-the-whole-table",
            "You share one 1 among all n × n cells; every query, so every row, has its own 1 to "
            "share. Take the sum along axis -1.",
            lambda X: softmax(_scores(X).reshape(*X.shape[:-2], -1)).reshape(_scores(X).shape) @ X,
        ),
        Mistake(
            "compares-dimensions",
            "You compare the columns of X: XᵀX is (d, d), one score for each pair of dimensions. "
            "Attention compares tokens: X Xᵀ, of shape (n, n).",
            lambda X: X @ softmax(X.swapaxes(-1, -2) @ X),
        ),
        Mistake(
            "scales-the-scores",
            "You divide the scores by the root of d. That is chapter 4's attention; here the raw "
            "dot products are asked for. Leave the division out.",
            lambda X: softmax(_scores(X) / np.sqrt(X.shape[-1])) @ X,
        ),
        Mistake(
            "leaves-the-diagonal-out",
            "You keep each token from looking at itself; in self-attention it may. Leave the "
            "diagonal of the scores as it is.",
            _without_the_diagonal,
        ),
        Mistake(
            "adds-the-input",
            "You add X to the result. Real models do so, from chapter 10 on; here the blend alone "
            "is asked for. Return the product with the weights.",
            lambda X: X + self_attention(X),
        ),
        Mistake(
            "works-for-one-sequence-only",
            "X.T reverses all the axes, which fits one sequence (n, d) but not a batch (b, n, d). "
            "Swap only the last two: X.swapaxes(-1, -2).",
            lambda X: softmax(X @ X.T) @ X,
        ),
        Mistake(
            "overflows",
            "You exponentiate the scores as they are, and np.exp of 901 is inf: inf / inf is nan. "
            "Subtract each row's maximum first, or use attn.softmax.",
            lambda X: _naive(_scores(X)) @ X,
        ),
    ),
    section="sec-02-matrix",
    task=Task("self_attention", self_attention, _MATRIX_PROBES),
)

# --- 02-rival -----------------------------------------------------------------------------


def _rival(x, direction):
    along = x @ direction
    return (x @ x) * np.linalg.norm(direction) / along if along > 0 else np.inf


def _pair(label, x, direction, advice):
    return Probe(label, {"x": np.array(x), "direction": np.array(direction)}, advice)


_RIVAL_PROBES = (
    _pair(
        "a unit direction at 45 degrees",
        [1.0, 0.0],
        [np.sqrt(0.5), np.sqrt(0.5)],
        "Of the length t, only t cos 45° counts for the score. When is that 1?",
    ),
    _pair(
        "a longer token, a unit direction",
        [3.0, 0.0],
        [0.8, 0.6],
        "x scores x·x = 9 with itself, and t * 0.8 * 3 with the other token.",
    ),
    _pair(
        "the token's own direction",
        [2.0, 1.0],
        [4.0, 2.0],
        "A token that points the same way ties when it is as long as x.",
    ),
    _pair(
        "a direction that is not a unit vector",
        [2.0, -1.0, 0.5],
        [1.0, 1.0, 2.0],
        "Divide the direction by its length first: the answer must not depend on that length.",
    ),
    _pair(
        "a direction at a right angle",
        [1.0, 0.0],
        [0.0, 2.0],
        "The score stays 0 however long the token is: no length is enough, so np.inf.",
    ),
    _pair(
        "a direction that points away",
        [1.0, 2.0],
        [-1.0, -0.5],
        "A longer token scores lower and lower here: no length is enough, so np.inf.",
    ),
)

_RIVAL = Exercise(
    "02-rival",
    "A token that outshines you",
    2,
    difficulty=2,
    minutes=10,
    hints=(
        "Equal weights mean equal scores: compare x·x with the dot product of x and the rival.",
        "A rival of length t along the unit vector u scores t (x·u). Solve t (x·u) = x·x.",
        "If x·u is 0 or negative, no length is enough: return np.inf.",
    ),
    mistakes=(
        Mistake(
            "returns-the-own-length",
            "You return the length of x. That ties only if the rival points the same way; at an "
            "angle, only part of its length counts, so it must be longer. Solve t (x·u) = x·x.",
            lambda x, direction: np.linalg.norm(x),
        ),
        Mistake(
            "multiplies-by-the-cosine",
            "You return the part of x along the direction. A rival that short scores less than x "
            "itself; divide the length of x by the cosine instead.",
            lambda x, direction: x @ direction / np.linalg.norm(direction),
        ),
        Mistake(
            "forgets-how-long-x-is",
            "You return 1 / cosine, which is right only for a token of length 1: x scores x·x "
            "with itself, the square of its length. Multiply by the length of x.",
            lambda x, direction: (
                np.linalg.norm(x) * np.linalg.norm(direction) / (x @ direction)
                if x @ direction > 0
                else np.inf
            ),
        ),
        Mistake(
            "returns-a-factor",
            "You return how many times the direction must be taken; its own length counts too. "
            "Make it a unit vector first, or multiply by its length.",
            lambda x, direction: x @ x / (x @ direction) if x @ direction > 0 else np.inf,
        ),
        Mistake(
            "returns-a-negative-length",
            "You return a negative length for a direction that points away from x. No length is "
            "enough there: return np.inf when the dot product is not positive.",
            lambda x, direction: (
                (x @ x) * np.linalg.norm(direction) / (x @ direction)
                if x @ direction != 0
                else np.inf
            ),
        ),
        Mistake(
            "ignores-the-sign",
            "You take the size of the dot product and lose its sign: a rival that points away "
            "scores below 0 and never wins. Return np.inf there.",
            lambda x, direction: (
                (x @ x) * np.linalg.norm(direction) / abs(x @ direction)
                if x @ direction != 0
                else np.inf
            ),
        ),
        Mistake(
            "says-zero-where-none-wins",
            "You return 0 where no length is enough; 0 would mean that every rival wins. Return "
            "np.inf, a length that no token has.",
            lambda x, direction: (
                (x @ x) * np.linalg.norm(direction) / (x @ direction) if x @ direction > 0 else 0.0
            ),
        ),
    ),
    section="sec-02-diagonal",
    task=Task("rival_length", _rival, _RIVAL_PROBES),
)

# --- 02-equivariance ----------------------------------------------------------------------

_ORDER = np.array([2, 0, 3, 1])
_TOKENS = np.array([[0.5, -1.0, 0.2], [1.5, 0.3, -0.4], [-0.7, 0.9, 1.1], [0.0, 0.6, -1.2]])
_FOUR = np.array([[1.0, 4.0, 2.0, 8.0], [3.0, -1.0, 0.5, 0.0], [2.0, 2.5, -4.0, 1.0], [0, 7, 1, 5]])


def _same_up_to_order(Y, Y_shuffled, order):
    return bool(np.allclose(Y_shuffled, Y[order], rtol=0, atol=1e-9))


def _layer(label, layer, advice):
    return _outputs(label, layer(_TOKENS), layer(_TOKENS[_ORDER]), advice)


def _outputs(label, Y, Y_shuffled, advice, order=_ORDER):
    return Probe(label, {"Y": Y, "Y_shuffled": Y_shuffled, "order": order}, advice)


def _running_mean(X):
    return np.cumsum(X, axis=0) / np.arange(1, len(X) + 1)[:, None]


def _with_positions(X):
    return self_attention(X + 0.3 * np.arange(len(X))[:, None])


# What a layer that minds no order gives is written as Y[order]: equal bits, on every machine.
_ATTENDED = self_attention(_TOKENS)
_ONE_OFF = _ATTENDED[_ORDER] - 0.01 * (np.arange(12).reshape(4, 3) == 10)

_ORDER_PROBES = (
    _outputs(
        "self-attention",
        _ATTENDED,
        _ATTENDED[_ORDER],
        "Token order[i] of the first run is token i of the second: compare with Y[order].",
    ),
    _layer(
        "a running mean, which minds the order",
        _running_mean,
        "Compare all rows: here some tokens get other outputs after the shuffle.",
    ),
    _layer(
        "self-attention with each token's position added",
        _with_positions,
        "Compare all rows and all entries, within 1e-9.",
    ),
    _outputs(
        "a layer that gives every token the mean",
        np.repeat(_TOKENS.mean(axis=0, keepdims=True), 4, axis=0),
        np.repeat(_TOKENS.mean(axis=0, keepdims=True), 4, axis=0),
        "Every token keeps its output here, so the test must let this layer pass.",
    ),
    _layer(
        "a layer that sorts its tokens first",
        lambda X: X[np.argsort(X[:, 0])],
        "Its result never changes, but row i belongs to another token after the shuffle.",
    ),
    _outputs(
        "outputs put back by the wrong order",
        _ATTENDED,
        _ATTENDED[np.argsort(_ORDER)],
        "order and its inverse differ. Which of the two takes token 2 to the front?",
    ),
    _outputs(
        "outputs with shuffled columns",
        _FOUR,
        _FOUR[:, _ORDER],
        "The tokens are the rows. Index the first axis.",
    ),
    _outputs(
        "outputs with one wrong entry",
        _ATTENDED,
        _ONE_OFF,
        "One entry off by 0.01 is enough to fail: every entry must agree.",
    ),
    _outputs(
        "outputs with the sign turned",
        _ATTENDED,
        -_ATTENDED[_ORDER],
        "Compare the entries themselves, not their sizes.",
    ),
    _outputs(
        "self-attention with rounding",
        _ATTENDED,
        _ATTENDED[_ORDER] * (1 + 4e-16),
        "A sum in another order may differ in the last digit: allow 1e-9, as np.allclose does.",
    ),
    _outputs(
        "self-attention on two tokens that change places",
        self_attention(_WIDE),
        self_attention(_WIDE)[::-1],
        "Two tokens that change places are a shuffle too.",
        order=np.array([1, 0]),
    ),
)

_EQUIVARIANCE = Exercise(
    "02-equivariance",
    "Does the layer mind the order?",
    2,
    difficulty=2,
    minutes=10,
    hints=(
        "Say it in words first: the token that now stands at place i stood at place order[i].",
        "So row i of the second output must equal row order[i] of the first. Y[order] lines "
        "those rows up.",
        "np.allclose compares two arrays with room for rounding; bool makes it one True or False.",
    ),
    mistakes=(
        Mistake(
            "accepts-everything",
            "Your test accepts every layer, and a test that cannot fail proves nothing. Compare "
            "Y_shuffled with Y[order], entry by entry.",
            lambda Y, Y_shuffled, order: True,
        ),
        Mistake(
            "rejects-everything",
            "Your test rejects every layer, self-attention too. Print Y[order] and Y_shuffled for "
            "it: they agree.",
            lambda Y, Y_shuffled, order: False,
        ),
        Mistake(
            "tests-for-invariance",
            "You ask whether the output stays as it was: that is invariance. Equivariance asks "
            "whether it is shuffled along with the input. Compare with Y[order].",
            lambda Y, Y_shuffled, order: bool(np.allclose(Y_shuffled, Y)),
        ),
        Mistake(
            "uses-the-inverse",
            "You undo the shuffle on the wrong side: Y_shuffled[order] goes twice the same way. "
            "Row i of Y_shuffled belongs to row order[i] of Y: compare with Y[order].",
            lambda Y, Y_shuffled, order: bool(np.allclose(Y_shuffled[order], Y)),
        ),
        Mistake(
            "shuffles-the-columns",
            "You shuffle the columns, which are the entries of each token; the tokens are the "
            "rows. Index the first axis: Y[order].",
            lambda Y, Y_shuffled, order: bool(np.allclose(Y_shuffled, Y[:, order])),
        ),
        Mistake(
            "compares-the-means",
            "You compare averages over the tokens, and they hide which token got what. Compare "
            "every row of Y_shuffled with its row of Y[order].",
            lambda Y, Y_shuffled, order: bool(np.allclose(Y_shuffled.mean(0), Y.mean(0))),
        ),
        Mistake(
            "one-entry-is-enough",
            "You accept if any entry agrees; all of them must. Use np.allclose, or np.all.",
            lambda Y, Y_shuffled, order: bool(np.isclose(Y_shuffled, Y[order]).any()),
        ),
        Mistake(
            "no-room-for-rounding",
            "Your test asks for equal bits. The sums run in another order after the shuffle, and "
            "the last digit may differ. Allow 1e-9: use np.allclose.",
            lambda Y, Y_shuffled, order: bool(np.array_equal(Y_shuffled, Y[order])),
        ),
    ),
    section="sec-02-set",
    task=Task("same_up_to_order", _same_up_to_order, _ORDER_PROBES, read=truth),
)

# --- 02-tag -------------------------------------------------------------------------------


def _tagged(label, X, w, b, advice):
    return Probe(label, {"X": X, "w": np.array(w), "b": b}, advice)


_TAG_PROBES = (
    _tagged(
        "three tokens, no shift",
        _THREE,
        [0.0, 1.0],
        0.0,
        "With w = (0, 1) the tags are the second column of the outputs: 0.733, 1.851, 1.267.",
    ),
    _tagged(
        "five tokens in three dimensions",
        _FIVE,
        [1.0, -2.0, 0.5],
        0.7,
        "Follow the shapes: outputs (5, 3), then @ w gives (5,), one number a token.",
    ),
    _tagged(
        "as many tokens as dimensions",
        _SQUARE,
        [1.0, -2.0, 0.5],
        -0.3,
        "Here n = d. w goes with the entries of a token, the last axis.",
    ),
    _tagged("a single token", _WIDE[:1], [1.0, 0.0, -1.0, 2.0], 0.1, "One token, one tag: (1,)."),
)


def _tags(X, w, b):
    return self_attention(X) @ w + b


_TAG = Exercise(
    "02-tag",
    "One number for each word",
    2,
    difficulty=1,
    minutes=6,
    hints=(
        "First let the tokens attend: self_attention(X) has shape (n, d).",
        "A tag is the dot product of an output with w, plus b. One product gives all n of them.",
    ),
    mistakes=(
        Mistake(
            "tags-without-context",
            "You tag the inputs, so a word gets the same tag in every sentence. Let the tokens "
            "attend first: use self_attention(X).",
            lambda X, w, b: X @ w + b,
        ),
        Mistake(
            "one-tag-for-the-sentence",
            "You average over the tokens and return one number; each token has its own tag, n in "
            "all. Leave the average out.",
            lambda X, w, b: self_attention(X).mean(axis=0) @ w + b,
        ),
        Mistake(
            "forgets-the-shift",
            "You leave b out: without it a token with output 0 always gets the tag 0. Add b to "
            "every tag.",
            lambda X, w, b: self_attention(X) @ w,
        ),
        Mistake(
            "shares-the-tags-out",
            "You pass the tags through a softmax, so they sum to 1; a tag is a number of its own, "
            "of any size. Return the numbers as they are.",
            lambda X, w, b: softmax(self_attention(X) @ w + b),
        ),
        Mistake(
            "shifts-the-tokens",
            "You add b to the tokens before they attend, which changes who looks at whom. Add it "
            "to the tags, at the end.",
            lambda X, w, b: self_attention(X + b) @ w,
        ),
        Mistake(
            "attends-twice",
            "You let the tokens attend twice. Real models stack layers; here one is asked for. "
            "Call self_attention once.",
            lambda X, w, b: self_attention(self_attention(X)) @ w + b,
        ),
        Mistake(
            "weighs-the-tokens",
            "You sum over the tokens, with one entry of w for each; w has d entries, one for each "
            "dimension. Put it on the right: outputs @ w.",
            lambda X, w, b: w @ self_attention(X) + b,
        ),
        Mistake(
            "returns-a-table",
            "You return a table of shape (n, d); one number per token was asked for. Sum over the "
            "entries of each token: @ does it, * does not.",
            lambda X, w, b: self_attention(X) * w + b,
        ),
    ),
    section="sec-02-task",
    task=Task("tags", _tags, _TAG_PROBES),
)

EXERCISES = (_ONE, _MATRIX, _RIVAL, _EQUIVARIANCE, _TAG)
