"""The security policy of a page allows its own inline scripts, by hash, and nothing else inline."""

import re
from pathlib import Path

from web.theme.security import inline_script_hashes, policy, with_policy

SITE = Path(__file__).resolve().parents[3] / "_build/html"
HEAD = '<meta charset="utf-8" />'


def test_the_policy_allows_no_inline_or_evaluated_script():
    scripts = re.search(r"script-src ([^;]*)", policy())[1]
    assert scripts == "'self' 'wasm-unsafe-eval'"


def test_a_page_gets_the_hashes_of_its_own_scripts():
    page = with_policy(f"<head>{HEAD}<script>let a = 1;</script></head>")
    (digest,) = inline_script_hashes("<script>let a = 1;</script>")
    assert f"'{digest}'" in page


def test_the_policy_comes_before_any_script():
    page = with_policy(f"<head>{HEAD}<script>let a = 1;</script></head>")
    assert page.index("Content-Security-Policy") < page.index("<script>")


def test_a_page_gets_one_policy_however_often_it_is_written():
    once = with_policy(f"<head>{HEAD}</head>")
    assert with_policy(once) == once


def test_no_page_of_the_site_has_an_inline_handler():
    pages = list(SITE.rglob("*.html"))
    assert pages
    for page in pages:
        found = re.search(r'<[^>]+\son[a-z]+="', page.read_text(encoding="utf-8"))
        assert not found, f"{page.name}: {found[0]}"
