r"""Formulas as MathML Core, made of TeX when the book is built; no script draws them in the page.

MathJax reads the TeX, ``convert.cjs`` writes what it understood as MathML that Chromium, Firefox
and WebKit draw alike. What was converted once is cached.
"""

import hashlib
import html
import json
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from web.builder.cache import write_whole
from web.builder.paths import CACHE
from web.builder.third_party import assets

FORMULAS = CACHE / "formulas"
CONVERTER = Path(__file__).with_suffix(".cjs")
# What of MathJax runs without a browser.
PARTS = tuple(f"package/es5/{part}" for part in ("node-main.js", "input/", "adaptors/"))


class Formula(NamedTuple):
    """A piece of TeX, and whether it stands on a line of its own."""

    tex: str
    display: bool = False


class FormulaError(Exception):
    """A formula that MathJax cannot read, or that MathML cannot say."""


def convert(wanted: Iterable[Formula]) -> dict[Formula, str]:
    """The content of ``<math>`` for each formula, and for all that were asked before."""
    cache_file = FORMULAS / f"{_cache_key()}.json"
    known = _converted(cache_file)
    new = [formula for formula in dict.fromkeys(wanted) if formula not in known]
    if new:
        known |= zip(new, _run(new), strict=True)
        content = json.dumps([[*formula, text] for formula, text in known.items()])
        write_whole(cache_file, content.encode())
    return known


@cache
def _converted(cache_file: Path) -> dict[Formula, str]:
    """What the cache holds, read once; what is converted later is added to it."""
    if not cache_file.exists():
        return {}
    return {Formula(*entry[:2]): entry[2] for entry in json.loads(cache_file.read_text())}


def as_math(content: str, tex: str, *, display: bool) -> str:
    r"""The element of a page: one row, and the TeX for whoever wants to copy it.

    >>> as_math("<mi>x</mi>", "x", display=False)[:49]
    '<math><semantics><mrow><mi>x</mi></mrow><annotati'
    """
    block = ' display="block"' if display else ""
    source = f'<annotation encoding="application/x-tex">{html.escape(tex)}</annotation>'
    # One row: Firefox breaks a line between two children of <math>.
    return f"<math{block}><semantics><mrow>{content}</mrow>{source}</semantics></math>"


@cache
def _cache_key() -> str:
    made_by = CONVERTER.read_bytes() + assets.named("mathjax").sha256.encode()
    return hashlib.sha256(made_by).hexdigest()[:16]


def _run(new: list[Formula]) -> list[str]:
    asked = json.dumps([formula._asdict() for formula in new])
    mathjax = assets.unpacked(assets.named("mathjax"), FORMULAS, PARTS) / "package" / "es5"
    command = ["node", str(CONVERTER), str(mathjax)]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    if done.returncode:
        raise FormulaError(f"formulas could not be converted: {done.stderr.strip()}")
    answers = json.loads(done.stdout)
    wrong = [
        f"{formula.tex}: {answer['error']}"
        for formula, answer in zip(new, answers, strict=True)
        if "error" in answer
    ]
    if wrong:
        raise FormulaError("\n".join(wrong))
    return [answer["mathml"] for answer in answers]
