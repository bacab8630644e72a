"""Still figures for the pages, in the course's colours and right in both themes."""

from attn.plot.axes import axes
from attn.plot.beside import beside
from attn.plot.course_map import course_map
from attn.plot.kinds import bars, curves, heatmap
from attn.plot.picture import Picture, show

__all__ = ["Picture", "axes", "bars", "beside", "course_map", "curves", "heatmap", "show"]
