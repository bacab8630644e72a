"""Every figure's module is self-contained in Jupyter and a plain file on the site."""

import base64
import re
import subprocess

import pytest

from attn import widgets
from attn.widgets import figure

FIGURES = [getattr(widgets, name) for name in widgets.__all__]
DATA_URL = re.compile(r'"data:text/javascript;base64,([^"]+)"')


def modules(text):
    """The text and, recursively, every module folded into it."""
    yield text
    for folded in DATA_URL.findall(text):
        yield from modules(base64.b64decode(folded).decode())


@pytest.mark.parametrize("cls", FIGURES)
def test_the_module_text_refers_to_no_file(cls):
    for text in modules(cls()._esm):
        assert not re.search(r'\bfrom\s*"\.', text)


@pytest.mark.parametrize("cls", FIGURES)
def test_the_site_can_find_the_module_from_the_class(cls):
    package, module, name = cls()._anywidget_id.rsplit(".", 2)
    assert package == "attn.widgets"
    assert name == cls.__name__
    assert f'name: "{name}"' in (figure.JS / f"{module}.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("cls", FIGURES)
def test_the_self_contained_text_loads_and_renders(cls, tmp_path):
    module = tmp_path / "module.mjs"
    module.write_text(cls()._esm, encoding="utf-8")
    script = f'const m = await import("{module.as_uri()}"); console.log(typeof m.default.render)'
    run = ["node", "--input-type=module", "-e", script]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "function\n"


def test_modules_that_import_in_a_circle_are_named(tmp_path, monkeypatch):
    (tmp_path / "a.js").write_text('import { b } from "./b.js";')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";')
    monkeypatch.setattr(figure, "JS", tmp_path)
    with pytest.raises(ValueError, match=r"a\.js → b\.js → a\.js"):
        figure.self_contained("a.js")
