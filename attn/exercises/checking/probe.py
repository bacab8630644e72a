"""Ask an answer one question, and survive whatever comes back.

Nothing a reader passes is trusted: not to return, not to return numbers, not to leave its input
alone, not to have honest dunder methods. Only KeyboardInterrupt goes through: it is how *Stop*
reaches a running cell.
"""

import inspect
import re
import types
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

_SCALARS = (bool, int, float, np.bool_, np.integer, np.floating)
_MOST_ITEMS = 100_000
_NAMED_KINDS = (
    (types.CoroutineType, "a coroutine: write def, not async def"),
    (types.GeneratorType, "a generator: write return, not yield"),
    (types.AsyncGeneratorType, "an asynchronous generator: write def and return"),
    (types.FunctionType, "a function: call it, and return its result"),
)


@dataclass(frozen=True, eq=False)
class Probe:
    """One question: arguments by name, and what to try next if the answer to it is wrong.

    Arguments go by position, so that a reader may rename them, except those in `keywords`.
    """

    label: str
    arguments: dict[str, Any]
    advice: str
    keywords: tuple[str, ...] = ()

    def split(self, arguments):
        """Arguments as (positional list, keyword dictionary)."""
        by_name = {name: arguments[name] for name in self.keywords}
        return [v for name, v in arguments.items() if name not in by_name], by_name


@dataclass(frozen=True)
class Outcome:
    """What one call gave: `kind` is returned, raised, unreadable or unanswered."""

    kind: str
    value: np.ndarray | None = None
    problem: str = ""
    line: int | None = None
    changed: str | None = None


def ask(answer: Callable, probe: Probe, read: Callable) -> Outcome:
    """Call the answer on copies of the probe's arguments and read its result."""
    arguments = {name: _copy(value) for name, value in probe.arguments.items()}
    outcome = _call(answer, *probe.split(arguments), read)
    changed = [n for n, v in probe.arguments.items() if _differs(v, arguments[n])]
    return replace(outcome, changed=changed[0] if changed else None)


def misfit(answer: Callable, probe: Probe) -> str | None:
    """Why the answer cannot be called with the probe's arguments, or None if it can."""
    try:
        with quiet():
            signature = inspect.signature(answer)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None
    try:
        positional, by_name = probe.split(probe.arguments)
        signature.bind(*positional, **by_name)
    except TypeError as error:
        return str(error)
    return None


def same(one: Outcome, other: Outcome, tolerance: tuple[float, float]) -> bool:
    """Whether two calls ended alike: the same values, or the same exception and text."""
    if one.kind != other.kind:
        return False
    if one.kind != "returned":
        return one.problem == other.problem
    if one.value.shape != other.value.shape:
        return False
    relative, absolute = tolerance
    with quiet():
        got, expected = one.value.astype(np.float64), other.value.astype(np.float64)
        return np.allclose(got, expected, rtol=relative, atol=absolute, equal_nan=True)


def alike(one: Outcome, other: Outcome, tolerance: tuple[float, float]) -> bool:
    """Whether two calls ended alike, whatever the text of an exception of the same type.

    The text depends on how a line is written: `@` and `attn.attention` refuse the same shapes in
    different words.
    """
    if one.kind == other.kind == "raised":
        return one.problem.partition(":")[0] == other.problem.partition(":")[0]
    return same(one, other, tolerance)


def numbers(result: object) -> Outcome:
    """Read a result as an array of real numbers, whatever its type."""
    kind = type(result)
    if issubclass(kind, (np.ndarray, *_SCALARS)) or _is_plain_nest(result):
        array = np.asarray(result)
    elif not issubclass(kind, type) and hasattr(kind, "__array__"):
        array = np.asarray(result)
    else:
        return Outcome("unreadable", problem=_kind_in_words(result, "numbers"))
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
        words = f"an array of shape {result.shape}: return one True or False for all of it"
        return Outcome("unreadable", problem=words)
    return Outcome("unreadable", problem=_kind_in_words(result, "True or False"))


def type_name(thing: object) -> str:
    """The name of a thing's type, with no code of the thing's own."""
    return type.__dict__["__name__"].__get__(type(thing))


@contextmanager
def quiet():
    """Keep floating-point and other warnings of an answer off the page."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _call(answer, positional, by_name, read):
    try:
        with quiet():
            result = answer(*positional, **by_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Outcome("raised", problem=_in_words(error), line=_line_of(answer, error))
    if result is None or result is ...:
        return Outcome("unanswered")
    try:
        with quiet():
            return read(result)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        words = f"an object of type {type_name(result)} that cannot be read ({_in_words(error)})"
        return Outcome("unreadable", problem=words)


def _copy(value):
    return value.copy() if isinstance(value, np.ndarray) else value


def _differs(before, after):
    if not isinstance(before, np.ndarray):
        return False
    if before.shape != after.shape or before.dtype != after.dtype:
        return True
    return before.tobytes() != after.tobytes()


def _is_plain_nest(result, depth=4):
    """Whether a result is a short list or tuple of numbers, arrays, or more such lists."""
    waiting, seen = [(result, depth)], 0
    while waiting:
        item, levels = waiting.pop()
        seen += 1
        if type(item) in (list, tuple):
            if levels == 0 or len(item) + seen > _MOST_ITEMS:
                return False
            waiting += [(inner, levels - 1) for inner in item]
        elif item is result or not issubclass(type(item), (np.ndarray, *_SCALARS)):
            return False
    return True


def _kind_in_words(result, wanted):
    for kind, words in _NAMED_KINDS:
        if issubclass(type(result), kind):
            if kind is types.CoroutineType:
                result.close()
            return words
    return f"an object of type {type_name(result)}: return {wanted}"


def _in_words(error):
    try:
        text = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = "(its message cannot be shown)"
    text = re.sub(r"0x[0-9a-fA-F]+", "0x…", text)
    text = text if len(text) <= 200 else text[:199] + "…"
    return f"{type_name(error)}: {text}" if text else type_name(error)


def _line_of(answer, error):
    """The line of the reader's own code where the exception passed last, if it can be told."""
    if type(answer) is not types.FunctionType:
        return None
    here, line, step = answer.__code__.co_filename, None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == here:
            line = step.tb_lineno
        step = step.tb_next
    return line
