"""What a page says to a reader without scripts."""

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, Page, connect_page

LIVE = ("attn-cell", "attn-exercise", "attn-question", "attn-waiting")
SENTENCE = (
    '<noscript><p class="attn-noscript">Scripts are off in this browser. The text, the equations '
    "and the pictures are all here; figures that move, code and exercises that run and answers "
    "that are checked need JavaScript.</p></noscript>"
)


def _on_page(page: Page) -> None:
    body = page.context.get("body", "")
    if any(part in body for part in LIVE):
        page.context["body"] = body.replace("</h1>", "</h1>" + SENTENCE, 1)


def setup(app: Sphinx) -> ExtensionMetadata:
    connect_page(app, _on_page)
    return PARALLEL_SAFE
