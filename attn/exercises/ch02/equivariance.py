"""A test of whether a layer knows the order of its tokens."""

import numpy as np

from attn import self_attention
from attn.exercises.ch02.sequences import WIDE
from attn.exercises.checking import Exercise, Mistake, Probe, Task, truth

_ORDER = np.array([2, 0, 3, 1])
_TOKENS = np.array([[0.5, -1.0, 0.2], [1.5, 0.3, -0.4], [-0.7, 0.9, 1.1], [0.0, 0.6, -1.2]])
_FOUR = np.array([[1.0, 4.0, 2.0, 8.0], [3.0, -1.0, 0.5, 0.0], [2.0, 2.5, -4.0, 1.0], [0, 7, 1, 5]])


def _close(one, two, room=1e-9):
    return bool(np.allclose(one, two, rtol=0, atol=room))


def _same_up_to_order(Y, Y_shuffled, order):
    return _close(Y_shuffled, Y[order])


def _same_rows(Y, Y_shuffled, room):
    one, two = (rows[np.lexsort(rows.round(6).T)] for rows in (Y, Y_shuffled))
    return _close(one, two, room)


def _row_set(rows):
    return {tuple(row) for row in rows.round(9)}


def _layer_probe(label, *, layer):
    Y, Y_shuffled = layer(_TOKENS), layer(_TOKENS[_ORDER])
    return _probe(label, Y=Y, Y_shuffled=Y_shuffled)


def _probe(label, *, Y, Y_shuffled, order=_ORDER):
    return Probe.of(label, Y=Y, Y_shuffled=Y_shuffled, order=order)


def _running_mean(X):
    return np.cumsum(X, axis=0) / np.arange(1, len(X) + 1)[:, None]


def _with_positions(X):
    return self_attention(X + 0.3 * np.arange(len(X))[:, None])


# What a layer that minds no order gives is written as Y[order]: equal bits, on every machine.
_ATTENDED = self_attention(_TOKENS)
_ONE_ENTRY = np.arange(12).reshape(4, 3) == 10
_UP_AND_DOWN = 1 - 2 * (np.arange(12).reshape(4, 3) % 2)
_IN_THE_LAST_COLUMN = np.arange(12).reshape(4, 3) == 8
# Two tokens trade a piece of their outputs: the average over the tokens stays as it was.
_TRADE = np.array([[0.5, 0.0, 0.0], [0.0] * 3, [-0.5, 0.0, 0.0], [0.0] * 3])
# A token's entries trade a piece: the sum of its row stays as it was.
_WITHIN_A_ROW = np.array([[0.0] * 3, [0.4, -0.4, 0.0], [0.0] * 3, [0.0] * 3])
# Two tokens exchange one entry: each column holds the same numbers as before.
_EXCHANGED = _ATTENDED[_ORDER]
_EXCHANGED[[0, 2], 1] = _EXCHANGED[[2, 0], 1]

