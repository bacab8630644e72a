"""Each chapter as a notebook to download, with and without solutions.

What only the book understands (directives, roles, labels) becomes plain Markdown, so that
the notebook reads well in any Jupyter.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import nbformat

from web.chapters import contents
from web.chapters.source import (
    Block,
    Cell,
    Chapter,
    Directive,
    Text,
    fill_in,
    read_blocks,
    read_chapter,
)
from web.figures.link_syntax import without_links
from web.questions.question_source import is_right, read_question

NOTE = (
    '*A chapter of "Self-Attention, One Slider at a Time". It needs the course\'s own package, '
    '`attn`: in a copy of the repository, run `pip install ".[widgets,plot,nn]"`, or `make lab`, '
    "which sets everything up and opens JupyterLab.*"
)
_BOXES = {"admonition", "note", "tip", "hint", "important", "warning", "caution", "attention"}
_BOXES |= {"danger", "error", "seealso", "dropdown", "margin", "sidebar"}
_DROPPED = {"tableofcontents", "contents", "bibliography", "exercise-end", "solution-end"}
_ROLE = re.compile(r"\{([\w:.-]+)\}`([^`]+)`")
_PAGE_LINK = re.compile(r"\[([^\]]+)\]\((?![\w+.-]+:)[^)\s]+\.(?:md|bib)(?:#[^)]*)?\)")
_LABEL = re.compile(r"^\(([\w:.-]+)\)=\s*$", re.MULTILINE)


def notebook(
    path: Path, *, solutions: bool, titles: dict[str, str] | None = None
) -> nbformat.NotebookNode:
    """A chapter as a notebook; `titles` maps labels of any chapter to what to call them."""
    chapter, titles = read_chapter(path), titles or {}
    cells, inside_solution = [nbformat.v4.new_markdown_cell(NOTE)], False
    for block in chapter.blocks:
        name = getattr(block, "name", "")
        inside_solution = (inside_solution or name == "solution-start") and name != "solution-end"
        if solutions or not inside_solution:
            cells += _cells(block, chapter, titles)
    stem = path.stem
    _number(cells, contents.before_title(stem))
    for index, cell in enumerate(cells):
        cell["id"] = f"{stem}-{index}"[-64:]
    book = nbformat.v4.new_notebook(cells=cells)
    book.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.validate(book)
    return book


def _number(cells: list[nbformat.NotebookNode], number: str) -> None:
    """The chapter's number before its title, as on the site."""
    titled = (cell for cell in cells if re.match(r"# ", cell.source))
    for cell in list(titled)[:1]:
        cell.source = f"# {number}{cell.source[2:]}"


def label_titles(paths: Iterable[Path]) -> dict[str, str]:
    """What each label of the chapters names: the heading after it, or the exercise's title."""
    titles: dict[str, str] = {}
    for path in paths:
        text = fill_in(path.read_text(encoding="utf-8"), path.name)
        for block in read_blocks(text, path.name):
            if isinstance(block, Text):
                pairs = re.findall(r"^\(([\w:.-]+)\)=\s*\n+#+ (.+)$", block.source, re.MULTILINE)
                titles |= {label: _roles(heading, {}) for label, heading in pairs}
            elif isinstance(block, Directive) and "label" in block.options and block.argument:
                titles[block.options["label"]] = block.argument
    return titles


def plain_markdown(text: str, titles: dict[str, str]) -> str:
    """Markdown without labels, comments and roles; nested directives become plain text too."""
    parts = []
    for block in read_blocks(text):
        if isinstance(block, Text):
            parts.append(_plain_text(block.source, titles))
        elif isinstance(block, Directive):
            parts.append(_plain_directive(block, titles))
        else:
            parts.append(f"```python\n{block.source}\n```")
    return "\n\n".join(part for part in parts if part)


