"""Matrices that make each type attend to a wanted one."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Outcome, Probe, Task, numbers

_ROUNDING = 1e-9  # a weight of exactly 0.9 may come out as 0.8999999999999999
_MOST_ENTRIES = 1_000_000  # sixteen types, and as many dimensions as anyone may like
_NO_PAIR = Outcome("unreadable", problem="something else than the two matrices W_q, W_k")


def attended_types(result):
    """Read (W_q, W_k) as two rows: at which type each type looks most, and with 0.9 or more.

    -1 stands where two types get the same, and where none gets 0.9.
    """
    if type(result) not in (tuple, list, np.ndarray):
        read = numbers(result)
        return read if read.kind != "returned" else _NO_PAIR
    if len(result) != 2:
        return _NO_PAIR
    parts = [numbers(part) for part in result]
    if any(part.kind != "returned" for part in parts):
        return next(part for part in parts if part.kind != "returned")
    W_q, W_k = (part.value.astype(np.float64) for part in parts)
    if W_q.ndim != 2 or W_q.shape != W_k.shape or not W_q.size:
        words = f"matrices of shapes {W_q.shape} and {W_k.shape}: both must be (types, d_k)"
        return Outcome("unreadable", problem=words)
    if W_q.size > _MOST_ENTRIES:
        words = f"matrices of shape {W_q.shape}: one row for each type is enough"
        return Outcome("unreadable", problem=words)
    if not (np.isfinite(W_q).all() and np.isfinite(W_k).all()):
        return Outcome("unreadable", problem="matrices with nan or inf: use finite numbers")
    A = softmax(W_q @ W_k.T / np.sqrt(W_q.shape[1]))
    best, most = A.argmax(axis=-1), A.max(axis=-1, keepdims=True)
    alone = np.isclose(A, most, rtol=1e-9, atol=0).sum(axis=-1) == 1
    rows = np.where(alone, best, -1), np.where(most[:, 0] >= 0.9 - _ROUNDING, best, -1)
    return Outcome("returned", value=np.stack(rows))


def _probe(label, *, wants):
    return Probe.of(label, wants=np.array(wants))


def _one_hot(wants):
    return np.eye(len(wants))[wants]


def _scaled_one_hot(factor):
    return lambda wants: (factor * _one_hot(wants), np.eye(len(wants)))


def _keys_placed_by_want(wants):
    W_k = np.zeros((len(wants), len(wants)))
    W_k[wants] = np.eye(len(wants))
    return 20 * np.eye(len(wants)), W_k


PROBES = (
    _probe("three types in a ring", wants=[1, 2, 0]).advise(
        "Compute W_q @ W_k.T by hand: its row i must be largest in column wants[i]."
    ),
    _probe("four types, three of which want the same", wants=[1, 1, 1, 0]).advise(
        "Two rows of W_q may be equal; nothing has to be invertible."
    ),
    _probe("five types, one of which looks at itself", wants=[4, 1, 0, 0, 2]).advise(
        "Row i of W_q says what type i looks for, whoever else looks for it."
    ),
    _probe("sixteen types", wants=[3, 0, 7, 7, 12, 1, 15, 9, 2, 9, 14, 4, 0, 11, 5, 10]).advise(
        "Fifteen others share what is left, and the scores are divided by √d_k: with one-hot "
        "keys the gap between scores must be ln(9 · 15) ≈ 4.9 after that division."
    ),
)

MISTAKES = (
    Mistake(
        "looks-the-other-way",
        "Your W_q W_kᵀ is the transpose of what is wanted: each type looks at those that want it.",
        lambda wants: (20 * np.eye(len(wants)), _one_hot(wants)),
        hint=(
            "Row i must be large in column wants[i]. The one who asks chooses, so the rows of W_q "
            "hold the choice."
        ),
    ),
    Mistake(
        "everyone-looks-at-itself",
        "Your queries equal your keys, so every type looks at its own kind: that is raw "
        "self-attention.",
        lambda wants: (20 * np.eye(len(wants)), np.eye(len(wants))),
        hint="Give W_q the wanted rows.",
    ),
    Mistake(
        "chooses-twice",
        "You use the choice in both matrices, so types that want the same thing look at each "
        "other.",
        lambda wants: (20 * _one_hot(wants), _one_hot(wants)),
        hint="Keep W_k the identity.",
    ),
    Mistake(
        "too-soft",
        "The right type scores highest, but not by enough: its weight stays below 0.9, if not "
        "with few types then with many.",
        lambda wants: (_one_hot(wants), np.eye(len(wants))),
        variants=tuple(_scaled_one_hot(factor) for factor in (6, 7, 10)),
        hint="Multiply one of the matrices. A factor of 20 is enough for 16 types.",
    ),
    Mistake(
        "works-for-one-to-one-only",
        "You invert the choice, which is possible only if no two types want the same one.",
        lambda wants: (20 * np.eye(len(wants)), np.eye(len(wants))[np.argsort(wants)]),
        variants=(
            lambda wants: (20 * np.eye(len(wants)), np.linalg.inv(_one_hot(wants))),
            _keys_placed_by_want,
        ),
        hint="Put the choice in W_q, where nothing has to be inverted.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Choose who looks at whom",
    difficulty=3,
    minutes=12,
    hints=(
        "Tokens are one-hot, so row i of W_q is the query of type i, and row j of W_k is the key "
        "of type j.",
        "Let W_k be the identity, which gives each type a coordinate of its own. The query of type"
        " i must then be large in coordinate wants[i] and 0 elsewhere.",
        "np.eye(t)[wants] stacks the wanted rows. Make them large enough that the softmax gives "
        "0.9 even with 16 types.",
    ),
    mistakes=MISTAKES,
    section="sec-03-product",
    passed=(
        "Any pattern of who looks at whom can be built into two matrices, even a one-sided one. "
        "Chapter 2's raw scores, which are symmetric, could not do that. Look at attn.softmax(W_q @"
        " W_k.T / np.sqrt(d_k)) for your design."
    ),
    task=Task(
        "design",
        lambda wants: (20 * _one_hot(wants), np.eye(len(wants))),
        PROBES,
        read=attended_types,
        coarse=True,
        row_names=("looks most at (-1: none)", "gives 0.9 or more to (-1: none)"),
    ),
)
