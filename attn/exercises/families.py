"""Mistakes that people make in several exercises: their words stand here once."""

from collections.abc import Callable

import numpy as np

from attn.exercises.checking import Mistake


def naive_softmax(scores: np.ndarray) -> np.ndarray:
    """Exponentials divided by their sum, as written on paper: nan from a score of 710 on."""
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


def overflows(
    wrong: Callable, *, score: str = "above 710", largest: str = "each row's largest score"
) -> Mistake:
    return Mistake(
        "overflows",
        f"Your exponentials overflow: np.exp of a score {score} is inf, and inf / inf is nan.",
        wrong,
        hint=f"Subtract {largest} first, or use attn.softmax.",
    )


def one_maximum_for_the_whole_table(wrong: Callable) -> Mistake:
    return Mistake(
        "one-maximum-for-the-whole-table",
        "You subtract one maximum for the whole table. A row far below it turns into zeros, and "
        "0/0 is nan.",
        wrong,
        hint="Each row needs its own maximum: give max axis=-1 and keepdims=True.",
    )


def shares_among_the_queries(wrong: Callable) -> Mistake:
    return Mistake(
        "shares-among-the-queries",
        "Your columns sum to 1, and your rows, one per query, do not.",
        wrong,
        hint="Run the softmax over the last axis.",
    )


def forgets_the_scale(wrong: Callable, hint: str = "Divide them before the softmax.") -> Mistake:
    return Mistake(
        "forgets-the-scale",
        "Your scores are not divided by the square root of d_k, so the softmax comes out too "
        "sharp.",
        wrong,
        hint=hint,
    )


def divides_by_d_k(wrong: Callable) -> Mistake:
    return Mistake(
        "divides-by-d-k",
        "You divide the scores by d_k itself, not by its square root.",
        wrong,
        hint="np.sqrt(Q.shape[-1]) is the root.",
    )


def ignores_the_base(wrong: Callable) -> Mistake:
    return Mistake(
        "ignores-the-base",
        "Your speeds do not depend on the argument base: 10000 is written into your code.",
        wrong,
        hint="Use base, so that it can be changed.",
    )
