"""Colours and dashes are written in the palette, and elsewhere only where there is a reason."""

import re
from pathlib import Path

import pytest
from matplotlib.colors import BASE_COLORS, CSS4_COLORS, TABLEAU_COLORS

from attn import palette
from web.chapters import contents
from web.chapters.source import code_cells

TOP = Path(__file__).resolve().parents[2]
SUFFIXES = {".css", ".js", ".mjs", ".py"}
NAMES = {*CSS4_COLORS, *BASE_COLORS, *TABLEAU_COLORS}
WRITTEN = re.compile(
    r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![\w-])|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(",
    re.IGNORECASE,
)
DECLARED = re.compile(r"(?:color|background|border|outline|shadow|fill|stroke)[\w-]*:([^;{}]*);")
QUOTED = re.compile(r"""(?:colou?r|background|fill|stroke)["']?\s*[=:]\s*["']([\w:]+)["']""")
DASH = re.compile(
    r"""(?:dash|dasharray|linestyle|ls)["']?\s*[:=]\s*["'`]?([\d.][\d., ]*|-+\.?|:)["'`;]"""
)

ALLOWED = {
    # what matplotlib draws by itself, and stand-ins for black and white; a page shows none of them
    "attn/plot/picture.py": {"#010101", "#fefefe", "#000000", "#cccccc"},
    # may not import the palette; test_verdict.py holds them equal to it
    "attn/exercises/checking/verdict.py": {"#00843f", "#d72d47", "#55606d"},
    # a mask: only how opaque it is counts
    "web/theme/icons.css": {"#000"},
}


def colours(text, suffix):
    """Every colour that a source text writes out; a picture in a url() is a mask."""
    text = re.sub(r'url\(".*?"\)', "", text)
    values = DECLARED.findall(text) if suffix == ".css" else QUOTED.findall(text)
    words = {word for value in values for word in re.findall(r"(?<![\w-])[a-z:]+(?![\w(-])", value)}
    return {*WRITTEN.findall(text), *(words & NAMES)}


def sources():
    """(name, suffix, text) of what the course is made of, but for the palette."""
    for folder in ("attn", "web"):
        for path in sorted((TOP / folder).rglob("*")):
            name = path.relative_to(TOP).as_posix()
            if path.suffix in SUFFIXES and "node_modules" not in name and name != "attn/palette.py":
                yield name, path.suffix, path.read_text("utf-8")
    for path in contents.notebooks():
        yield path.name, ".py", "\n".join(code_cells(path.read_text("utf-8")))


def test_no_source_writes_a_colour_that_the_palette_could_give():
    found = {name: colours(text, suffix) for name, suffix, text in sources()}
    assert {name: written for name, written in found.items() if written} == ALLOWED


def test_no_source_writes_a_dash_that_the_palette_could_give():
    found = {name: DASH.findall(text) for name, _, text in sources()}
    assert {name: written for name, written in found.items() if written} == {}


def test_the_icon_of_the_site_is_drawn_in_colours_of_the_palette():
    icon = (TOP / "web/theme/favicon.svg").read_text(encoding="utf-8")
    known = {colour for theme in ("light", "dark") for colour in palette.colours(theme).values()}
    assert colours(icon, ".svg")
    assert colours(icon, ".svg") <= known


@pytest.mark.parametrize(
    ("text", "suffix", "expected"),
    [
        ("a { color: var(--x, #0a7d91); }", ".css", {"#0a7d91"}),
        ("a { border: 1px solid red; margin: 0; }", ".css", {"red"}),
        ("a { color: rgb(0 0 0 / 50%); }", ".css", {"rgb("}),
        ("#fade-in { color: inherit; }", ".css", set()),
        ("ax.axhline(0, color='k')", ".py", {"k"}),
        ('svg("rect", { style: { fill: "white" } })', ".js", {"white"}),
        ("names = ['black', 'tan']  # words", ".py", set()),
    ],
)
def test_a_written_colour_is_found(text, suffix, expected):
    assert colours(text, suffix) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("path { stroke-dasharray: 1.5 1.5; }", ["1.5 1.5"]),
        ('marks: [{ at: 0, dash: "3 3" }]', ["3 3"]),
        ('ax.axhline(0, linestyle=":")', [":"]),
        ("ax.plot(x, y, ls='-.')", ["-."]),
        ("path { stroke-dasharray: var(--attn-guide-dash); }", []),
        ("ax.plot(x, y, linestyle=plot.dashes(look.dash))", []),
    ],
)
def test_a_written_dash_is_found(text, expected):
    assert DASH.findall(text) == expected
