"""The site's typefaces: of each, the characters that the site uses, as small files.

Source Serif for what is read and Source Sans for what is used, by Adobe, under the SIL Open Font
License. It reserves their name for the whole, so the parts served here bear another one.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from web.builder.cache import kept_folder
from web.builder.paths import CACHE
from web.builder.third_party import assets

if TYPE_CHECKING:  # a build that has its fonts does without
    from fontTools.ttLib import TTFont

FONTS = CACHE / "fonts"
KEPT_NAMES = [0, 1, 2, 3, 4, 5, 6, 13, 14]  # 0, 13 and 14: whose they are, under which licence
TYPED = "".join(map(chr, range(0x20, 0x7F))) + "\u00a0‘’“”–—…·×−"


@dataclass(frozen=True)
class Face:
    """One file of the site: which master it is cut from, and where on its axes."""

    asset: str
    master: str
    family: str
    style: str
    axes: tuple[tuple[str, float | tuple[float, float]], ...]
    features: tuple[str, ...]


FACES = {
    "serif": Face(
        "source-serif",
        "package/WOFF2/VAR/SourceSerif4Variable-Roman.ttf.woff2",
        "Slider Serif",
        "Regular",
        (("wght", (400, 700)), ("opsz", 18)),
        ("kern", "liga"),
    ),
    "serif-italic": Face(
        "source-serif",
        "package/WOFF2/VAR/SourceSerif4Variable-Italic.ttf.woff2",
        "Slider Serif",
        "Italic",
        (("wght", 400), ("opsz", 18)),
        ("kern", "liga"),
    ),
    "sans": Face(
        "source-sans",
        "package/WOFF2/VF/SourceSans3VF-Upright.ttf.woff2",
        "Slider Sans",
        "Regular",
        (("wght", (400, 700)),),
        ("kern", "tnum"),
    ),
}


def fonts(characters: str, cache: Path = FONTS) -> Path:
    """A folder with a file for each face that holds these characters, and the licences."""
    wanted = "".join(sorted(set(characters) | set(TYPED)))
    masters = _masters()
    made_from = [wanted, FACES, [asset.sha256 for asset in masters]]

    def make(folder: Path) -> None:
        print(f"fonts: cutting {len(FACES)} files to the site's characters", flush=True)
        for master in masters:
            _cut_all(master, wanted, folder)

    key = hashlib.sha256(repr(made_from).encode()).hexdigest()[:16]
    return kept_folder(cache / key, make)


def _masters() -> list[assets.Asset]:
    used = {face.asset for face in FACES.values()}
    return [asset for asset in assets.load_manifest() if asset.name in used]


def _cut_all(asset: assets.Asset, characters: str, folder: Path) -> None:
    archive = assets.fetch(asset)
    (folder / f"{asset.name}-licence.txt").write_bytes(_member(archive, "package/LICENSE.md"))
    for name, face in FACES.items():
        if face.asset == asset.name:
            master = io.BytesIO(_member(archive, face.master))
            cut(master, face, characters, folder / f"{name}.woff2")


def _member(archive: Path, name: str) -> bytes:
    ((_, content),) = assets.members(archive, name)
    return content


def cut(master: BinaryIO, face: Face, characters: str, target: Path) -> None:
    """Write the part of a variable font with these characters, within the face's axes."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font = TTFont(master, recalcTimestamp=False)  # the same bytes from the same characters
    options = Options()
    options.layout_features = list(face.features)
    options.hinting = False
    options.name_IDs = KEPT_NAMES
    options.drop_tables += ["BASE", "DSIG"]
    subsetter = Subsetter(options)
    subsetter.populate(text=characters)
    subsetter.subset(font)
    font = instancer.instantiateVariableFont(font, dict(face.axes), inplace=True)
    _rename(font, face)
    font.flavor = "woff2"
    font.save(target)


def _rename(font: TTFont, face: Face) -> None:
    names = {1: face.family, 2: face.style, 4: f"{face.family} {face.style}"}
    names[3] = names[6] = names[4].replace(" ", "")
    for entry in font["name"].names:
        if entry.nameID in names:
            entry.string = names[entry.nameID]
