"""``make serve``: what is saved is built, and the open page shows it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from book.small_book import copy_web
from playwright.sync_api import expect

from web.builder.server import serve
from web.builder.server.reload import Changes

CONFIG = """title: Small
only_build_toc_files: true
exclude_patterns: ['.*', _build]
execute: {execute_notebooks: cache, cache: .cache/execution}
sphinx: {extra_extensions: [web.builder.outdated_pages, web.theme.security]}
"""


@pytest.fixture
def book(tmp_path):
    """A book of one page, with the project's own build and server."""
    copy_web(tmp_path)
    (tmp_path / "attn").mkdir()
    (tmp_path / "book").mkdir()
    (tmp_path / "book/index.md").write_text("# Start\n\nA word.\n")
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/index\n")
    (tmp_path / "_config.yml").write_text(CONFIG)
    settings = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": f"{tmp_path}:{serve.TOP}"}}
    subprocess.run([sys.executable, "-m", "web.builder"], check=True, **settings)
    command = [sys.executable, "-m", "web.builder.server.serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **settings)
    yield tmp_path, server.stdout
    server.terminate()
    server.wait()
    server.stdout.close()


def read_until(stream, words):
    """What the server says, up to the line that holds these words."""
    lines = []
    for line in stream:
        lines.append(line)
        if words in line:
            return "".join(lines)
    raise AssertionError(f"{words!r} was not said: {lines}")


def test_the_page_follows_what_is_saved_and_stays_when_a_build_fails(book, browser):
    top, said = book
    (port,) = re.findall(r"localhost:(\d+)", read_until(said, "localhost"))
    page = browser.new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text))
    page.goto(f"http://127.0.0.1:{port}/book/index.html")
    text = page.locator("main")
    expect(text).to_contain_text("A word.")

    (top / "book/index.md").write_text("# Start\n\nAnother word.\n")
    expect(text).to_contain_text("Another word.")
    assert "serve: book/index.md saved, building" in read_until(said, "the site is in")

    (top / "book/index.md").write_text("# Start\n\nSee {ref}`nowhere`.\n")
    read_until(said, "the build failed, open pages stay as they are")
    expect(text).to_contain_text("Another word.")
    built = (top / "_build/html/book/index.html").read_text()
    assert "Content-Security-Policy" in built
    assert "reload.mjs" not in built
    assert [error for error in errors if "reload" in error or "changes" in error] == []
    page.close()


def test_only_a_build_that_ended_well_is_announced(monkeypatch, tmp_path, capsys):
    saves = [{(1, str(serve.TOP / "book/index.md"))}, {(1, str(serve.TOP / "_toc.yml"))}]
    monkeypatch.setattr(serve.watchfiles, "watch", lambda *folders: saves)
    changes, outcomes = Changes(), iter([False, True])
    serve.follow_saves(changes, lambda: next(outcomes))
    assert changes.count == 1
    assert "_toc.yml saved, building" in capsys.readouterr().out


def test_what_is_watched_is_there():
    assert [name for name in serve.WATCHED if not Path(serve.TOP / name).exists()] == []