PROBES = (
    _probe("self-attention", Y=_ATTENDED, Y_shuffled=_ATTENDED[_ORDER]).advise(
        "Token order[i] of the first run is token i of the second: compare with Y[order]."
    ),
    _layer_probe("a running mean, which minds the order", layer=_running_mean).advise(
        "Compare all rows: here some tokens get different outputs after the shuffle."
    ),
    _layer_probe("self-attention with each token's position added", layer=_with_positions).advise(
        "Compare all rows and all entries, within 1e-9."
    ),
    _probe(
        "a layer that gives every token the mean",
        Y=np.repeat(_TOKENS.mean(axis=0, keepdims=True), 4, axis=0),
        Y_shuffled=np.repeat(_TOKENS.mean(axis=0, keepdims=True), 4, axis=0),
    ).advise("Every token keeps its output here, so the test must let this layer pass."),
    _layer_probe(
        "a layer that sorts its tokens first", layer=lambda X: X[np.argsort(X[:, 0])]
    ).advise("Its result never changes, but row i belongs to another token after the shuffle."),
    _probe(
        "outputs rearranged by the inverse order",
        Y=_ATTENDED,
        Y_shuffled=_ATTENDED[np.argsort(_ORDER)],
    ).advise("order and its inverse differ. Which of the two takes token 2 to the front?"),
    _probe("outputs with shuffled columns", Y=_FOUR, Y_shuffled=_FOUR[:, _ORDER]).advise(
        "The tokens are the rows. Index the first axis."
    ),
    _probe(
        "outputs with one wrong entry",
        Y=_ATTENDED,
        Y_shuffled=_ATTENDED[_ORDER] - 0.01 * _ONE_ENTRY,
    ).advise("One entry off by 0.01 is enough to fail: every entry must agree."),
    _probe(
        "outputs that traded a piece", Y=_ATTENDED, Y_shuffled=_ATTENDED[_ORDER] + _TRADE
    ).advise("Averages stay the same when two tokens trade a piece: compare row with row."),
    _probe(
        "a token whose entries traded a piece",
        Y=_ATTENDED,
        Y_shuffled=_ATTENDED[_ORDER] + _WITHIN_A_ROW,
    ).advise("The sum of a row hides what its entries are: compare entry with entry."),
    _probe("two tokens that exchanged one entry", Y=_ATTENDED, Y_shuffled=_EXCHANGED).advise(
        "Each column still holds the same numbers, but not at the same tokens."
    ),
    _probe(
        "outputs wrong in the last column only",
        Y=_ATTENDED,
        Y_shuffled=_ATTENDED[_ORDER] + 0.2 * _IN_THE_LAST_COLUMN,
    ).advise("Compare every column, the last one too."),
    _probe(
        "outputs with one entry off by a millionth",
        Y=_ATTENDED,
        Y_shuffled=_ATTENDED[_ORDER] + 1e-6 * _ONE_ENTRY,
    ).advise("1e-6 is more than 1e-9. np.allclose allows 1e-5 of an entry unless you pass rtol=0."),
    _probe(
        "outputs with one entry off by 3e-9",
        Y=_ATTENDED,
        Y_shuffled=_ATTENDED[_ORDER] + 3e-9 * _ONE_ENTRY,
    ).advise("3e-9 is more than 1e-9. np.allclose adds atol=1e-8 unless you pass atol=1e-9."),
    _probe(
        "outputs with one entry off by 3e-10",
        Y=_ATTENDED,
        Y_shuffled=_ATTENDED[_ORDER] + 3e-10 * _ONE_ENTRY,
    ).advise("3e-10 is less than 1e-9, so this layer passes."),
    _probe(
        "outputs with every entry off by 4e-10",
        Y=_ATTENDED,
        Y_shuffled=_ATTENDED[_ORDER] + 4e-10 * _UP_AND_DOWN,
    ).advise(
        "No entry is off by more than 1e-9, so this layer passes. Judge each gap by itself, not"
        " their sum, and round nothing first."
    ),
    _probe("outputs with their signs flipped", Y=_ATTENDED, Y_shuffled=-_ATTENDED[_ORDER]).advise(
        "Compare the entries themselves, not their absolute values."
    ),
    _probe(
        "self-attention with rounding", Y=_ATTENDED, Y_shuffled=_ATTENDED[_ORDER] * (1 + 4e-16)
    ).advise("A sum in another order may differ in the last digit: allow 1e-9."),
    _probe(
        "self-attention on two tokens that change places",
        Y=self_attention(WIDE),
        Y_shuffled=self_attention(WIDE)[::-1],
        order=np.array([1, 0]),
    ).advise("Two tokens that change places are a shuffle too."),
)

