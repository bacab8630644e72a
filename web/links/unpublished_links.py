"""A page that is not in the table of contents is not published, and neither is a link to it.

A teacher who leaves a chapter out removes its line from ``_toc.yml``. The words of a link to it
stay, as plain text; a row of a table that leads to it goes, and an item of a list that opens with
it. A link to a file that does not exist stays an error.
"""

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, PRIORITY

log = logging.getLogger(__name__)


class DropLinks(SphinxTransform):
    """While a page is read: undo its links to pages that are not published."""

    default_priority = PRIORITY["reading"]

    def apply(self, **kwargs: Any) -> None:
        for link in list(self.document.findall(addnodes.pending_xref)):
            if link["refdomain"] == "doc" and link["reftarget"] not in self.env.found_docs:
                log.info("%s: no link to %s", self.env.docname, link["reftarget"])
                self.drop(link)

    def drop(self, link: addnodes.pending_xref) -> None:
        entry = link.parent
        while entry is not None and not _is_entry(entry, link):
            entry = entry.parent
        if entry is not None:
            entry.parent.remove(entry)
        elif link["refexplicit"]:
            link.replace_self(link[0].children)
        else:
            link.replace_self(nodes.inline("", link["reftarget"].rpartition("/")[2]))


def _is_entry(node: nodes.Element, link: addnodes.pending_xref) -> bool:
    """Whether a node is a row of a table, or an item of a list that opens with the link."""
    if not isinstance(node, nodes.list_item):
        return isinstance(node, nodes.row)
    first = next(iter(node.findall(addnodes.pending_xref)))
    return first is link and node.astext().startswith(link.astext())


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_transform(DropLinks)
    return PARALLEL_SAFE
