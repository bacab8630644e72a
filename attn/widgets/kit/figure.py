"""What every live figure shares: its files, the spec of its page, and how its state changes."""

from base64 import b64encode
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import ClassVar

import anywidget
import traitlets

from attn import palette
from attn.widgets.kit.module_text import self_contained

WIDGETS = Path(__file__).resolve().parents[1]


@cache
def _text(name):
    return self_contained(WIDGETS, f"{name}/drawing.js")


@cache
def _style(name):
    sheets = (WIDGETS / "kit/style.css", WIDGETS / name / "style.css")
    return palette.css() + "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)


@cache
def _data(name):
    files = sorted((WIDGETS / name / "data").glob("*.bin"))
    return {f"data/{path.name}": b64encode(path.read_bytes()).decode() for path in files}


class _OfFolder:
    """What `read` makes of the files in a figure's folder, read when a figure is first shown."""

    def __init__(self, read):
        self.read = read

    def __get__(self, figure, cls):
        return self if figure is None else self.read(cls._folder)


class Figure(anywidget.AnyWidget):
    """A widget drawn by the drawing.js in its folder and styled by the style.css there.

    Numbers too many for its state are files in the folder `data` there; a notebook gets them as
    `_files`, and a page of the site fetches those that it needs.

    The page reads its traits' ranges, choices and names from `_spec`, and `constants` with them,
    so that nothing of them is written again in JavaScript.
    """

    _esm = _OfFolder(_text)
    _css = _OfFolder(_style)
    _spec = traitlets.Dict().tag(sync=True)
    _files = traitlets.Dict(read_only=True).tag(sync=True)
    constants: ClassVar = {}

    def __init_subclass__(cls, **kwargs):
        # An instance subclasses its own class to turn `_esm` into a trait: leave that one be.
        if "_esm" not in cls.__dict__:
            cls._folder = cls.__module__.rpartition(".")[2]
        super().__init_subclass__(**kwargs)

    @traitlets.default("_files")
    def _read_files(self):
        return _data(self._folder)

    @traitlets.default("_spec")
    def _describe_traits(self):
        shared = {*Figure.class_trait_names(), "_anywidget_id", "_css", "_esm"}
        own = {n: t for n, t in self.traits(sync=True).items() if n not in shared}
        controls = {n: trait.describe() for n, trait in own.items() if hasattr(trait, "describe")}
        return {"traits": list(own), "controls": controls, **self.constants}

    @contextmanager
    def hold_trait_notifications(self):
        """Changes made together are checked together and reach the page as one message."""
        with self.hold_sync(), super().hold_trait_notifications():
            yield

    def _as_proposed(self, proposal, *names):
        """The named traits' values by name, the proposed one in its place."""
        return {n: getattr(self, n) for n in names} | {proposal["trait"].name: proposal["value"]}
