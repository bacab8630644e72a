"""A line in a picture of the book wears a look of the palette whole: its colour and its dash."""

import re

import pytest

from attn.palette import ROLES, SERIES
from web.builder.paths import SITE
from web.chapters import contents

LOOKS = ROLES | SERIES


def pattern(look, thickness):
    """The lengths of a look's dash in a picture, which grows with the line's thickness."""
    return [float(length) / 2 * thickness for length in look.dash.split()]


def lines(html):
    """(look, dash, thickness) of each line in a role's or series' colour."""
    for style in re.findall(r'style="(fill: none;[^"]*)"', html):
        stroke = re.search(r"stroke: var\(--attn-([\w-]+)", style)
        if stroke and stroke[1] in LOOKS:
            dash = re.search(r"stroke-dasharray: ([\d.,]+)", style)
            thickness = re.search(r"stroke-width: ([\d.]+)", style)
            lengths = [float(x) for x in dash[1].split(",")] if dash else []
            yield LOOKS[stroke[1]], lengths, float(thickness[1]) if thickness else 1.0


@pytest.mark.parametrize("path", contents.pages(), ids=lambda path: path.stem)
def test_a_line_in_a_picture_has_the_dash_of_its_colour(path):
    html = (SITE / f"book/{path.stem}.html").read_text(encoding="utf-8")
    for look, dash, thickness in lines(html):
        assert dash == pytest.approx(pattern(look, thickness), rel=0.01), look.name
