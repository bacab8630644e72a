"""Chapters keep the contract of exercises, and the reader of chapters says where they do not."""

import re

import pytest

from attn.exercises import catalog
from web.chapters import contents
from web.chapters.source import (
    Cell,
    ChapterError,
    Directive,
    Text,
    fill_in,
    read_blocks,
    read_chapter,
)

CHAPTERS = contents.chapters()
EXERCISES = [exercise for path in CHAPTERS for exercise in read_chapter(path).exercises]


def test_some_chapter_has_exercises():
    assert EXERCISES


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_an_exercise_and_its_solution_have_prose(exercise):
    assert len(exercise.prose.split()) >= 10
    assert len(exercise.solution_prose.split()) >= 10


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_a_chapter_with_exercises_asks_two_questions_or_more(path):
    chapter = read_chapter(path)
    assert not chapter.exercises or len(chapter.questions) >= 2


STARTER = """\
import numpy as np

from attn.exercises import check


def softmax(x):
    ...


check("01-softmax", softmax)"""
SOLUTION = STARTER.replace("    ...", "    return np.exp(x)")
SOUND = f"""\
---
file_format: mystnb
---

(ch-lookup)=
# Lookup

```{{code-cell}} ipython3
:tags: [hide-input]
total = 1
```

```{{exercise-start}}
:label: ex-01-softmax
```

Write it.

+++

Its shape is `(n,)`.

```{{code-cell}} ipython3
:tags: [exercise]

{STARTER}
```

```{{exercise-end}}
```

```{{solution-start}} ex-01-softmax
:label: sol-01-softmax
:class: dropdown
```

Because.

```{{code-cell}} ipython3
---
tags: [solution]
jupyter:
  source_hidden: true
---
{SOLUTION}
```

```{{solution-end}}
```

```{{code-cell}} ipython3
total + 1
```
"""
KNOWN = {e.id: e for e in catalog() if e.id == "01-softmax"}


