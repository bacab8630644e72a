"""Links that set a figure become buttons; one that its figure would refuse fails the build.

A button of HTML is a box that no line can break in, and a line breaks between it and its full
stop; these are words of a sentence, so a `span` holds them.

The figure is made anew from the state that the page holds, and its own traits judge the values.
``web/figures/figure-links.mjs`` makes buttons of them: until then, and without scripts,
they are text.
"""

import json
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from web.builder.events import PARALLEL_SAFE, PRIORITY
from web.figures.link_syntax import FigureLink, read_link, rebuild, set_figure
from web.figures.live_figures import STATE, VIEW, has_stock_widgets

log = logging.getLogger(__name__)


class figure_link(nodes.Inline, nodes.TextElement):
    """The words of a link, and as `link` what they set."""


class ReadFigureLinks(SphinxTransform):
    """While a page is read: take its links to states of figures, and try each."""

    default_priority = PRIORITY["reading"]

    def apply(self, **kwargs: Any) -> None:
        references = [r for r in self.document.findall(nodes.reference) if _sets_figure(r)]
        figures = _figures(self.env, self.document) if references else []
        for reference in references:
            words = reference.children
            try:
                link = read_link(reference["refuri"])
                _try(link, figures)
            except ValueError as error:
                log.warning("%s: %s", reference["refuri"], error, location=reference)
                reference.replace_self(words)
            else:
                reference.replace_self(figure_link("", "", *words, link=link))


def _sets_figure(reference: nodes.reference) -> bool:
    return bool(reference.get("id_link")) and "?" in reference["refuri"]


def _figures(env: Any, document: nodes.document) -> list[dict]:
    """The states of the figures that a page shows by the small loader, in its order."""
    scripts = env.nb_metadata.get(env.docname, {}).get("js_files", {}).values()
    blocks = [json.loads(script["body"]) for _, script in scripts if script.get("type") == STATE]
    if not blocks or has_stock_widgets(blocks[0]):
        return []
    models = blocks[0]["state"]
    views = [raw.astext() for raw in document.findall(nodes.raw) if VIEW in raw.astext()]
    ids = [json.loads(v.partition(VIEW)[2].partition("</script>")[0])["model_id"] for v in views]
    return [models[model]["state"] for model in ids if model in models]


def _try(link: FigureLink, figures: list[dict]) -> None:
    """Set the figure, for once in Python: a `ValueError` says what it refuses."""
    names = [state["_anywidget_id"].rpartition(".")[2] for state in figures]
    states = [state for state, name in zip(figures, names, strict=True) if name == link.figure]
    if len(states) < link.number:
        shown = ", ".join(names) or "none, or stock widgets among them"
        raise ValueError(f"a link sets a figure of its own page ({shown}): {link.name} received")
    figure = rebuild(states[link.number - 1])
    try:
        set_figure(figure, link.pairs)
    finally:
        figure.close()


def _open_link(self: HTML5Translator, node: nodes.Element) -> None:
    link = node["link"]
    data = {"data-figure": link.name, "data-state": link.state}
    self.body.append(self.starttag(node, "span", "", CLASS="attn-set", **data))


def _close_link(self: HTML5Translator, node: nodes.Element) -> None:
    self.body.append("</span>")


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_node(figure_link, html=(_open_link, _close_link))
    app.add_transform(ReadFigureLinks)
    return PARALLEL_SAFE
