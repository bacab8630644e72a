r"""Formulas stand in the page as MathML: a browser draws them with the text, without a script.

An equation is cut where its author wrote \qquad: no browser breaks a line within a formula, and on
a phone its parts then stand below each other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

from web.builder.events import PARALLEL_SAFE, PRIORITY
from web.chapters.role_colours import coloured
from web.formulas.convert import Formula, FormulaError, as_math, convert

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata
    from sphinx.writers.html5 import HTML5Translator


class ConvertFormulas(SphinxPostTransform):
    """Convert the formulas of a page, all at once, just before it is written."""

    default_priority = PRIORITY["writing"]
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        found = [*self.document.findall(nodes.math), *self.document.findall(nodes.math_block)]
        try:
            convert(_formula(part, node) for node in found for part in _parts(node))
        except FormulaError as error:
            raise ExtensionError(f"{self.env.docname}: {error}") from None


APART = re.compile(r"\\qquad(?![a-zA-Z])(?:\s*\\quad(?![a-zA-Z]))?")


def _parts(node: nodes.Node) -> list[str]:
    """The TeX of a formula; of an equation that is no alignment, part by part."""
    tex = node.astext()
    is_cut = isinstance(node, nodes.math_block) and r"\begin" not in tex
    return [part.strip() for part in (APART.split(tex) if is_cut else [tex])]


def _formula(part: str, node: nodes.Node) -> Formula:
    return Formula(coloured(part).strip(), isinstance(node, nodes.math_block))


def _mathml(node: nodes.Node) -> str:
    """The elements for a node of a page, or for its copy in a table of contents."""
    parts = [(part, _formula(part, node)) for part in _parts(node)]
    known = convert(formula for _, formula in parts)
    return "".join(as_math(known[f], part, display=f.display) for part, f in parts)


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(_mathml(node))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="equation notranslate"))
    translator.body.append(f"{_mathml(node)}</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_css_file("formulas/formulas.css")
    app.add_js_file("formulas/copied-formulas.mjs", type="module")
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.add_post_transform(ConvertFormulas)
    return PARALLEL_SAFE
