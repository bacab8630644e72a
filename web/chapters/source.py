"""Read a chapter's Markdown: its blocks, its exercises with their solutions, its questions.

One reader serves the page, the tests and the student notebooks. A chapter that breaks a rule gets
a `ChapterError` that gives the file, the line and the rule.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NoReturn

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from web.chapters import cell_rules
from web.chapters.number_marks import without_marks
from web.course import Exercise, exercises_by_id
from web.questions.question_source import Question, is_question, read_question


class ChapterError(ValueError):
    """A chapter breaks a rule: `file:line: the rule and what was found`."""


@dataclass(frozen=True)
class Text:
    """Markdown between two cells or directives."""

    source: str
    line: int


@dataclass(frozen=True)
class Cell:
    """A code cell and its metadata."""

    source: str
    metadata: dict
    line: int

    @property
    def tags(self) -> list[str]:
        return self.metadata.get("tags", [])


@dataclass(frozen=True)
class Directive:
    """A fenced directive at top level: ```{name} argument, options, body."""

    name: str
    argument: str
    options: dict
    body: str
    line: int

    @property
    def is_question(self) -> bool:
        return self.name == "admonition" and is_question(self.options)


Block = Text | Cell | Directive

_EXERCISE_LABEL = re.compile(r"^:label: ex-(\d\d-[a-z0-9-]+)$", re.MULTILINE)
_TITLE = re.compile(
    r"^(?P<name>`{3,}\{exercise-start\})(?P<title>.*)(?P<label>\n:label: ex-(?P<id>[a-z0-9-]+))$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class ExerciseSource:
    """An exercise as the chapter gives it; `function` is the name that the reader defines."""

    id: str
    title: str
    prose: str
    starter: str
    solution: str
    solution_prose: str
    function: str
    line: int
    starter_line: int
    solution_line: int


@dataclass(frozen=True)
class Chapter:
    """A chapter's blocks in order, and what they add up to."""

    path: Path
    blocks: tuple[Block, ...]
    exercises: tuple[ExerciseSource, ...]
    questions: tuple[Question, ...]


@dataclass
class _Pair:
    """What stands between `exercise-start` or `solution-start` and its end."""

    start: Directive
    texts: list[str] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)

    @property
    def prose(self) -> str:
        return "\n\n".join(self.texts)


def read_chapter(path: Path, known: dict[str, Exercise] | None = None) -> Chapter:
    """Read and check a chapter; `known` maps ids to catalogued exercises (default: all of them)."""
    return _Reader(path).read(exercises_by_id() if known is None else known)


def fill_in(text: str, path: str, known: dict[str, Exercise] | None = None) -> str:
    """A chapter with what the catalogue knows: its exercises' titles, and the minutes they take.

    The directive has no title of its own, and "35 minutes, plus the exercises." no sum.
    """
    known = exercises_by_id() if known is None else known
    minutes = sum(known[i].minutes for i in _EXERCISE_LABEL.findall(text) if i in known)

    def title(start: re.Match) -> str:
        if start["title"].strip():
            line = text.count("\n", 0, start.start()) + 1
            rule = "the title of an exercise stands in the catalogue"
            raise ChapterError(f"{path}:{line}: {rule}: {start['title'].strip()!r} found")
        listed = known.get(start["id"])
        return f"{start['name']} {listed.title}{start['label']}" if listed else start[0]

    text = _TITLE.sub(title, text)
    return text.replace(
        " minutes, plus the exercises.", f" minutes, plus {minutes} for the exercises."
    )


@cache  # a build asks for those of each chapter several times
def read_blocks(text: str, path: str = "chapter") -> tuple[Block, ...]:
    """The top-level blocks of a chapter in order: Text, Cell, Directive; without marks."""
    text = without_marks(text)
    lines = text.splitlines()
    blocks: list[Block] = []
    done = 0
    for token in _markdown().parse(text):
        if token.level or token.type not in ("fence", "colon_fence", "front_matter"):
            continue
        match = re.fullmatch(r"\{([\w:-]+)\}\s*(.*)", token.info.strip())
        if token.type != "front_matter" and not match:
            continue
        start, end = token.map or (0, 0)
        blocks += _text(lines[done:start], done)
        if match:
            blocks.append(_fenced(match[1], match[2], token, f"{path}:{start + 1}"))
        done = end
    blocks += _text(lines[done:], done)
    return tuple(blocks)


def code_cells(text: str) -> list[str]:
    """The source of a page's code cells."""
    return [block.source for block in read_blocks(text) if isinstance(block, Cell)]


