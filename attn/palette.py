"""The colours of the course: one source for text, equations, live figures and plots.

Each role has a colour for either theme and a second carrier (a letter, a dash, a marker), so
that a figure still reads in grey. ``python -m attn.palette FILE...`` writes the numbers into
the palette block of each style sheet.
"""

import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Role:
    """A part that a vector or number plays in attention, and how it is drawn."""

    name: str
    letter: str
    light: str
    dark: str
    dash: str
    marker: str


ROLES = {
    role.name: role
    for role in (
        Role("query", "q", "#1f66d1", "#5aa9ff", "", "o"),
        Role("key", "k", "#b4580a", "#f6ac3c", "7 3", "s"),
        Role("value", "v", "#0a4a2c", "#92dcbd", "2 3", "^"),
        Role("weight", "a", "#8e1a80", "#e96bbb", "9 3 2 3", "h"),
        Role("output", "y", "#16181d", "#f4f7fa", "", "D"),
    )
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
    """Every colour of one theme by name, roles first.

    >>> colours("light")["query"]
    '#1f66d1'
    """
    if theme not in ("light", "dark"):
        raise ValueError(f"theme must be 'light' or 'dark', not {theme!r}")
    roles = {name: getattr(role, theme) for name, role in ROLES.items()}
    return roles | {name: pair[theme == "dark"] for name, pair in SHADES.items()}


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
BEGIN, END = "/* palette: begin */", "/* palette: end */"


def css():
    """The palette as custom properties, for the site's themes and JupyterLab's."""

    def block(selector, theme):
        lines = "".join(f"  --attn-{name}: {value};\n" for name, value in colours(theme).items())
        return f"{selector} {{\n{lines}}}\n"

    return f"{BEGIN}\n{block(':root', 'light')}{block(DARK, 'dark')}{END}"


def write(path):
    """Replace the palette block of a style sheet by today's numbers."""
    text = Path(path).read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise ValueError(f"{path} must hold one palette block, from {BEGIN!r} to {END!r}")
    before, rest = text.split(BEGIN)
    Path(path).write_text(before + css() + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(name)
