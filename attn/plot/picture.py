"""A matplotlib figure as inline SVG: the page's own colours, and words for who cannot see it."""

import io
import re
from html import escape
from itertools import count

import matplotlib as mpl
from matplotlib.figure import Figure

from attn.palette import ROLES, SERIES, colours, mix, picture_css
from attn.plot.axes import STYLE
from attn.plot.phone import for_phone

STEPS = 100
NARROW = 480  # CSS pixels: a narrower box gets the drawing for a phone
PHONE = 328  # CSS pixels of that drawing: a phone's column
# Black and white stand for many things; a number on a heat map's cell is drawn a shade off them.
ON_FAINT, ON_STRONG = "#010101", "#fefefe"
_serial = count(1)


def ramp_css(end, percent):
    """CSS of the colour `percent` of the way from the paper to the palette's `end`."""
    light = colours("light")
    full, empty = (f"var(--attn-{name}, {light[name]})" for name in (end, "paper"))
    return f"color-mix(in oklab, {full} {percent}%, {empty})"


def _themed():
    """What each colour of the light theme stands for, as CSS that follows the theme."""
    light = colours("light")
    table = {
        mix(light[end], light["paper"], step / STEPS): ramp_css(end, step)
        for end in ("score-low", "weight")
        for step in range(1, STEPS)
    }
    shown = {ON_FAINT: "on-faint", ON_STRONG: "on-strong"}
    names = ("paper", "line", "edge", "muted", "score-low", *ROLES, *SERIES)
    shown |= {light[name]: name for name in names}
    table |= {drawn: f"var(--attn-{name}, {light[name]})" for drawn, name in shown.items()}
    ink, line = "var(--attn-ink, currentColor)", table[light["line"]]
    # matplotlib's own black, and the grey of its legends' frames.
    return table | {light["ink"]: ink, "#000000": ink, "#cccccc": line}


THEMED = _themed()


# Of the two drawings of a picture the one for its box is there; each names itself.
_EITHER = (
    f".attn-two {{ container-type: inline-size; }} "
    f"@container (width < {NARROW}px) {{ .attn-for-desk {{ display: none !important; }} }} "
    f"@container (width >= {NARROW}px) {{ .attn-for-phone {{ display: none !important; }} }}"
)


class Picture:
    """What ``show`` returns: a notebook or a page displays it.

    `narrow` is the same drawn for a phone, where a picture is too wide for one.
    """

    def __init__(self, svg: str, alt: str, narrow: str | None = None) -> None:
        self.svg = svg
        self.alt = alt
        self.narrow = narrow

    def _repr_html_(self):
        rules = re.sub(r"\s+", " ", picture_css())
        if self.narrow is None:
            drawn = themed_svg(self.svg, self.alt)
            return f'<figure class="attn-figure"><style>{rules}</style>{drawn}</figure>'
        desk, phone = (
            themed_svg(svg, self.alt, f"attn-for-{screen}")
            for svg, screen in ((self.svg, "desk"), (self.narrow, "phone"))
        )
        return (
            f'<figure class="attn-figure attn-two"><style>{rules} {_EITHER}</style>'
            f"{desk}{phone}</figure>"
        )

    def _repr_svg_(self):
        return self.svg


def show(fig: Figure, *, alt: str, narrow: Figure | None = None) -> Picture:
    """Display a matplotlib figure; `alt` says in words what it shows.

    A figure that is too wide for a phone is drawn once more, as wide as a phone's column: panels
    one below the other, the legend in as many columns as fit. `narrow` is a figure to show there
    instead.

    Raises
    ------
    ValueError
        If `alt` is empty.
    """
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"alt must say in words what the figure shows, got {alt!r}")
    svg = svg_text(fig)
    if narrow is None and natural_width(svg) > 1.05 * PHONE:
        narrow = for_phone(fig, PHONE)
    return Picture(svg, alt.strip(), None if narrow is None else svg_text(narrow))


def svg_text(fig):
    """The figure as SVG, its words as text, in the look of the light theme."""
    stream = io.StringIO()
    with mpl.rc_context(STYLE):
        fig.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return re.sub(r"\s*<metadata>.*?</metadata>", "", stream.getvalue(), flags=re.DOTALL)


def themed_svg(svg, alt, kind=""):
    """A picture's <svg> element, ready to stand in a page beside others."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"#[0-9a-f]{6}\b", lambda m: THEMED.get(m[0], m[0]), svg)
    # The fonts named are those of the machine that drew it: the words take the page's own.
    svg = re.sub(r"font-family: [^;\"]*;? ?", "", svg)
    svg = re.sub(r' (?:d|x|y|transform)="[^"]*"', _hundredths, svg)
    return _frame(_unique_ids(svg, f"attn-figure-{next(_serial)}"), alt, kind)


def natural_width(svg):
    """The picture's own width in CSS pixels, of which a point is 4/3."""
    return round(float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1]) * 4 / 3)


def _hundredths(attribute):
    """The same attribute with no more digits than a screen can show."""
    return re.sub(r"(\.\d\d)\d+", r"\1", attribute[0])


def _unique_ids(svg, prefix):
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    return re.sub(r'(url\(|href=")#(?=[\w-])', rf"\1#{prefix}-", svg)


def _frame(svg, alt, kind):
    """Name the picture, let it shrink with the page, and write its words in the page's ink."""
    opening, rest = svg.split(">", 1)
    opening = re.sub(r' (?:width|height|version)="[^"]*"', "", opening)
    look = f"width: 100%; max-width: {natural_width(svg)}px; height: auto"
    name = f' class="{kind}"' if kind else ""
    return (
        f'{opening}{name} role="img" aria-label="{escape(alt, quote=True)}"'
        f' style="{look}; fill: var(--attn-ink, currentColor)">{rest}'
    )
