"""What the functions of this package accept: kinds of numbers, and shapes that fit."""

import operator
from collections.abc import Mapping
from typing import SupportsIndex

import numpy as np

from attn.core.arrays import Array, ArrayLike


def floats(**arrays: ArrayLike) -> list[Array]:
    """Return the named inputs as arrays of one floating type, in the order given.

    Integers and booleans become float64; float32 alone stays float32.
    """
    return floats_and_optional(arrays)[0]


def floats_and_optional(
    needed: Mapping[str, ArrayLike], **optional: ArrayLike | None
) -> tuple[list[Array], list[Array | None]]:
    """Return `floats` of the needed inputs and of the optional ones, of which None stays None."""
    first = [_float_array(name, value) for name, value in needed.items()]
    rest = [None if a is None else _float_array(name, a) for name, a in optional.items()]
    dtype = np.result_type(*(a.dtype for a in (*first, *rest) if a is not None))
    return (
        [a.astype(dtype, copy=False) for a in first],
        [None if a is None else a.astype(dtype, copy=False) for a in rest],
    )


def _float_array(name: str, value: ArrayLike) -> Array:
    array = np.asarray(value)
    if array.dtype.kind in "biu":
        return array.astype(np.float64)
    if array.dtype.kind != "f":
        raise TypeError(f"{name} must hold real numbers, got {_kind(array)}")
    return array


def _kind(array: Array) -> str:
    return "None" if array.shape == () and array.item() is None else f"dtype {array.dtype}"


def whole_number(name: str, value: SupportsIndex, *, least: int = 0) -> int:
    """Return a count as an int, or say that it must be a whole number of at least `least`."""
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}") from None
    if count < least:
        raise ValueError(f"{name} must be at least {least}, got {count}")
    return count


def non_negative(name: str, value: float, *, infinite: bool = False) -> float:
    """Return a number of at least 0 as a float; infinity counts only if it is allowed.

    A boolean is no number here: ``scale=False`` would multiply every score by 0 in silence.
    """
    try:
        number = None if isinstance(value, bool | np.bool_ | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None:
        raise TypeError(f"{name} must be a number, got {value!r}")
    if not 0 <= number < np.inf and not (infinite and number == np.inf):
        raise ValueError(
            f"{name} must be at least 0{'' if infinite else ' and finite'}, got {value}"
        )
    return number


def check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Require one of the names in `allowed`."""
    if value not in allowed:
        choices = " or ".join(f'"{a}"' for a in allowed)
        raise ValueError(f"{name} must be {choices}, got {value!r}")


def check_shape(
    name: str, array: Array | None, expected: tuple[int | str, ...], **fitting: Array
) -> None:
    """Require an optional array to have exactly this shape; a string stands for any size.

    `fitting` names the arrays that the expected sizes come from; the error shows them too.
    """
    if array is None:
        return
    fits = array.ndim == len(expected) and all(
        isinstance(e, str) or s == e for s, e in zip(array.shape, expected, strict=True)
    )
    if not fits:
        sizes = ", ".join(str(e) for e in expected) + ("," if len(expected) == 1 else "")
        raise ValueError(f"{name} must be ({sizes}): {_received(**fitting, **{name: array})}")


_AXES = {"K": "(..., m, d_k)", "V": "(..., m, d_v)"}


def check_axes(*, least: int = 2, **arrays: Array) -> None:
    """Require each named array to have at least `least` axes, and say which."""
    for name, array in arrays.items():
        own = _AXES.get(name, "(..., n, d)")
        axes = {1: "(..., d)", 2: own, 3: "(..., h, n, d)"}[least]
        if array.ndim < least:
            raise ValueError(f"{name} must be {axes}: {name} is {array.shape}")


def check_leading(**arrays: Array) -> tuple[int, ...]:
    """Require the axes before the last two to broadcast together; return their common shape."""
    try:
        return np.broadcast_shapes(*(a.shape[:-2] for a in arrays.values()))
    except ValueError:
        raise ValueError(f"leading axes must broadcast: {_received(**arrays)}") from None


def check_queries_and_keys(Q: Array, K: Array) -> None:
    """Require Q (..., n, d_k) and K (..., m, d_k) with a common d_k and at least one key."""
    check_axes(Q=Q, K=K)
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(f"queries and keys must share d_k: Q is {Q.shape}, K is {K.shape}")
    if Q.shape[-1] == 0 or K.shape[-2] == 0:
        raise ValueError(
            f"attention needs d_k >= 1 and at least one key: Q is {Q.shape}, K is {K.shape}"
        )
    check_leading(Q=Q, K=K)


def check_keys_and_values(K: Array, V: Array) -> None:
    """Require K (..., m, d_k) and V (..., m, d_v) with one value for each key."""
    check_axes(K=K, V=V)
    if K.shape[-2] != V.shape[-2]:
        raise ValueError(f"each key needs one value: K is {K.shape}, V is {V.shape}")
    check_leading(K=K, V=V)


def check_enough_keys(n: int, m: int) -> None:
    """Require m >= n, so that each of the last n positions has a key at or before it."""
    if m < n:
        raise ValueError(f"a causal mask needs at least as many keys as queries: n={n}, m={m}")


def fitting_bias(bias: ArrayLike, scores: Array) -> Array:
    """Return a bias in the type of the scores, if it broadcasts to their (..., n, m)."""
    if np.asarray(bias).dtype == np.bool_:
        raise TypeError("a bias is added to the scores, got dtype bool: give a mask as mask=")
    [bias] = floats(bias=bias)
    _check_broadcast("bias", bias.shape, scores.shape)
    return bias.astype(scores.dtype, copy=False)


def fitting_mask(mask: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Return a boolean mask that fits scores of this shape and hides no query's every key."""
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise TypeError(f"a mask must be boolean (True = may look), got dtype {mask.dtype}")
    if mask.ndim < 2:
        raise ValueError(f"mask must be (..., n, m) = {_ending(shape)}: mask is {mask.shape}")
    _check_broadcast("mask", mask.shape, shape)
    if (blind := ~mask.any(axis=-1)).any():
        raise ValueError(
            f"each query must see at least one key: the mask, shape {mask.shape}, "
            f"hides every key from query {index_in_words(first_true(blind))}"
        )
    return mask


def first_true(found: ArrayLike) -> tuple[int, ...]:
    """Return the index of the first True."""
    return tuple(int(k) for k in np.argwhere(np.atleast_1d(found))[0])


def index_in_words(index: tuple[int, ...]) -> str:
    """Say an index (..., i) in words: "2", or "2 at leading index (0, 1)"."""
    *lead, i = index
    return f"{i} at leading index {tuple(lead)}" if lead else f"{i}"


def _check_broadcast(name: str, given: tuple[int, ...], shape: tuple[int, ...]) -> None:
    try:
        common = np.broadcast_shapes(given, shape)
    except ValueError:
        common = None
    if common is None or common[-2:] != shape[-2:]:
        raise ValueError(
            f"{name} must broadcast to (..., n, m) = {_ending(shape)}: {name} is {given}"
        )


def _received(**arrays: Array) -> str:
    return ", ".join(f"{name} is {a.shape}" for name, a in arrays.items())


def _ending(shape: tuple[int, ...]) -> str:
    return f"(..., {shape[-2]}, {shape[-1]})"
