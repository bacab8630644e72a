"""What a chapter says, for the tests that compute its numbers again."""

from pathlib import Path

from web.chapters.figure_links import without_links
from web.chapters.source import Cell, Text, code_cells, read_blocks

BOOK = Path(__file__).resolve().parents[2] / "book"


def on_one_line(text: str) -> str:
    """The text as one line: where it breaks does not matter."""
    return " ".join(text.split())


class Chapter:
    """``Chapter("04-scaling")``: ``says`` asserts what its prose holds, ``computes`` its cells."""

    def __init__(self, name: str):
        self.name = name
        self.text = (BOOK / f"{name}.md").read_text(encoding="utf-8")
        self.cells = code_cells(self.text)
        blocks = [block for block in read_blocks(self.text) if not isinstance(block, Cell)]
        self.prose = on_one_line(without_links("\n".join(map(_written, blocks))))
        self.code = on_one_line("\n".join(self.cells))

    def says(self, *phrases: str) -> None:
        """Each phrase stands in the prose, so a number changed there is found here."""
        self._has(self.prose, "say", phrases)

    def computes(self, *phrases: str) -> None:
        """Each phrase stands in a code cell."""
        self._has(self.code, "compute", phrases)

    def _has(self, where, verb, phrases):
        missing = [phrase for phrase in phrases if on_one_line(phrase) not in where]
        assert not missing, f"{self.name} does not {verb}: {missing}"


def _written(block):
    """What a reader reads of a text or a directive."""
    return block.source if isinstance(block, Text) else f"{block.argument}\n{block.body}"
