"""What the overview and the ticks in the sidebar know: chapters, exercises, a verdict's words."""

import json
from collections.abc import Callable
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, connect
from web.chapters import contents
from web.chapters.source import read_chapter
from web.course import course


def outline(top: Path, title_of: Callable[[str], str]) -> list[dict]:
    """The chapters that have exercises, in order; ``title_of`` gives the title of a docname."""
    chapters = [read_chapter(path) for path in contents.chapters(top)]
    return [
        {
            "page": f"book/{chapter.path.stem}.html",
            "title": title_of(f"book/{chapter.path.stem}"),
            "exercises": [{"id": e.id, "title": e.title} for e in chapter.exercises],
        }
        for chapter in chapters
        if chapter.exercises
    ]


def _on_finished(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "progress"
    folder.mkdir(parents=True, exist_ok=True)
    chapters = outline(Path(app.srcdir), lambda docname: app.env.titles[docname].astext())
    data = {"chapters": chapters, "headings": course().verdict_headings()}
    (folder / "course.json").write_text(json.dumps(data), encoding="utf-8")


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_js_file("progress/progress.mjs", type="module")
    app.add_css_file("progress/progress.css")
    connect(app, "build-finished", _on_finished)
    return PARALLEL_SAFE
