"""What the page for teachers promises, carried out."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest

from benchmarks import chapters
from web.chapters.source import code_cells

TOP = Path(__file__).resolve().parents[2]
PAGE = (TOP / "book/for-teachers.md").read_text(encoding="utf-8")
TRAINS = """
import torch
from attn.nn import TinyTransformer
model = TinyTransformer(20, 32)
for _ in range(3):
    tokens = torch.randint(0, 20, (64, 32))
    torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten()).backward()
"""


BENCHMARK = ("-m", "benchmarks.chapters")


def run(*command):
    command, settings = [sys.executable, *command], os.environ | {"PYTHONPATH": str(TOP / "tests")}
    return subprocess.run(
        command, env=settings, capture_output=True, text=True, check=False, cwd=TOP
    )


def promised(start):
    """The megabytes in the row of the table that starts with these words."""
    return int(re.search(rf"^\| {start}.*\| below (\d+) MB \|$", PAGE, re.MULTILINE)[1])


@pytest.mark.matrix
def test_the_first_chapter_and_jupyterlab_stay_within_their_memory():
    done = run(*BENCHMARK, "01-lookup")
    assert done.returncode == 0, done.stderr
    row = re.search(r"^\| 01-lookup \| (\d+) \| ([\d.]+) \| (\d+) \|", done.stdout, re.MULTILINE)
    cells = code_cells((TOP / "book/01-lookup.md").read_text(encoding="utf-8"))
    assert int(row[1]) == len(cells)
    assert 20 < int(row[3]) < promised("a chapter that uses NumPy only")
    server = int(re.search(r"^JupyterLab itself: (\d+) MB$", done.stdout, re.MULTILINE)[1])
    assert 20 < server < promised("JupyterLab, once")


@pytest.mark.matrix
def test_training_a_small_model_stays_within_its_memory(tmp_path):
    header = "---\nkernelspec: {name: python3, display_name: Python 3}\n---\n"
    page = tmp_path / "train.md"
    page.write_text(f"{header}\n```{{code-cell}} ipython3\n{TRAINS}\n```\n")
    assert 100 < chapters.run(page).megabytes < promised("a kernel that trains")


@pytest.mark.parametrize(
    ("seconds", "megabytes", "flag"),
    [(30.0, 1000.0, ""), (30.1, 5.0, "over 30 s"), (31.0, 1001.0, "over 30 s, over 1000 MB")],
)
def test_what_a_small_server_cannot_hold_is_flagged(seconds, megabytes, flag):
    row = chapters.Cost("x", 1, seconds, megabytes).row()
    assert row.endswith(f"| {megabytes:.0f} | {flag} |")


def test_an_unknown_chapter_is_named_with_those_there_are():
    done = run(*BENCHMARK, "99-nothing")
    assert done.returncode == 1
    assert done.stderr.startswith(
        "chapters: no notebook 99-nothing; there are index, tour, 00-warm-up, "
    )


def test_the_link_for_a_class_opens_the_list_of_chapters():
    link = urlsplit(re.search(r"^https://HUB/\S+", PAGE, re.MULTILINE)[0])
    fields = parse_qs(link.query)
    assert link.path == "/hub/user-redirect/git-pull"
    assert fields["repo"] == ["https://github.com/OWNER/REPO"]
    folder, file = fields["urlpath"][0].removeprefix("lab/tree/").split("/", 1)
    assert folder == "REPO"
    assert (TOP / file).is_file()
    assert "\nnbgitpuller==" in (TOP / ".binder/requirements.txt").read_text()


def test_both_notebooks_of_a_chapter_are_written_where_the_page_says(tmp_path):
    from web.notebooks import student_notebooks

    written = student_notebooks.write_all(TOP, tmp_path)
    names = re.findall(r"`(01-lookup[\w-]*\.ipynb)`", PAGE)
    assert len(names) == 2
    learner, teacher = (nbformat.read(tmp_path / name, as_version=4) for name in names)
    assert len(learner.cells) < len(teacher.cells)
    assert {tmp_path / name for name in names} <= set(written)
