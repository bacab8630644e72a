"""Lines over an axis, each in one look of the palette: its colour, its dash and its marker."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attn.core.arrays import ArrayLike
from attn.palette import GUIDES, SERIES, Look, colours
from attn.plot.axes import axes, dashes
from attn.plot.picture import Picture, show


def curves(
    x: Sequence[float] | np.ndarray,
    lines: Mapping[str, ArrayLike],
    *,
    alt: str,
    xlabel: str,
    ylabel: str,
    xticks: Mapping[float, str] | None = None,
    logx: bool = False,
    logy: bool = False,
) -> Picture:
    """Named lines over `x`, each with its own colour, dash and marker, all named in a legend.

    Parameters
    ----------
    lines : mapping of name to (len(x),)
    xticks : mapping of place to name, optional
        Where the axis has its ticks, and what they are called.
    """
    if len(lines) > len(SERIES):
        raise ValueError(f"at most {len(SERIES)} lines can be told apart, got {len(lines)}")
    fig, ax = axes(4.9, 3.3)
    every = max(1, len(x) // 8)
    for (name, y), look in zip(lines.items(), SERIES.values(), strict=False):
        ax.plot(x, y, label=name, linewidth=2.2, markevery=every, **_whole(look))
    if logx:
        ax.set_xscale("log", base=2)
    if logy:
        ax.set_yscale("log")
    if xticks:
        ax.set_xticks(list(xticks), labels=list(xticks.values()))
    ax.set(xlabel=xlabel, ylabel=ylabel)
    legend(fig, ncols=min(len(lines), 3))
    return show(fig, alt=alt)


def mean_and_range(
    ax: Axes, x: ArrayLike, runs: ArrayLike, look: Look, *, label: str, markevery: int = 1
) -> None:
    """The mean of several runs as a line, and a band from the lowest to the highest of them.

    Parameters
    ----------
    runs : (runs, len(x))
    look : Look
        Such as ``attn.palette.SERIES["series-1"]``.

    >>> from attn.palette import SERIES
    >>> fig, ax = axes()
    >>> mean_and_range(ax, [0, 1], [[0, 2], [0, 4]], SERIES["series-1"], label="two runs")
    >>> ax.lines[0].get_ydata()
    array([0., 3.])
    """
    runs = np.asarray(runs)
    low, high = runs.min(axis=0), runs.max(axis=0)
    ax.fill_between(x, low, high, color=look.light, alpha=0.18, linewidth=0)
    ax.plot(x, runs.mean(axis=0), label=label, markevery=markevery, **_whole(look))


def each_run(ax: Axes, x: ArrayLike, runs: ArrayLike, look: Look, *, label: str) -> None:
    """Every run as a thin line of its own, without markers; the legend names them once."""
    thin = _whole(look) | {"marker": "", "linewidth": 1.6}
    first, *_ = ax.plot(x, np.transpose(runs), **thin)
    first.set_label(label)


def level(ax: Axes, height: float) -> None:
    """A dotted line across, behind the curves that are compared with it."""
    dots = dashes(GUIDES["guide-dots"])
    ax.axhline(height, color=colours("light")["edge"], linestyle=dots, linewidth=1.5, zorder=1)


def legend(fig: Figure, *, ncols: int) -> None:
    """Name the lines of the first panel above the figure, long enough for a dash to be seen."""
    labelled = fig.axes[0].get_legend_handles_labels()
    fig.legend(*labelled, loc="outside upper center", ncols=ncols, frameon=False, handlelength=3)


def _whole(look):
    return {"color": look.light, "linestyle": dashes(look.dash), "marker": look.marker}
