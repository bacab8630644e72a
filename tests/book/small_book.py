"""A book of a page or two, to be built with the project's own `web`."""

import shutil
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
NOT_PYTHON = ("__pycache__", "*.mjs", "*.css", "templates", "editor", "stock-widgets")


def copy_web(top: Path) -> None:
    """Give a folder the Python of `web`, with nothing to fetch and nothing to bundle."""
    shutil.copytree(TOP / "web", top / "web", ignore=shutil.ignore_patterns(*NOT_PYTHON))
    shutil.copy(TOP / "web/builder/server/reload.mjs", top / "web/builder/server")
    shutil.copy(TOP / "course.py", top)
    (top / "web/builder/third_party/assets.toml").write_text("")
