"""Python for the page: what a reader's first run downloads, below ``_static/python``.

The interpreter is an asset of ``web/assets.toml``, laid out as it is. Added here: the standard
library, NumPy and this project, compiled (``archives``), a lock file that names these two
packages alone, and ``runtime.json``, which the worker reads first. Names carry a hash of the
content, so a cache never serves an old check to a new page.
"""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from web.chapters import contents
from web.page_python.archives import (
    imported_modules,
    metadata,
    pack,
    package_files,
    sources,
    unpack,
    usable_numpy,
    with_bytecode_beside,
    with_bytecode_instead,
    with_record,
)
from web.page_python.bytecode import Compiler
from web.paths import TOP
from web.third_party import assets

TASKS = TOP / "web" / "static" / "page_python" / "page_tasks"
FIRST_TASKS = ("running.py", "exercise.py")  # that a first run imports


def write_runtime(folder: Path, pyodide: assets.Asset, numpy: assets.Asset) -> None:
    """Add to a folder that has the interpreter already all that it runs."""
    for old in [*folder.glob("*.whl"), *folder.glob("*.zip"), *folder.glob("lock-*.json")]:
        old.unlink()
    release = _release(pyodide)
    official = assets.fetch(numpy).read_bytes()
    lock = json.loads(release["pyodide-lock.json"])
    check_numpy(lock, official)
    packed = archives(release["python_stdlib.zip"], official, lock["info"], Compiler(pyodide))
    stdlib = _write_hashed(folder, "stdlib-{}.zip", packed["stdlib"])
    wheels = {
        "numpy": _write_hashed(
            folder, f"numpy-{numpy.version}-0{{}}-cp314-none-any.whl", packed["numpy"]
        ),
        "attn": _write_hashed(folder, f"attn-{_version()}-0{{}}-py3-none-any.whl", packed["attn"]),
    }
    text = json.dumps(trimmed_lock(lock, wheels), indent=1).encode()
    lock_file = _write_hashed(folder, "lock-{}.json", text)
    index = folder / f"pyodide-{pyodide.version}"
    counted = [stdlib, lock_file, *wheels.values(), *index.glob("*.wasm")]
    runtime = {
        "pyodide": f"{index.name}/",
        "stdlib": stdlib.name,
        "lock": lock_file.name,
        "packages": list(wheels),
        "bytes": sum(path.stat().st_size for path in counted),
    }
    (folder / "runtime.json").write_text(json.dumps(runtime, indent=1), encoding="utf-8")


def check_numpy(lock: dict, official: bytes) -> None:
    """Require the NumPy that Pyodide's own lock file names, before anything is made of it."""
    pinned, got = lock["packages"]["numpy"]["sha256"], hashlib.sha256(official).hexdigest()
    if got != pinned:
        raise assets.AssetError(
            "this is not the NumPy that this Pyodide was released with:\n"
            f"  its lock file says sha256 {pinned}\n  the file has sha256       {got}"
        )


def archives(stdlib: bytes, numpy: bytes, info: dict, compiler: Compiler) -> dict[str, bytes]:
    """The compiled archives, by name."""
    major, minor = info["python"].split(".")[:2]
    site, tag = f"/lib/python{major}.{minor}/site-packages", f"cpython-{major}{minor}"
    chapters = {path.stem[:2] for path in contents.chapters()}
    attn = package_files(TOP / "attn", chapters) | metadata("attn", _version())
    first_run = {"numpy.whl": numpy, "attn.whl": pack(attn)}
    first_run |= {name: (TASKS / name).read_bytes() for name in FIRST_TASKS}
    lib, used = compiler.list_startup_modules(first_run, imported_modules(attn))
    library, arrays = unpack(stdlib), usable_numpy(unpack(numpy))
    started = {name: library[name] for name in used}
    compiled = compiler.compile(sources(started, lib) | sources(arrays, site) | sources(attn, site))
    content = {
        "stdlib": with_bytecode_instead(library, lib, compiled),
        "numpy": with_record(with_bytecode_instead(arrays, site, compiled)),
        "attn": with_record(with_bytecode_beside(attn, site, compiled, tag)),
    }
    return {name: compiler.cached(".zip", files, pack) for name, files in content.items()}


def trimmed_lock(lock: dict, wheels: dict[str, Path]) -> dict:
    """Pyodide's lock file with these wheels alone, each with its own hash."""
    own: dict[str, Any] = {
        "name": "attn",
        "version": _version(),
        "install_dir": "site",
        "package_type": "package",
    }
    own |= {"imports": ["attn"], "depends": ["numpy"], "unvendored_tests": False}
    packages = {"numpy": lock["packages"]["numpy"], "attn": own}
    return {
        "info": lock["info"],
        "packages": {
            name: packages[name] | {"file_name": path.name, "sha256": _sha256(path)}
            for name, path in wheels.items()
        },
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


def _version() -> str:
    source = (TOP / "attn" / "__init__.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    return version


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
