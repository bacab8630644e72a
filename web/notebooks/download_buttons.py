"""Notebooks to download: written beside the pages, offered in each chapter's header."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, Page, connect, connect_page
from web.chapters import contents
from web.notebooks.student_notebooks import write_all

RUNNING = "book/own-notebook"


def _on_page(page: Page) -> None:
    """A chapter's header offers its two notebooks."""
    if not contents.number(page.name) or "header_buttons" not in page.context:
        return
    address = page.context["pathto"]("notebooks", 1) + "/" + page.name.removeprefix("book/")
    buttons = [
        {"type": "link", "url": f"{address}{end}.ipynb", "text": text, "icon": "fas fa-code"}
        for end, text in (("", "Exercises to do"), ("-solutions", "With solutions"))
    ]
    # The notebook imports attn: the page that says how to get it is the third entry.
    how = page.context["pathto"](RUNNING)
    buttons.append({"type": "link", "url": how, "text": "How to run it", "icon": "fas fa-list"})
    tooltip = "Notebook of this chapter"  # its first word is written beside the icon
    group = {"type": "group", "tooltip": tooltip, "icon": "fas fa-download", "buttons": buttons}
    page.context["header_buttons"].append(group)


def _on_finished(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        write_all(Path(app.srcdir), Path(app.outdir) / "notebooks")


def setup(app: Sphinx) -> ExtensionMetadata:
    connect_page(app, _on_page)
    connect(app, "build-finished", _on_finished)
    return PARALLEL_SAFE
