"""A finding about an answer, and the three ways to read it: data, text, a card.

The words on a card have their one home here. The page draws its card from `as_dict()`.
"""

from dataclasses import dataclass
from html import escape
from typing import Any

from attn.exercises.checking.columns import align_columns

HEADINGS = {"passed": "✓ Passed", "failed": "✗ Not yet", "unanswered": "… Not answered yet"}
COLUMNS = ("compared", "yours", "expected")
HINT = "What to try"
# The page's colours, else JupyterLab's, else the palette's own, which this package cannot import.
_COLOURS = {
    "passed": "var(--attn-passed, var(--jp-success-color1, #00843f))",
    "failed": "var(--attn-failed, var(--jp-error-color1, #d72d47))",
    "unanswered": "var(--attn-muted, var(--jp-ui-font-color2, #55606d))",
}
_CELL = "padding: .1rem .8rem .1rem 0; text-align: left;"

Table = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Verdict:
    """What `check` found.

    `passed` is None while there is nothing to judge: the answer is, or returns, `...` or None.
    `mistake` is the identifier of the known mistake that the answer makes, if it makes one.
    `table` holds rows of strings, one for each of COLUMNS, or is None.
    `hint` is what to try next; a card keeps it folded, so that the message comes first.
    """

    passed: bool | None
    message: str
    mistake: str | None = None
    title: str = ""
    table: Table | None = None
    hint: str = ""

    @property
    def state(self) -> str:
        """The page's `data-state`: passed, failed or unanswered."""
        return {True: "passed", False: "failed", None: "unanswered"}[self.passed]

    @property
    def heading(self) -> str:
        """The line above the message: how it went, and the exercise's title."""
        return f"{HEADINGS[self.state]}: {self.title}" if self.title else HEADINGS[self.state]

    def __bool__(self) -> bool:
        return self.passed is True

    def as_dict(self) -> dict[str, Any]:
        """The finding as plain JSON values."""
        return {
            "passed": self.passed,
            "message": self.message,
            "mistake": self.mistake,
            "title": self.title,
            "state": self.state,
            "heading": self.heading,
            "columns": list(COLUMNS),
            "table": None if self.table is None else [list(row) for row in self.table],
            "hint": self.hint,
            "hint_label": HINT,
        }

    def __str__(self) -> str:
        lines = [self.heading, self.message]
        if self.table:
            lines += align_columns([COLUMNS, *self.table])
        if self.hint:
            lines.append(f"{HINT}: see .hint")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        edge = f"border-left: .3rem solid {_COLOURS[self.state]}; padding: .3rem .8rem;"
        return (
            f'<div class="attn-verdict" data-state="{self.state}" style="{edge}">'
            f"<p><strong>{escape(self.heading)}</strong></p>"
            f"{self._paragraphs_html()}{self._table_html()}{self._hint_html()}</div>"
        )

    def _paragraphs_html(self) -> str:
        parts = self.message.split("\n\n")
        return "".join(f'<p style="white-space: pre-line">{escape(part)}</p>' for part in parts)

    def _table_html(self) -> str:
        if not self.table:
            return ""
        head = "".join(f'<th scope="col" style="{_CELL}">{h}</th>' for h in COLUMNS)
        body = "".join(
            f'<tr><th scope="row" style="{_CELL}">{escape(label)}</th>'
            f'<td style="{_CELL}"><code>{escape(actual)}</code></td>'
            f'<td style="{_CELL}"><code>{escape(expected)}</code></td></tr>'
            for label, actual, expected in self.table
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _hint_html(self) -> str:
        if not self.hint:
            return ""
        return f"<details><summary>{HINT}</summary><p>{escape(self.hint)}</p></details>"