def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark").use(front_matter_plugin).use(colon_fence_plugin)


def _text(lines: list[str], first: int) -> list[Text]:
    """A run of lines as at most one block, without cell breaks and blank ends."""
    numbered = [(n, line) for n, line in enumerate(lines, first + 1) if not line.startswith("+++")]
    while numbered and not numbered[0][1].strip():
        numbered.pop(0)
    source = "\n".join(line for _, line in numbered).rstrip()
    return [Text(source, numbered[0][0])] if source else []


def _fenced(name: str, argument: str, token: Token, where: str) -> Cell | Directive:
    options, body = split_options(token.content, where)
    start, _ = token.map or (0, 0)
    if name == "code-cell":
        return Cell(body.strip("\n"), options, start + 1)
    return Directive(name, argument, options, body.strip("\n"), start + 1)


def split_options(content: str, where: str) -> tuple[dict, str]:
    """A directive's options, given as a `---` block or as `:key: value` lines, and its body."""
    lines = content.splitlines()
    if lines and lines[0].strip() == "---":
        ends = [i for i, line in enumerate(lines[1:], 1) if line.strip() == "---"]
        if not ends:
            raise ChapterError(f"{where}: an option block that opens with --- ends with ---")
        head, rest = "\n".join(lines[1 : ends[0]]), lines[ends[0] + 1 :]
        return _yaml(head, where), "\n".join(rest)
    options: dict = {}
    while lines and (match := re.fullmatch(r":([\w-]+):\s*(.*)", lines[0])):
        options[match[1]] = _yaml(match[2], where) if match[1] == "tags" else match[2]
        lines.pop(0)
    return options, "\n".join(lines)


def _yaml(text: str, where: str) -> dict:
    try:
        return yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise ChapterError(f"{where}: options are YAML: {' '.join(str(error).split())}") from None


