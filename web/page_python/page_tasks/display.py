"""Show what a cell made: the value of its last line, and the plots it left open.

Nothing here needs the page: what is not loaded is not imported, and a figure, a plot or any other
value is recognised by the modules that are there.
"""

import ast
import logging
import sys

try:
    from ipython_pretty import pretty  # IPython's module, alone: what the page has of it
except ImportError:
    from IPython.lib.pretty import pretty

# Which packages a cell needs beyond those of a first run, by what it imports. Plots are drawn in
# the book's look, so matplotlib comes with the book's modules.
PLOTS, BOOK = ("matplotlib", "attn-book"), ("attn-book",)
NEEDED_BY = {
    "matplotlib": PLOTS,
    "mpl_toolkits": PLOTS,
    "cycler": PLOTS,
    "PIL": PLOTS,
    "attn.plot": PLOTS,
    "attn.data": BOOK,
    "attn.minilm": BOOK,
    "attn.palette": BOOK,
    "attn.sentence": BOOK,
    "attn.widgets": BOOK,
    "anywidget": BOOK,
    "traitlets": BOOK,
}
FROM_THE_SITE = ("_esm", "_css", "_files")  # of a figure's state
# Fonts only measure words here, and the page's own writes them: which are missing is no news.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


def packages_for(code):
    """The packages that must be loaded before the code can run.

    >>> packages_for("from attn import plot, softmax")
    ['matplotlib', 'attn-book']
    >>> packages_for("import numpy as np")
    []
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return []  # running it will say so
    needed = {
        package
        for module in _imported(tree)
        for known, packages in NEEDED_BY.items()
        if module == known or module.startswith(f"{known}.")
        for package in packages
    }
    return [package for package in PLOTS if package in needed]


def _imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def show(value, send):
    """Send the value of a cell's last line, as a notebook would show it; None is not shown."""
    if value is None:
        return
    if _is(value, "attn.plot.picture", "Picture"):
        send("svg", drawing(value))
    elif _is(value, "attn.plot.side_by_side", "SideBySide"):
        named = [{"name": name, **drawing(one)} for name, one in value.pictures.items()]
        send("svg", {"side_by_side": named})
    elif _is(value, "matplotlib.figure", "Figure"):
        show_plot(value, send)
    elif _is(value, "attn.widgets.kit.figure", "Figure") and _folder(value):
        send("figure", figure(value))
    else:
        send("value", f"{pretty(value)}\n")


def show_open_plots(send):
    """Send the figures of matplotlib that the cell left open, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    for number in pyplot.get_fignums() if pyplot else ():
        show_plot(pyplot.figure(number), send)


def drawing(picture):
    """A picture as the page takes it: its SVG, and the one for a phone, in the page's colours."""
    from attn.plot.picture import themed_svg

    drawn = {"svg": themed_svg(picture.svg, picture.alt), "alt": picture.alt}
    if picture.narrow is not None:
        drawn["narrow"] = themed_svg(picture.narrow, picture.alt)
    return drawn


def show_plot(fig, send):
    """Send a figure of matplotlib; one that pyplot keeps is closed, so that it is shown once."""
    from attn.plot.picture import show as picture_of

    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(fig)
    send("svg", drawing(picture_of(fig, alt=describe(fig))))


def describe(fig):
    """In words what a plot without an `alt` shows, from what is written on it."""
    parts = [fig.get_suptitle()]
    for ax in fig.axes:
        titles = (ax.get_title(loc) for loc in ("left", "center", "right"))
        parts.append(" ".join(title for title in titles if title))
        labels = (ax.get_ylabel(), ax.get_xlabel())
        parts.append(" over ".join(label for label in labels if label))
    said = "; ".join(part for part in parts if part)
    return f"A plot: {said}" if said else "A plot without a title or labels"


def figure(widget):
    """A live figure as the page's loader takes it."""
    state = {k: v for k, v in widget.get_state().items() if k not in FROM_THE_SITE}
    return {"module": _folder(widget), "state": state}


def _folder(widget):
    """Where the site has a figure's drawing; a class of the reader's own has none there."""
    before, _, folder = widget._anywidget_id.rpartition(".")[0].rpartition(".")
    return folder if before == "attn.widgets" else None


def _is(value, module, name):
    """Whether the value is of this class; where its module is not loaded, it cannot be."""
    found = sys.modules.get(module)
    return found is not None and isinstance(value, getattr(found, name))
