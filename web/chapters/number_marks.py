"""Marks behind numbers in a chapter: ``the best key takes 83%<!--n best-raw-64--> of it``.

A mark names the quantity that the number in front of it states, and a test computes that quantity
anew, so that a changed number is found and an improved sentence is free. Marks are HTML comments:
JupyterLab shows nothing of them, no page has them, and whoever reads a chapter's text here takes
them out first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from web.builder.events import PARALLEL_SAFE, connect

if TYPE_CHECKING:  # who reads a chapter's text has no need of Sphinx
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

MARK = re.compile(r"<!--n (?:(?P<relation>[<>]=?|~) )?(?P<name>.*?) ?-->")


def without_marks(markdown: str) -> str:
    """The text as its readers see it, line by line.

    >>> without_marks("It takes 83%<!--n best-raw--> raw, more than 20%<!--n > best--> divided.")
    'It takes 83% raw, more than 20% divided.'
    """
    return MARK.sub("", markdown)


def _drop_marks(app: Sphinx, docname: str, content: list[str]) -> None:
    content[0] = without_marks(content[0])


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "source-read", _drop_marks)
    return PARALLEL_SAFE
