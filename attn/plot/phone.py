"""A matplotlib figure drawn again for a phone: as narrow as its column, nothing smaller to read."""

import pickle
import warnings

import matplotlib as mpl
from matplotlib.layout_engine import ConstrainedLayoutEngine

from attn.plot.axes import STYLE

PIXELS = 96  # CSS pixels of an inch
PANEL = 2.7  # inches, the height of one panel


def for_phone(fig, width):
    """A copy of `fig`, `width` CSS pixels wide; panels of a row stand one below the other.

    None if it cannot be copied, as when a reader's own function formats its ticks.

    >>> from attn.plot.axes import axes
    >>> fig, panels = axes(6.6, 3.2, columns=2)
    >>> narrow = for_phone(fig, 328)
    >>> narrow.get_size_inches().round(1).tolist(), len(narrow.axes)
    ([3.4, 5.4], 2)
    """
    try:
        narrow = pickle.loads(pickle.dumps(fig))
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    with mpl.rc_context(STYLE):
        rows = _stack(narrow)
        _, high = fig.get_size_inches()
        height = min(high, 3.2) if rows == 1 else PANEL * rows
        narrow.set_size_inches(width / PIXELS, height)
        if isinstance(narrow.get_layout_engine(), ConstrainedLayoutEngine):
            extra = _arrange_legend(narrow)
            narrow.set_size_inches(width / PIXELS, height + extra)
        else:
            _make_room(narrow)
    return narrow


def _stack(fig):
    """Put the panels of one row one below the other; how many rows there are then."""
    places = [ax.get_subplotspec() for ax in fig.axes]
    if len(places) < 2 or None in places:
        return 1
    if {place.rowspan.start for place in places} != {0} or len(set(places)) != len(places):
        return 1
    if len({place.get_gridspec() for place in places}) > 1:
        return 1  # a colour bar stays beside its panel
    grid = fig.add_gridspec(len(places), 1)
    for place, ax in zip(grid, fig.axes, strict=True):
        ax.set_subplotspec(place)
    return len(places)


def _make_room(fig):
    """Keep names and numbers inside a figure whose margins shrank with it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # axes in no grid stay where they are
        fig.tight_layout()


def _arrange_legend(fig):
    """Give a legend above the figure as many columns as fit; the height in inches of rows added."""
    if len(fig.legends) != 1:
        return 0
    (old,) = fig.legends
    handles, labels = old.legend_handles, [text.get_text() for text in old.get_texts()]
    before = old._ncols
    old.remove()
    for columns in range(before, 0, -1):
        made = fig.legend(
            handles,
            labels,
            loc="outside upper center",
            ncols=columns,
            frameon=False,
            handlelength=2.4,
            columnspacing=1.2,
        )
        fig.draw_without_rendering()
        if columns == 1 or made.get_window_extent().width <= fig.bbox.width:
            break
        made.remove()
    rows = [-(-len(labels) // n) for n in (before, columns)]
    return 0.22 * (rows[1] - rows[0])
