"""Python for the page: what a reader's first run downloads, below ``_static/python``.

The interpreter and NumPy are assets of ``web/assets.toml``, laid out as they are. Added here: a
wheel of this project, a lock file that names these two packages alone, and ``runtime.json``, which
the worker reads first. Names carry a hash of the content, so a cache never serves an old check to a
new page.
"""

import base64
import hashlib
import json
import re
import tarfile
import tomllib
import zipfile
from pathlib import Path

import assets
import contents

TOP = Path(__file__).resolve().parents[2]
LEFT_OUT = {"nn", "plot", "widgets", "minilm"}  # they import packages that the page does not have
WHEEL = "Wheel-Version: 1.0\nGenerator: attn-book\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
CHAPTER = re.compile(r"exercises/ch(\d\d)/")
COUNTED = ("*.wasm", "*.zip")  # of Pyodide's files, those that arrive through fetch


def package_files(package: Path, chapters: set[str] | None = None) -> dict[str, bytes]:
    """The files of the package that the page can use, by their name in a wheel.

    ``chapters`` are the numbers of those whose exercises it holds; None is all of them.
    """
    files = {}
    for path in sorted(package.rglob("*")):
        inside = path.relative_to(package)
        if path.is_dir() or inside.parts[0] in LEFT_OUT or "__pycache__" in inside.parts:
            continue
        chapter = CHAPTER.match(inside.as_posix())
        if chapters is None or not chapter or chapter[1] in chapters:
            files[f"{package.name}/{inside.as_posix()}"] = path.read_bytes()
    return files


def wheel_content(files: dict[str, bytes], name: str, version: str) -> dict[str, bytes]:
    """Add the metadata that makes a set of files a wheel."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    content = {**files, f"{info}/METADATA": metadata.encode(), f"{info}/WHEEL": WHEEL.encode()}
    lines = [f"{path},sha256={_record_hash(data)},{len(data)}" for path, data in content.items()]
    record = "\n".join([*lines, f"{info}/RECORD,,"]) + "\n"
    return content | {f"{info}/RECORD": record.encode()}


def build_wheel(package: Path, version: str, folder: Path, chapters=None) -> Path:
    """Write the wheel; the same content always gives the same file under the same name."""
    content = wheel_content(package_files(package, chapters), package.name, version)
    digest = hashlib.sha256(repr(sorted(content.items())).encode()).hexdigest()[:12]
    path = folder / f"{package.name}-{version}-0{digest}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in content.items():
            wheel.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


def trimmed_lock(lock: dict, numpy: Path, wheel: Path) -> dict:
    """Pyodide's lock file with NumPy and this project alone.

    The hash of NumPy's wheel must be the one that Pyodide's own lock file names.
    """
    pinned = lock["packages"]["numpy"]
    if (got := _sha256(numpy)) != pinned["sha256"]:
        raise assets.AssetError(
            f"{numpy.name} is not the NumPy that this Pyodide was released with:\n"
            f"  its lock file says sha256 {pinned['sha256']}\n  the file has sha256       {got}"
        )
    own = {
        "name": "attn",
        "version": wheel.name.split("-")[1],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": _sha256(wheel),
        "package_type": "package",
        "imports": ["attn"],
        "depends": ["numpy"],
        "unvendored_tests": False,
    }
    return {"info": lock["info"], "packages": {"numpy": pinned, "attn": own}}


def lay_out(folder: Path, pyodide: assets.Asset, package: Path = TOP / "attn") -> None:
    """Add this project's part to a folder that has Pyodide and NumPy already."""
    for old in [*folder.glob("attn-*.whl"), *folder.glob("lock-*.json")]:
        old.unlink()
    index = folder / f"pyodide-{pyodide.version}"
    (numpy,) = folder.glob("numpy-*.whl")
    chapters = {contents.number(path.stem) for path in contents.chapters()}
    wheel = build_wheel(package, _version(), folder, chapters)
    with tarfile.open(assets.fetch(pyodide)) as archive:
        lock = json.load(archive.extractfile("package/pyodide-lock.json"))
    text = json.dumps(trimmed_lock(lock, numpy, wheel), indent=1)
    lock_file = folder / f"lock-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    lock_file.write_text(text, encoding="utf-8")
    counted = [numpy, wheel, lock_file, *(path for kind in COUNTED for path in index.glob(kind))]
    runtime = {
        "pyodide": f"{index.name}/",
        "lock": lock_file.name,
        "packages": ["numpy", "attn"],
        "bytes": sum(path.stat().st_size for path in counted),
    }
    (folder / "runtime.json").write_text(json.dumps(runtime, indent=1), encoding="utf-8")


def _version() -> str:
    return tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _record_hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _on_builder_inited(app) -> None:
    if app.builder.format != "html":
        return
    from sphinx.errors import ExtensionError

    pyodide = next(asset for asset in assets.load_manifest() if asset.name == "pyodide")
    try:
        lay_out(Path(app.outdir) / "_static" / "python", pyodide)
    except assets.AssetError as error:
        raise ExtensionError(str(error)) from error


def setup(app):
    app.setup_extension("assets")
    app.connect("builder-inited", _on_builder_inited, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
