"""The API page lists every public name, once."""

import re
from pathlib import Path

import attn
import attn.nn

TOP = Path(__file__).resolve().parents[2]
LISTED = re.findall(
    r"auto(?:function|class):: (\w+)", (TOP / "book/api.md").read_text(encoding="utf-8")
)


def test_every_public_name_is_on_the_page_once():
    assert set(attn.__all__) | set(attn.nn.__all__) <= set(LISTED)
    assert len(LISTED) == len(set(LISTED))


def test_each_entry_reached_the_built_page():
    html = (TOP / "_build/html/book/api.html").read_text(encoding="utf-8")
    for name in attn.__all__:
        assert f'id="attn.{name}"' in html, name
