"""Chapters as notebooks: valid, readable without the book, with and without solutions."""

import nbformat
import pytest

from web.chapters import contents
from web.chapters.source import read_chapter
from web.notebooks.student_notebooks import label_titles, notebook, plain_markdown, write_all

CHAPTERS = contents.chapters()
RAW = ("](#", "{ref}`", "{cite", "```{", ":::", ":label:", "(ch-", ")=\n", "+++", "{eq}`")


def _markdown(book):
    return "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")


def _code(book):
    return [cell.source for cell in book.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("solutions", [False, True])
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_a_chapter_becomes_a_valid_notebook_without_book_markup(path, solutions):
    book = notebook(path, solutions=solutions, titles=label_titles(CHAPTERS))
    nbformat.validate(book)
    text = _markdown(book)
    assert [mark for mark in RAW if mark in text] == []


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_solutions_are_in_one_notebook_only(path):
    exercises = read_chapter(path).exercises
    without, complete = notebook(path, solutions=False), notebook(path, solutions=True)
    for exercise in exercises:
        assert exercise.starter in _code(without)
        assert exercise.starter in _code(complete)
        assert exercise.solution not in _code(without)
        assert exercise.solution in _code(complete)
        assert exercise.solution_prose.splitlines()[0] not in _markdown(without)
    assert len(_code(complete)) == len(_code(without)) + len(exercises)
    assert not exercises or "### Exercise 1: " in _markdown(without)
    assert "Solution: " not in _markdown(without)


def test_some_chapter_has_exercises():
    assert any(read_chapter(path).exercises for path in CHAPTERS)


PLAIN = [
    ("(sec-a)=\n## A\n\n% a comment\nText", "## A\n\nText"),
    ("See {ref}`the last chapter <ch-qkv>`.", "See the last chapter."),
    ("See {ref}`ch-qkv`.", "See Queries, keys, values."),
    ("See {ref}`ch-none`.", "See ch-none."),
    ("1. [Turn *it* to 90°](#SoftLookup?query_angle=90).", "1. Turn *it* to 90°."),
    ("Vaswani et al. (2017) {cite}`vaswani2017`.", "Vaswani et al. (2017) [vaswani2017]."),
    ("As {cite:t}`a,b` say.", "As [a,b] say."),
    ("{math}`x^2` and {term}`soft look-up <x>`", "$x^2$ and soft look-up"),
    ("{func}`~attn.softmax`", "`attn.softmax`"),
    ("<!-- hidden\nwords -->Seen", "Seen"),
    ("$$\na\n$$ (eq-a)", "$$\na\n$$"),
    ("```{note}\nMind {ref}`ch-qkv`.\n```", "> **Note**\n>\n> Mind Queries, keys, values."),
    (":::{admonition} Title\n:class: tip\nBody\n:::", "> **Title**\n>\n> Body"),
    ("```{math}\n:label: eq-a\nx = 1\n```", "$$\nx = 1\n$$"),
    ("```{figure} a.svg\n:alt: A bar\n\nCaption\n```", "*Figure: A bar*"),
    ("```{tableofcontents}\n```", ""),
    ("```{unknown} x\nWords\n```", "Words"),
    ("```python\n{kept}\n```", "```python\n{kept}\n```"),
    (
        "````{admonition} Predict\n:class: question\n:name: q-01-a\n\nWhich?\n\n- a: one\n"
        "- b: {ref}`ch-qkv`\n\n```{dropdown} Answer\n- a: ✗ No.\n- b: ✓ Yes.\n```\n````",
        "**Predict.** Which?\n\n- **a.** one\n- **b.** Queries, keys, values\n\n"
        "<details><summary>Answer</summary>\n\nb. Yes.\n\n</details>",
    ),
]


@pytest.mark.parametrize(("source", "plain"), PLAIN)
def test_markup_of_the_book_becomes_plain_markdown(source, plain):
    assert plain_markdown(source, {"ch-qkv": "Queries, keys, values"}) == plain


def test_labels_are_called_what_they_stand_before(tmp_path):
    (tmp_path / "a.md").write_text("(ch-a)=\n# The {math}`a`\n\n(ch-b)=\n\n## B\n")
    gate = "```{exercise-start}\n:label: ex-01-softmax\n```\n"
    (tmp_path / "b.md").write_text(gate)
    titles = label_titles([tmp_path / "a.md", tmp_path / "b.md"])
    assert titles == {"ch-a": "The $a$", "ch-b": "B", "ex-01-softmax": "Stable softmax"}


def test_both_files_of_each_chapter_are_written_and_stay_the_same(tmp_path):
    (tmp_path / "_toc.yml").write_text("root: index\nchapters: [{file: 02-order}]\n")
    (tmp_path / "01-left-out.md").write_text("# Left out\n")
    (tmp_path / "02-order.md").write_text("# Order\n\n```{code-cell} ipython3\n1 + 1\n```\n")
    (tmp_path / "index.md").write_text("# Index\n")
    files = write_all(tmp_path, tmp_path / "out")
    assert [f.name for f in files] == ["02-order.ipynb", "02-order-solutions.ipynb"]
    first = files[0].read_bytes()
    write_all(tmp_path, tmp_path / "out")
    assert files[0].read_bytes() == first
    cells = nbformat.read(files[0], as_version=4).cells
    assert [cell.source for cell in cells[1:]] == ["# 2 · Order", "1 + 1"]
