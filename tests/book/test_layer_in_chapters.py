"""The layer opens chapters 2 to 7 and 10, each at its own stage, before anything else is run."""

import pytest
from book.chapter_text import BOOK

from attn.widgets import layer_explorer
from web.chapters import contents
from web.chapters.source import code_cells
from web.figures.link_syntax import IN_MARKDOWN

STAGES = {f"{stage:02}" for stage in layer_explorer.STAGES}
OPENED = {path.stem: path for path in contents.chapters() if path.stem[:2] in STAGES}


@pytest.mark.parametrize("name", OPENED)
def test_a_chapter_opens_with_the_layer_at_its_stage(name):
    text = OPENED[name].read_text(encoding="utf-8")
    opening, first = text.split("\n## ")[0], code_cells(text)[0]
    assert first.rstrip().endswith(f"\nLayerExplorer(stage={int(name[:2])})")
    assert first in opening
    before = opening.partition("```{code-cell}")[0]
    assert [link["target"] for link in IN_MARKDOWN.finditer(before)]


def test_the_chapters_that_compare_link_to_the_layer():
    for name in ("08-vs-cnn", "09-vs-rnn"):
        text = (BOOK / f"{name}.md").read_text(encoding="utf-8")
        assert "](07-position.md#layer-07)" in text.split("\n## ")[0]
