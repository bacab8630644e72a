"""What the page *How it is built* says that a page weighs is what it weighs."""

import gzip
import re
from pathlib import Path

import pydata_sphinx_theme
import pytest
from page.page_limits import transfer_sizes
from page.page_loading import wait_until_settled

from web.builder.paths import SITE

CHAPTER = "book/01-lookup.html"
SOURCE = Path(__file__).resolve().parents[2] / "book/how-it-is-built.md"
TEXT = SOURCE.read_text(encoding="utf-8")
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


def test_chapter_1_weighs_what_the_table_says(open_page):
    page = wait_until_settled(open_page(CHAPTER), CHAPTER)
    weights = dict.fromkeys(PARTS, 0.0)
    for name, size in transfer_sizes(page.record, SITE).items():
        weights[part_of(name)] += size / 1024
    rows = re.findall(r"^\| ([\w][\w, ]+?) \| (\d+) \|$", TEXT, re.MULTILINE)
    stated = {part: int(kib) for part, kib in rows}
    assert stated == pytest.approx(weights, rel=0.05, abs=1)
    total = int(re.search(r"\*\*in all\*\* \| \*\*(\d+)\*\*", TEXT)[1])
    assert total == pytest.approx(sum(weights.values()), rel=0.02)


def test_the_theme_s_own_icons_weigh_what_the_page_says():
    (icons,) = Path(pydata_sphinx_theme.__file__).parent.rglob("vendor/fontawesome/*/")
    scripts = [icons / "js/all.min.js", icons / "css/all.min.css"]
    fonts = [icons / f"webfonts/fa-{name}.woff2" for name in FONTS]
    sizes = [len(gzip.compress(path.read_bytes(), 6)) for path in scripts]
    sizes += [path.stat().st_size for path in fonts]
    stated = int(re.search(r"would add (\d+) KiB", TEXT)[1])
    assert stated == pytest.approx(sum(sizes) / 1024, rel=0.02)
