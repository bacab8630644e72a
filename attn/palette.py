"""The colours of the course: one source for text, equations, live figures and plots.

Each role has a colour for either theme and second carriers (a letter, a dash, a marker, an
underline), so that a figure still reads in grey. Style sheets use them by name: ``css`` gives them
to the site and to a notebook.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np


@dataclass(frozen=True)
class Look:
    """A colour for either theme, a dash in pixels and a marker, so that it reads in grey too."""

    name: str
    light: str
    dark: str
    dash: str
    marker: str


@dataclass(frozen=True)
class Role(Look):
    """A part that a vector or number plays in attention, and how it is drawn and written."""

    letter: str
    underline: str


ROLES = {
    role.name: role
    for role in (
        Role("query", "#1f66d1", "#5aa9ff", "", "o", "q", ""),
        Role("key", "#b4580a", "#f6ac3c", "7 3", "s", "k", "dashed 1px"),
        Role("value", "#0a4a2c", "#92dcbd", "2 3", "^", "v", "dotted 2px"),
        Role("weight", "#8e1a80", "#e96bbb", "9 3 2 3", "h", "a", ""),
        Role("output", "#16181d", "#f4f7fa", "", "D", "y", "double 1px"),
    )
}

# For curves that play no part in attention: a loss, a count, one run beside another.
SERIES = {
    look.name: look
    for look in (
        Look("series-1", "#1f7d8a", "#a1f7fb", "", "o"),
        Look("series-2", "#721310", "#dd665c", "8 3", "s"),
        Look("series-3", "#3f1f86", "#9e75c9", "2 3", "^"),
        Look("series-4", "#7e7101", "#fdee7d", "9 3 2 3", "D"),
        Look("series-5", "#4d5156", "#a9b7c0", "14 4", "v"),
    )
}

# A marker as a CSS shape.
SHAPES = {
    "o": "circle(50%)",
    "s": "inset(0)",
    "^": "polygon(50% 0, 100% 100%, 0 100%)",
    "h": "polygon(25% 0, 75% 0, 100% 50%, 75% 100%, 25% 100%, 0 50%)",
    "D": "polygon(50% 0, 100% 50%, 50% 100%, 0 50%)",
}

# What is not a role: the ground a figure stands on, its words, its rules, and the ends of the
# colour maps: from `paper` at 0 to the role "weight" at 1, or to `score-low` for negative scores.
SHADES = {
    "paper": ("#ffffff", "#121212"),
    "surface": ("#f6f8fa", "#1c2026"),
    "ink": ("#1b2129", "#e4e9ee"),
    "muted": ("#55606d", "#a3adb8"),
    "line": ("#d3d9e0", "#3a424d"),
    "edge": ("#76818d", "#7d8893"),
    "focus": ("#1f66d1", "#5aa9ff"),
    "score-low": ("#7d4000", "#d38629"),
    "on-faint": ("#000000", "#ffffff"),
    "on-strong": ("#ffffff", "#000000"),
}

# What the pages wear and no figure does: how an answer did, links, the words in an editor.
PAGE = {
    "passed": ("#00843f", "#5fb488"),
    "failed": ("#d72d47", "#e78894"),
    "link": ("#0b57b8", "#8ec1ff"),
    "link-hover": ("#083d82", "#bfdcff"),
    "code-keyword": ("#6730c5", "#cfb3ff"),
    "code-string": ("#00622f", "#93d9a3"),
    "code-number": ("#97370c", "#ffb98a"),
    "code-definition": ("#00518f", "#8fcbff"),
}

# Dashes of lines that play no part and show no data: what a curve is compared with, where to
# look, and the outline of a small thing that is switched off.
GUIDES = {"guide-dash": "4 3", "guide-dots": "2 3", "guide-fine": "1.5 1.5"}

# A cell this full or fuller carries its number in `on-strong`, any other in `on-faint`.
STRONG = 0.765

# Linear-RGB simulations of full dichromacy (Machado, Oliveira and Fernandes, 2009).
DEFICIENCIES = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}

_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def colours(theme):
    """Every colour of one theme by name: roles, series, shades, those of the pages.

    >>> colours("light")["query"]
    '#1f66d1'
    """
    if theme not in ("light", "dark"):
        raise ValueError(f"theme must be 'light' or 'dark', not {theme!r}")
    looks = {name: getattr(look, theme) for name, look in (ROLES | SERIES).items()}
    return looks | {name: pair[theme == "dark"] for name, pair in (SHADES | PAGE).items()}


def linear(colour):
    """Linear-light red, green and blue in [0, 1] of '#rrggbb'."""
    srgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def from_linear(rgb):
    """'#rrggbb' of linear-light red, green and blue; values outside [0, 1] are clipped."""
    rgb = np.clip(rgb, 0, 1)
    srgb = np.where(rgb <= 0.0031308, rgb * 12.92, 1.055 * rgb ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in srgb)


def oklab(colour):
    """Lightness and two opponent axes in which equal steps look equal (Ottosson, 2020)."""
    return _LAB @ np.cbrt(_LMS @ linear(colour))


def contrast(a, b):
    """WCAG 2 contrast ratio, from 1 to 21.

    >>> round(float(contrast("#000000", "#ffffff")), 6)
    21.0
    """
    bright, dim = sorted((linear(c) @ [0.2126, 0.7152, 0.0722] for c in (a, b)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def simulate(colour, deficiency):
    """The colour as a reader with this deficiency sees it.

    >>> simulate("#ffffff", "deutan")
    '#ffffff'
    """
    if deficiency not in DEFICIENCIES:
        raise ValueError(f"deficiency must be one of {sorted(DEFICIENCIES)}, not {deficiency!r}")
    return from_linear(np.array(DEFICIENCIES[deficiency]) @ linear(colour))


def mix(full, empty, share):
    """The colour `share` of the way from `empty` to `full`, even steps to the eye.

    >>> mix("#ffffff", "#000000", 0.0)
    '#000000'
    """
    lab = share * oklab(full) + (1 - share) * oklab(empty)
    return from_linear(np.linalg.solve(_LMS, np.linalg.solve(_LAB, lab) ** 3))


def nearest_pair(palette, deficiency=None):
    """(distance, a, b): the two names of `palette` that look most alike, in OKLab."""
    seen = {
        name: oklab(simulate(colour, deficiency) if deficiency else colour)
        for name, colour in palette.items()
    }
    return min((float(np.linalg.norm(seen[a] - seen[b])), a, b) for a, b in combinations(seen, 2))


DARK = ':root[data-theme="dark"],\nbody[data-jp-theme-light="false"]'


def css():
    """The palette as custom properties, for the site's themes and JupyterLab's."""
    return _themes(colours("light"), colours("dark")) + _block(":root", _carriers())


def picture_css():
    """A figure's colours alone, for a still picture, which holds its own dashes and markers."""
    light, dark = (
        {name: colour for name, colour in colours(theme).items() if name not in PAGE}
        for theme in ("light", "dark")
    )
    return _themes(light, dark)


def _themes(light, dark):
    """Two sets of colours; on paper it is the light one, whatever the screen showed."""
    return _block(":root", light) + f"@media not print {{\n{_block(DARK, dark)}}}\n"


def _block(selector, properties):
    lines = "".join(f"  --attn-{name}: {value};\n" for name, value in properties.items())
    return f"{selector} {{\n{lines}}}\n"


def _carriers():
    """What says the same as a colour, and the share at which a cell's number changes its own."""
    dashes = {f"{name}-dash": look.dash or "none" for name, look in (ROLES | SERIES).items()}
    shapes = {f"{name}-shape": SHAPES[role.marker] for name, role in ROLES.items()}
    # Kind and thickness apart: WebKit takes them so.
    lines = {
        f"{name}-underline{part}": value
        for name, role in ROLES.items()
        for part, value in zip(("", "-thickness"), role.underline.split(), strict=False)
    }
    return dashes | GUIDES | shapes | lines | {"strong": STRONG}
