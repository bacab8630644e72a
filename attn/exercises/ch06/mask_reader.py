"""How a mask is read: True and False; and the mistakes that return something else."""

from dataclasses import replace

import numpy as np

from attn.exercises.checking import Mistake, Outcome, numbers

_MOST_ENTRIES = 10_000


def mask(result):
    """Read a result as an array of True and False; numbers are refused."""
    outcome = numbers(result)
    if outcome.kind != "returned":
        words = outcome.problem.replace("return real numbers", "return True and False")
        return replace(outcome, problem=words.replace("return numbers", "return True and False"))
    if outcome.value.dtype == np.bool_:
        return outcome
    return Outcome("unreadable", value=outcome.value, problem=_describe_numbers(outcome.value))


def _describe_numbers(values):
    values = values.flat[:_MOST_ENTRIES]  # a large array is not looked through
    if np.isin(values, (0, 1)).all():
        return "the numbers 0 and 1: a mask holds True and False"
    if np.isneginf(values).any():
        return "numbers to add to the scores: a mask holds True where a key may be seen"
    return "numbers: a mask holds True and False"


def other_kinds(look):
    """The right mask as something else than True and False; `look` computes it."""
    return (
        Mistake(
            "returns-numbers",
            "Your mask is made of the numbers 0 and 1. attn refuses such a mask; torch refuses it "
            "or adds it to the scores.",
            lambda *given: look(*given) * 1.0,
            hint="Return True and False: a comparison gives them, and so does .astype(bool).",
        ),
        Mistake(
            "returns-what-is-added",
            "You return 0 and -inf. That is B, the numbers that are added to the scores, not the "
            "mask of True and False that B is made from.",
            lambda *given: np.where(look(*given), 0.0, -np.inf),
            hint="The mask is True where B is 0 and False where it is -inf.",
        ),
        Mistake(
            "adds-to-what-is-seen",
            "You return -inf where a key may be seen and 0 where it is hidden: numbers instead of "
            "True and False, and the opposite of what is added to the scores.",
            lambda *given: np.where(look(*given), -np.inf, 0.0),
            hint="Return True and False, with True where a key may be seen.",
        ),
    )


def hides_instead(look):
    return Mistake(
        "hides-instead",
        "Your True means hidden. In this course True means may look.",
        lambda *given: ~look(*given),
        hint="~ flips a mask.",
    )
