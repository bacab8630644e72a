"""Notebooks to download: written beside the pages, offered in each chapter's header."""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from web.chapters import contents
from web.chapters.student_notebooks import write_all
from web.ext import PARALLEL_SAFE, connect


def _on_page(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """A chapter's header offers its two notebooks."""
    if not contents.number(pagename) or "header_buttons" not in context:
        return
    address = context["pathto"]("notebooks", 1) + "/" + pagename.removeprefix("book/")
    buttons = [
        {"type": "link", "url": f"{address}{end}.ipynb", "text": text, "icon": "fas fa-code"}
        for end, text in (("", "Notebook"), ("-solutions", "Notebook with solutions"))
    ]
    tooltip = "Download this chapter"
    group = {"type": "group", "tooltip": tooltip, "icon": "fas fa-download", "buttons": buttons}
    context["header_buttons"].append(group)


def _on_finished(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        write_all(Path(app.srcdir), Path(app.outdir) / "notebooks")


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "html-page-context", _on_page)
    connect(app, "build-finished", _on_finished)
    return PARALLEL_SAFE
