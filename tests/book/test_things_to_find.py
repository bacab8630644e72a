"""Where a chapter lists things to find with a figure, links set the figure."""

import re

import pytest

from web.chapters import contents
from web.figures.link_syntax import IN_MARKDOWN

LIST = re.compile(r"(?:^\d+\. .*\n(?: {2,}.*\n)*)+", re.MULTILINE)
CHAPTERS = [path for path in contents.chapters() if path.stem != "00-warm-up"]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_has_a_numbered_list_whose_links_set_a_figure(path):
    lists = [found[0] for found in LIST.finditer(path.read_text(encoding="utf-8"))]
    assert any(IN_MARKDOWN.search(items) for items in lists)
