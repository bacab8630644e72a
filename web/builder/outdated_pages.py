"""Which pages a build must read or write again, besides those whose file is newer.

A page is read again when its text, or anything of ``attn`` that its cells can reach, is not what it
was made from, down to the hints of its exercises. All pages are written again when something that
they show of each other has changed: a title, a label, a work that is cited.
"""

import hashlib
from pathlib import Path
from typing import Any, cast

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, connect
from web.builder.execution.result_keys import Package
from web.chapters.source import code_cells


def page_keys(files: dict[str, Path], top: Path) -> dict[str, str]:
    """A key for each page that changes with its text and with all that its cells can reach."""
    package, keys = Package(top), {}
    for docname, path in files.items():
        text = path.read_text(encoding="utf-8")
        reached = package.key(code_cells(text), verbatim=True)
        keys[docname] = hashlib.sha256(f"{text}\0{reached}".encode()).hexdigest()
    return keys


def outline(env: BuildEnvironment) -> dict:
    """What pages show of each other."""
    std, cite = env.domains["std"], cast(Any, env.domains.get("cite"))
    references = cite.citation_refs if cite else []
    works = {(ref.docname, target.key) for ref in references for target in ref.targets}
    return {
        "titles": {docname: title.astext() for docname, title in env.titles.items()},
        "labels": dict(std.labels),
        "places": dict(std.anonlabels),
        "works": works,
    }


def _on_outdated(
    app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    files = {docname: Path(env.doc2path(docname)) for docname in env.found_docs}
    before, keys = getattr(env, "attn_page_keys", {}), page_keys(files, Path(app.srcdir))
    env.attn_page_keys = keys
    return [docname for docname in keys if keys[docname] != before.get(docname)]


def _on_updated(app: Sphinx, env: Any) -> list[str]:
    before, env.attn_outline = getattr(env, "attn_outline", None), outline(env)
    return [] if env.attn_outline == before else list(env.found_docs)


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "env-get-outdated", _on_outdated)
    connect(app, "env-updated", _on_updated)
    return PARALLEL_SAFE
