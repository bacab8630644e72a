"""Where a chapter asks a reader to find something with a figure, a link sets the figure."""

import re

import pytest

from web.chapters import contents
from web.chapters.figure_links import IN_MARKDOWN

# The numbered items after a line that promises them.
LIST = re.compile(r"things to (?:find|try)[^\n]*:\n\n((?:\d+\. .*\n(?: {2,}.*\n)*)+)", re.I)


def lists():
    texts = [(path.stem, path.read_text(encoding="utf-8")) for path in contents.chapters()]
    return [(stem, found[1]) for stem, text in texts for found in LIST.finditer(text)]


@pytest.mark.parametrize("items", [items for _, items in lists()], ids=[s for s, _ in lists()])
def test_a_list_of_things_to_find_has_a_link_that_sets_its_figure(items):
    assert IN_MARKDOWN.search(items)


def test_each_of_the_first_nine_chapters_has_such_a_list():
    assert {stem[:2] for stem, _ in lists()} >= {f"0{n}" for n in range(1, 10)}
