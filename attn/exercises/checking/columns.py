"""Rows of text, lined up."""

from collections.abc import Sequence


def align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """One line per row, each column as wide as its widest cell.

    Examples
    --------
    >>> align_columns([("row", "yours"), ("0", "[1, 2]")])
    ['row  yours', '0    [1, 2]']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows)
    return [line.rstrip() for line in lines]
