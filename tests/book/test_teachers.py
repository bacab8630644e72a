"""What the page for teachers promises, carried out."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
from book.chapter_text import Chapter
from page.page_limits import python_megabytes

from benchmarks import chapters
from web.builder.paths import SITE

TOP = Path(__file__).resolve().parents[2]
PAGE = Chapter("for-teachers")
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


@PAGE.number("python")
def python():
    return python_megabytes(SITE)


@PAGE.number("chapter 1", "jupyterlab", marks=pytest.mark.matrix)
def megabytes_of_the_first_chapter_and_jupyterlab():
    done = run(*BENCHMARK, "01-lookup")
    assert done.returncode == 0, done.stderr
    row = re.search(r"^\| 01-lookup \| (\d+) \| ([\d.]+) \| (\d+) \|", done.stdout, re.MULTILINE)
    assert int(row[1]) == len(Chapter("01-lookup").cells)
    server = re.search(r"^JupyterLab itself: (\d+) MB$", done.stdout, re.MULTILINE)
    assert min(int(row[3]), int(server[1])) > 20
    return int(row[3]), int(server[1])


@PAGE.number("training", marks=pytest.mark.matrix)
def megabytes_of_a_training(tmp_path_factory):
    header = "---\nkernelspec: {name: python3, display_name: Python 3}\n---\n"
    page = tmp_path_factory.mktemp("train") / "train.md"
    page.write_text(f"{header}\n```{{code-cell}} ipython3\n{TRAINS}\n```\n")
    megabytes = chapters.run(page).megabytes
    assert megabytes > 100
    return megabytes


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
    link = urlsplit(re.search(r"^https://HUB/\S+", PAGE.text, re.MULTILINE)[0])
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
    names = re.findall(r"`(01-lookup[\w-]*\.ipynb)`", PAGE.text)
    assert len(names) == 2
    learner, teacher = (nbformat.read(tmp_path / name, as_version=4) for name in names)
    assert len(learner.cells) < len(teacher.cells)
    assert {tmp_path / name for name in names} <= set(written)


test_number = PAGE.tests()
