"""How a mask is read: True and False, and nothing that only looks like them."""

from dataclasses import replace

import numpy as np

from attn.exercises.checking import Outcome, numbers


def mask(result):
    """Read a result as an array of True and False; numbers are refused."""
    outcome = numbers(result)
    if outcome.kind != "returned":
        words = outcome.problem.replace("return real numbers", "return True and False")
        return replace(outcome, problem=words.replace("return numbers", "return True and False"))
    if outcome.value.dtype == np.bool_:
        return outcome
    return Outcome("unreadable", problem=_describe_numbers(outcome.value))


def _describe_numbers(values):
    if np.isin(values, (0, 1)).all():
        return "the numbers 0 and 1: a mask holds True and False"
    if np.isneginf(values).any():
        return "numbers to add to the scores: a mask holds True where a key may be seen"
    return "numbers: a mask holds True and False"


NUMBERS = (
    "Your mask is made of the numbers 0 and 1. attn refuses such a mask; torch refuses it or adds "
    "it to the scores. Return True and False: a comparison does, and so does .astype(bool)."
)
ADDED = (
    "You return 0 and -inf: that is B, the numbers that are added to the scores. The mask is the "
    "table before that, True where B is 0 and False where it is -inf."
)


def additive_mask(look):
    """A mask as the numbers that are added to the scores."""
    return np.where(look, 0.0, -np.inf)
