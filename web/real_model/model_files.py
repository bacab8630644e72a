"""The real model for a page, below ``_static/minilm``: quantised, compressed, in parts.

``manifest.json`` says which file has which part, how many bytes it has and what their hash is.
Names carry some digits of it, so that a browser may keep a file for good. The weights are an
optional asset; without them there is no model.
"""

import hashlib
import json
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from web.builder.cache import kept_folder
from web.builder.paths import CACHE
from web.course import course
from web.page_python.archives import pack

MODULES = "minilm.zip"  # the code that runs it, to be put beside the `attn` that the page has
FIRST = (MODULES, "layers.bin", "words.txt", "nearest.bin")  # what any sentence needs
LAYOUT = b"2: zlib, named by hash"  # of a folder in the cache; another one, another key


class RealModel(NamedTuple):
    """The model's files, as they are to be on the site."""

    numbers: Path  # a folder
    code: bytes

    @property
    def manifest(self) -> dict[str, Any]:
        """The parts that are needed ``first``, and all ``files``, by part."""
        stored = json.loads((self.numbers / "parts.json").read_text(encoding="utf-8"))
        own = {MODULES: _entry(MODULES, self.code)}
        return {"first": list(FIRST), "files": own | stored}

    @property
    def first_bytes(self) -> int:
        """How much is downloaded before the first sentence's own words."""
        return sum(self.manifest["files"][part]["bytes"] for part in FIRST)

    def write(self, folder: Path) -> None:
        """Leave these files in a folder, and no others."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.numbers, folder, ignore=shutil.ignore_patterns("parts.json"))
        manifest = self.manifest
        (folder / manifest["files"][MODULES]["name"]).write_bytes(self.code)
        (folder / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def real_model(cache: Path = CACHE / "real-model") -> RealModel | None:
    """The model; None where there are no weights. What takes a minute is kept in the cache."""
    made_from = course().real_model.made_from()
    if made_from is None:
        return None
    key = hashlib.sha256(b"\0".join([LAYOUT, *made_from])).hexdigest()[:12]
    modules = {name: path.read_bytes() for name, path in _modules()}
    return RealModel(kept_folder(cache / key, _numbers), pack(modules))


def _modules() -> Iterator[tuple[str, Path]]:
    """The code that runs it, by its place among a page's packages."""
    top = course().package.parent
    for folder in course().real_model.code:
        yield from ((str(path.relative_to(top)), path) for path in sorted(folder.glob("*.py")))


def _numbers(folder: Path) -> None:
    """Write the numbers, compressed, and which file has which part."""
    print("python: quantising the real model for the page", flush=True)
    parts = {}
    for part, numbers in course().real_model.numbers().items():
        content = zlib.compress(numbers, 9)
        parts[part] = _entry(part, content)
        (folder / parts[part]["name"]).write_bytes(content)
    (folder / "parts.json").write_text(json.dumps(parts), encoding="utf-8")


def _entry(part: str, content: bytes) -> dict[str, Any]:
    """No part but the code is what its ending says any more, since it is compressed."""
    stem, _, kind = part.partition(".")
    sha256 = hashlib.sha256(content).hexdigest()
    name = f"{stem}-{sha256[:12]}.{'zip' if kind == 'zip' else 'bin'}"
    return {"name": name, "bytes": len(content), "sha256": sha256}
