"""Formulas become MathML with TeX's spaces, and the site's typeface can draw each of them."""

import io
import re

import pytest
from fontTools.ttLib import TTFont

from web.builder.paths import SITE
from web.formulas import math_font
from web.formulas.convert import Formula, FormulaError, convert
from web.theme.typefaces import formula_characters

PAGES = {path.name: path.read_text(encoding="utf-8") for path in SITE.glob("book/*.html")}
WITH_FORMULAS = {name: page for name, page in PAGES.items() if "<math" in page}
MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
WHOLE = re.compile(
    r'<math(?: display="block")?><semantics><mrow>(?P<drawn>.+?)</mrow>'
    r'<annotation encoding="application/x-tex">(?P<tex>[^<]+)</annotation></semantics></math>',
    re.DOTALL,
)
MOST_BYTES = 19 * 1024


def mathml(tex, *, display=False):
    wanted = Formula(tex, display)
    return convert([wanted])[wanted]


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("a + b", '<mi>a</mi><mo lspace="0.222em" rspace="0.222em">+</mo><mi>b</mi>'),
        ("-b", '<mo lspace="0" rspace="0">−</mo><mi>b</mi>'),
        ("a = b", '<mi>a</mi><mo lspace="0.278em" rspace="0.278em">=</mo><mi>b</mi>'),
        ("a, b", '<mi>a</mi><mo lspace="0" rspace="0.167em">,</mo><mi>b</mi>'),
        (r"a\,b", '<mi>a</mi><mspace width="0.167em"></mspace><mi>b</mi>'),
        (r"\ln x", '<mi>ln</mi><mo lspace="0" rspace="0.167em">\u2061</mo><mi>x</mi>'),
        (r"\text{if } i", "<mtext>if\u00a0</mtext><mi>i</mi>"),
        (r"i \ne j", '<mi>i</mi><mo lspace="0.278em" rspace="0.278em">≠</mo><mi>j</mi>'),
    ],
)
def test_neighbours_stand_as_far_apart_as_in_tex(tex, expected):
    assert mathml(tex) == expected


def test_in_a_script_operators_stand_close():
    assert '<mo lspace="0" rspace="0">+</mo>' in mathml("x_{i+1}")


def test_a_space_that_is_taken_back_is_none():
    close = mathml(r"\operatorname{softmax}\!\left(\frac{x}{2}\right)")
    bracket = '<mo lspace="0.06em" rspace="0.06em" stretchy="true">('  # its own air, no more
    assert close.startswith(f"<mi>softmax</mi><mrow>{bracket}")


def test_brackets_grow_when_they_are_told_to():
    assert 'stretchy="false">(' in mathml("(x)")
    assert 'stretchy="true" minsize="1.2em" maxsize="1.2em">(' in mathml(r"\bigl(x\bigr)")


def test_columns_are_aligned_by_class():
    table = mathml(r"\begin{aligned} a &= b && c \end{aligned} \\ x", display=True)
    assert re.findall(r'<mtd class="([^"]*)"', table) == ["right", "left", "right apart", "left"]


def test_a_letter_of_a_role_keeps_its_class():
    assert mathml(r"\class{q}{q}_i") == '<msub><mi class="q">𝒒</mi><mi>i</mi></msub>'
    assert mathml(r"\class{v}{V}") == '<mi class="v">𝑽</mi>'


@pytest.mark.parametrize(
    ("tex", "says"),
    [
        (r"a\!b", "negative"),
        (r"\mathbf{x}", "one typeface"),
        (r"\frac{a", "close brace"),
        (r"\nosuchcommand", "Undefined control sequence"),
        (r"\phantom{x}", "mphantom"),
        (r"\sqrt{\frac{a}{b}}", "too tall"),
    ],
)
def test_what_cannot_be_written_stops_the_build_and_is_named(tex, says):
    with pytest.raises(FormulaError, match=says) as error:
        mathml(tex)
    assert tex in str(error.value)


def test_there_are_pages_with_formulas():
    assert len(WITH_FORMULAS) >= 10


@pytest.mark.parametrize("name", WITH_FORMULAS)
def test_every_formula_of_a_page_is_drawn_and_holds_its_tex(name):
    formulas = MATH.findall(PAGES[name])
    assert [formula for formula in formulas if not WHOLE.fullmatch(formula)] == []
    text = re.sub(r"<(script|style|pre|code|math|svg)\b.*?</\1>", "", PAGES[name], flags=re.DOTALL)
    assert re.findall(r"\\[(\[]|\$\$|\\[a-z]+\{", text) == []


@pytest.mark.parametrize("name", WITH_FORMULAS)
def test_every_glyph_of_a_page_s_formulas_has_an_outline(name):
    font = TTFont(io.BytesIO((SITE / "_static/fonts/math.woff2").read_bytes()))
    glyphs, outlines = font.getBestCmap(), font["glyf"]
    for character in formula_characters(PAGES[name]) - math_font.INVISIBLE:
        is_drawn = outlines[glyphs[ord(character)]].numberOfContours != 0
        assert is_drawn or character.isspace(), character


def test_the_typeface_of_formulas_is_small_and_says_whose_it_is():
    assert (SITE / "_static/fonts/math.woff2").stat().st_size <= MOST_BYTES
    assert "SIL OPEN FONT LICENSE" in (SITE / "_static/fonts/math-licence.txt").read_text()


def test_a_new_character_extends_the_typeface(tmp_path):
    folder = math_font.math_font("x∮", cache=tmp_path)
    font = TTFont(io.BytesIO((folder / "math.woff2").read_bytes()))
    assert {"x", "∮"} <= set(map(chr, font.getBestCmap()))
    assert "MATH" in font


def test_a_character_without_a_glyph_stops_the_build(tmp_path):
    with pytest.raises(math_font.MissingGlyphError, match=r"no 猫 \(U\+732B\)"):
        math_font.math_font("x猫", cache=tmp_path)