MISTAKES = (
    Mistake(
        "accepts-everything",
        "Your test accepts every layer, and a test that cannot fail proves nothing.",
        lambda Y, Y_shuffled, order: True,
        hint="Compare Y_shuffled with Y[order], entry by entry.",
    ),
    Mistake(
        "rejects-everything",
        "Your test rejects every layer, even self-attention.",
        lambda Y, Y_shuffled, order: False,
        hint="Print Y[order] and Y_shuffled for self-attention: they agree.",
    ),
    Mistake(
        "tests-for-invariance",
        "You ask whether the output stays as it was. That is invariance; equivariance asks whether"
        " it is shuffled along with the input.",
        lambda Y, Y_shuffled, order: bool(np.allclose(Y_shuffled, Y)),
        hint="Compare with Y[order].",
    ),
    Mistake(
        "uses-the-inverse",
        "You line the rows up by the inverse of order, as Y_shuffled[order] against Y does, or "
        "Y[np.argsort(order)].",
        lambda Y, Y_shuffled, order: bool(np.allclose(Y_shuffled[order], Y)),
        hint="Row i of Y_shuffled belongs to row order[i] of Y.",
    ),
    Mistake(
        "shuffles-the-columns",
        "You shuffle the columns, the entries of each token; the tokens are the rows.",
        lambda Y, Y_shuffled, order: bool(np.allclose(Y_shuffled, Y[:, order])),
        hint="Index the first axis: Y[order].",
    ),
    Mistake(
        "compares-the-means",
        "You compare averages over the tokens, and they hide which token got what.",
        lambda Y, Y_shuffled, order: bool(np.allclose(Y_shuffled.mean(0), Y.mean(0))),
        variants=(lambda Y, Y_shuffled, order: _close(Y_shuffled.mean(0), Y.mean(0)),),
        hint="Compare every row of Y_shuffled with its row of Y[order].",
    ),
    Mistake(
        "compares-the-row-sums",
        "You compare one number per token, the sum or the mean of its entries, which hides the "
        "entries themselves.",
        lambda Y, Y_shuffled, order: _close(Y_shuffled.sum(1), Y[order].sum(1)),
        variants=(
            lambda Y, Y_shuffled, order: bool(np.allclose(Y_shuffled.sum(1), Y[order].sum(1))),
            lambda Y, Y_shuffled, order: _close(Y_shuffled.mean(1), Y[order].mean(1)),
        ),
        hint="Compare every entry of Y_shuffled with its entry of Y[order].",
    ),
    Mistake(
        "sorts-each-column",
        "You sort each column on its own, and that takes the tokens apart: which entries belong "
        "together is lost.",
        lambda Y, Y_shuffled, order: _close(np.sort(Y_shuffled, axis=0), np.sort(Y, axis=0)),
        variants=(
            lambda Y, Y_shuffled, order: bool(
                np.allclose(np.sort(Y_shuffled, axis=0), np.sort(Y, axis=0))
            ),
        ),
        hint="Compare Y_shuffled with Y[order].",
    ),
    Mistake(
        "compares-the-rows-as-a-set",
        "You ask whether the same rows come out in any order, so it no longer matters which token "
        "got which.",
        lambda Y, Y_shuffled, order: _same_rows(Y, Y_shuffled, 1e-9),
        variants=(
            lambda Y, Y_shuffled, order: _same_rows(Y, Y_shuffled, 1e-5),
            lambda Y, Y_shuffled, order: _row_set(Y) == _row_set(Y_shuffled),
        ),
        hint="Compare row i of Y_shuffled with row order[i] of Y.",
    ),
    Mistake(
        "too-much-room",
        "You let an entry differ by more than 1e-9. If you use np.allclose: by default it allows "
        "1e-8 plus 1e-5 of each entry.",
        lambda Y, Y_shuffled, order: bool(np.allclose(Y_shuffled, Y[order])),
        variants=(lambda Y, Y_shuffled, order: _close(Y_shuffled, Y[order], 1e-8),),
        hint="Hold every gap against 1e-9, one by one; np.allclose does so with rtol=0, atol=1e-9.",
    ),
    Mistake(
        "one-entry-is-enough",
        "You accept the layer if any one entry agrees, but all of them must.",
        lambda Y, Y_shuffled, order: bool(np.isclose(Y_shuffled, Y[order]).any()),
        hint="np.all asks about every entry.",
    ),
    Mistake(
        "no-room-for-rounding",
        "Your test leaves less room than 1e-9, or none. After the shuffle the sums run in another "
        "order, so the last digits may differ.",
        lambda Y, Y_shuffled, order: bool(np.array_equal(Y_shuffled, Y[order])),
        variants=(lambda Y, Y_shuffled, order: _close(Y_shuffled, Y[order], 1e-12),),
        hint="Allow 1e-9, as the task says.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Does the layer mind the order?",
    difficulty=2,
    minutes=10,
    hints=(
        "Say it in words first: the token now at place i stood at place order[i].",
        "So row i of the second output must equal row order[i] of the first. Y[order] lines those "
        "rows up.",
        "np.abs(difference) <= 1e-9 compares every entry; np.all makes it one True or False.",
    ),
    mistakes=MISTAKES,
    section="sec-02-set",
    passed=(
        "You can now test any layer for permutation equivariance. Try yours on attn.self_attention,"
        " then on a layer of your own."
    ),
    task=Task("same_up_to_order", _same_up_to_order, PROBES, read=truth, coarse=True),
)
