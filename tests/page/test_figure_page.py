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
    process = figure_page(tmp_path, "KitSampler", "--port", "0", stdout=subprocess.PIPE)
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


def test_a_figure_opens_in_either_theme(served, browser):
    _, address = served
    page = browser.new_page()
    page.goto(f"{address}?theme=dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.close()


@pytest.mark.parametrize("name", ["", "HeadSpliter"])
def test_a_name_that_no_figure_has_lists_those_that_have_one(name):
    process = figure_page(TOP, name, stderr=subprocess.PIPE)
    _, message = process.communicate()
    assert process.returncode == 1
    assert f"NAME={name} is none of {', '.join(widgets.__all__)}" in message
