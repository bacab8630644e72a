"""The style sheets of the theme and of cells, without the rules that no page can use.

Most of Bootstrap is classes that nobody wears here. A rule is kept if each class and id that its
selector names is a word of some page or script: what a script adds later is among these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import myst_nb
import tinycss2

from web.builder.events import PARALLEL_SAFE, connect

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata
    from tinycss2.ast import Node

WORD = re.compile(r"[\w-]+")
CELLS = Path(myst_nb.__file__).parent / "static" / "mystnb.css"
SHEETS = ("styles/bootstrap.css", "styles/pydata-sphinx-theme.css", "styles/sphinx-book-theme.css")
WITH_RULES = {"media", "supports"}
WITHOUT_CLASSES = {"vendor", "python", "editor", "stock-widgets"}  # scripts with looks of their own


def used_rules(css: str, words: set[str]) -> str:
    """The style sheet with the rules, and of each the selectors, that these words can meet.

    >>> used_rules(".btn, .btn-lg:hover { color: red } .col-9 { width: 75% }", {"btn", "p"})
    '.btn{ color: red }'
    >>> used_rules("@media print { .d-none { display: none } } p { margin: 0 }", {"p"})
    'p{ margin: 0 }'
    """
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return "".join(_kept(rules, words))


def _kept(rules: Iterable[Node], words: set[str]) -> Iterator[str]:
    for rule in rules:
        if rule.type == "qualified-rule":
            if selectors := [part for part in _selectors(rule) if _can_meet(part, words)]:
                prelude = ",".join(tinycss2.serialize(part).strip() for part in selectors)
                yield f"{prelude}{{{tinycss2.serialize(rule.content)}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword in WITH_RULES:
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if text := "".join(_kept(inner, words)):
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{text}}}"
        else:
            yield rule.serialize()


def _selectors(rule: Node) -> list[list[Node]]:
    parts: list[list[Node]] = [[]]
    for token in rule.prelude:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _can_meet(selector: list[Node], words: set[str]) -> bool:
    named = {token.value for token in selector if token.type == "hash"}
    for before, token in pairwise(selector):
        if before.type == "literal" and before.value == "." and token.type == "ident":
            named.add(token.value)
    return named <= words


def _originals(app: Sphinx) -> Iterator[tuple[Path, Path]]:
    """Each style sheet of the site that others wrote, and what it was copied from."""
    static = Path(app.outdir) / "_static"
    for folder in map(Path, app.builder.theme.get_theme_dirs()):  # type: ignore[attr-defined]
        for name in SHEETS:
            if (folder / "static" / name).exists():
                yield static / name, folder / "static" / name
    for copy in static.glob("mystnb.*.css"):
        yield copy, CELLS


def _words(site: Path) -> set[str]:
    files = [*site.rglob("*.html"), *site.rglob("*.js"), *site.rglob("*.mjs")]
    read = [file for file in files if WITHOUT_CLASSES.isdisjoint(file.parts)]
    return {word for file in read for word in WORD.findall(file.read_text(encoding="utf-8"))}


def _on_finished(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    words = _words(Path(app.outdir))
    for copy, original in _originals(app):
        css = original.read_text(encoding="utf-8")
        copy.write_text(used_rules(css, words), encoding="utf-8")


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "build-finished", _on_finished)
    return PARALLEL_SAFE
