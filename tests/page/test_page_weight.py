"""What the page *How it is built* says that a page weighs is what it weighs."""

import re
from pathlib import Path

import pydata_sphinx_theme
from book.chapter_text import Chapter
from page.page_limits import (
    MOST_BYTES,
    MOST_BYTES_READ,
    python_megabytes,
    sent_size,
    transfer_sizes,
)
from page.page_loading import wait_until_settled

from attn import smollm
from attn.minilm import weights
from web.builder.paths import SITE

CHAPTER = "book/01-lookup.html"
PAGE = Chapter("how-it-is-built")
# The first pattern that a file's name fits says what it is a part of.
PARTS = {
    "icons": "icons.css",
    "typefaces": "/fonts/",
    "code that runs": "/(cells|editing|editor|page_python)/",
    "exercises, questions, progress": "/(exercises|questions|progress)/",
    "figures": "/(attn|figures)/",
    "styles": "[.](css|svg)$",
    "scripts": "[.]m?js$",
    "the page itself": "[.]html$",
}
FONTS = ("solid-900", "brands-400", "regular-400")


def part_of(name):
    return next(part for part, pattern in PARTS.items() if re.search(pattern, name))


@PAGE.number(*PARTS, "in all")
def weight_of_chapter_1(open_page):
    """In KiB, by part."""
    page = wait_until_settled(open_page(CHAPTER), CHAPTER)
    weights = dict.fromkeys(PARTS, 0.0)
    for name, size in transfer_sizes(page.record, SITE).items():
        weights[part_of(name)] += size / 1024
    return *weights.values(), sum(weights.values())


@PAGE.number("cell buttons")
def weight_of_the_cells_buttons():
    """In KiB."""
    return sum(sent_size(path, 0) for path in (SITE / "_static/cells").glob("cells.*")) / 1024


@PAGE.number("theme's icons")
def weight_of_the_theme_s_own_icons():
    """In KiB."""
    (icons,) = Path(pydata_sphinx_theme.__file__).parent.rglob("vendor/fontawesome/*/")
    names = ["js/all.min.js", "css/all.min.css", *(f"webfonts/fa-{name}.woff2" for name in FONTS)]
    return sum(sent_size(icons / name, 0) for name in names) / 1024


@PAGE.number("python")
def python():
    return python_megabytes(SITE)


@PAGE.number("real model")
def real_model(minilm_weights):
    """In MB."""
    return weights.find()[0].stat().st_size / 1e6


@PAGE.number("language model")
def language_model(smollm_model):
    """In MB."""
    return smollm.find().stat().st_size / 1e6


@PAGE.number("most as it opens", "most when read")
def limits():
    return MOST_BYTES / 1024, MOST_BYTES_READ / 1024


test_number = PAGE.tests()
