"""The real model on a page: the markup that scripts turn into a place to type a sentence.

An admonition of the class ``real-model``, which a notebook shows too, lists what to try: a name, a
colon, a sentence, and, after a slash, a second one to compare it with. Pages without one load
nothing of this, and those with one nothing of the model until a reader asks for it.
"""

import json
import shutil
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from web.builder.events import PARALLEL_SAFE, PRIORITY, Page, connect, connect_page
from web.course import course
from web.figures.live_figures import files
from web.real_model.model_files import RealModel, real_model

FOLDER = "minilm"
LEAD = (
    "Type a sentence, and the model reads it here, in your browser. Nothing that you type is sent "
    "anywhere."
)
WAITING = "Reading a sentence of your own needs JavaScript, in a browser from 2023 or later."
MISSING = (
    "This copy of the site was built without the model, since its weights could not be had. "
    "With them, a sentence of your own could be read here."
)


class real_model_part(nodes.General, nodes.Element):
    """The place for a reader's own sentence; ``tries`` are the suggested ones."""


def read_try(line: str) -> dict[str, Any]:
    """One thing to try: its name and one or two sentences.

    >>> read_try("ducks: We saw her duck. / The duck saw us.")
    {'name': 'ducks', 'texts': ['We saw her duck.', 'The duck saw us.']}
    """
    name, colon, sentences = line.partition(":")
    texts = [text.strip() for text in sentences.split(" / ")]
    if not colon or not name.strip() or not all(texts) or len(texts) > 2:
        raise ValueError(
            f"a line of real-model is `name: sentence` or `name: sentence / sentence`: got {line!r}"
        )
    return {"name": name.strip(), "texts": texts}


class RealModelParts(SphinxPostTransform):
    """Put the place to type a sentence where an admonition asks for it."""

    default_priority = PRIORITY["writing"]
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        boxes = [n for n in self.document.findall(nodes.admonition) if "real-model" in n["classes"]]
        for box in boxes:
            try:
                tries = [read_try(item.astext()) for item in box.findall(nodes.list_item)]
            except ValueError as error:
                raise ExtensionError(f"{self.env.docname}: {error}") from None
            if not tries:
                raise ExtensionError(
                    f"{self.env.docname}: real-model needs a list of `name: sentence`"
                )
            box.replace_self(real_model_part(tries=tries))


def script_data(model: RealModel, python_bytes: int, tries: list[dict]) -> dict[str, Any]:
    """What the page's scripts know before a reader asks for the model."""
    shards = [part for name, part in model.manifest["files"].items() if name.startswith("words-")]
    return {
        "layers": model.manifest["files"]["layers.bin"]["name"],
        "bytes": model.first_bytes,
        "shardBytes": max(part["bytes"] for part in shards),
        "pythonBytes": python_bytes,
        "longest": course().real_model.longest(),
        "tries": tries,
        "figure": course().real_model.figure_state(),
    }


def _python_bytes(static: Path) -> int:
    path = static / "python" / "runtime.json"
    return json.loads(path.read_text(encoding="utf-8"))["bytes"] if path.is_file() else 0


def _visit(self: HTML5Translator, node: nodes.Element) -> None:
    model = real_model()
    if model is None:
        self.body.append(f'<div class="attn-model" data-state="error"><p>{MISSING}</p></div>\n')
        raise nodes.SkipNode
    static = Path(self.builder.outdir) / "_static"
    data = json.dumps(script_data(model, _python_bytes(static), node["tries"]))
    self.body.append(
        '<div class="attn-model" data-state="idle" id="own-sentence">'
        f'<p class="attn-model-lead">{escape(LEAD)}</p>'
        f'<p class="attn-waiting">{escape(WAITING)}</p>'
        '<script type="application/json" class="attn-model-data">'
        f"{data.replace('<', chr(92) + 'u003c')}</script></div>\n"
    )
    raise nodes.SkipNode


def _on_page(page: Page) -> None:
    if page.holds(real_model_part) and real_model() is not None:
        page.app.add_js_file("real_model/real-model.mjs", type="module")
        page.app.add_css_file("editing/editing.css")
        page.app.add_css_file("real_model/real-model.css")


def _on_finished(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    pages = Path(app.outdir).rglob("*.html")
    shown = any("attn-model-data" in page.read_text(encoding="utf-8") for page in pages)
    model = real_model() if shown else None
    if model is None:
        shutil.rmtree(static / FOLDER, ignore_errors=True)
        return
    model.write(static / FOLDER)
    for name in files({course().real_model.figure}):
        if "/data/" not in name and not (static / "attn" / name).exists():
            (static / "attn" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(course().figures.folder / name, static / "attn" / name)


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_node(real_model_part, html=(_visit, None))
    app.add_post_transform(RealModelParts)
    connect_page(app, _on_page)
    connect(app, "build-finished", _on_finished)
    return PARALLEL_SAFE
