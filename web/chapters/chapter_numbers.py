"""Chapters are numbered, since the text refers to them by number: "1 · Lookup".

The source says "Lookup"; its file's name says 1. What Sphinx makes of titles (the sidebar, the
links to the next page, the progress overview) follows the heading.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, PRIORITY
from web.chapters.contents import before_title


class NumberTitle(SphinxTransform):
    """While a page is read: put the number before its first heading."""

    default_priority = PRIORITY["reading"]

    def apply(self, **kwargs: Any) -> None:
        number = before_title(self.env.docname)
        title = next(self.document.findall(nodes.title), None)
        if number and title is not None:
            title.insert(0, nodes.Text(number))


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_transform(NumberTitle)
    return PARALLEL_SAFE
