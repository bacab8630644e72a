"""A build does what is needed and no more, and never leaves a stale page."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from book.small_book import copy_web

# One worker builds the book once for all of them.
pytestmark = pytest.mark.xdist_group("small book")
TOP = Path(__file__).resolve().parents[3]
HEADER = "---\nfile_format: mystnb\nkernelspec: {name: python3, display_name: Python 3}\n---\n"
CELL = """```{code-cell} ipython3
from attn.thing import ONE
from ipykernel.kernelapp import IPKernelApp
print("transport:", IPKernelApp.instance().transport)
print("first", end="", flush=True)
print()
print("second")
```
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Two pages, one of them with a cell, and a package of its own."""
    top = tmp_path_factory.mktemp("book")
    copy_web(top)
    write(top, "web/theme/book.css", "p { color: black }")
    write(top, "attn/__init__.py", "")
    write(top, "attn/thing.py", "ONE = 1\n")
    write(top, "attn/other.py", "TWO = 2\n")
    write(top, "_toc.yml", "format: jb-book\nroot: book/index\nchapters: [{file: book/01-one}]\n")
    write(top, "book/index.md", "# Start\n\nA word.\n")
    write(top, "book/01-one.md", f"{HEADER}# One\n\nA page.\n\n{CELL}")
    write(
        top,
        "_config.yml",
        "title: Small\nonly_build_toc_files: true\nexclude_patterns: ['.*', _build]\n"
        "execute: {execute_notebooks: cache, cache: .cache/execution}\n"
        "sphinx:\n  extra_extensions: [web.builder.page_files, web.builder.outdated_pages]\n"
        "  config: {html_css_files: [theme/book.css]}\n",
    )
    return top


def write(top, name, text):
    (top / name).parent.mkdir(parents=True, exist_ok=True)
    (top / name).write_text(text)


def build(top):
    """What the build says; it must succeed."""
    command = [sys.executable, "-m", "web.builder"]
    settings = os.environ | {"PYTHONPATH": str(top)}
    done = subprocess.run(
        command, cwd=top, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def page(top, name):
    return (top / f"_build/html/book/{name}.html").read_text()


def test_each_change_costs_what_it_must(book):
    assert "executing 1 of 1 chapters: 01-one" in build(book)
    assert "nothing changed" in build(book)
    assert "transport: ipc" in page(book, "01-one")  # two kernels cannot take the same port
    assert "ipc\nfirst\nsecond\n</" in page(book, "01-one")  # it came in pieces

    write(book, "attn/thing.py", '"""One thing."""\n\nONE = 1  # and no more\n')
    assert "no chapter needs executing" in build(book)
    write(book, "attn/other.py", "TWO = 3\n")
    assert "no chapter needs executing" in build(book)
    write(book, "attn/thing.py", "ONE = 1 + 0\n")
    assert "executing 1 of 1 chapters: 01-one" in build(book)

    before = page(book, "01-one")
    write(book, "web/theme/book.css", "p { color: navy }")
    said = build(book)
    assert "no chapter needs executing" in said
    assert "laying out every page" in said
    assert page(book, "01-one") != before  # its address of the style is another one


def test_a_text_is_noticed_by_its_content_and_a_title_on_every_page(book):
    build(book)
    path = book / "book/index.md"
    path.write_text("# Start\n\nAnother word.\n")
    os.utime(path, (1, 1))
    said = build(book)
    assert "Another word." in page(book, "index")
    assert "no chapter needs executing" in said
    assert "book/01-one" not in said

    write(book, "book/01-one.md", f"{HEADER}# Uno\n\nA page.\n\n{CELL}")
    assert "no chapter needs executing" in build(book)
    assert "Uno" in page(book, "index")


def test_a_page_that_leaves_the_contents_leaves_the_site(book):
    build(book)
    write(book, "_toc.yml", "format: jb-book\nroot: book/index\n")
    build(book)
    assert not [path for path in (book / "_build/html").rglob("*01-one*")]
