"""Empty axes in the course's look: no box, quiet rules, the series as line styles."""

from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.figure import Figure

from attn.palette import SERIES, colours

LIGHT = colours("light")


def dashes(dash: str) -> Any:
    """A dash of the palette as matplotlib takes it, in points."""
    lengths = tuple(float(x) / 2 for x in dash.split())
    return (0, lengths) if lengths else "-"


STYLE: dict[Any, Any] = {
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "svg.fonttype": "none",
    "svg.hashsalt": "attn",
    "font.size": 11,
    "text.color": LIGHT["ink"],
    "axes.labelcolor": LIGHT["ink"],
    "axes.titlecolor": LIGHT["ink"],
    "axes.titlesize": 12,
    "axes.edgecolor": LIGHT["edge"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": LIGHT["line"],
    "grid.linewidth": 0.8,
    "xtick.color": LIGHT["edge"],
    "ytick.color": LIGHT["edge"],
    "xtick.labelcolor": LIGHT["ink"],
    "ytick.labelcolor": LIGHT["ink"],
    "lines.linewidth": 2.2,
    "lines.markersize": 6,
    "legend.frameon": False,
    "axes.prop_cycle": cycler(
        color=[look.light for look in SERIES.values()],
        linestyle=[dashes(look.dash) for look in SERIES.values()],
    ),
}


def axes(width: float = 6.4, height: float = 3.2, *, columns: int = 1) -> tuple[Figure, Any]:
    """A figure and its axes (an array of them where `columns` > 1), sizes in inches.

    >>> fig, ax = axes(4, 3)
    >>> ax.get_xlabel()
    ''
    """
    with mpl.rc_context(STYLE):
        fig = Figure(figsize=(width, height), layout="constrained")
        return fig, fig.subplots(1, columns)
