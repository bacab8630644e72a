"""Figures that move in the static page: what a page loads, and what its widget state holds.

A figure of ``attn.widgets`` is mounted by a small loader, which fetches the figure's own module and
style from ``_static/attn``. Only the files of figures that some page shows are there. A page names
the modules of its figures in its head: a browser then asks for all of them at once instead of
finding them one import after the other.
Only a page with stock ipywidgets loads the html-manager, which then mounts the figures too.
"""

import json
import re
import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, Page, connect, connect_page
from web.builder.paths import TOP
from web.course import course

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = '<script type="application/vnd.jupyter.widget-view+json">'
WAITING = (
    '<p class="attn-waiting">This figure needs JavaScript, in a browser from 2023 or later.</p>'
)


def strip_modules(state: dict) -> dict:
    """Drop each figure's JavaScript, CSS and data: on the site they are files that pages share.

    Data that is no file of the figure's folder, such as a sentence of one's own, stays.
    """
    models = {}
    for key, model in state["state"].items():
        traits = {k: v for k, v in model["state"].items() if k not in ("_esm", "_css", "_files")}
        own = _own_files(model["state"])
        models[key] = model | {"state": traits | ({"_files": own} if own else {})}
    return state | {"state": models}


def _own_files(figure: dict) -> dict[str, str]:
    folder = course().figures.folder / figure.get("_anywidget_id", "..").split(".")[-2]
    files = figure.get("_files", {})
    return {name: data for name, data in files.items() if not (folder / name).is_file()}


def has_stock_widgets(state: dict) -> bool:
    """Whether any model needs the html-manager (each widget has a layout; those do not count)."""
    libraries = {model["model_module"] for model in state["state"].values()}
    return bool(libraries - {"anywidget", "@jupyter-widgets/base"})


def shown(env: BuildEnvironment) -> set[str]:
    """The figures on the pages of the book, whichever build read them: {"soft_lookup", …}."""
    notebooks = getattr(env, "nb_metadata", {}).values()
    scripts = [script for one in notebooks for _, script in one.get("js_files", {}).values()]
    states = [json.loads(script["body"]) for script in scripts if script.get("type") == STATE]
    return {name for state in states for name in _figures(state)}


def _figures(state: dict) -> set[str]:
    """The figures that a page's widget state holds."""
    models = [model["state"] for model in state["state"].values()]
    return {model["_anywidget_id"].split(".")[-2] for model in models if "_anywidget_id" in model}


LOADER = "figures/loader.mjs"
_IMPORT = re.compile(r'^import .*? from "\./([\w-]+\.mjs)";$', re.MULTILINE)


def first_modules(figures: set[str]) -> list[str]:
    """What a page with these figures imports before it can show them, below ``_static``.

    The loader is not among them: a script of the page itself, it has a version in its address.

    >>> first_modules(set())[:2]
    ['figures/figure-links.mjs', 'figures/margin.mjs']
    """
    found = [LOADER]
    for name in found:  # which grows
        text = (TOP / "web" / name).read_text(encoding="utf-8")
        found += [
            f"figures/{one}" for one in _IMPORT.findall(text) if f"figures/{one}" not in found
        ]
    return found[1:] + sorted(f"attn/{module}" for module in drawn_with(figures))


def drawn_with(figures: set[str]) -> set[str]:
    """The modules of these figures' drawings."""
    modules = course().figures.modules
    return {module for name in figures for module in modules(f"{name}/drawing.js")}


def files(figures: set[str]) -> set[str]:
    """What pages ask for: all of these figures, and what page scripts share with figures.

    >>> files(set())
    {'kit/elements.js'}
    """
    folder = course().figures.folder
    styles = {f"{name}/style.css" for name in {"kit", *figures} if figures}
    data = {
        path.relative_to(folder).as_posix()
        for name in figures
        for path in (folder / name / "data").glob("*")
    }
    return drawn_with(figures) | styles | data | {"kit/elements.js"}


def _on_page(page: Page) -> None:
    scripts = page.context.get("script_files", [])
    block = next((s for s in scripts if getattr(s, "attributes", {}).get("type") == STATE), None)
    if block is None:
        return
    state = json.loads(block.attributes["body"])
    scripts.remove(block)
    body = json.dumps(strip_modules(state)).replace("</", "<\\/")
    page.app.add_js_file(None, type=STATE, body=body)
    if has_stock_widgets(state):
        page.app.add_css_file("stock-widgets/stock-widgets.css")
        page.app.add_js_file("stock-widgets/stock-widgets.mjs", type="module")
    else:
        page.app.add_js_file(LOADER, type="module")
        page.context["preloaded_modules"] = first_modules(_figures(state))
    page.context["body"] = page.context["body"].replace(VIEW, WAITING + VIEW)


def _on_finished(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "attn"
    shutil.rmtree(folder, ignore_errors=True)  # what the last build had may be shown no more
    for name in files(shown(app.env)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(course().figures.folder / name, folder / name)


def setup(app: Sphinx) -> ExtensionMetadata:
    connect_page(app, _on_page)
    connect(app, "build-finished", _on_finished)
    return PARALLEL_SAFE
