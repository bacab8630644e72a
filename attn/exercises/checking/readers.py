"""Read what an answer returned; it may lie about itself, be huge or never end."""

import sys
import types

import numpy as np

from attn.exercises.checking.outcome import Outcome

_SCALARS = (bool, int, float, np.bool_, np.integer, np.floating)
_MOST_ITEMS = 100_000
_TYPES_WITH_ADVICE = (
    (types.CoroutineType, "a coroutine: write def, not async def"),
    (types.GeneratorType, "a generator: write return, not yield"),
    (types.AsyncGeneratorType, "an asynchronous generator: write def and return"),
    (types.FunctionType, "a function: call it, and return its result"),
)


def numbers(result: object) -> Outcome:
    """Read a result as an array of real numbers, whatever its type."""
    result = np.float64(result) if _is_fraction(result) else result  # type: ignore[arg-type]
    kind = type(result)
    if issubclass(kind, (np.ndarray, *_SCALARS)) or _is_short_nest(result):
        array = np.asarray(result)
    elif not issubclass(kind, type) and hasattr(kind, "__array__"):
        array = np.asarray(result)
    else:
        return Outcome("unreadable", problem=_describe_type(result, "numbers"))
    if type(array) is not np.ndarray or array.dtype.kind not in "biuf":
        return Outcome("unreadable", problem=f"values of type {array.dtype}: return real numbers")
    return Outcome("returned", value=array)


def truth(result: object) -> Outcome:
    """Read a result as one True or False."""
    if issubclass(type(result), (bool, np.bool_)):
        return Outcome("returned", value=np.asarray(bool(result)))
    if type(result) is np.ndarray and result.dtype == bool and result.shape == ():
        return Outcome("returned", value=result.copy())
    if type(result) is np.ndarray:
        problem = f"an array of shape {result.shape}: return one True or False for all of it"
        return Outcome("unreadable", problem=problem)
    return Outcome("unreadable", problem=_describe_type(result, "True or False"))


def type_name(thing: object) -> str:
    """The name of a thing's type, with no code of the thing's own."""
    return type.__dict__["__name__"].__get__(type(thing))


def _is_fraction(result: object) -> bool:
    """Whether a result is a Fraction; the module is loaded if there is one."""
    fractions = sys.modules.get("fractions")
    return fractions is not None and type(result) is fractions.Fraction


def _is_short_nest(result: object, depth: int = 4) -> bool:
    """Whether a result is a short list or tuple of numbers, arrays, or more such lists."""
    pending, count = [(result, depth)], 0
    while pending:
        item, levels = pending.pop()
        count += 1
        if type(item) is list or type(item) is tuple:
            if levels == 0 or len(item) + count > _MOST_ITEMS:
                return False
            pending += [(inner, levels - 1) for inner in item]
        elif item is result or not issubclass(type(item), (np.ndarray, *_SCALARS)):
            return False
    return True


def _describe_type(result: object, expected: str) -> str:
    for kind, description in _TYPES_WITH_ADVICE:
        if issubclass(type(result), kind):
            if type(result) is types.CoroutineType:
                result.close()  # else Python warns that it was never awaited
            return description
    return f"an object of type {type_name(result)}: return {expected}"
