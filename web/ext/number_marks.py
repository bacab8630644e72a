"""Marks behind numbers are for tests: no page has them."""

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from web.chapters.number_marks import without_marks
from web.ext import PARALLEL_SAFE, connect


def drop_marks(app: Sphinx, docname: str, content: list[str]) -> None:
    content[0] = without_marks(content[0])


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "source-read", drop_marks)
    return PARALLEL_SAFE
