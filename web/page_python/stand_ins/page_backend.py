"""matplotlib's backend in the page: figures are SVG, and a cell shows those it leaves open."""

from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_svg import FigureCanvasSVG


class FigureManager(FigureManagerBase):
    @classmethod
    def pyplot_show(cls, *, block=None):
        """Do nothing: what is open is shown when the cell has ended."""


class FigureCanvas(FigureCanvasSVG):
    manager_class = FigureManager
