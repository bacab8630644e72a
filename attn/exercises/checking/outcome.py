"""What one call of an answer gave, and when two calls gave the same."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Outcome:
    """What one call gave: `kind` is returned, raised, unreadable or unanswered.

    `value` is there if it returned numbers, also where these are refused. `problem` says why there
    is no result, `explanation` puts an exception into plainer words, and `changed_input` is the
    argument that the call has written into.
    """

    kind: str
    value: np.ndarray | None = None
    problem: str = ""
    explanation: str = ""
    line: int | None = None
    changed_input: str | None = None


def same_outcome(one: Outcome, other: Outcome, tolerance: tuple[float, float]) -> bool:
    """Whether two calls gave the same values, or the same exception with the same text."""
    if one.kind != other.kind or one.problem != other.problem:
        return False
    if one.value is None or other.value is None:
        return one.value is other.value
    if one.value.shape != other.value.shape:
        return False
    relative, absolute = tolerance
    with without_warnings():
        a, b = one.value.astype(np.float64), other.value.astype(np.float64)
        return np.allclose(a, b, rtol=relative, atol=absolute, equal_nan=True)


def same_kind(one: Outcome, other: Outcome, tolerance: tuple[float, float]) -> bool:
    """Whether two calls gave the same values, or exceptions of the same type.

    The text depends on how a line is written: `@` and `attn.attention` refuse the same shapes in
    different words.
    """
    if one.kind == other.kind == "raised":
        return one.problem.partition(":")[0] == other.problem.partition(":")[0]
    return same_outcome(one, other, tolerance)


@contextmanager
def without_warnings() -> Iterator[None]:
    """Keep floating-point and other warnings of an answer off the page."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
