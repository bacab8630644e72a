"""Progress files exported from the site, and the table a teacher reads from them.

A file is made in the reader's browser and can be edited there: it shows what a reader reports.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attn.exercises.catalog import catalog
from attn.exercises.checking.columns import align_columns

LEGEND = (
    "✓3 is passed at the third try, ✗3 not passed in three. A try is a run that passed, failed or "
    "ended in an error; after a pass none is counted."
)
UNVERIFIED = (
    "Progress comes from each reader's browser and is unverified: anyone can edit such a file."
)


class ProgressError(ValueError):
    """A file is not a progress file: `file: the rule and what was found`."""


@dataclass(frozen=True)
class Progress:
    """One reader's exercises: id to {"passed", "tries", "at", "starter"}."""

    name: str
    exercises: dict[str, dict]


def read_progress(path: str | Path) -> Progress:
    """Read and check one exported file."""
    path = Path(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProgressError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ProgressError(f"{path}: not a JSON file: {error}") from None
    if not isinstance(data, dict) or data.get("format") != "attn-progress":
        raise ProgressError(f'{path}: a progress file has "format": "attn-progress"')
    if data.get("version") != 1 or isinstance(data["version"], bool):
        raise ProgressError(f"{path}: version 1 can be read, not {data.get('version')!r}")
    name, exercises = data.get("name", ""), data.get("exercises")
    if not isinstance(name, str) or not isinstance(exercises, dict):
        raise ProgressError(f"{path}: name is text and exercises an object")
    for exercise_id, entry in exercises.items():
        _check_entry(path, exercise_id, entry)
    return Progress(_printable(name) or path.stem, exercises)


def report(students: list[Progress]) -> str:
    """A class table: one row per exercise, one column per reader."""
    listed = [exercise.id for exercise in catalog()]
    others = sorted({i for s in students for i in s.exercises} - set(listed))
    head = ["exercise", *(s.name for s in students), "passed"]
    rows = [head]
    for exercise_id in listed + others:
        entries = [s.exercises.get(exercise_id) for s in students]
        passed = sum(bool(entry and entry["passed"]) for entry in entries)
        label = _printable(exercise_id) + (
            "" if exercise_id in listed else " (not in the catalogue)"
        )
        rows.append([label, *map(_mark, entries), f"{passed}/{len(students)}"])
    totals = [sum(bool(e["passed"]) for e in s.exercises.values()) for s in students]
    tries = [sum(e["tries"] for e in s.exercises.values()) for s in students]
    rows.append(["passed", *map(str, totals), str(sum(totals))])
    rows.append(["tries", *map(str, tries), str(sum(tries))])
    return "\n".join([*align_columns(rows), "", LEGEND, UNVERIFIED])


def listing() -> str:
    """The catalogue as a table."""
    rows = [["exercise", "title", "difficulty", "minutes", "needs"]]
    for e in catalog():
        needs = ", ".join(e.needs) or "-"
        rows.append([e.id, e.title, "★" * e.difficulty, str(e.minutes), needs])
    return "\n".join(align_columns(rows))


def _check_entry(path: Path, exercise_id: str, entry: Any) -> None:
    rule = f'{path}: exercise {exercise_id!r} has "passed" (true or false) and "tries" (from 0 up)'
    if not isinstance(entry, dict) or not isinstance(entry.get("passed"), bool):
        raise ProgressError(f"{rule}: {entry!r:.80} found")
    tries = entry.get("tries")
    if not isinstance(tries, int) or isinstance(tries, bool) or tries < 0:
        raise ProgressError(f"{rule}: tries {tries!r:.40} found")


def _mark(entry: dict | None) -> str:
    if entry is None:
        return "-"
    return f"{'✓' if entry['passed'] else '✗'}{entry['tries']}"


def _printable(text: str) -> str:
    """Text from a file without control characters, short enough for a column."""
    return "".join(c if c.isprintable() else " " for c in text).strip()[:40]
