"""Rules that traits obey, stated with the value received."""

import numpy as np
import traitlets


def table(name, rows, columns):
    """`rows` as nested lists of finite floats, shape (m, `columns`) with m >= 1."""
    try:
        array = np.asarray(rows, dtype=float)
    except (TypeError, ValueError):
        raise traitlets.TraitError(
            f"{name} must be numbers, shape (m, {columns}): {rows!r}"
        ) from None
    if array.ndim != 2 or array.shape[1] != columns or not len(array):
        raise traitlets.TraitError(
            f"{name} must have shape (m, {columns}) with m >= 1, not {array.shape}"
        )
    return finite(name, array).tolist()


def numbers(name, row):
    """`row` as a list of finite floats, at least one."""
    try:
        array = np.asarray(row, dtype=float)
    except (TypeError, ValueError):
        raise traitlets.TraitError(f"{name} must be numbers, shape (m,): {row!r}") from None
    if array.ndim != 1 or not len(array):
        raise traitlets.TraitError(f"{name} must have shape (m,) with m >= 1, not {array.shape}")
    return finite(name, array).tolist()


def finite(name, array):
    """`array` itself, if no entry is infinite or NaN."""
    if not np.isfinite(array).all():
        raise traitlets.TraitError(f"{name} must be finite, not {array.tolist()}")
    return array


def within(name, value, low, high):
    """`value` itself, if `low` <= `value` <= `high`."""
    if not low <= value <= high:
        raise traitlets.TraitError(f"{name} must be between {low} and {high}, not {value}")
    return value
