"""The typefaces of the pages: cut to the characters that the site uses, asked for early.

The files are made when all pages are written, so that no letter is missing. A page preloads the
faces that it uses as it opens: with ``font-display: optional`` what comes late is used from the
next page on, and no line of text ever moves.
"""

from __future__ import annotations

import html
import logging
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError

from web.builder.events import PARALLEL_SAFE, Page, connect, connect_page
from web.builder.paths import TOP
from web.formulas.math_font import MissingGlyphError, italic, math_font
from web.theme.fonts import fonts

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

OTHER_FACE = re.compile(r"<(pre|code|math|style)\b.*?</\1>", re.DOTALL)
FORMULA = re.compile(r"<math\b.*?<annotation\b", re.DOTALL)
TOKEN = re.compile(r"<(mi|mn|mo|mtext)\b([^>]*)>([^<]*)<")
ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
WITHOUT_SCRIPTS = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
# What scripts write into a page: the words of figures, questions and verdicts.
WRITTEN_LATER = ("attn/widgets/**/*.js", "web/*/*.mjs", "attn/exercises/**/*.py")


def characters(page: str) -> set[str]:
    r"""The characters of a page that one of the faces may have to show.

    >>> sorted(characters(r'<p>&beta;</p><code>#</code><script>"\u2212"</script>') & set("β#−"))
    ['β', '−']
    """
    text = html.unescape(OTHER_FACE.sub("", page))
    return set(ESCAPE.sub(lambda found: chr(int(found[1], 16)), text))


def formula_characters(page: str) -> set[str]:
    """The characters that the typeface of formulas has to show.

    >>> row = "<mi>q</mi><mo>=</mo><mi>ln</mi><msqrt><mn>2</mn></msqrt>"
    >>> sorted(formula_characters(f"<math>{row}<annotation>z</annotation></math>"))
    ['2', '=', 'l', 'n', '√', '𝑞']
    """
    found = set()
    for formula in FORMULA.findall(page):
        for name, attributes, text in TOKEN.findall(formula):
            shown = html.unescape(text)
            slants = name == "mi" and len(shown) == 1 and "mathvariant" not in attributes
            found |= {italic(shown)} if slants else set(shown)
        if "<msqrt" in formula:
            found.add("√")
    return found


def preloaded(body: str) -> list[str]:
    """The faces that a page shows as it opens.

    >>> preloaded("<h1>Search</h1><noscript><p>It needs scripts.</p></noscript>")
    ['sans']
    >>> preloaded("<p>A <em>soft</em> look-up of <math></math></p>")
    ['sans', 'serif', 'serif-italic', 'math']
    """
    seen = WITHOUT_SCRIPTS.sub("", body)
    used = {
        "sans": True,
        "serif": "<p" in seen,
        "serif-italic": "<em" in seen,
        "math": "<math" in seen,
    }
    return [name for name, is_used in used.items() if is_used]


def _on_page(page: Page) -> None:
    page.context["preloaded_fonts"] = preloaded(page.context.get("body", ""))


def _on_finished(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    pages = [page.read_text(encoding="utf-8") for page in Path(app.outdir).rglob("*.html")]
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells of every table it cuts
    later = [path.read_text(encoding="utf-8") for part in WRITTEN_LATER for path in TOP.glob(part)]
    used = set().union(*map(characters, pages + later))
    made = fonts("".join(used))
    in_formulas = set().union(*map(formula_characters, pages))
    try:
        parts = made, math_font(in_formulas)
    except MissingGlyphError as error:
        raise ExtensionError(str(error)) from None
    for part in parts:
        shutil.copytree(part, Path(app.outdir) / "_static" / "fonts", dirs_exist_ok=True)


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_css_file("theme/fonts.css", priority=300)
    connect_page(app, _on_page)
    connect(app, "build-finished", _on_finished)
    return PARALLEL_SAFE
