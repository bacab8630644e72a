"""Python for the page, below ``_static/python``: what a first run downloads, and what cells add.

The interpreter is an asset of ``assets.toml``, laid out as it is. Added here: the standard library
and the packages (``packages``), compiled (``archives``), a lock file that names these packages
alone, and ``runtime.json``, which the worker reads first. Names carry a hash of the content, so a
cache never serves an old check to a new page.
"""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from web.builder.paths import TOP
from web.builder.third_party import assets
from web.chapters import contents
from web.course import course
from web.page_python.archives import (
    book_files,
    distribution,
    exercise_files,
    imported_modules,
    ipython_pretty,
    metadata,
    pack,
    sources,
    unpack,
    with_bytecode_beside,
    with_bytecode_instead,
    with_record,
)
from web.page_python.bytecode import Compiler
from web.page_python.packages import FIRST, OPTIONAL, STAND_INS, TITLES, usable

TASKS = {path.name: path for path in (TOP / "web").glob("*/page_tasks/*.py")}
FIRST_TASKS = ("running.py", "exercise.py")  # that a first run imports
# Our own packages, and those that Pyodide's lock file does not have: what they import and need.
NOT_RELEASED: dict[str, dict[str, Any]] = {
    "attn": {"imports": ["attn"], "depends": ["numpy"]},
    "attn-book": {"imports": ["anywidget"], "depends": ["attn", "traitlets"]},
    "traitlets": {"imports": ["traitlets"], "depends": []},
}


def write_runtime(
    folder: Path, pyodide: assets.Asset, third_party: dict[str, assets.Asset]
) -> None:
    """Add to a folder that has the interpreter already all that it runs.

    ``third_party`` has the asset of each package that is not our own.
    """
    for old in [*folder.glob("*.whl"), *folder.glob("*.zip"), *folder.glob("lock-*.json")]:
        old.unlink()
    release = _release(pyodide)
    lock = json.loads(release["pyodide-lock.json"])
    official = {name: assets.fetch(asset).read_bytes() for name, asset in third_party.items()}
    for name, wheel in official.items():
        check_release(lock, name, wheel)
    packed = archives(release["python_stdlib.zip"], official, lock["info"], Compiler(pyodide))
    stdlib = _write_hashed(folder, "stdlib-{}.zip", packed.pop("stdlib"))
    wheels = {name: _write_wheel(folder, content) for name, content in packed.items()}
    text = json.dumps(trimmed_lock(lock, wheels)).encode()
    lock_file = _write_hashed(folder, "lock-{}.json", text)
    index = folder / f"pyodide-{pyodide.version}"
    first = [stdlib, lock_file, *(wheels[name] for name in FIRST), *index.glob("*.wasm")]
    runtime = {
        "pyodide": f"{index.name}/",
        "stdlib": stdlib.name,
        "lock": lock_file.name,
        "packages": FIRST,
        "bytes": sum(map(_size, first)),
        "sha256": {path.relative_to(folder).as_posix(): _sha256(path) for path in first},
        "optional": {
            name: {
                "title": TITLES[name],
                "packages": needed,
                "probe": min((wheels[one] for one in needed), key=_size).name,
                "bytes": sum(_size(wheels[one]) for one in needed),
            }
            for name, needed in OPTIONAL.items()
        },
    }
    (folder / "runtime.json").write_text(json.dumps(runtime, indent=1), encoding="utf-8")


def check_release(lock: dict, name: str, official: bytes) -> None:
    """Require the package that Pyodide's own lock file names, before anything is made of it."""
    if name in NOT_RELEASED:
        return  # its asset's hash is all there is to hold it to
    pinned, got = lock["packages"][name]["sha256"], hashlib.sha256(official).hexdigest()
    if got != pinned:
        raise assets.AssetError(
            f"this is not the {name} that this Pyodide was released with:\n"
            f"  its lock file says sha256 {pinned}\n  the file has sha256       {got}"
        )


def archives(
    stdlib: bytes, third_party: dict[str, bytes], info: dict, compiler: Compiler
) -> dict[str, bytes]:
    """The compiled archives, by name: the standard library and each package."""
    major, minor = info["python"].split(".")[:2]
    site, tag = f"/lib/python{major}.{minor}/site-packages", f"cpython-{major}{minor}"
    own = _own()
    first_run = {"numpy.whl": third_party["numpy"], "attn.whl": pack(own["attn"])}
    first_run |= {name: TASKS[name].read_bytes() for name in FIRST_TASKS}
    lib, used = compiler.list_startup_modules(first_run, imported_modules(own["attn"]))
    library = unpack(stdlib)
    wheels = {name: usable(name, unpack(wheel)) for name, wheel in third_party.items()}
    texts = sources({name: library[name] for name in used}, lib)
    for files in (*wheels.values(), *own.values()):
        texts |= sources(files, site)
    compiled = compiler.compile(texts)
    content = {"stdlib": with_bytecode_instead(library, lib, compiled)}
    content |= {
        name: with_record(with_bytecode_instead(files, site, compiled))
        for name, files in wheels.items()
    }
    content |= {
        name: with_record(with_bytecode_beside(files, site, compiled, tag))
        for name, files in own.items()
    }
    return {name: compiler.cached(".zip", files, pack) for name, files in content.items()}


def trimmed_lock(lock: dict, wheels: dict[str, Path]) -> dict:
    """Pyodide's lock file with these wheels alone, each with its own hash."""
    entries = {}
    for name, path in wheels.items():
        known = {"name": name, "version": path.name.split("-")[1], **NOT_RELEASED.get(name, {})}
        known = lock["packages"].get(name, known)
        entries[name] = {
            "name": name,
            "version": known["version"],
            "file_name": path.name,
            "install_dir": "site",
            "sha256": _sha256(path),
            "package_type": "package",
            "imports": known["imports"],
            "depends": [one for one in known["depends"] if one in wheels],
        }
    return {"info": lock["info"], "packages": entries}


def _own() -> dict[str, dict[str, bytes]]:
    """The files of our own packages: for exercises, and for cells."""
    chapters = {path.stem[:2] for path in contents.chapters()}
    stand_ins = {path.name: path.read_bytes() for path in sorted(STAND_INS.glob("*.py"))}
    first = exercise_files(course().package, chapters) | ipython_pretty()
    return {
        "attn": first | metadata("attn", _version()),
        "attn-book": book_files(course().package) | stand_ins | metadata("attn_book", _version()),
    }


def _release(pyodide: assets.Asset) -> dict[str, bytes]:
    """The files of Pyodide's release that are not served as they are, from the verified asset."""
    wanted = {"package/pyodide-lock.json": "./", "package/python_stdlib.zip": "./"}
    with TemporaryDirectory() as scratch:
        found = assets.copy_files(replace(pyodide, files=wanted), Path(scratch))
        return {path.name: path.read_bytes() for path in found}


def _write_hashed(folder: Path, pattern: str, content: bytes) -> Path:
    path = folder / pattern.format(hashlib.sha256(content).hexdigest()[:12])
    path.write_bytes(content)
    return path


def _write_wheel(folder: Path, content: bytes) -> Path:
    files = unpack(content)
    tag = "cp314" if any(name.endswith(".so") for name in files) else "py3"
    return _write_hashed(folder, f"{distribution(files)}-0{{}}-{tag}-none-any.whl", content)


def _size(path: Path) -> int:
    return path.stat().st_size


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _version() -> str:
    source = (course().package / "__init__.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    return version
