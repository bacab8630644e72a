"""Put inputs, results and differences into words and small tables."""

from collections.abc import Sequence

import numpy as np

from attn.exercises.checking.outcome import Outcome
from attn.exercises.checking.probe import Probe
from attn.exercises.checking.verdict import Table

_MOST_ENTRIES = 8
_MOST_ROWS = 4


def describe_call(name: str, probe: Probe) -> str:
    """How the function is called: soft_lookup(query, keys, values, beta=...)."""
    arguments = [f"{a}=..." if a in probe.keywords else a for a in probe.arguments]
    return f"{name}({', '.join(arguments)})"


def describe_inputs(probe: Probe) -> str:
    """The probe's arguments, in full where they are small."""
    return ", ".join(f"{name} {_input(np.asarray(v))}" for name, v in probe.arguments.items())


def describe_difference(
    outcome: Outcome, expected: Outcome, row_names: tuple[str, ...] = ()
) -> tuple[str, Table | None]:
    """What the answer did against what was expected, and a table where that is small."""
    if outcome.kind == "raised":
        place = f" (line {outcome.line})" if outcome.line else ""
        if outcome.explanation:
            return f"stops{place and f' on line {outcome.line}'}: it {outcome.explanation}", None
        return f"raised {outcome.problem}{place}", None
    if outcome.kind == "unreadable" or outcome.value is None or expected.value is None:
        return f"returned {outcome.problem}", None
    actual, wanted = outcome.value, expected.value
    if actual.shape != wanted.shape:
        words = f"returned shape {actual.shape}; shape {wanted.shape} was expected"
        words += _right_so_far(actual, wanted, row_names)
        return words, (("shape", str(actual.shape), str(wanted.shape)),)
    return _describe_values(actual, wanted), _table(actual, wanted, row_names)


def join_words(words: Sequence[str]) -> str:
    """One, two and three.

    >>> join_words(["Q", "K", "V"])
    'Q, K and V'
    """
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _right_so_far(actual: np.ndarray, expected: np.ndarray, row_names: tuple[str, ...]) -> str:
    """Credit for the first rows of a result that goes on."""
    count = len(actual) if actual.ndim == expected.ndim > 1 else 0
    if not 0 < count < len(expected) or actual.shape[1:] != expected.shape[1:]:
        return ""
    if not np.allclose(actual, expected[:count], 1e-5, 1e-5):
        return ""
    names = row_names or [f"row {i}" for i in range(len(expected))]
    verb = "is" if count == 1 else "are"
    return f". So far {join_words(names[:count])} {verb} right: {count} of {len(expected)}"


def _describe_values(actual: np.ndarray, expected: np.ndarray) -> str:
    if _is_decision(expected):
        return f"returned {bool(actual)}; {bool(expected)} was expected"
    if np.isnan(actual).any():
        return "returned nan (not a number) where numbers were expected"
    if actual.shape == ():
        return f"returned {_number(actual)}; {_number(expected)} was expected"
    count = len(_differing_rows(actual, expected)) if actual.ndim > 1 else 0
    total = actual.size // max(1, actual.shape[-1])
    if 0 < count < total:
        return f"returned wrong values in {count} of {total} rows; the others are right"
    return "returned other values than expected"


def _is_decision(expected: np.ndarray) -> bool:
    """Whether one True or False was asked for, and not a table of them."""
    return expected.dtype == bool and expected.shape == ()


def _differing_rows(actual: np.ndarray, expected: np.ndarray) -> list[int]:
    rows, wanted = (array.reshape(-1, array.shape[-1]) for array in (actual, expected))
    return [i for i in range(len(rows)) if not np.allclose(rows[i], wanted[i], 1e-5, 1e-5)]


def _table(
    actual: np.ndarray, expected: np.ndarray, row_names: tuple[str, ...] = ()
) -> Table | None:
    """Rows of a small array that differ, as (label, actual, expected)."""
    if _is_decision(expected):
        return (("decision", str(bool(actual)), str(bool(expected))),)
    if actual.ndim < 2:
        return (("result", *_pair(actual, expected)),) if actual.size <= _MOST_ENTRIES else None
    most = _MOST_ENTRIES if expected.dtype.kind == "f" else 2 * _MOST_ENTRIES
    if actual.shape[-1] > most:
        return None
    rows, wanted = (array.reshape(-1, array.shape[-1]) for array in (actual, expected))
    names = row_names or [f"row {i}" for i in range(len(rows))]
    differing = _differing_rows(actual, expected)[:_MOST_ROWS]
    return tuple((names[i], *_pair(rows[i], wanted[i])) for i in differing) or None


def _pair(actual: np.ndarray, expected: np.ndarray) -> tuple[str, str]:
    """Both in four digits, or in eight where four do not show that they differ."""
    pair = _array(actual), _array(expected)
    return pair if pair[0] != pair[1] else (_array(actual, 8), _array(expected, 8))


def _input(value: np.ndarray) -> str:
    if value.dtype == object:  # such as layers, each a dictionary of arrays
        return f"({value.size} of them)"
    return f"= {_array(value)}" if value.size <= _MOST_ENTRIES else f"of shape {value.shape}"


def _array(value: np.ndarray, digits: int = 4) -> str:
    if value.ndim == 0:
        return _number(value, digits)
    return f"[{', '.join(_array(inner, digits) for inner in value)}]"


def _number(value: np.ndarray, digits: int = 4) -> str:
    number = value.item()
    return str(number) if isinstance(number, bool | int) else f"{number:.{digits}g}"
