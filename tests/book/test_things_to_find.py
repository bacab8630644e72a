"""Where a chapter asks a reader to find something with a figure, a link sets the figure."""

import re

import pytest

from web.chapters import contents
from web.figures.link_syntax import IN_MARKDOWN

# The numbered items after a line that promises them.
LIST = re.compile(r"things to (?:find|try)[^\n]*:\n\n((?:\d+\. .*\n(?: {2,}.*\n)*)+)", re.I)


def lists():
    texts = [(path.stem, path.read_text(encoding="utf-8")) for path in contents.chapters()]
    return [(stem, found[1]) for stem, text in texts for found in LIST.finditer(text)]


@pytest.mark.parametrize("items", [items for _, items in lists()], ids=[s for s, _ in lists()])
def test_a_list_of_things_to_find_has_a_link_that_sets_its_figure(items):
    assert IN_MARKDOWN.search(items)


def test_each_chapter_after_the_warm_up_has_such_a_list():
    chapters = {path.stem for path in contents.chapters()} - {"00-warm-up"}
    assert len(chapters) >= 9
    assert {stem for stem, _ in lists()} >= chapters
