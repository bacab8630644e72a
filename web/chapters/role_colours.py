"""The palette on every page, and its roles in text and equations.

An author writes plain Markdown: a role's word in bold (**query**), and the letters of the notation
in equations. On the site each gets its role's class; in JupyterLab the same source stays plain.
"""

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, PRIORITY, connect
from web.course import course

SHEET = "palette.css"
LETTERS = {"q": "q", "Q": "q", "k": "k", "K": "k", "v": "v", "V": "v"}
LETTERS |= {"A": "a", "p": "a", "y": "y", "Y": "y"}

# A letter on its own: not a subscript (the k of d_k names a size), not part of a command or a word.
LETTER = re.compile(rf"(?<![A-Za-z\\_^])(?<![_^]{{)([{''.join(LETTERS)}])(?![A-Za-z])")
WORD_IN_TEXT = re.compile(r"(\\(?:text|operatorname|begin|end)\s*\{[^}]*\})")


def coloured(latex: str) -> str:
    r"""Give each letter of the notation its role's class.

    >>> coloured(r"q^\top W k_j / \sqrt{d_k}")
    '\\class{q}{q}^\\top W \\class{k}{k}_j / \\sqrt{d_k}'
    >>> coloured(r"\frac{Q K^\top}{d_{k}}")
    '\\frac{\\class{q}{Q} \\class{k}{K}^\\top}{d_{k}}'
    >>> coloured(r"\text{a value } v_j")
    '\\text{a value } \\class{v}{v}_j'
    """
    parts = WORD_IN_TEXT.split(latex)
    for at in range(0, len(parts), 2):
        parts[at] = LETTER.sub(lambda m: rf"\class{{{LETTERS[m[1]]}}}{{{m[1]}}}", parts[at])
    return "".join(parts)


def words() -> dict[str, str]:
    """The class of each role's word, in the singular and the plural."""
    letters = dict(course().role_letters())
    plurals = {f"{name}s": letter for name, letter in letters.items()}
    return letters | plurals | {"queries": letters["query"]}


class RoleColours(SphinxPostTransform):
    """Mark the words just before a page is written; formulas ask for their letters."""

    default_priority = PRIORITY["writing"]
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        classes = words()
        for strong in self.document.findall(nodes.strong):
            role = classes.get(strong.astext().lower())
            if role:
                strong["classes"].append(role)


def _write_palette(app: Sphinx) -> None:
    """Before any page is written: a page's link to a style sheet holds the sheet's checksum."""
    if app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        static.mkdir(parents=True, exist_ok=True)
        (static / SHEET).write_text(course().palette(), encoding="utf-8")


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "builder-inited", _write_palette)
    app.add_css_file(SHEET)
    app.add_post_transform(RoleColours)
    return PARALLEL_SAFE