def _read(tmp_path, text, name="01-lookup.md"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_chapter(path, KNOWN)


def test_an_exercise_is_read_with_its_parts_and_lines(tmp_path):
    (exercise,) = _read(tmp_path, SOUND).exercises
    assert exercise.id == "01-softmax"
    assert exercise.title == "Stable softmax"
    assert exercise.prose == "Write it.\n\n\nIts shape is `(n,)`."
    assert exercise.starter == STARTER
    assert exercise.solution == SOLUTION
    assert exercise.solution_prose == "Because."
    assert exercise.function == "softmax"
    lines = SOUND.splitlines()
    assert lines[exercise.line - 1].startswith("```{exercise-start}")
    assert lines[exercise.starter_line - 1].startswith("```{code-cell}")
    assert lines[exercise.solution_line - 1].startswith("```{code-cell}")
    assert exercise.line < exercise.starter_line < exercise.solution_line


def test_a_chapter_has_titles_and_minutes_of_its_exercises_from_the_catalogue():
    text = "*35 minutes, plus the exercises.*\n\n```{exercise-start}\n:label: ex-01-softmax\n```\n"
    title, minutes = KNOWN["01-softmax"].title, KNOWN["01-softmax"].minutes
    filled = f"*35 minutes, plus {minutes} for the exercises.*\n\n```{{exercise-start}} {title}\n"
    assert fill_in(text, "01-lookup.md") == f"{filled}:label: ex-01-softmax\n```\n"


def test_blocks_come_in_order_without_front_matter():
    blocks = read_blocks(SOUND)
    assert blocks[0] == Text("(ch-lookup)=\n# Lookup", 5)
    assert blocks[1] == Cell("total = 1", {"tags": ["hide-input"]}, 8)
    assert isinstance(blocks[2], Directive)
    assert "file_format" not in str(blocks)


def test_a_fence_inside_another_directive_is_no_block_of_its_own():
    text = "````{note}\n```{code-cell}\n1\n```\n````\n\n:::{tip}\n```{exercise-end}\n```\n:::\n"
    assert [b.name for b in read_blocks(text)] == ["note", "tip"]


BREACHES = [
    ("```{exercise-end}\n```\n", "", "solution-start inside the exercise-start of line 13"),
    ("```{solution-end}.*", "", ":41: solution-start needs solution-end"),
    (
        r"```{solution-start}.*```{solution-end}\n```\n",
        "",
        ":13: exercise ex-01-softmax has no sol",
    ),
    ("```{exercise-end}", "```{solution-end}", "solution-end closes nothing that is open"),
    (":label: ex-01-softmax", ":label: softmax", "label is ex- and its id: 'softmax' found"),
    ("exercise-start}", "exercise-start} Softmax", ":13: the title .* in the catalogue: 'Softmax'"),
    (":label: sol-01-softmax", ":label: sol", ":label: sol-01-softmax: 'sol' found"),
    (":class: dropdown\n", "", ":class: dropdown: None found"),
    ("  source_hidden: true", "  source_hidden: false", "has jupyter: {source_hidden: true}"),
    (r":tags: \[exercise\]", ":tags: [other]", r"tagged exercise: \['other'\] found"),
    (r":tags: \[hide-input\]", ":tags: [solution]", ":8: a cell tagged solution stands between"),
    ("start} ex-01-softmax", "start} ex-01-other", "no open exercise 'ex-01-other'"),
    (r"import numpy as np\n\nfrom", "x = 1\nfrom", "starts with its imports"),
    (r"from attn.exercises import check\n", "", "from attn.exercises import check"),
    (r'check\("01-softmax", softmax\)', 'check("01-soft", softmax)', "the last line is check"),
    (r'check\("01-softmax", softmax\)', "softmax", "the last line is check"),
    (r'check\("01-softmax", softmax\)', 'check("01-softmax", f)', "f is not defined"),
    (r"def softmax\(x\)", "def softmax(x", "the cell is not Python"),
    (r"    \.\.\.\n", "    pass\n", "a starter leaves ... where the reader writes"),
    (r"    return np.exp\(x\)", "    ...", "a solution leaves no ..."),
    ("softmax([(:)])", r"soft\1", "the catalogue checks softmax: soft found"),
    (r"total \+ 1", "softmax(1)", "no later cell uses a name that an exercise defines: softmax"),
    (r"tags: \[solution\]", "tags: [solution", "options are YAML"),
    ("01-softmax", "02-softmax", "exercise 02-softmax is not in the catalogue"),
]


@pytest.mark.parametrize(("pattern", "change", "rule"), BREACHES)
def test_a_breach_is_told_with_file_line_and_rule(tmp_path, pattern, change, rule):
    text = re.sub(pattern, change, SOUND, flags=re.DOTALL)
    assert text != SOUND
    with pytest.raises(ChapterError, match=rule) as caught:
        _read(tmp_path, text)
    assert re.match(r"01-lookup\.md:\d+: ", str(caught.value))


def test_a_chapter_holds_its_own_exercises_only(tmp_path):
    with pytest.raises(ChapterError, match="ids of this chapter start with 02-: 01-softmax found"):
        _read(tmp_path, SOUND, "02-self-attention.md")


def test_a_chapter_holds_all_its_exercises(tmp_path):
    path = tmp_path / "01-lookup.md"
    path.write_text(SOUND, encoding="utf-8")
    others = [e.id for e in catalog() if e.chapter == 1 and e.id != "01-softmax"]
    with pytest.raises(ChapterError, match=f"missing from the chapter: {', '.join(others)}"):
        read_chapter(path)


def test_two_cells_in_one_exercise_are_refused(tmp_path):
    cell = "```{code-cell} ipython3\n:tags: [exercise]\n1\n```\n\n```{exercise-end}"
    with pytest.raises(ChapterError, match="holds one code cell tagged exercise: 2 found"):
        _read(tmp_path, SOUND.replace("```{exercise-end}", cell))


def test_a_name_defined_again_by_a_plain_cell_is_free_again(tmp_path):
    again = SOUND.replace("total + 1", "from attn import softmax\nsoftmax([1.0])")
    assert _read(tmp_path, again).exercises


def test_the_same_exercise_twice_is_refused(tmp_path):
    body = SOUND.split("# Lookup", 1)[1]
    with pytest.raises(ChapterError, match="two exercises have the label ex-01-softmax"):
        _read(tmp_path, SOUND + body)


def test_a_question_that_breaks_a_rule_is_told_with_its_line(tmp_path):
    text = "# A\n\n```{admonition} Predict\n:class: question\n:name: q-01-a\n\nWhich?\n```\n"
    with pytest.raises(ChapterError, match=r"01-lookup\.md:3: a question ends with"):
        _read(tmp_path, text)


def test_the_same_question_twice_is_refused(tmp_path):
    answers = "```{dropdown} Answer\n- 1: ✓ Yes.\n- else: ✗ No.\n```"
    one = (
        f"````{{admonition}} P\n:class: question\n:name: q-01-a\n\nHow many?\n\n{answers}\n````\n\n"
    )
    with pytest.raises(ChapterError, match="two questions have the id 01-a"):
        _read(tmp_path, one * 2)
