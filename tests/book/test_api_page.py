"""The API page lists every public name, once, under the module that has it."""

import importlib
import re
from pathlib import Path

import pytest

import attn

TOP = Path(__file__).resolve().parents[2]
ENTRY = re.compile(r"^\.\. (currentmodule|autofunction|autoclass):: ([\w.]+)$", re.MULTILINE)


def listed():
    """The names on the page by module."""
    found, module = {}, None
    for kind, name in ENTRY.findall((TOP / "book/api.md").read_text(encoding="utf-8")):
        if kind == "currentmodule":
            module = name
        else:
            found.setdefault(module, []).append(name)
    return found


@pytest.mark.parametrize("module", ["attn", "attn.nn"])
def test_every_public_name_is_on_the_page_once(module):
    assert sorted(listed()[module]) == sorted(importlib.import_module(module).__all__)


def test_what_the_page_lists_elsewhere_is_public_there():
    for module, names in listed().items():
        assert set(names) <= set(importlib.import_module(module).__all__), module


def test_each_entry_reached_the_built_page():
    html = (TOP / "_build/html/book/api.html").read_text(encoding="utf-8")
    for name in attn.__all__:
        assert f'id="attn.{name}"' in html, name
