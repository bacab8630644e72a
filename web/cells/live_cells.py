"""Cells that run in the page: each gets its number, and says what it needs that a page has not.

A code cell of a chapter, unless it belongs to an exercise, becomes
``<div class="attn-cell" data-cell="3">``; the page's scripts add its buttons. One whose input the
author took away has no number and no buttons, but its code travels along: cells below may need it.
A cell that the page cannot run says where it can be, and keeps its built output.
"""

import hashlib
import json
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from web.builder.events import PARALLEL_SAFE, PRIORITY, Page, connect_page
from web.cells.cell_needs import cell_needs
from web.chapters import contents
from web.chapters.folded_sections import is_folded
from web.chapters.source import Cell, read_blocks
from web.exercises.exercise_cells import where_it_runs
from web.links import repository

EXERCISE_TAGS = {"exercise", "solution"}
NAMES = {"torch": "PyTorch", "minilm": "the model's weights"}
CONTROLS = """\
<div class="attn-cells" data-page="{page}" role="group" aria-label="The code of this page">
<p>The code on this page runs in your browser: change a number and see.</p>
<button type="button" class="attn-button" data-does="run">Run all cells</button>
<button type="button" class="attn-button" data-does="stop" hidden>Stop</button>
<button type="button" class="attn-button" data-does="reset">Reset the page</button>
<button type="button" class="attn-button" data-does="undo" hidden>Undo</button>
<p role="status"></p>
</div>
"""


class live_cell(nodes.General, nodes.Element):
    """A cell: its ``number``, None if its code is not seen, ``version``, ``needs``, ``code``."""


def version_of(source: str) -> str:
    """A short hash that changes with the code of a cell."""
    return hashlib.sha256(source.encode()).hexdigest()[:10]


class LiveCells(SphinxPostTransform):
    """Wrap the cells of a chapter, and put the page's own buttons before the first that runs."""

    default_priority = PRIORITY["writing"]
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        if not contents.number(self.env.docname):
            return
        number, first = 0, None
        for node, cell, needs in self.cells():
            seen = "remove-input" not in cell.tags
            number += seen
            code = None if seen else cell.source
            root = live_cell(number=number if seen else None, needs=needs, code=code)
            root["version"] = version_of(cell.source)
            root["binder"] = self.binder()
            node.replace_self(root)
            root += node
            _add_output(node)
            if seen and not needs and first is None:
                first = root
        if first is not None:
            page = escape(self.env.docname.rpartition("/")[2])
            controls = nodes.raw("", CONTROLS.format(page=page), format="html")
            place = in_sight(first)
            place.parent.insert(place.parent.index(place), controls)

    def cells(self) -> list[tuple[nodes.container, Cell, list[str]]]:
        """The cells of the page that are no part of an exercise, with their source and needs."""
        text = self.env.doc2path(self.env.docname)
        with open(text, encoding="utf-8") as file:
            blocks = read_blocks(file.read())
        sources = [block for block in blocks if isinstance(block, Cell)]
        found = [n for n in self.document.findall(nodes.container) if "cell" in n["classes"]]
        if len(found) != len(sources):
            raise ExtensionError(
                f"{self.env.docname}: each code cell is one container of the page: "
                f"{len(sources)} cells, {len(found)} containers"
            )
        plain = [
            pair
            for pair in zip(found, sources, strict=True)
            if not EXERCISE_TAGS & set(pair[1].tags)
        ]
        needs = cell_needs([cell.source for _, cell in plain])
        return [(node, cell, need) for (node, cell), need in zip(plain, needs, strict=True)]

    def binder(self) -> str | None:
        address = repository.address()
        return repository.binder_link(address, self.env.docname) if address else None


def in_sight(cell: nodes.Element) -> nodes.Element:
    """The cell, or what around it stands in a section that is open with all those above it."""
    place = around = cell
    while not isinstance(around.parent, nodes.document):
        around = around.parent
        if not isinstance(around, nodes.section) or is_folded(around):
            place = around
    return place


def _add_output(cell: nodes.container) -> None:
    """Mark the cell's output; one that shows nothing gets an empty one for what a run shows."""
    outputs = [n for n in cell.findall(nodes.container) if "cell_output" in n["classes"]]
    if outputs:
        outputs[0]["classes"].append("attn-cell-output")
    else:
        empty = '<div class="cell_output attn-cell-output"></div>'
        cell.append(nodes.raw("", empty, format="html"))


def visit_live_cell(self: HTML5Translator, node: nodes.Element) -> None:
    if node["number"] is None:
        kind = 'class="attn-cell-unseen"'
    else:
        kind = f'class="attn-cell" data-cell="{node["number"]}" data-version="{node["version"]}"'
    needs = f' data-needs="{escape(" ".join(node["needs"]))}"' if node["needs"] else ""
    self.body.append(f"<div {kind}{needs}>")


def depart_live_cell(self: HTML5Translator, node: nodes.Element) -> None:
    if node["needs"] and node["number"] is not None:
        self.body.append(_needs(node["needs"], node["binder"]))
    if node["code"] is not None and not node["needs"]:
        data = json.dumps(node["code"]).replace("<", "\\u003c")
        self.body.append(f'<script type="application/json">{data}</script>')
    self.body.append("</div>")


def _needs(needs: list[str], binder: str | None) -> str:
    names = " and ".join(NAMES.get(need, need) for need in needs)
    where = where_it_runs(binder)
    return f'<p class="attn-cell-needs">This cell needs {escape(names)}. {where}</p>'


def _on_page(page: Page) -> None:
    if page.holds(live_cell):
        page.app.add_js_file("cells/cells.mjs", type="module")
        page.app.add_css_file("editing/editing.css")
        page.app.add_css_file("cells/cells.css")


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_node(live_cell, html=(visit_live_cell, depart_live_cell))
    app.add_post_transform(LiveCells)
    connect_page(app, _on_page)
    return PARALLEL_SAFE