class _Reader:
    """One pass over the blocks, keeping the open pair and the exercises met so far."""

    def __init__(self, path: Path):
        self.path = path
        self.pair: _Pair | None = None
        self.open: dict[str, _Pair] = {}
        self.exercises: dict[str, ExerciseSource] = {}
        self.questions: dict[str, Question] = {}

    def fail(self, line: int, rule: str) -> NoReturn:
        raise ChapterError(f"{self.path.name}:{line}: {rule}")

    def read(self, known: dict[str, Exercise]) -> Chapter:
        text = fill_in(self.path.read_text(encoding="utf-8"), self.path.name, known)
        blocks = read_blocks(text, self.path.name)
        for block in blocks:
            self.take(block)
        if self.pair:
            name = self.pair.start.name
            self.fail(self.pair.start.line, f"{name} needs {name.replace('start', 'end')}")
        for pair in self.open.values():
            self.fail(pair.start.line, f"exercise {pair.start.options['label']} has no solution")
        self.check_uses(blocks)
        for exercise in self.exercises.values():
            self.check_catalogue(exercise, known)
        self.check_complete(known)
        exercises = tuple(self.exercises.values())
        return Chapter(self.path, blocks, exercises, tuple(self.questions.values()))

    def take(self, block: Block) -> None:
        if isinstance(block, Directive) and re.fullmatch(
            r"(exercise|solution)-(start|end)", block.name
        ):
            self.start(block) if block.name.endswith("start") else self.end(block)
        elif isinstance(block, Directive) and block.is_question:
            self.question(block)
        elif isinstance(block, Cell):
            self.cell(block)
        elif self.pair and isinstance(block, Text):
            self.pair.texts.append(block.source)

    def start(self, block: Directive) -> None:
        if self.pair:
            before = self.pair.start
            self.fail(block.line, f"{block.name} inside the {before.name} of line {before.line}")
        self.pair = _Pair(block)

    def end(self, block: Directive) -> None:
        pair, self.pair = self.pair, None
        if pair is None or pair.start.name.split("-")[0] != block.name.split("-")[0]:
            self.fail(block.line, f"{block.name} closes nothing that is open")
        kind = block.name.split("-")[0]
        if len(pair.cells) != 1:
            found = len(pair.cells)
            self.fail(
                pair.start.line, f"each {kind} holds one code cell tagged {kind}: {found} found"
            )
        self.end_exercise(pair) if kind == "exercise" else self.end_solution(pair)

    def end_exercise(self, pair: _Pair) -> None:
        label = pair.start.options.get("label", "")
        if not re.fullmatch(r"ex-\d\d-[a-z0-9-]+", label):
            self.fail(pair.start.line, f"an exercise's label is ex- and its id: {label!r} found")
        if label in self.open or label[3:] in self.exercises:
            self.fail(pair.start.line, f"two exercises have the label {label}")
        self.open[label] = pair

    def end_solution(self, pair: _Pair) -> None:
        start, label = pair.start, pair.start.argument.strip()
        exercise = self.open.pop(label, None)
        if exercise is None:
            self.fail(start.line, f"a solution follows its exercise: no open exercise {label!r}")
        wanted = {"label": f"sol-{label[3:]}", "class": "dropdown"}
        for key, value in wanted.items():
            if start.options.get(key) != value:
                found = start.options.get(key)
                self.fail(
                    start.line, f"the solution of {label} has :{key}: {value}: {found!r} found"
                )
        if pair.cells[0].metadata.get("jupyter") != {"source_hidden": True}:
            self.fail(pair.cells[0].line, "a solution cell has jupyter: {source_hidden: true}")
        self.exercises[label[3:]] = self.join(label[3:], exercise, pair)

    def join(self, exercise_id: str, exercise: _Pair, solution: _Pair) -> ExerciseSource:
        cell, answer = exercise.cells[0], solution.cells[0]
        function = self.checked(cell, exercise_id)
        if not cell_rules.has_blank(cell.source):
            self.fail(cell.line, "a starter leaves ... where the reader writes")
        if cell_rules.has_blank(answer.source):
            self.fail(answer.line, "a solution leaves no ...")
        if self.checked(answer, exercise_id) != function:
            self.fail(answer.line, f"starter and solution define the same name: {function}")
        return ExerciseSource(
            id=exercise_id,
            title=exercise.start.argument.strip(),
            prose=exercise.prose,
            starter=cell.source,
            solution=answer.source,
            solution_prose=solution.prose,
            function=function,
            line=exercise.start.line,
            starter_line=cell.line,
            solution_line=answer.line,
        )

    def checked(self, cell: Cell, exercise_id: str) -> str:
        try:
            return cell_rules.checked_name(cell.source, exercise_id)
        except ValueError as error:
            self.fail(cell.line, str(error))

    def cell(self, block: Cell) -> None:
        kinds = [tag for tag in block.tags if tag in ("exercise", "solution")]
        if self.pair is None:
            if kinds:
                self.fail(
                    block.line, f"a cell tagged {kinds[0]} stands between {kinds[0]}-start and -end"
                )
            return
        kind = self.pair.start.name.split("-")[0]
        if kinds != [kind]:
            self.fail(
                block.line, f"the code cell of this {kind} is tagged {kind}: {block.tags} found"
            )
        self.pair.cells.append(block)

    def question(self, block: Directive) -> None:
        try:
            question = read_question(block.argument, block.options, block.body)
        except ValueError as error:
            self.fail(block.line, str(error))
        if question.id in self.questions:
            self.fail(block.line, f"two questions have the id {question.id}")
        self.questions[question.id] = question

    def check_uses(self, blocks: tuple[Block, ...]) -> None:
        code = [b for b in blocks if isinstance(b, Cell)]
        of_exercise = [bool({"exercise", "solution"} & set(c.tags)) for c in code]
        found = cell_rules.first_leak([c.source for c in code], of_exercise)
        if found is not None:
            index, name = found
            rule = f"no later cell uses a name that an exercise defines: {name}"
            self.fail(code[index].line, rule)

    def check_catalogue(self, exercise: ExerciseSource, known: dict[str, Exercise]) -> None:
        if exercise.id not in known:
            self.fail(exercise.line, f"exercise {exercise.id} is not in the catalogue")
        listed = known[exercise.id]
        if exercise.function != listed.task.name:
            rule = f"the catalogue checks {listed.task.name}: {exercise.function} found"
            self.fail(exercise.starter_line, rule)

    def check_complete(self, known: dict[str, Exercise]) -> None:
        """A chapter's ids carry its number, and it gives every exercise catalogued for it."""
        number = re.match(r"\d\d", self.path.name)
        if not number or not (self.exercises or self.questions):
            return
        for wrong in [i for i in (*self.exercises, *self.questions) if i[:2] != number[0]]:
            self.fail(1, f"ids of this chapter start with {number[0]}-: {wrong} found")
        missing = [i for i in known if i[:2] == number[0] and i not in self.exercises]
        if self.exercises and missing:
            self.fail(1, f"catalogued exercises are missing from the chapter: {', '.join(missing)}")
