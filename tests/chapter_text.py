"""What a chapter says, for the tests that compute its numbers again."""

import re
from pathlib import Path

BOOK = Path(__file__).resolve().parents[1] / "book"
CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.MULTILINE | re.DOTALL)


def folded(text: str) -> str:
    """The text as one line: where it breaks does not matter."""
    return " ".join(text.split())


class Chapter:
    """``Chapter("04-scaling")``: ``says`` asserts what its prose holds, ``computes`` its cells."""

    def __init__(self, name: str):
        self.name = name
        self.text = (BOOK / f"{name}.md").read_text(encoding="utf-8")
        self.prose = folded(CELL.sub("", self.text))
        self.code = folded("\n".join(CELL.findall(self.text)))

    def says(self, *phrases: str) -> None:
        """Each phrase stands in the prose, so a number changed there is found here."""
        self._has(self.prose, "say", phrases)

    def computes(self, *phrases: str) -> None:
        """Each phrase stands in a code cell."""
        self._has(self.code, "compute", phrases)

    def _has(self, where, verb, phrases):
        missing = [phrase for phrase in phrases if folded(phrase) not in where]
        assert not missing, f"{self.name} does not {verb}: {missing}"
