"""The site's typefaces hold the characters that its pages use, and no more."""

import io
from html.parser import HTMLParser

import pytest
from fontTools.ttLib import TTFont

from web.builder.paths import SITE
from web.builder.third_party import assets
from web.theme import fonts

MOST_BYTES = 60 * 1024  # of fonts for a page
CUT = SITE / "_static/fonts"
NAMES = sorted(fonts.FACES)
PAGES = sorted(path for path in SITE.glob("**/*.html") if "_static" not in path.parts)


class Text(HTMLParser):
    """The characters of a page outside code and formulas, which have faces of their own."""

    OTHER = ("pre", "code", "math", "script", "style", "noscript")

    def __init__(self):
        super().__init__()
        self.within, self.seen = [], set()

    def handle_starttag(self, tag, attributes):
        if tag in self.OTHER or self.within:
            self.within.append(tag)

    def handle_endtag(self, tag):
        if tag in self.within:
            while self.within.pop() != tag:
                pass

    def handle_data(self, data):
        if not self.within:
            self.seen |= set(data)


def characters(path):
    reader = Text()
    reader.feed(path.read_text(encoding="utf-8"))
    return {character for character in reader.seen if character.isprintable()}


def opened(path):
    return TTFont(io.BytesIO(path.read_bytes()), lazy=True)


def held(font):
    return {chr(code) for code in font.getBestCmap()}


@pytest.fixture(scope="module")
def masters():
    """What each whole typeface could show."""
    archives = {asset.name: asset for asset in assets.load_manifest()}
    could_show = {}
    for name, face in fonts.FACES.items():
        ((_, content),) = assets.members(assets.fetch(archives[face.asset]), face.master)
        could_show[name] = held(TTFont(io.BytesIO(content), lazy=True))
    return could_show


def test_all_faces_together_weigh_no_more_than_a_page_may_load():
    sizes = {name: (CUT / f"{name}.woff2").stat().st_size for name in NAMES}
    assert sum(sizes.values()) <= MOST_BYTES, sizes


@pytest.mark.parametrize("name", NAMES)
def test_a_face_shows_every_character_of_the_pages_that_its_master_has(name, masters):
    used = set().union(*map(characters, PAGES))
    assert "β" in used
    assert (used & masters[name]) - held(opened(CUT / f"{name}.woff2")) == set()


@pytest.mark.parametrize("name", NAMES)
def test_a_part_of_a_typeface_does_not_bear_its_reserved_name(name):
    table = opened(CUT / f"{name}.woff2")["name"]
    assert not any("Source" in table.getDebugName(at) for at in (1, 3, 4, 6))
    assert "Adobe" in table.getDebugName(0)


@pytest.mark.parametrize("asset", sorted({face.asset for face in fonts.FACES.values()}))
def test_the_licence_is_served_beside_the_fonts(asset):
    assert "SIL OPEN FONT LICENSE" in (CUT / f"{asset}-licence.txt").read_text(encoding="utf-8")


def test_the_same_characters_give_the_same_bytes(tmp_path):
    whole = (CUT / "sans.woff2").read_bytes()
    for name in ("once", "again"):
        fonts.cut(io.BytesIO(whole), fonts.FACES["sans"], "look", tmp_path / name)
    assert (tmp_path / "once").read_bytes() == (tmp_path / "again").read_bytes()
    assert held(opened(tmp_path / "once")) == set("look")


def test_what_was_cut_once_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(fonts, "FACES", {})
    made = fonts.fonts("look", tmp_path)
    (made / "kept").touch()
    assert (fonts.fonts("kool", tmp_path) / "kept").exists()
    assert fonts.fonts("look β", tmp_path) != made
