r"""A sign stays on the line of its formula.

To a browser a formula in a line is a picture, and a line may break on either side of a picture,
before a full stop too. What touches a formula is therefore wrapped with it in one unbroken piece.
"""

import re

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from web.ext import PARALLEL_SAFE, Page, connect_page

FORMULA = r"<math><semantics>.*?</math>"
BEFORE, AFTER = "([“‘", ",.;:!?)]”’…%–—-"
TOUCHED = re.compile(
    rf"([{re.escape(BEFORE)}]*)({FORMULA})([{re.escape(AFTER)}]*)",
    re.DOTALL,
)


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
    return f'<span class="attn-unbroken">{found[0]}</span>'


def _on_page(page: Page) -> None:
    page.context["body"] = unbroken(page.context.get("body", ""))


def setup(app: Sphinx) -> ExtensionMetadata:
    connect_page(app, _on_page)
    return PARALLEL_SAFE
