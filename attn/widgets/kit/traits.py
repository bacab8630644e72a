"""Traits that hold a rule and describe it for a page: a range, choices, names."""

import numpy as np
import traitlets

from attn.widgets.kit import checks


class _Ranged:
    """A number that a slider moves from `low` to `high`."""

    def __init__(self, default, low, high, *, step=1, unit=""):
        super().__init__(default)
        self.low, self.high, self.step, self.unit = low, high, step, unit
        self.tag(sync=True)

    def validate(self, obj, value):
        name = f"{self.name} ({self.unit})" if self.unit else self.name
        return checks.within(name, super().validate(obj, value), self.low, self.high)

    def describe(self):
        """What the page's slider needs."""
        return {"min": self.low, "max": self.high, "step": self.step}


class Real(_Ranged, traitlets.Float):
    """A real number in a range."""


class Whole(_Ranged, traitlets.Int):
    """A whole number in a range, one of those that its slider stops at."""

    def validate(self, obj, value):
        stops = range(self.low, self.high + 1, self.step)
        return checks.one_of(self.name, super().validate(obj, value), stops)


class Power(Whole):
    """A power of `base` in a range; its slider goes from one power to the next."""

    def __init__(self, default, low, high, *, base=2):
        super().__init__(default, low, high)
        self.base = base

    def validate(self, obj, value):
        value = power = super().validate(obj, value)
        while power % self.base == 0:
            power //= self.base
        if power != 1:
            rule = f"a power of {self.base}, {self.low} to {self.high}"
            raise traitlets.TraitError(f"{self.name} must be {rule}, not {value}")
        return value

    def describe(self):
        """A slider's range, and what its exponents are powers of."""
        return super().describe() | {"base": self.base}


class Choice(traitlets.Enum):
    """One of several values, each with the words that a reader sees; the first if not given."""

    def __init__(self, words):
        super().__init__(list(words), next(iter(words)))
        self.words = words
        self.tag(sync=True)

    def describe(self):
        """Pairs of value and words."""
        return [list(pair) for pair in self.words.items()]


class Place(traitlets.Int):
    """Which of several named things, counted from 0."""

    def __init__(self, names):
        super().__init__(0)
        self.names = list(names)
        self.tag(sync=True)

    def validate(self, obj, value):
        return checks.within(self.name, super().validate(obj, value), 0, len(self.names) - 1)

    def describe(self):
        """The names in their order."""
        return self.names


class Numbers(traitlets.List):
    """A row of finite numbers, at least one; an array becomes a list."""

    def __init__(self, default):
        super().__init__(default)
        self.tag(sync=True)

    def validate(self, obj, value):
        return super().validate(obj, checks.numbers(self.name, value))


class Vectors(traitlets.List):
    """Rows of `columns` finite numbers, at least one row; an array becomes nested lists."""

    def __init__(self, default, columns=2):
        super().__init__(default)
        self.columns = columns
        self.tag(sync=True)

    def validate(self, obj, value):
        return super().validate(obj, checks.table(self.name, value, self.columns))


class Matrix(Vectors):
    """A matrix of the default's shape, each entry under a slider of its own."""

    def __init__(self, default, low, high, *, step):
        super().__init__(default, len(default[0]))
        self.rows, self.low, self.high, self.step = len(default), low, high, step

    def validate(self, obj, value):
        rows = super().validate(obj, value)
        if len(rows) != self.rows:
            shape = (self.rows, self.columns)
            raise traitlets.TraitError(
                f"{self.name} must have shape {shape}, not ({len(rows)}, {self.columns})"
            )
        for entry in np.array(rows).ravel().tolist():
            checks.within(f"each entry of {self.name}", entry, self.low, self.high)
        return rows

    describe = _Ranged.describe
