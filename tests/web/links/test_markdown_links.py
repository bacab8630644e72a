"""A plain Markdown link cites a work, or leads to a label of another chapter."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[3]
WORKS = """@misc{someone2017idea,
  title = {An {Idea}},
  author = {Someone, A.},
  year = {2017},
}
@misc{nobody2018unread,
  title = {Unread},
  author = {Nobody, B.},
  year = {2018},
}
"""


@pytest.fixture
def book(tmp_path):
    """Two chapters and their references, to be built with the project's own extension."""
    pages = tmp_path / "book"
    pages.mkdir()
    (pages / "references.bib").write_text(WORKS)
    (pages / "references.md").write_text("# References\n\n```{bibliography}\n```\n")
    (pages / "02-second.md").write_text("# Second\n\n(sec-02-part)=\n## The part\n\nText.\n")
    (tmp_path / "_config.yml").write_text(
        "title: Small\nonly_build_toc_files: true\nbibtex_bibfiles: [book/references.bib]\n"
        "sphinx: {extra_extensions: [web.links.markdown_links]}\n"
    )
    (tmp_path / "_toc.yml").write_text(
        "format: jb-book\nroot: book/01-first\n"
        "chapters: [{file: book/02-second}, {file: book/references}]\n"
    )
    return tmp_path


def build(book, text):
    (book / "book/01-first.md").write_text(f"# First\n\n{text}\n")
    script = Path(sys.executable).with_name("jupyter-book")
    command = [str(script), "build", str(book), "-W", "-n", "--keep-going", "--all"]
    settings = os.environ | {"PYTHONPATH": str(TOP)}
    return subprocess.run(
        command, cwd=book, env=settings, capture_output=True, text=True, check=False
    )


def page(book, name):
    return (book / f"_build/html/book/{name}.html").read_text()


def test_a_link_to_a_work_cites_it_and_a_link_to_a_label_finds_it(book):
    text = (
        "See [Someone (2017)](references.md#someone2017idea), "
        "[the *part*](02-second.md#sec-02-part), [chapter 2](02-second.md)."
    )
    done = build(book, text)
    assert done.returncode == 0, done.stdout + done.stderr
    first, references = page(book, "01-first"), page(book, "references")
    link = re.search(r'<a class="[^"]*" href="references.html#([^"]+)"[^>]*>', first)
    assert 'title="An Idea"' in link[0]
    assert f'id="{link[1]}"' in references
    assert "Unread" not in references
    assert 'href="02-second.html#sec-02-part"><span class="std std-ref">the <em>part</em>' in first
    assert 'href="02-second.html">' in first


def test_a_link_that_leads_nowhere_or_has_no_text_fails_the_build(book):
    nowhere = {
        "[Nobody (1900)](references.md#nobody1900)": "'book/references': 'nobody1900'",
        "[a part](02-second.md#sec-03-elsewhere)": "'book/02-second': 'sec-03-elsewhere'",
        "[a part of another page](references.md#sec-02-part)": "'book/references': 'sec-02-part'",
        "[](references.md#someone2017idea)": "'book/references': 'someone2017idea'",
    }
    done = build(book, "\n\n".join(nowhere))
    assert done.returncode != 0
    for place in nowhere.values():
        assert f"local id not found in doc {place}" in done.stdout + done.stderr
