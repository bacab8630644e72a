"""A reader's own matrix: small enough to draw, and the shape that its neighbours ask for."""

import numpy as np
import traitlets

from attn.widgets.kit import checks

MOST = 8  # rows or columns


class SmallMatrix(traitlets.List):
    """Rows of finite numbers of at most `largest`, an array or nested lists."""

    def __init__(self, default, largest, *, least_rows=1):
        super().__init__(default.tolist())
        self.largest, self.least_rows = largest, least_rows
        self.tag(sync=True)

    def validate(self, obj, value):
        columns = np.shape(value)[1] if np.ndim(value) == 2 else "d"
        rows = checks.table(self.name, value, columns)
        shape = (len(rows), columns)
        if not (self.least_rows <= len(rows) <= MOST and 1 <= columns <= MOST):
            rule = f"{self.least_rows} to {MOST} rows and 1 to {MOST} columns"
            raise traitlets.TraitError(f"{self.name} must have {rule}, not shape {shape}")
        for number in np.ravel(rows).tolist():
            checks.within(f"each entry of {self.name}", number, -self.largest, self.largest)
        return super().validate(obj, rows)


def check_shape(name, M, rows, columns, why):
    """`M` has so many rows and columns; a rule in words is "a multiple of 2" or "any number of"."""
    shape = (len(M), len(M[0]))
    if not (_fits(shape[0], rows) and _fits(shape[1], columns)):
        raise traitlets.TraitError(
            f"{name} must have {rows} rows and {columns} columns ({why}), not shape {shape}"
        )


def _fits(size, rule):
    if isinstance(rule, int):
        return size == rule
    last = rule.split()[-1]
    return not last.isdigit() or size % int(last) == 0
