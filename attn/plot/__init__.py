"""Still figures for the pages, in the course's colours and right in both themes."""

from attn.plot.axes import axes, dashes
from attn.plot.heatmap import heatmap
from attn.plot.lines import curves, each_run, legend, level, mean_and_range
from attn.plot.picture import Picture, show
from attn.plot.side_by_side import side_by_side

__all__ = [
    "Picture",
    "axes",
    "curves",
    "dashes",
    "each_run",
    "heatmap",
    "legend",
    "level",
    "mean_and_range",
    "show",
    "side_by_side",
]
