"""How much of the site a change in a file makes again.

All that a build could read is watched. What is known to need less is listed; for any other file,
one that was added yesterday among them, every page is read again.
"""

import hashlib
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

from web.builder.execution.result_keys import Package
from web.builder.paths import TOP
from web.links import repository

READ_ALL, WRITE_ALL, PAGES, NOTHING = "read all", "write all", "pages", "nothing"
WATCHED = ("attn", "book", "web")  # folders, besides the files at the top
# The first pattern that fits decides; a * stands for folders too.
NEEDS_LESS = {
    # What serves the site or fills the environment; what is read by people and other tools.
    "web/builder/server/*": NOTHING,
    "web/builder/environment.py": NOTHING,
    "web/builder/torch_source.py": NOTHING,
    "[A-Z]*": NOTHING,  # README.md, Makefile, LICENSE
    "biome.json": NOTHING,
    "pyproject.toml": NOTHING,
    "requirements-dev.txt": NOTHING,
    "tsconfig.json": NOTHING,
    # What a page loads: each page names it with its checksum or its size.
    "web/*.mjs": WRITE_ALL,
    "web/*.css": WRITE_ALL,
    "web/*/page_tasks/*.py": WRITE_ALL,
    "web/*/package.json": WRITE_ALL,
    "web/*/package-lock.json": WRITE_ALL,
    "web/*/assets.toml": WRITE_ALL,
    "web/page_python/stand_ins/*.py": WRITE_ALL,
    "attn/widgets/*.js": WRITE_ALL,
    "attn/widgets/*.css": WRITE_ALL,
    "attn/widgets/*.bin": WRITE_ALL,
    # A page has a key of its own, with what its cells can reach.
    "book/*": PAGES,
    "attn/*.py": PAGES,
    "attn/data/*": PAGES,
}


def needed(name: str) -> str:
    """What a change in this file needs.

    >>> needed("web/formulas/convert.cjs"), needed("book/01-lookup.md"), needed("web/cells/new.bin")
    ('read all', 'pages', 'read all')
    """
    return next((need for one, need in NEEDS_LESS.items() if fnmatch(name, one)), READ_ALL)


def watched_files(top: Path) -> dict[str, Path]:
    """All that a build could read, by name; hidden files and what Python compiles are not."""
    paths = [*top.glob("*"), *(path for folder in WATCHED for path in (top / folder).rglob("*"))]
    files = {path.relative_to(top).as_posix(): path for path in paths if path.is_file()}
    return {
        name: files[name]
        for name in sorted(files)
        if not name.startswith(".") and "__pycache__" not in name and "/." not in name
    }


def rebuild_keys(top: Path = TOP) -> dict[str, str]:
    """Keys of what the site is made from: when one changes, that much of it is made again."""
    files = watched_files(top)
    by_need: dict[str, list[str]] = {READ_ALL: [], WRITE_ALL: [], PAGES: [], NOTHING: []}
    for name in files:
        by_need[needed(name)].append(name)
    keys = {need: _fingerprint(files, names) for need, names in by_need.items() if need != NOTHING}
    # The extensions use something of attn, and which files there are decides what they find.
    python = [files[name] for name in by_need[READ_ALL] if name.endswith(".py")]
    of_attn = Package(top).key([path.read_text(encoding="utf-8") for path in python], verbatim=True)
    names = "\n".join(name for name in files if not name.startswith("book/") and "/" in name)
    keys[READ_ALL] += f" {of_attn} {repository.address()} {_hash(names.encode())}"
    return keys


def _fingerprint(files: dict[str, Path], names: Iterable[str]) -> str:
    """One hash over the files, their names included."""
    parts = (f"{name} {_hash(files[name].read_bytes())}\n" for name in names)
    return _hash("".join(parts).encode())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
