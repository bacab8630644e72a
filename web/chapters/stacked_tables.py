"""Wide tables of words: on a phone each row is a list, and every cell says its column's name.

The author marks such a table, ``{table}`` with ``:class: attn-stacked``. The names stand in the
cells, and ``attn.css`` shows them where the screen is narrow.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, PRIORITY

MARK, NAME = "attn-stacked", "attn-column-name"


class NameColumns(SphinxPostTransform):
    """Write each column's name into its cells, just before a page is written."""

    default_priority = PRIORITY["writing"]
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for table in self.document.findall(nodes.table):
            if MARK in table["classes"]:
                _name_columns(table)


def _name_columns(table: nodes.table) -> None:
    head, body = next(table.findall(nodes.thead)), next(table.findall(nodes.tbody))
    names = [entry[0].children for entry in head[0]]
    for row in body:
        for name, entry in list(zip(names, row, strict=True))[1:]:
            if entry.astext():
                copies = [node.deepcopy() for node in name]
                entry[0].insert(0, nodes.inline("", "", *copies, classes=[NAME]))


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_post_transform(NameColumns)
    return PARALLEL_SAFE
