"""The typeface of formulas: STIX Two Math, cut to the characters that the site's formulas use.

It comes under the SIL Open Font License, which reserves no name here. With its characters stay
their larger forms and the table from which a browser reads how to set a formula.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from web.builder.cache import kept_folder
from web.builder.paths import CACHE
from web.builder.third_party import assets

if TYPE_CHECKING:  # a build that has its font does without
    from fontTools.ttLib import TTFont

FONTS = CACHE / "math-font"
MASTER = "package/400Regular/STIXTwoMath_400Regular.ttf"
PRIME, SMALL_PRIME, ROOT = 0x2032, "minute.ssty", 0x221A
DROPPED = ["GDEF", "GPOS", "GSUB", "DSIG"]
KEPT_NAMES = [0, 1, 2, 3, 4, 5, 6, 13, 14]  # 0, 13 and 14: whose it is, under which licence
# How far a script may drop when its base is tall: with these, the scripts of q and k stand alike.
# And the space after a script: with the typeface's own 40, a bold K touches the index before it.
CONSTANTS = {
    "SubscriptBaselineDropMin": 0,
    "SuperscriptBaselineDropMax": 300,
    "SpaceAfterScript": 90,
}
INVISIBLE = set("\u2061\u2062\u2063\u2064")  # "applied to", "times", …: for who hears a formula


class MissingGlyphError(Exception):
    """A formula has a character that its typeface cannot draw."""


def italic(letter: str) -> str:
    """The letter as a browser sets a name of one letter: a character of its own in Unicode.

    >>> italic("q"), italic("h"), italic("β"), italic("∂"), italic("2")
    ('𝑞', 'ℎ', '𝛽', '𝜕', '2')
    """
    if letter == "h":
        return "ℎ"
    for first, last, start in ("AZ𝐴", "az𝑎", "ΑΩ𝛢", "αω𝛼"):
        if first <= letter <= last:
            return chr(ord(start) + ord(letter) - ord(first))
    others = dict(zip("∂ϵϑϰϕϱϖ∇", "𝜕𝜖𝜗𝜘𝜙𝜚𝜛𝛻", strict=True))
    return others.get(letter, letter)


def math_font(characters: Iterable[str], cache: Path = FONTS) -> Path:
    """A folder with the font that draws these characters, and its licence."""
    wanted = "".join(sorted(set(characters) - INVISIBLE | {" "}))
    asset = assets.named("stix-two-math")
    made_from = Path(__file__).read_text(encoding="utf-8") + wanted + asset.sha256

    def make(folder: Path) -> None:
        archive = assets.fetch(asset)
        ((_, licence),) = assets.members(archive, "package/LICENSE_FONT")
        (folder / "math-licence.txt").write_bytes(licence)
        ((_, master),) = assets.members(archive, MASTER)
        cut(io.BytesIO(master), wanted, folder / "math.woff2")

    return kept_folder(cache / hashlib.sha256(made_from.encode()).hexdigest()[:16], make)


def cut(master: io.BytesIO, characters: str, target: Path) -> None:
    """Write the part of the font with these characters and all that they grow into."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    font = TTFont(master, recalcTimestamp=False)  # the same bytes from the same characters
    missing = sorted(set(characters) - set(map(chr, font.getBestCmap())))
    if missing:
        named = ", ".join(f"{it} (U+{ord(it):04X})" for it in missing)
        raise MissingGlyphError(f"the typeface of formulas has no {named}")
    _adapt(font)
    options = Options()
    options.hinting = False
    options.name_IDs = KEPT_NAMES
    options.drop_tables += DROPPED
    subsetter = Subsetter(options)
    subsetter.populate(text=characters)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


def _adapt(font: TTFont) -> None:
    for table in font["cmap"].tables:
        if PRIME in table.cmap:
            table.cmap[PRIME] = SMALL_PRIME  # browsers do not ask for the form of a superscript
    math = font["MATH"].table
    for name, value in CONSTANTS.items():
        getattr(math.MathConstants, name).Value = value
    # Chromium leaves room for the widest form of a root, whichever it draws: one form is kept. The
    # converter refuses what would be too tall for it.
    variants, name = math.MathVariants, font.getBestCmap()[ROOT]
    root = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(name)]
    del root.MathGlyphVariantRecord[1:]
    root.VariantCount, root.GlyphAssembly = 1, None
