"""Put what a page loads of each feature into the site: its scripts and styles.

``web/cells/cells.mjs`` is ``_static/cells/cells.mjs``, so one script finds another in the tree as
it does on the site. There, all tasks for the page's Python stand in one folder.
"""

import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, connect
from web.builder.paths import TOP

WEB = TOP / "web"
TASKS = "page_python/page_tasks"


def page_files() -> dict[str, Path]:
    """Each file, by its place below ``_static``."""
    files = {path.relative_to(WEB).as_posix(): path for path in _in_rooms("*.mjs", "*.css")}
    return files | {f"{TASKS}/{path.name}": path for path in _in_rooms("page_tasks/*.py")}


def _in_rooms(*patterns: str) -> list[Path]:
    return sorted(path for pattern in patterns for path in WEB.glob(f"*/{pattern}"))


def _on_builder_inited(app: Sphinx) -> None:
    if app.builder.format != "html":
        return
    for name, path in page_files().items():
        place = Path(app.outdir) / "_static" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "builder-inited", _on_builder_inited)
    return PARALLEL_SAFE
