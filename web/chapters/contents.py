"""Which pages the book has: ``_toc.yml``, read here and nowhere else.

A chapter is a page whose file name starts with two digits, and they are its number: a chapter that
is left out renumbers no other.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from web.builder.paths import TOP
from web.chapters.source import code_cells


def pages(top: Path = TOP) -> list[Path]:
    """The Markdown file of every page, in the order of the table of contents."""
    toc = yaml.safe_load((top / "_toc.yml").read_text(encoding="utf-8"))
    return [top / f"{name}.md" for name in (toc["root"], *_files(toc))]


def chapters(top: Path = TOP) -> list[Path]:
    """The numbered pages."""
    return [path for path in pages(top) if number(path.stem)]


def notebooks(top: Path = TOP) -> list[Path]:
    """The pages that hold code cells."""
    return [path for path in pages(top) if code_cells(path.read_text(encoding="utf-8"))]


def number(name: str) -> str | None:
    """The two digits of a chapter's file or docname; None for any other page.

    >>> number("book/01-lookup"), number("13-efficient.md"), number("book/notation")
    ('01', '13', None)
    """
    found = re.match(r"(\d\d)-", name.rpartition("/")[2])
    return found and found[1]


def before_title(name: str) -> str:
    """What stands before the title of a page: the number of its chapter.

    >>> before_title("book/01-lookup") + "Lookup", before_title("book/notation") + "Notation"
    ('1 · Lookup', 'Notation')
    """
    digits = number(name)
    return f"{int(digits)} · " if digits else ""


def _files(part: object) -> Iterator[str]:
    """Every ``file`` below a part of the table of contents, however deep."""
    if isinstance(part, list):
        for item in part:
            yield from _files(item)
    elif isinstance(part, dict):
        if "file" in part:
            yield part["file"]
        for key in ("parts", "chapters", "sections", "subtrees", "entries"):
            yield from _files(part.get(key))
