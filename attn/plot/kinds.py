"""The three kinds of still figure that the chapters use."""

import numpy as np
from matplotlib.patches import Rectangle

from attn.palette import ROLES, SERIES, STRONG, colours, mix
from attn.plot.axes import axes, dashes
from attn.plot.picture import ON_FAINT, ON_STRONG, STEPS, show

LARGEST = 48
LARGEST_WITH_NUMBERS = 12
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
    size = 0.62 if m <= LARGEST_WITH_NUMBERS else 0.18
    fig, ax = axes(size * (m + 1) + 1.1, size * n + 0.6)
    most = 1.0 if kind == "weight" else float(np.nanmax(np.abs(A))) or 1.0
    for i, j in np.ndindex(n, m):
        _cell(ax, i, j, A[i, j], A[i, j] / most, digits if m <= LARGEST_WITH_NUMBERS else None)
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
    if digits is not None and not hidden:
        ink = ON_STRONG if level >= STRONG else ON_FAINT
        words = f"{value:.{digits}f}".replace("-", "−")
        ax.text(j + 0.5, i + 0.5, words, ha="center", va="center", color=ink, size=10)


def _label_cells(ax, rows, columns):
    ax.set(xlim=(0, len(columns)), ylim=(len(rows), 0), aspect="equal")
    ax.grid(False)
    ax.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    small = 10 if max(len(rows), len(columns)) <= LARGEST_WITH_NUMBERS else 6
    ax.set_xticks(np.arange(len(columns)) + 0.5, columns, color=LIGHT["key"], size=small)
    ax.set_yticks(np.arange(len(rows)) + 0.5, rows, color=LIGHT["query"], size=small)
    if small < 10:
        ax.tick_params(axis="x", labelrotation=90)
    ax.spines[:].set_visible(False)


def bars(labels, heights, *, alt, role="weight", ylabel="weight", digits=2):
    """One bar for each label with its number above it, in the role's colour."""
    heights = np.asarray(heights, dtype=float)
    if heights.shape != (len(labels),):
        raise ValueError(f"one height for each label: {len(labels)} labels, {heights.shape}")
    fig, ax = axes(min(7.0, 1.2 + 0.9 * len(labels)), 2.8)
    drawn = ax.bar(labels, heights, width=0.6, color=_role(role).light)
    ax.bar_label(drawn, [f"{h:.{digits}f}".replace("-", "−") for h in heights], padding=2)
    ax.set_ylabel(ylabel)
    ax.grid(axis="x", visible=False)
    ax.margins(y=0.15)
    return show(fig, alt=alt)


def curves(x, lines, *, alt, xlabel, ylabel, roles=None, logx=False, logy=False):
    """Named lines over `x`, each with its own colour, dash and marker, all named in a legend.

    Parameters
    ----------
    lines : mapping of name to (len(x),)
    roles : mapping of name to role, optional
        Where a line shows a query, key, value, weight or output; else the series' looks in turn.
    """
    looks = list(SERIES.values())
    if len(lines) > len(looks):
        raise ValueError(f"at most {len(looks)} lines can be told apart, got {len(lines)}")
    fig, ax = axes(4.9, 3.3)
    for index, (name, y) in enumerate(lines.items()):
        look = _role(roles[name]) if roles else looks[index]
        every = max(1, len(x) // 8)
        line = ax.plot(x, y, label=name, linewidth=2.2, markevery=every)
        line[0].set(color=look.light, linestyle=dashes(look.dash), marker=look.marker)
    if logx:
        ax.set_xscale("log", base=2)
    if logy:
        ax.set_yscale("log")
    ax.set(xlabel=xlabel, ylabel=ylabel)
    across = min(len(lines), 3)
    fig.legend(frameon=False, handlelength=3, ncols=across, loc="outside upper center")
    return show(fig, alt=alt)


def _role(name):
    if name not in ROLES:
        raise ValueError(f"role must be one of {list(ROLES)}, not {name!r}")
    return ROLES[name]
