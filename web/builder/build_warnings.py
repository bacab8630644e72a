"""What Sphinx warned of: said again at the end of a build, and read again by the next one.

A warning fails the build, and stands far above its last line. The page that it concerns is done as
far as Sphinx knows: the next build has to read it again, and only it, to find out if all is well.
"""

import json
import logging

from sphinx.application import Sphinx
from sphinx.util.logging import WarningLogRecordTranslator
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, connect
from web.builder.paths import WARNED

NAMES = ("sphinx.sphinx.util.osutil", "sphinx.sphinx.util.fileutil")  # loggers
said: list[str] = []  # in this process


class _Listener(logging.Handler):
    """Keeps warnings and the pages that they concern; None for one that concerns no page."""

    def __init__(self, app: Sphinx):
        super().__init__(logging.WARNING)
        self.app, self.pages = app, set[str | None]()
        self.addFilter(WarningLogRecordTranslator(app))

    def emit(self, record: logging.LogRecord) -> None:
        place = getattr(record, "location", None) or ""
        page = self.app.env.path2doc(place.rpartition(":")[0] or place) if place else None
        self.pages.add(page if page in self.app.env.found_docs else None)
        said.append(f"{place}: {record.getMessage()}" if place else record.getMessage())


def _is_no_news(record: logging.LogRecord) -> bool:
    """Files of the theme are copied over those that the last build made shorter, each time."""
    return getattr(record, "subtype", "") != "copy_overwrite"


def _on_outdated(app: Sphinx, env: object, *pages: set[str]) -> list[str]:
    """The pages that the last build warned of, if it came to its end."""
    return json.loads(WARNED.read_text()) if WARNED.exists() else []


def setup(app: Sphinx) -> ExtensionMetadata:
    listener = _Listener(app)
    logging.getLogger("sphinx").addHandler(listener)
    for name in NAMES:
        logging.getLogger(name).addFilter(_is_no_news)

    def on_finished(app: Sphinx, exception: Exception | None) -> None:
        WARNED.unlink(missing_ok=True)
        if exception is None and listener.pages and None not in listener.pages:
            WARNED.write_text(json.dumps(sorted(map(str, listener.pages))))

    connect(app, "env-get-outdated", _on_outdated)
    connect(app, "build-finished", on_finished)
    return PARALLEL_SAFE
