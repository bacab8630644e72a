"""How a mask is read: True and False, and nothing that only looks like them."""

import numpy as np

from attn.exercises.checking import Outcome, numbers


def mask(result):
    """Read a result as an array of True and False; numbers are refused."""
    outcome = numbers(result)
    if outcome.kind != "returned" or outcome.value.dtype == np.bool_:
        return outcome
    words = "numbers: a mask holds True and False; compare, or end with .astype(bool)"
    return Outcome("unreadable", problem=words)


NUMBERS = (
    "Your mask is made of numbers. attn refuses a mask of 0 and 1; torch refuses it or adds it "
    "to the scores. Return True and False: a comparison does, and so does .astype(bool)."
)
