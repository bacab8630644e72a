r"""What a page holds for a reader without scripts: its formulas as MathML, and a sentence.

With scripts, MathJax draws each formula from its TeX. Beside it stands, for those without, the
MathML that the same MathJax makes of it when the book is built.
"""

import html
import json
import re
import subprocess
import tarfile
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.typing import ExtensionMetadata

from web.ext import PARALLEL_SAFE, Page, connect_page
from web.paths import CACHE
from web.third_party import assets

FORMULAS = CACHE / "formulas"
SCRIPT = Path(__file__).with_name("formulas.cjs")
NEEDED = re.compile(r"package/es5/(node-main\.js|input/.*|adaptors/.*)")
FORMULA = re.compile(
    r'<(?P<tag>span|div) class="math notranslate nohighlight"[^>]*>'
    r"(?:(?!</(?P=tag)>).)*?\\[(\[](?P<tex>.*?)\\[)\]]</(?P=tag)>",
    re.DOTALL,
)
LIVE = ("attn-exercise", "attn-question", "attn-waiting")
SENTENCE = (
    '<noscript><p class="attn-noscript">Scripts are off in this browser. The text, the equations '
    "and the pictures are all here; figures that move, exercises that run and answers that are "
    "checked need JavaScript.</p></noscript>"
)


def formulas(page: str) -> list[tuple[str, bool]]:
    r"""The TeX of each formula of a page, and whether it stands on a line of its own.

    >>> formulas(r'<span class="math notranslate nohighlight">\(a &lt; b\)</span>')
    [('a < b', False)]
    >>> formulas('<div class="math notranslate nohighlight" id="e">\n\\[\nx\n\\]</div>')
    [('x', True)]
    """
    return [_formula(found) for found in FORMULA.finditer(page)]


def _formula(found: re.Match[str]) -> tuple[str, bool]:
    return html.unescape(found["tex"]).strip(), found["tag"] == "div"


def with_mathml(page: str, mathml: dict[tuple[str, bool], str]) -> str:
    """The page with the MathML of each formula after it, for browsers that run no scripts."""
    return FORMULA.sub(
        lambda found: f"{found[0]}<noscript>{mathml[_formula(found)]}</noscript>", page
    )


def convert(wanted: list[tuple[str, bool]]) -> dict[tuple[str, bool], str]:
    """MathML of formulas; what was converted once is cached."""
    cache_file = FORMULAS / f"{_mathjax().cached}.json"
    known = {}
    if cache_file.exists():
        cached = json.loads(cache_file.read_text())
        known = {(tex, display): text for tex, display, text in cached}
    new = [formula for formula in dict.fromkeys(wanted) if formula not in known]
    if new:
        known |= zip(new, _run(new), strict=True)
        scratch = cache_file.with_suffix(".new")
        scratch.write_text(json.dumps([[*formula, text] for formula, text in known.items()]))
        scratch.replace(cache_file)
    return known


def _run(new: list[tuple[str, bool]]) -> list[str]:
    asked = json.dumps([{"tex": tex, "display": display} for tex, display in new])
    command = ["node", str(SCRIPT), str(_unpacked())]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ExtensionError(f"formulas could not be converted: {done.stderr.strip()}")
    for (tex, _), text in zip(new, mathml := json.loads(done.stdout), strict=True):
        if "<merror" in text:
            raise ExtensionError(f"not a formula that MathJax reads: {tex}")
    return [re.sub(r">\s+<", "><", text).replace(' data-mjx-texclass="ORD"', "") for text in mathml]


def _mathjax() -> assets.Asset:
    return next(asset for asset in assets.load_manifest() if asset.name == "mathjax")


def _unpacked() -> Path:
    """The folder with the part of MathJax that runs without a browser."""
    folder = FORMULAS / _mathjax().cached
    if not folder.exists():
        with tarfile.open(assets.fetch(_mathjax())) as archive:
            members = [m for m in archive if NEEDED.fullmatch(m.name)]
            archive.extractall(folder, members, filter="data")
    return folder / "package" / "es5"


def _on_page(page: Page) -> None:
    body = page.context.get("body", "")
    if wanted := formulas(body):
        body = with_mathml(body, convert(wanted))
    if any(part in body for part in LIVE):
        body = body.replace("</h1>", "</h1>" + SENTENCE, 1)
    page.context["body"] = body


def setup(app: Sphinx) -> ExtensionMetadata:
    connect_page(app, _on_page)
    return PARALLEL_SAFE
