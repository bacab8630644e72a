"""What goes wrong says so: one clear message and a non-zero exit, every time."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from book.small_book import copy_web

TOP = Path(__file__).resolve().parents[3]

CHAPTER = """---
file_format: mystnb
kernelspec: {name: python3, display_name: Python 3}
---
# A chapter

```{code-cell} ipython3
1 / 0
```
"""


@pytest.fixture
def small_book(tmp_path):
    """The project's own build on a book of one page."""
    (tmp_path / "book").mkdir()
    copy_web(tmp_path)
    (tmp_path / "_config.yml").write_text(
        "title: Small\nonly_build_toc_files: true\n"
        "execute: {execute_notebooks: cache, cache: .cache/execution}\n"
        "sphinx:\n  config: {nb_execution_raise_on_error: true}\n"
    )
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/index\n")
    return tmp_path


def build(folder):
    command = [sys.executable, "-m", "web.builder"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_failing_cell_fails_the_build_and_the_rerun(small_book):
    (small_book / "book/index.md").write_text(CHAPTER)
    for _ in range(2):
        done = build(small_book)
        assert done.returncode == 1
        assert "book/index.md failed" in done.stderr
        assert "ZeroDivisionError" in done.stderr


def test_a_warning_fails_the_build_and_the_rerun(small_book):
    """It is said again at the end; the rerun reads that page alone, and sees when it is mended."""
    with open(small_book / "_config.yml", "a") as config:
        config.write("  extra_extensions: [web.builder.build_warnings]\n")
    (small_book / "_toc.yml").write_text(
        "format: jb-book\nroot: book/index\nchapters: [{file: book/two}]\n"
    )
    (small_book / "book/two.md").write_text("# Two\n\nWords.\n")
    page = small_book / "book/index.md"
    page.write_text("# A chapter\n\nSee {ref}`nowhere`.\n")
    for rerun in (False, True):
        done = build(small_book)
        assert done.returncode == 1
        assert re.search(r"book: \S+index\.md:3: .*nowhere", done.stderr.splitlines()[-1])
        assert ("laying out what changed" in done.stdout) == rerun
        assert ("reading sources... [100%] book/two" in done.stdout) == (not rerun)
    page.write_text("# A chapter\n\nSee nothing.\n")
    assert build(small_book).returncode == 0
    assert "nothing changed" in build(small_book).stdout


def test_a_corrupted_asset_stops_the_build_before_anything_runs(small_book):
    (small_book / "book/index.md").write_text(CHAPTER)
    (small_book / "web/builder/third_party/assets.toml").write_text(
        f'[pi]\nversion = "3"\nsha256 = "{"0" * 64}"\nsources = []\nfiles = {{}}\n'
    )
    (small_book / ".cache/assets").mkdir(parents=True)
    (small_book / ".cache/assets/pi-3").write_text("not pi")
    done = build(small_book)
    assert done.returncode == 1
    assert done.stderr.startswith("book: pi 3: .cache/assets/pi-3 is not the expected file")
    assert "0" * 64 in done.stderr
    assert "failed" not in done.stderr


def test_a_port_in_use_names_the_port_and_another_one(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "web.builder.server.serve", "--port", str(port)]
        done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip() == f"serve: port {port} is in use; try `make serve PORT={port + 1}`"


def test_a_missing_browser_is_one_message_and_not_a_skip():
    environment = os.environ | {"ATTN_BROWSER": "/no/such/browser"}
    command = [sys.executable, str(TOP / "tests/browsers/packages.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 1
    assert done.stderr.startswith("browser: no Chromium was found")
    assert "not skipped" in done.stderr
