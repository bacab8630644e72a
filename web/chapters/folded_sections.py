"""Sections that a reader may leave out: folded on the site, open for whoever wants them.

A section whose heading begins with "Going deeper" becomes a `<details>` with its heading as the
summary; cells inside it are executed like all others. In JupyterLab the same heading is collapsed
by its cell's metadata, `+++ {"jp-MarkdownHeadingCollapsed": true}` on the line before it.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, PRIORITY

OPENING = "Going deeper"


def is_folded(section: nodes.section) -> bool:
    """Whether this is a section that a page shows by its heading alone."""
    at = section.first_child_matching_class(nodes.title)
    return at is not None and section[at].astext().startswith(OPENING)


class FoldSections(SphinxPostTransform):
    """Fold each such section just before a page is written; its anchor stays in sight."""

    default_priority = PRIORITY["writing"]
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for section in self.document.findall(nodes.section):
            if is_folded(section):
                at = section.first_child_matching_class(nodes.title)
                # A heading is written only as a child of its section, so the tags go around it.
                section.insert(at + 1, _html("</summary>"))
                section.insert(at, _html('<details class="attn-deeper"><summary>'))
                section.append(_html("</details>"))


def _html(tags: str) -> nodes.raw:
    return nodes.raw("", tags, format="html")


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_post_transform(FoldSections)
    return PARALLEL_SAFE
