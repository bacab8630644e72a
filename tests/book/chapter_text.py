"""What a chapter says, for the tests that compute its numbers again."""

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from book.printed_numbers import Printed, number_before

from web.chapters.number_marks import MARK, without_marks
from web.chapters.source import Cell, Directive, Text, code_cells, read_blocks
from web.figures.link_syntax import without_links

BOOK = Path(__file__).resolve().parents[2] / "book"
GIVEN = "given"  # no measurement: an assumption, a setting, a number of somebody else
CELL = "cell"  # printed by the cell above or below
UNCOMPUTED = (GIVEN, CELL)


@dataclass(frozen=True)
class Mark:
    """A marked number: which quantity, how it relates to it, and where it stands."""

    name: str
    relation: str | None
    printed: Printed
    line: int


class Chapter:
    """``Chapter("04-scaling")``: its marked numbers with what computes them, its prose, its cells.

    ``number`` says how a marked quantity is computed, and ``tests`` makes the tests of all marks::

        @CHAPTER.number("best-raw-64", "best-raw-1024")
        def best_raw():
            return [weights(d_k).max(axis=-1).mean() for d_k in (64, 1024)]

        test_number = CHAPTER.tests()
    """

    def __init__(self, name: str):
        self.name = name
        self.marked_text = (BOOK / f"{name}.md").read_text(encoding="utf-8")
        self.text = without_marks(self.marked_text)
        self.cells = code_cells(self.text)
        blocks = [block for block in read_blocks(self.text) if not isinstance(block, Cell)]
        self.prose = " ".join(without_links("\n".join(map(_written, blocks))).split())
        self.code = " ".join("\n".join(self.cells).split())
        self.marks_of_tests: dict = {}
        self.quantities: dict[str, Callable[[pytest.FixtureRequest], float]] = {}

    @functools.cached_property
    def marks(self) -> list[Mark]:
        """Every marked number in the order of the page."""
        return [
            Mark(found["name"], found["relation"], self._printed(number, text, found), number)
            for number, text in enumerate(self.marked_text.splitlines(), 1)
            for found in MARK.finditer(text)
        ]

    def _printed(self, number: int, text: str, mark: re.Match) -> Printed:
        before, after = text[: mark.start()], text[mark.end() :]
        try:
            if before.count("`") % 2 or before.count("$") % 2:
                raise ValueError("a mark in code, a role or a formula shows: put it behind")
            return number_before(without_marks(before), without_marks(after))
        except ValueError as error:
            raise ValueError(f"book/{self.name}.md:{number}: {error}") from None

    def number(self, *names: str, marks=()):
        """Say what computes marked numbers: a function of one, or of all of these in order.

        Its parameters are fixtures, as those of a test are, but for those with a default;
        ``marks`` are marks of pytest.
        """

        def register(function):
            computed = []  # once, whatever the fixtures

            def compute(request, index):
                if not computed:
                    found = function(**{n: request.getfixturevalue(n) for n in _fixtures(function)})
                    computed[:] = [found] if len(names) == 1 else found
                    assert len(computed) == len(names), (
                        f"{function.__name__} computes {len(computed)} of {len(names)} numbers"
                    )
                return computed[index]

            for index, name in enumerate(names):
                assert name not in self.quantities, f"{self.name}: {name} is computed twice"
                self.quantities[name] = functools.partial(compute, index=index)
                self.marks_of_tests[name] = marks
            return function

        return register

    def tests(self):
        """A test for each quantity that is marked or computed."""
        marked = {mark.name for mark in self.marks if mark.name not in UNCOMPUTED}

        names = sorted(marked | set(self.quantities))
        params = [pytest.param(name, marks=self.marks_of_tests.get(name, ())) for name in names]

        @pytest.mark.parametrize("name", params)
        def test_a_marked_number_is_what_is_computed(name, request):
            self.compare(name, request)

        return test_a_marked_number_is_what_is_computed

    def compare(self, name: str, request: pytest.FixtureRequest) -> None:
        """Each number that is marked so agrees with what is computed, as exactly as it is given."""
        marks = [mark for mark in self.marks if mark.name == name]
        assert marks, f"no number in book/{self.name}.md is marked {name}"
        if name.startswith("= "):
            computed = eval(name[2:], {**vars(np), "__builtins__": {}})
        else:
            assert name in self.quantities, (
                f"book/{self.name}.md:{marks[0].line}: no test computes {name}"
            )
            computed = self.quantities[name](request)
        wrong = [
            f"book/{self.name}.md:{mark.line} says {mark.relation or ''}{mark.printed.text}"
            for mark in marks
            if not mark.printed.agrees(float(computed), mark.relation)
        ]
        assert not wrong, f"{name} is {float(computed):.6g}: {wrong}"

    def arguments(self, function: str) -> list[dict]:
        """The keyword arguments of each call of a function in the cells: those given as values."""
        calls = [node for cell in self.cells for node in ast.walk(ast.parse(cell))]
        return [
            {a.arg: a.value.value for a in call.keywords if isinstance(a.value, ast.Constant)}
            for call in calls
            if isinstance(call, ast.Call) and getattr(call.func, "id", None) == function
        ]

    def core_lines(self) -> Iterator[tuple[int, str]]:
        """The lines of text that a reader cannot leave out, with their marks; no formulas."""
        lines = self.marked_text.splitlines()
        skipped = 0  # the level of the heading that opened a part to skip
        formula = False
        for block in read_blocks(self.text):
            if isinstance(block, Cell) or (isinstance(block, Directive) and not _is_told(block)):
                continue
            source = block.source if isinstance(block, Text) else block.body
            for number in range(block.line, block.line + source.count("\n") + 1):
                line = lines[number - 1]
                formula ^= bool(line.count("$$") % 2)
                heading = re.match(r"(#+) (.*)", line)
                if heading and (not skipped or len(heading[1]) <= skipped):
                    aside = heading[2].startswith(("Going deeper", "Exercises"))
                    skipped = len(heading[1]) if aside else 0
                if not skipped and not formula:
                    yield number, line


def _fixtures(function: Callable) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.default is one.empty]


def _written(block):
    """What a reader reads of a text or a directive."""
    return block.source if isinstance(block, Text) else f"{block.argument}\n{block.body}"


def _is_told(block: Directive) -> bool:
    """Whether a directive is text for every reader: a box that asks nothing and folds nothing."""
    if block.name != "admonition" or block.is_question:
        return False
    return "dropdown" not in block.options.get("class", "")
