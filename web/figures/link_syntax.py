"""Links in a chapter that set a figure: ``[turn the query to 90°](#SoftLookup?query_angle=90)``.

``#SoftLookup?…`` is the first figure of that class on the page, ``#SoftLookup-2?…`` the second.
After the question mark stand traits and their values, joined by ``&``. A value is a number,
``true`` or ``false``, or a text with ``+`` for a space: of a choice the value, of one of several
named things the name. ``on.3=false`` and ``W_q.0.1=-2`` set one entry of a list, counted from 0;
``on=true`` sets every entry, and ``order=`` leaves none.

The same text is read by ``web/figures/figure-state.mjs``.
"""

import copy
import re
from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl, urlencode

from traitlets import TraitError

TARGET = re.compile(r"#(?P<figure>[A-Z]\w*)(?:-(?P<number>[1-9]\d*))?\?(?P<state>\S.*)")
IN_MARKDOWN = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<target>#[\w-]+\?[^)\s]*)\)")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?")

Pairs = tuple[tuple[str, str], ...]  # trait, or entry of one, and value


@dataclass(frozen=True)
class FigureLink:
    """What a link asks for: of figure `number` of the class `figure`, the values in `pairs`."""

    figure: str
    number: int
    pairs: Pairs

    @property
    def name(self) -> str:
        """The figure, as links call it."""
        return self.figure if self.number == 1 else f"{self.figure}-{self.number}"

    @property
    def state(self) -> str:
        """The values, as an address writes them."""
        return urlencode(self.pairs)


def read_link(target: str) -> FigureLink:
    """The parts of a link's target.

    >>> read_link("#SoftLookup-2?query_angle=90&rule=relu").name
    'SoftLookup-2'
    """
    found = TARGET.fullmatch(target)
    try:
        if not found:
            raise ValueError
        pairs = parse_qsl(found["state"], keep_blank_values=True, strict_parsing=True)
    except ValueError:
        rule = "a link that sets a figure is #Figure?trait=value&trait=value"
        raise ValueError(f"{rule}: {target} received") from None
    return FigureLink(found["figure"], int(found["number"] or 1), tuple(pairs))


def without_links(markdown: str) -> str:
    """Markdown with the words of such links as plain text.

    >>> without_links("Then [turn *it*](#SoftLookup?query_angle=90) back.")
    'Then turn *it* back.'
    """
    return IN_MARKDOWN.sub(r"\g<text>", markdown)


def rebuild(state: dict) -> Any:
    """The figure whose widget state a page holds."""
    module, _, name = state["_anywidget_id"].rpartition(".")
    figure = getattr(import_module(module), name)
    return figure(**{trait: state[trait] for trait in state["_spec"]["traits"]})


def set_figure(figure: Any, pairs: Pairs) -> None:
    """Give a figure the values that a link asks for, or a `ValueError` with what it refuses."""
    changes = _changes(figure, pairs)
    try:
        with figure.hold_trait_notifications():
            for name, value in changes.items():
                setattr(figure, name, value)
    except TraitError as error:
        raise ValueError(str(error)) from None


def _changes(figure: Any, pairs: Pairs) -> dict[str, Any]:
    """The traits that change, with their new values."""
    changes: dict[str, Any] = {}
    for path, text in pairs:
        name, *at = path.split(".")
        if name not in figure._spec["traits"]:
            known = ", ".join(figure._spec["traits"])
            raise ValueError(f"{type(figure).__name__} has the traits {known}: {name} received")
        now = changes.get(name, getattr(figure, name))
        names = getattr(figure.traits()[name], "names", [])
        if names and not text.isdecimal() and text not in names:
            raise ValueError(f"{name} is one of {', '.join(names)}, or its number: {text} received")
        _check_step(figure, name, path, text)
        changes[name] = names.index(text) if text in names else _replaced(path, now, at, text)
    return changes


def _check_step(figure: Any, name: str, path: str, text: str) -> None:
    """A `ValueError` if the slider of a number could not be moved there."""
    control = figure._spec["controls"].get(name)
    if not isinstance(control, dict) or "base" in control or not NUMBER.fullmatch(text):
        return
    low, step = control["min"], control["step"]
    steps = (float(text) - low) / step
    if abs(steps - round(steps)) > 1e-6:
        raise ValueError(f"{path} goes from {low} in steps of {step}: {text} received")


def _replaced(path: str, now: Any, at: list[str], text: str) -> Any:
    """`now` with the value that `text` says, at the entry `at` of nested lists or mappings."""
    if not at:
        return _value(path, now, text)
    first, *rest = at
    key = int(first) if isinstance(now, list) and first.isdecimal() else first
    keys: Collection = ()
    if isinstance(now, list | dict):
        keys = range(len(now)) if isinstance(now, list) else now
    if key not in keys:
        listed = ", ".join(map(str, keys)) or "none"
        raise ValueError(f"{path} names an entry that is there ({listed}): {first} received")
    changed = copy.copy(now)
    changed[key] = _replaced(path, now[key], rest, text)
    return changed


def _value(path: str, now: Any, text: str) -> Any:
    """`text` as a value of the kind that `now` is."""
    if isinstance(now, bool):
        if text not in ("true", "false"):
            raise ValueError(f"{path} is true or false: {text!r} received")
        return text == "true"
    if isinstance(now, int | float):
        if not NUMBER.fullmatch(text):
            raise ValueError(f"{path} is a number: {text!r} received")
        return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
    if isinstance(now, list):
        return [_value(path, entry, text) for entry in now] if text else []
    if not isinstance(now, str):
        raise ValueError(f"{path} has entries by name, set as {path}.name=…: {text!r} received")
    return text
