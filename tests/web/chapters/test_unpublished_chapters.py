"""A teacher leaves chapters out by removing their lines from `_toc.yml`: the real book, built."""

import json
import os
import pickle
import posixpath
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from web.chapters import contents
from web.figures import live_figures

# One worker builds the book once for all of them.
pytestmark = [pytest.mark.matrix, pytest.mark.xdist_group("unpublished chapters")]
TOP = Path(__file__).resolve().parents[3]
UNPUBLISHED = ("02-self-attention", "04-scaling")
FIGURE = re.compile(r'"_anywidget_id": "attn\.widgets\.(\w+)\.')
IMPORT = re.compile(r'\b(?:from|import)\s*\(?\s*"(\.[^"]+)"')
COUNTED = re.compile(r"\b(\d+|two|three|four|five|six|seven|eight|nine|ten) chapters\b", re.I)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site without two chapters, made in a copy with the results that the book has."""
    top = tmp_path_factory.mktemp("class")
    for folder in ("attn", "book", "web"):
        shutil.copytree(TOP / folder, top / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("_config.yml", "course.py", "requirements.txt"):
        shutil.copy(TOP / file, top)
    lines = (TOP / "_toc.yml").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.endswith(UNPUBLISHED)]
    assert len(kept) == len(lines) - len(UNPUBLISHED)
    (top / "_toc.yml").write_text("\n".join(kept) + "\n", encoding="utf-8")
    for part in ("execution", "bytecode"):
        shutil.copytree(TOP / ".cache" / part, top / ".cache" / part)
    for part in ("assets", "bundles"):
        (top / ".cache" / part).symlink_to(TOP / ".cache" / part)
    command = [sys.executable, "-m", "web.builder"]
    settings = os.environ | {"PYTHONPATH": str(top)}
    done = subprocess.run(
        command, cwd=top, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no chapter needs executing" in done.stdout
    return top / "_build/html"


def figures(site):
    """The figures that the pages mount, as they stand in their own state."""
    pages = [path.read_text(encoding="utf-8") for path in site.rglob("*.html")]
    return {name for page in pages for name in FIGURE.findall(page)}


def imports(folder, name):
    """A module and all that it imports, from the text of each."""
    found, waiting = set(), [name]
    while waiting:
        found.add(at := waiting.pop())
        below = IMPORT.findall((folder / at).read_text(encoding="utf-8"))
        names = {posixpath.normpath(posixpath.join(posixpath.dirname(at), path)) for path in below}
        waiting += names - found
    return found


def test_no_file_of_the_site_is_named_after_a_chapter_that_is_left_out(site):
    assert list(site.rglob("03-qkv.*"))
    assert [path for name in UNPUBLISHED for path in site.rglob(f"*{name}*")] == []


def test_no_page_names_its_file(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) >= len(contents.pages()) - len(UNPUBLISHED)
    for path in [*pages, site / "searchindex.js"]:
        assert not [name for name in UNPUBLISHED if name in path.read_text(encoding="utf-8")], path


def test_no_page_counts_the_chapters(site):
    for path in site.rglob("book/*.html"):
        assert not COUNTED.search(path.read_text(encoding="utf-8")), path


def test_figures_are_there_whole_where_a_page_shows_them_and_not_at_all_where_none_does(site):
    shown, folder = figures(site), site / "_static/attn"
    assert {"soft_lookup", "qkv_stepper", "kit_sampler"} <= shown
    assert "token_plane" not in shown  # chapter 4's figure is in the tour too
    wanted = {f"{name}/style.css" for name in {"kit", *shown}}
    wanted = wanted.union(*(imports(folder, f"{name}/drawing.js") for name in shown))
    data = [path for name in shown for path in (TOP / "attn/widgets" / name / "data").glob("*")]
    wanted |= {str(path.relative_to(TOP / "attn/widgets")) for path in data}
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.*")} == wanted


def test_the_next_build_knows_the_figures_of_pages_that_it_does_not_read(site):
    kept = (site.parent / ".doctrees/environment.pickle").read_bytes()
    assert live_figures.shown(pickle.loads(kept)) == figures(site)


def test_its_exercises_are_neither_in_the_overview_nor_in_python_for_the_page(site):
    course = json.loads((site / "_static/progress/course.json").read_text(encoding="utf-8"))
    ids = {one["id"][:2] for chapter in course["chapters"] for one in chapter["exercises"]}
    assert {"01", "03"} <= ids
    assert ids.isdisjoint({"02", "04"})
    (wheel,) = (site / "_static/python").glob("attn-*.whl")
    names = " ".join(zipfile.ZipFile(wheel).namelist())
    assert "attn/data" not in names  # a chapter's results are there for its cells alone
    folders = set(re.findall(r"exercises/(ch\d\d)/", names))
    assert {"ch01", "ch03"} <= folders
    assert folders.isdisjoint({"ch02", "ch04"})


def test_the_words_of_a_link_to_it_stay_and_the_others_keep_their_numbers(site):
    source = (TOP / "book/03-qkv.md").read_text(encoding="utf-8")
    words = re.search(r"\[([^\]]+)\]\(02-self-attention\.md[^)]*\)", source)[1]
    page = (site / "book/03-qkv.html").read_text(encoding="utf-8")
    assert words in page
    assert "<h1>3 · " in page
    start = (site / "book/index.html").read_text(encoding="utf-8")
    assert re.findall(r"<li><p><strong><a [^>]*>.*?(\d+) · ", start)[:3] == ["0", "1", "3"]
