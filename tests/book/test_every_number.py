"""A number that a reader cannot leave out is marked: computed, printed by a cell, or given."""

import re

import pytest
from book.cell_outputs import printed_by_cells
from book.chapter_text import CELL, Chapter

from web.chapters import contents
from web.chapters.number_marks import MARK
from web.chapters.source import Cell, read_blocks

BACK = ("how-it-is-built", "for-teachers", "how-figures-look")
MARKED = ["tour", *(path.stem for path in contents.chapters()), *BACK]
MARKED_HERE = "\0"
# Code, formulas, addresses, and names (of heads, too) hold no measurements of ours.
NO_PROSE = re.compile(
    r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)|<[^>]*>|\(\d{4}\)"
    r"|[Hh]eads? \d\.\d+(?: and \d\.\d+)?|[A-Za-z]-\d[.\d]*"
)
MEASURED = re.compile(
    r"(?<![\w.,^])[-−]?(?:\d[\d,]*\.\d+|\d[\d,]*(?=\s?(?:%|[KMG]i?B\b|bytes\b|ms\b|seconds?\b)))"
    r"(?:\s?%| · 10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?"
)
IN_OUTPUT = re.compile(r"[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?%?")


def unmarked(line: str) -> list[str]:
    """The numbers of a line with a per cent sign, a unit or decimals that have no mark.

    >>> unmarked("It takes 83%, then 24%<!--n best-->, of `0.5` and 12 KB.")
    ['83%', '12']
    """
    text = NO_PROSE.sub(" ", MARK.sub(MARKED_HERE, line))
    return [
        found[0]
        for found in MEASURED.finditer(text)
        if not re.match(rf"[*_)\]\"”]*{MARKED_HERE}", text[found.end() :])
    ]


@pytest.mark.parametrize("name", MARKED)
def test_every_measured_number_of_the_core_path_is_marked(name):
    bare = {
        number: found for number, line in Chapter(name).core_lines() if (found := unmarked(line))
    }
    assert not bare, (
        f"book/{name}.md has numbers without a mark, by line: {bare}; put <!--n name--> right "
        "behind each (CONTRIBUTING, Numbers)"
    )


@pytest.mark.parametrize("name", MARKED)
def test_a_number_said_to_be_a_cell_s_is_printed_by_the_cell_above_or_below(name):
    chapter = Chapter(name)
    marks = [mark for mark in chapter.marks if mark.name == CELL]
    if not marks:
        return
    cells = [block.line for block in read_blocks(chapter.text) if isinstance(block, Cell)]
    printed = printed_by_cells(name)
    assert len(printed) == len(cells)
    speaking = [(line, text) for line, text in zip(cells, printed, strict=True) if text.strip()]
    for mark in marks:
        above = [text for line, text in speaking if line < mark.line][-1:]
        below = [text for line, text in speaking if line > mark.line][:1]
        numbers = [_plain(n) for n in IN_OUTPUT.findall(" ".join(above + below))]
        agree = any(mark.printed.agrees(n, mark.relation) for n in numbers)
        assert agree, f"book/{name}.md:{mark.line}: no cell next to it prints {mark.printed.text}"


def _plain(number: str) -> float:
    value = float(number.rstrip("%").replace("−", "-"))
    return value / 100 if number.endswith("%") else value
