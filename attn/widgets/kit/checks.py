"""Rules that traits obey, stated with the value received."""

import numpy as np
import traitlets


def table(name, rows, columns):
    """`rows` as nested lists of finite floats, shape (m, `columns`) with m >= 1."""
    array = _floats(name, rows, f"(m, {columns})")
    if array.ndim != 2 or array.shape[1] != columns or not len(array):
        raise traitlets.TraitError(
            f"{name} must have shape (m, {columns}) with m >= 1, not {array.shape}"
        )
    return array.tolist()


def numbers(name, row):
    """`row` as a list of finite floats, at least one."""
    array = _floats(name, row, "(m,)")
    if array.ndim != 1 or not len(array):
        raise traitlets.TraitError(f"{name} must have shape (m,) with m >= 1, not {array.shape}")
    return array.tolist()


def within(name, value, low, high):
    """`value` itself, if `low` <= `value` <= `high`."""
    if not low <= value <= high:
        raise traitlets.TraitError(f"{name} must be between {low} and {high}, not {value}")
    return value


def one_of(name, value, choices):
    """`value` itself, if it is one of `choices`."""
    if value not in choices:
        *first, last = map(str, choices)
        raise traitlets.TraitError(f"{name} must be {', '.join(first)} or {last}, not {value}")
    return value


def one_each(rule, **counted):
    """Nothing, if all of `counted` have the same length; else the rule and the counts."""
    if len({len(things) for things in counted.values()}) > 1:
        counts = ", ".join(f"{len(things)} {name}" for name, things in counted.items())
        raise traitlets.TraitError(f"{rule}: {counts}")


def _floats(name, rows, shape):
    try:
        array = np.asarray(rows, dtype=float)
    except (TypeError, ValueError):
        raise traitlets.TraitError(f"{name} must be numbers, shape {shape}: {rows!r}") from None
    if not np.isfinite(array).all():
        raise traitlets.TraitError(f"{name} must be finite, not {array.tolist()}")
    return array