def _cells(block: Block, chapter: Chapter, titles: dict[str, str]) -> list[nbformat.NotebookNode]:
    if isinstance(block, Cell):
        return [nbformat.v4.new_code_cell(block.source, metadata=block.metadata)]
    if isinstance(block, Text):
        source = _plain_text(block.source, titles)
    else:
        source = _exercise(block, chapter) or _plain_directive(block, titles)
    return [nbformat.v4.new_markdown_cell(source)] if source else []


def _exercise(block: Directive, chapter: Chapter) -> str | None:
    """A heading for the start of an exercise or a solution."""
    if block.name == "exercise-start":
        number = 1 + [e.line for e in chapter.exercises].index(block.line)
        return f"### Exercise {number}: {block.argument}"
    if block.name == "solution-start":
        title = next(e.title for e in chapter.exercises if f"ex-{e.id}" == block.argument)
        return f"#### Solution: {title}"
    return None


def _plain_text(source: str, titles: dict[str, str]) -> str:
    lines = [line for line in source.splitlines() if not re.match(r"%(\s|$)", line)]
    text = _LABEL.sub("", re.sub(r"<!--.*?-->", "", "\n".join(lines), flags=re.DOTALL))
    text = re.sub(r"^\$\$\s*\((?:[\w:.-]+)\)\s*$", "$$", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", _roles(text, titles)).strip()


def _plain_directive(block: Directive, titles: dict[str, str]) -> str:
    if block.name in _DROPPED:
        return ""
    if block.is_question:
        return _question(block, titles)
    if block.name == "math":
        return f"$$\n{block.body}\n$$"
    if block.name in ("figure", "image"):
        caption = plain_markdown(block.body, titles)
        words = block.options.get("alt", "") or caption or block.argument
        return f"*Figure: {' '.join(words.split())}*"
    body = plain_markdown(block.body, titles)
    if block.name in _BOXES:
        head = _roles(block.argument, titles) or block.name.capitalize()
        return "\n".join(f"> {line}".rstrip() for line in f"**{head}**\n\n{body}".splitlines())
    return body


def _question(block: Directive, titles: dict[str, str]) -> str:
    asked = read_question(block.argument, block.options, block.body)
    lines = [f"**{asked.title}.** {_roles(asked.prompt, titles)}"]
    if asked.kind == "choice":
        lines.append("\n".join(f"- **{o.key}.** {_roles(o.text, titles)}" for o in asked.options))
    right = next(o for o in asked.options if is_right(asked, o))
    answer = f"{right.key}. {_roles(right.feedback, titles)}"
    lines.append(f"<details><summary>Answer</summary>\n\n{answer}\n\n</details>")
    return "\n\n".join(lines)


def _roles(text: str, titles: dict[str, str]) -> str:
    text = without_links(_PAGE_LINK.sub(r"\1", text))
    return _ROLE.sub(lambda match: _role(match[1], match[2], titles), text)


def _role(name: str, content: str, titles: dict[str, str]) -> str:
    """A role's text: what it shows, without where it points."""
    if name == "math":
        return f"${content}$"
    if name.startswith("cite"):
        return f"[{content}]"
    shown = re.fullmatch(r"(.+?)\s*<[^>]+>", content, re.DOTALL)
    if shown:
        return shown[1]
    if name in ("ref", "numref", "doc", "eq"):
        return titles.get(content, content.split("/")[-1])
    if name in ("py:func", "func", "code", "py:class", "class", "py:mod", "mod"):
        return f"`{content.lstrip('~')}`"
    return content


def write_all(top: Path, target: Path) -> list[Path]:
    """Write both notebooks of every chapter of the book; gives the files written."""
    titles = label_titles(contents.pages(top))
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for chapter in contents.chapters(top):
        for solutions in (False, True):
            file = target / f"{chapter.stem}{'-solutions' if solutions else ''}.ipynb"
            nbformat.write(notebook(chapter, solutions=solutions, titles=titles), file)
            written.append(file)
    return written
