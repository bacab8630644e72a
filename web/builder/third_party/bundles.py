"""JavaScript bundled from npm packages when the book is built, from a lock file.

A bundle is a folder of a feature with ``package.json``, ``package-lock.json`` and ``<folder>.mjs``;
its ``bundle`` script is called with the output's path. The result is cached by the folder's content
and copied to ``_static/<folder>/<folder>.mjs`` (and ``.css`` where there is one).
"""

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from web.builder.cache import kept_folder
from web.builder.paths import CACHE, TOP
from web.builder.third_party.assets import AssetError, npm

BUNDLES = CACHE / "bundles"


def folders() -> list[Path]:
    """The folders of features that are bundled."""
    return sorted(path.parent for path in (TOP / "web").glob("*/*/package.json"))


def bundle(folder: Path, cache: Path = BUNDLES) -> Path:
    """Return the folder with the bundle, made now unless its sources were bundled before."""
    sources = sorted(path for path in folder.iterdir() if path.is_file())
    digest = hashlib.sha256(b"\0".join(path.name.encode() + path.read_bytes() for path in sources))

    def make(bundled: Path) -> None:
        print(f"bundles: making {folder.name}", flush=True)
        with tempfile.TemporaryDirectory() as scratch:
            for path in sources:
                shutil.copy(path, scratch)
            _npm(folder.name, scratch, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
            output = bundled / f"{folder.name}.mjs"
            _npm(folder.name, scratch, "run", "bundle", "--", f"--outfile={output}")

    return kept_folder(cache / f"{folder.name}-{digest.hexdigest()[:16]}", make)


def _npm(name: str, folder: str, *arguments: str) -> None:
    command = [npm(), "--silent", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip() or "no message"
        raise AssetError(f"{name}: `npm {arguments[0]}` failed: {said}")
