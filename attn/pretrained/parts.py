"""Functions that a model is made of, any of which may be the reader's own."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from attn.core.arrays import Array


class Parts:
    """`attn`'s functions, or the reader's where they gave one.

    A model calls its parts by methods of a subclass, which knows what a reader's function is given.
    What a reader's function returns is checked for its shape and for being finite.

    Parameters
    ----------
    own : mapping or None
        The reader's functions by name.
    """

    defaults: ClassVar[dict] = {}  # every part by its name
    contains: ClassVar[dict] = {}  # parts that do by themselves what others do

    def __init__(self, own: Mapping[str, Callable] | None = None) -> None:
        self.own = dict(own or {})
        unknown = [str(name) for name in self.own if name not in self.defaults]
        if unknown:
            raise ValueError(
                f"parts may replace {', '.join(self.defaults)}: unknown {', '.join(unknown)}"
            )
        for whole, inside in self.contains.items():
            twice = [name for name in inside if name in self.own and whole in self.own]
            if twice:
                raise ValueError(
                    f"parts may hold {whole} or {twice[0]}, not both: {whole} has its own in it"
                )

    def call(self, name: str, shape: tuple[int, ...], *arguments: Any, **options: Any) -> Any:
        """The part's answer: `attn`'s as it is, a reader's checked."""
        if name not in self.own:
            return self.defaults[name](*arguments, **options)
        return self.checked(name, self.own[name](*arguments, **options), shape)

    def checked(self, name: str, answer: Any, shape: tuple[int, ...]) -> Array:
        """A reader's answer as float32, as the model's own numbers are."""
        try:
            found = np.asarray(answer, dtype=np.float32)
        except (TypeError, ValueError):
            raise ValueError(f"your {name} must return an array of numbers") from None
        if found.shape != shape:
            raise ValueError(f"your {name} must return {shape} here: got {found.shape}")
        if not np.isfinite(found).all():
            odd = found[~np.isfinite(found)][0]
            raise ValueError(f"your {name} must return finite numbers: got {odd}")
        return found
