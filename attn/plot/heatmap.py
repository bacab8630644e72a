"""A matrix as cells: queries on its rows, keys on its columns, each cell with its number."""

import numpy as np
from matplotlib.patches import Rectangle

from attn.palette import STRONG, colours, mix
from attn.plot.axes import axes
from attn.plot.picture import ON_FAINT, ON_STRONG, STEPS, show

LARGEST = 12  # more cells leave no room for their numbers
CELL = 0.62  # inches
LIGHT = colours("light")


def heatmap(A, rows, columns, *, alt, kind="weight", digits=2):
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
    fig, ax = axes(CELL * (m + 1) + 1.1, CELL * n + 0.6)
    most = 1.0 if kind == "weight" else float(np.nanmax(np.abs(A))) or 1.0
    for i, j in np.ndindex(n, m):
        _cell(ax, i, j, A[i, j], A[i, j] / most, digits)
    _label_cells(ax, rows, columns)
    if kind == "weight":
        for i, total in enumerate(np.nansum(A, axis=1)):
            ax.text(m + 0.15, i + 0.5, f"Σ {total:.2f}", va="center", color=LIGHT["muted"], size=9)
    return show(fig, alt=alt)


def _matrix(A, rows, columns, kind):
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


def _cell(ax, i, j, value, share, digits):
    hidden = np.isnan(value)
    level = 0 if hidden else round(abs(share) * STEPS) / STEPS
    end = LIGHT["weight" if hidden or share >= 0 else "score-low"]
    face = mix(end, LIGHT["paper"], level)
    hatch = "////" if hidden else None
    ax.add_patch(Rectangle((j, i), 1, 1, facecolor=face, edgecolor=LIGHT["line"], hatch=hatch))
    if not hidden:
        ink = ON_STRONG if level >= STRONG else ON_FAINT
        words = f"{value:.{digits}f}".replace("-", "−")
        ax.text(j + 0.5, i + 0.5, words, ha="center", va="center", color=ink, size=10)


def _label_cells(ax, rows, columns):
    ax.set(xlim=(0, len(columns)), ylim=(len(rows), 0), aspect="equal")
    ax.grid(False)
    ax.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    ax.set_xticks(np.arange(len(columns)) + 0.5, columns, color=LIGHT["key"], size=10)
    ax.set_yticks(np.arange(len(rows)) + 0.5, rows, color=LIGHT["query"], size=10)
    ax.spines[:].set_visible(False)
