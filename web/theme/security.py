"""The Content-Security-Policy of every page, written into the page so that any host enforces it.

Scripts come from the site's own files. The few inline scripts of the theme are allowed by hash;
nothing else inline runs, and nothing is evaluated from text. `'wasm-unsafe-eval'` lets the
exercises compile Python's WebAssembly; it does not allow JavaScript's eval.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from web.builder.events import PARALLEL_SAFE, connect

if TYPE_CHECKING:  # the server has the policy from here, and no need of Sphinx
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

INLINE = re.compile(r"<script(?P<attributes>[^>]*)>(?P<body>.*?)</script>", re.DOTALL)
TYPE = re.compile(r'type="([^"]*)"')
JAVASCRIPT = {"", "text/javascript", "application/javascript", "module"}
MARK = '<meta charset="utf-8" />'


def policy(script_hashes: Iterable[str] = ()) -> str:
    """The policy's text; the same for every file but for the hashes of a page's inline scripts."""
    scripts = " ".join(["'self'", "'wasm-unsafe-eval'", *(f"'{h}'" for h in sorted(script_hashes))])
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; worker-src 'self' blob:; connect-src 'self'; "
        "object-src 'none'; base-uri 'self'; form-action 'self'"
    )


def inline_script_hashes(html: str) -> set[str]:
    """The CSP hash of each script whose text stands in the page (data blocks are not scripts).

    >>> inline_script_hashes('<script src="a.js"></script>')
    set()
    >>> inline_script_hashes('<script type="application/json">{}</script>')
    set()
    >>> inline_script_hashes("<script>let a = 1;</script>")
    {'sha256-xY6QKfH9PRsQnLz56nj6MBwiK5oHg+im1Jkpdp1x/Ck='}
    """
    hashes = set()
    for found in INLINE.finditer(html):
        kind = TYPE.search(found["attributes"])
        if "src=" in found["attributes"] or (kind[1] if kind else "") not in JAVASCRIPT:
            continue
        digest = hashlib.sha256(found["body"].encode()).digest()
        hashes.add("sha256-" + base64.b64encode(digest).decode())
    return hashes


def with_policy(html: str) -> str:
    """The page with its policy as the first thing in its head."""
    if MARK not in html or "Content-Security-Policy" in html:
        return html
    content = policy(inline_script_hashes(html))
    return html.replace(
        MARK, f'{MARK}\n    <meta http-equiv="Content-Security-Policy" content="{content}" />', 1
    )


def _on_finished(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        changed = with_policy(html)
        if changed != html:
            page.write_text(changed, encoding="utf-8")


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "build-finished", _on_finished)
    return PARALLEL_SAFE
