"""Call an answer on one probe, and survive whatever happens.

Nothing a reader passes is trusted: not to return, not to return numbers, not to leave its input
alone, not to have honest dunder methods. Only KeyboardInterrupt goes through: it is how *Stop*
reaches a running cell.
"""

import inspect
import re
import sys
import types
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attn.exercises.checking.errors import explain_error
from attn.exercises.checking.outcome import Outcome, without_warnings
from attn.exercises.checking.readers import type_name

Reader = Callable[[object], Outcome]


@dataclass(frozen=True, eq=False)
class Probe:
    """One input: arguments by name, and what to try next if the answer to it is wrong.

    Arguments go by position, so that a reader may rename them, except those in `keywords`.
    """

    label: str
    arguments: dict[str, Any]
    keywords: tuple[str, ...] = ()
    advice: str = ""

    @classmethod
    def of(cls, label: str, *, keywords: tuple[str, ...] = (), **arguments: Any) -> "Probe":
        """A probe of these arguments; lists become arrays."""
        arrays = {n: np.array(v) if isinstance(v, list) else v for n, v in arguments.items()}
        return cls(label, arrays, keywords)

    @classmethod
    def random(
        cls, label: str, seed: int, *, digits: int = 2, spread: float = 1.0, **arguments: Any
    ) -> "Probe":
        """A probe where a tuple is the shape of a normal array, round enough to be retyped.

        >>> Probe.random("two rows", seed=1, X=(2, 3), heads=3).arguments["X"].shape
        (2, 3)
        """
        rng = np.random.default_rng(seed)
        drawn = {
            name: (spread * rng.normal(size=shape)).round(digits)
            for name, shape in arguments.items()
            if isinstance(shape, tuple)
        }
        return cls.of(label, **arguments | drawn)

    def advise(self, advice: str) -> "Probe":
        """The same probe with what to try next."""
        return replace(self, advice=advice)

    def split(self, arguments: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Arguments as (positional list, keyword dictionary)."""
        by_name = {name: arguments[name] for name in self.keywords}
        return [v for name, v in arguments.items() if name not in by_name], by_name


def run_probe(answer: Callable, probe: Probe, read: Reader) -> Outcome:
    """Call the answer on copies of the probe's arguments and read its result."""
    arguments = copy_arguments(probe)
    outcome = _call(answer, *probe.split(arguments), read)
    changed = [n for n, v in probe.arguments.items() if _differs(v, arguments[n])]
    return replace(outcome, changed_input=changed[0] if changed else None)


def watch_call(answer: Callable, probe: Probe) -> tuple[dict[str, Any], set[types.CodeType]]:
    """The answer's local variables when a call of it ends, however it ends, and all code it ran."""
    own = answer.__code__ if type(answer) is types.FunctionType else None
    values: dict[str, Any] = {}
    ran: set[types.CodeType] = set()

    def watch(frame: types.FrameType, event: str, argument: Any) -> None:
        ran.add(frame.f_code)
        if event == "return" and frame.f_code is own:
            values.update(frame.f_locals)

    positional, by_name = probe.split(copy_arguments(probe))
    before = sys.getprofile()
    try:
        with without_warnings():
            sys.setprofile(watch)
            answer(*positional, **by_name)
    except KeyboardInterrupt:
        raise
    except BaseException:
        pass
    finally:
        sys.setprofile(before)
    return values, ran


def signature_mismatch(answer: Callable, probe: Probe) -> str | None:
    """Why the answer cannot be called with the probe's arguments, or None if it can."""
    try:
        with without_warnings():
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


def _call(
    answer: Callable, positional: list[Any], by_name: dict[str, Any], read: Reader
) -> Outcome:
    try:
        with without_warnings():
            result = answer(*positional, **by_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return _describe_raised(answer, error)
    if result is None or result is ...:
        return Outcome("unanswered")
    try:
        with without_warnings():
            return read(result)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        reason = f"cannot be read ({_describe_error(error)})"
        return Outcome("unreadable", problem=f"an object of type {type_name(result)} that {reason}")


def copy_arguments(probe: Probe) -> dict[str, Any]:
    """The probe's arguments for one call, which may write into them."""
    return {name: deepcopy(v) for name, v in probe.arguments.items()}


def _differs(before: Any, after: Any) -> bool:
    if not isinstance(before, np.ndarray):
        return False
    if before.shape != after.shape or before.dtype != after.dtype:
        return True
    return before.tobytes() != after.tobytes()


def _describe_raised(answer: Callable, error: BaseException) -> Outcome:
    code = answer.__code__ if type(answer) is types.FunctionType else None
    try:
        explanation = explain_error(error, _text_of(error), code)
    except KeyboardInterrupt:
        raise
    except BaseException:
        explanation = ""
    problem, line = _describe_error(error), _line_of(answer, error)
    return Outcome("raised", problem=problem, explanation=explanation, line=line)


def _describe_error(error: BaseException) -> str:
    text = _text_of(error)
    return f"{type_name(error)}: {text}" if text else type_name(error)


def _text_of(error: BaseException) -> str:
    try:
        text = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = "(its message cannot be shown)"
    text = re.sub(r"0x[0-9a-fA-F]+", "0x…", text)
    return text if len(text) <= 200 else text[:199] + "…"


def _line_of(answer: Callable, error: BaseException) -> int | None:
    """The line of the reader's own code where the exception passed last, if it can be told."""
    if type(answer) is not types.FunctionType:
        return None
    file, line, step = answer.__code__.co_filename, None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == file:
            line = step.tb_lineno
        step = step.tb_next
    return line
