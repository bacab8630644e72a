"""The site's own scripts and styles, made short when all of them are in place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from web.builder.events import PARALLEL_SAFE, connect
from web.builder.minify import minify
from web.builder.page_files import page_files

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

KINDS = {".js", ".mjs", ".css"}


def own_files(static: Path) -> list[Path]:
    """What we wrote, below the site's ``_static``: what others wrote is short already."""
    copied = {static / name for name, path in page_files().items() if path.suffix in KINDS}
    figures = {path for path in (static / "attn").rglob("*") if path.suffix in KINDS}
    return sorted(path for path in copied | figures if path.is_file())


def _on_finished(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        minify(own_files(Path(app.outdir) / "_static"))


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "build-finished", _on_finished)
    return PARALLEL_SAFE
