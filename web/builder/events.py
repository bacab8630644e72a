"""When an extension acts: Sphinx's events and the moments of a page, with one priority for each."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # the server reads the security policy without Sphinx
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

# Where ours stand among the listeners and transforms of others, whose default is 500.
PRIORITY = {
    "config-inited": 100,  # before the theme reads its options
    "builder-inited": 600,
    "env-get-outdated": 600,
    "env-updated": 600,
    "source-read": 600,
    "reading": 400,  # before links are taken for citations, labels or headings
    "resolving": 8,  # before MyST's own resolver, at 9
    "writing": 600,
    "html-page-context": 600,  # after the theme's buttons, at 501
    "build-finished": 600,  # after the page that sphinx-external-toc adds
}
PARALLEL_SAFE: ExtensionMetadata = {"parallel_read_safe": True, "parallel_write_safe": True}


def connect(app: Sphinx, event: str, listener: Callable[..., Any]) -> None:
    """Listen to an event, after the extensions that stand before in the list."""
    app.connect(event, listener, priority=PRIORITY[event])


class Page(NamedTuple):
    """A page that is about to be written; one without a text, such as the search, has no tree."""

    app: Sphinx
    name: str
    template: str
    context: dict[str, Any]
    doctree: nodes.document | None

    def holds(self, kind: type[nodes.Node]) -> bool:
        """Whether such a node is in the page's tree."""
        return self.doctree is not None and next(self.doctree.findall(kind), None) is not None


def connect_page(app: Sphinx, listener: Callable[[Page], None]) -> None:
    """Call the listener with each page before it is written."""

    @functools.wraps(listener)
    def hear(*page: Any) -> None:
        listener(Page(*page))

    connect(app, "html-page-context", hear)
