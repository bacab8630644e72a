r"""What belongs together stays on one line: a formula and its sign, short code, number and unit.

To a browser a formula in a line is a picture, and a line may break on either side of a picture,
before a full stop too. What touches a formula is therefore wrapped with it in one unbroken piece.
Code such as ``(n, d)`` may break at its spaces; up to ``SHORT`` letters, which every phone has room
for, it does not. And the space in "chapter 2" or "67 MB" is one that does not break.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, PRIORITY, Page, connect_page

UNBROKEN, SHORT = "attn-unbroken", 24
PAIRS = re.compile(r"(?<=\b[Cc]hapter) (?=\d)|(?<=\d) (?=(?:[kMGT]B|°C)\b)")
VERBATIM = (nodes.literal, nodes.literal_block, nodes.raw, nodes.math, nodes.math_block)

FORMULA = r"<math><semantics>.*?</math>"
BEFORE, AFTER = "([“‘", ",.;:!?)]”’…%–—-"
TOUCHED = re.compile(
    rf"([{re.escape(BEFORE)}]*)({FORMULA})([{re.escape(AFTER)}]*)",
    re.DOTALL,
)


class JoinWords(SphinxPostTransform):
    """Keep short code and numbers whole, just before a page is written."""

    default_priority = PRIORITY["writing"]
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for code in self.document.findall(nodes.literal):
            if len(code.astext()) <= SHORT:
                code["classes"].append(UNBROKEN)
        for text in list(self.document.findall(nodes.Text)):
            if PAIRS.search(text) and not isinstance(text.parent, VERBATIM):
                text.parent.replace(text, nodes.Text(joined(text)))


def joined(text: str) -> str:
    """The text, with spaces that do not break between a number and its noun.

    >>> joined("See chapter 2: 67.1 MB at 20 °C for 8 words")
    'See chapter\xa02: 67.1\xa0MB at 20\xa0°C for 8 words'
    """
    return PAIRS.sub("\N{NO-BREAK SPACE}", text)


def unbroken(html: str) -> str:
    r"""Wrap each formula that a sign touches.

    >>> formula = "<math><semantics><mi>x</mi></semantics></math>"
    >>> unbroken(f"for {formula}, and") == (
    ...     f'for <span class="attn-unbroken">{formula},</span> and'
    ... )
    True
    >>> unbroken(f"for {formula} and") == f"for {formula} and"
    True
    """
    return TOUCHED.sub(_wrap, html)


def _wrap(found: re.Match[str]) -> str:
    if not (found[1] or found[3]):
        return found[0]
    return f'<span class="{UNBROKEN}">{found[0]}</span>'


def _on_page(page: Page) -> None:
    page.context["body"] = unbroken(page.context.get("body", ""))


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_post_transform(JoinWords)
    connect_page(app, _on_page)
    return PARALLEL_SAFE
