"""A matrix as cells: queries on its rows, keys on its columns, each cell with its number."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.patches import Rectangle

from attn.core.arrays import Array, ArrayLike
from attn.palette import STRONG, colours, mix
from attn.plot.axes import axes
from attn.plot.phone import PIXELS
from attn.plot.picture import ON_FAINT, ON_STRONG, PHONE, STEPS, Picture, show

LARGEST = 12  # more cells leave no room for their numbers
CELL = 0.62  # inches
MOST_WITH_SUMS = 8  # columns on a phone, beside which the sums of rows have room
LIGHT = colours("light")


def heatmap(
    A: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    alt: str,
    kind: str = "weight",
    digits: int = 2,
) -> Picture:
    """A matrix with query names on its rows, key names on its columns.

    Parameters
    ----------
    A : (n, m)
        NaN marks a hidden cell.
    rows, columns : n and m names
    kind : {"weight", "score"}
        Weights run from 0 to 1 and get their row sums; scores may have either sign.
    """
    A = _matrix(A, rows, columns, kind)
    n, m = A.shape
    wide = CELL * (m + 1) + 1.1
    drawn = (A, rows, columns, kind, digits)
    narrow = _drawn(*drawn, _phone_size(rows, columns, kind)) if wide * PIXELS > PHONE else None
    return show(_drawn(*drawn, Size(wide, CELL * n + 0.6)), alt=alt, narrow=narrow)


class Size(NamedTuple):
    """Of a drawing in inches, and of its numbers in points."""

    width: float
    height: float
    points: float = 10
    slanted: bool = False  # the columns' names
    short: bool = False  # .25 instead of 0.25
    sums: bool = True  # of the rows


def _phone_size(rows, columns, kind):
    """As wide as a phone's column: names are slanted and zeros left out where cells are small."""
    letters = max(len(name) for name in rows)
    sums = kind == "weight" and len(columns) <= MOST_WITH_SUMS
    room = PHONE / PIXELS - 0.2 - 0.085 * letters - (0.62 if sums else 0)
    cell = min(CELL, room / len(columns))
    longest = max(len(name) for name in columns)
    slanted = 0.088 * longest > cell
    top = 0.2 + 0.07 * longest if slanted else 0.3
    short = cell < 0.34
    points = 8.6 if short else 9
    return Size(PHONE / PIXELS, cell * len(rows) + top, points, slanted, short, sums)


def _drawn(A, rows, columns, kind, digits, size):
    n, m = A.shape
    fig, ax = axes(size.width, size.height)
    most = 1.0 if kind == "weight" else float(np.nanmax(np.abs(A))) or 1.0
    for i, j in np.ndindex(n, m):
        _cell(ax, (i, j), A[i, j], A[i, j] / most, digits, size)
    _label_cells(ax, rows, columns, size)
    if kind == "weight" and size.sums:
        for i, total in enumerate(np.nansum(A, axis=1)):
            ax.text(m + 0.15, i + 0.5, f"Σ {total:.2f}", va="center", color=LIGHT["muted"], size=9)
    return fig


def _matrix(A: ArrayLike, rows: Sequence[str], columns: Sequence[str], kind: str) -> Array:
    A = np.asarray(A, dtype=float)
    if A.ndim != 2 or A.shape != (len(rows), len(columns)):
        raise ValueError(
            f"A must be (rows, columns) = ({len(rows)}, {len(columns)}): A is {A.shape}"
        )
    if max(A.shape) > LARGEST:
        raise ValueError(f"a heat map has at most {LARGEST} rows and columns: A is {A.shape}")
    if kind not in ("weight", "score"):
        raise ValueError(f"kind must be 'weight' or 'score', not {kind!r}")
    if kind == "weight" and (np.nanmin(A) < 0 or np.nanmax(A) > 1 + 1e-9):
        raise ValueError(f"weights lie in [0, 1]: A runs from {np.nanmin(A)} to {np.nanmax(A)}")
    return A


def _cell(ax, at, value, share, digits, size):
    i, j = at
    hidden = np.isnan(value)
    level = 0 if hidden else round(abs(share) * STEPS) / STEPS
    end = LIGHT["weight" if hidden or share >= 0 else "score-low"]
    face = mix(end, LIGHT["paper"], level)
    hatch = "////" if hidden else None
    ax.add_patch(Rectangle((j, i), 1, 1, facecolor=face, edgecolor=LIGHT["line"], hatch=hatch))
    if not hidden:
        ink = ON_STRONG if level >= STRONG else ON_FAINT
        words = f"{value:.{digits}f}".replace("-", "−")
        words = re.sub(r"^(−?)0\.", r"\1.", words) if size.short else words
        place = {"ha": "center", "va": "center"}
        ax.text(j + 0.5, i + 0.5, words, color=ink, size=size.points, **place)


def _label_cells(ax, rows, columns, size):
    ax.set(xlim=(0, len(columns)), ylim=(len(rows), 0), aspect="equal")
    ax.grid(False)
    ax.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    names = {"size": max(9, size.points)}
    turn = {"rotation": 50, "ha": "left", "rotation_mode": "anchor"} if size.slanted else {}
    ax.set_xticks(np.arange(len(columns)) + 0.5, columns, color=LIGHT["key"], **names, **turn)
    ax.set_yticks(np.arange(len(rows)) + 0.5, rows, color=LIGHT["query"], **names)
    ax.spines[:].set_visible(False)
