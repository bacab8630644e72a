"""``make figure``: a figure alone, from the sources, in a page that follows every save."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from attn import widgets
from web.builder.paths import TOP

NOT_COPIED = shutil.ignore_patterns("__pycache__", "data", "nn")


def figure_page(top, *arguments, **options):
    command = [sys.executable, "-m", "web.builder.server.figure_page", *arguments]
    settings = os.environ | {"PYTHONPATH": str(top), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(command, cwd=top, env=settings, text=True, **options)


@pytest.fixture
def served(tmp_path):
    """A copy of the sources, and the address where its `KitSampler` is shown."""
    for folder in ("attn", "web"):
        shutil.copytree(TOP / folder, tmp_path / folder, ignore=NOT_COPIED)
    shutil.copy(TOP / "course.py", tmp_path)
    with (tmp_path / "stderr").open("w") as errors:
        process = figure_page(
            tmp_path, "KitSampler", "--port", "0", stdout=subprocess.PIPE, stderr=errors
        )
    (port,) = re.findall(r"localhost:(\d+)", process.stdout.readline())
    yield tmp_path / "attn/widgets/kit_sampler", f"http://127.0.0.1:{port}/"
    process.terminate()
    process.wait()
    process.stdout.close()


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_page_follows_what_is_saved(served, browser):
    folder, address = served
    page = browser.new_page()
    page.goto(address)
    title, slider = page.locator(".attn-title"), page.locator("input[type=range]").first
    expect(title).to_have_text("Every part of the kit")
    expect(slider).to_have_value("2")

    edit(folder / "drawing.js", "Every part of the kit", "Another title")
    expect(title).to_have_text("Another title")
    edit(folder / "__init__.py", "sharpness = Real(2.0", "sharpness = Real(3.0")
    expect(slider).to_have_value("3")
    edit(folder / "__init__.py", "sharpness = Real(3.0", "sharpness = Unreal(3.0")
    expect(page.locator("pre")).to_contain_text("NameError: name 'Unreal' is not defined")
    edit(folder / "__init__.py", "Unreal", "Real")
    expect(slider).to_have_value("3")
    page.close()


def test_a_figure_opens_in_the_browser_s_theme_and_a_link_changes_it(served, browser):
    _, address = served
    page = browser.new_page(color_scheme="dark")
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("link", name="light").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.close()


def test_a_syntax_error_is_told_with_its_file_and_line(served, browser):
    folder, address = served
    edit(folder / "drawing.js", "const digit = (x) =>", "const digit = (x =>")
    line = 1 + (folder / "drawing.js").read_text().split("(x =>")[0].count("\n")
    page = browser.new_page()
    page.goto(address)
    said = page.locator("pre")
    expect(said).to_contain_text(f"attn/widgets/kit_sampler/drawing.js:{line}")
    expect(said).to_contain_text("SyntaxError")
    page.close()
    assert f"kit_sampler/drawing.js:{line}" in (folder.parents[2] / "stderr").read_text()


@pytest.mark.parametrize("name", ["", "HeadSpliter"])
def test_a_name_that_no_figure_has_lists_those_that_have_one(name):
    process = figure_page(TOP, name, stderr=subprocess.PIPE)
    _, message = process.communicate()
    assert process.returncode == 1
    assert f"NAME={name} is none of {', '.join(widgets.__all__)}" in message
