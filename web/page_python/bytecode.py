"""Python compiled for the page when the book is built, by the interpreter that the page has.

Compiling some 290 modules is most of a start in the browser. Here it is done once, by the same
Pyodide in node, and kept in the cache: a result is named by the hash of all that it depends on.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from web.builder.cache import write_whole
from web.builder.paths import CACHE
from web.builder.third_party.assets import Asset, AssetError, copy_files

SCRIPTS = Path(__file__).with_name("in_pyodide")


class Compiler:
    """What one Pyodide makes of sources; ``cache`` keeps it from build to build."""

    def __init__(self, pyodide: Asset, cache: Path = CACHE / "bytecode"):
        self.pyodide = pyodide
        scripts = b"".join(path.read_bytes() for path in sorted(SCRIPTS.glob("*.*")))
        self.cache = cache / f"{pyodide.sha256[:12]}-{hashlib.sha256(scripts).hexdigest()[:12]}"

    def compile(self, sources: dict[str, bytes]) -> dict[str, bytes]:
        """The bytecode of each source; a key is the path that tracebacks show."""
        cached = {path: self._place(".pyc", {path: text}) for path, text in sources.items()}
        missing = {path: sources[path] for path, file in cached.items() if not file.exists()}
        if missing:
            print(f"python: compiling {len(missing)} modules for the page", flush=True)
            for path, code in self._compile(missing).items():
                write_whole(cached[path], code)
        return {path: file.read_bytes() for path, file in cached.items()}

    def list_startup_modules(
        self, files: dict[str, bytes], imports: list[str]
    ) -> tuple[str, list[str]]:
        """Where the stdlib is in the page, and which of its files a first run imports.

        ``files`` are the wheels and ``page_tasks``; ``imports`` is what this project imports, so
        that the answer is kept while no import changes.
        """
        depends = {name: text for name, text in files.items() if name != "attn.whl"}
        depends["imports"] = json.dumps(imports).encode()

        def look(_: dict[str, bytes]) -> bytes:
            print("python: looking which modules a first run imports", flush=True)
            return self._job("list_startup_modules.py", files, ["used.json"])["used.json"]

        answer = json.loads(self.cached(".json", depends, look))
        return answer["stdlib"], answer["used"]

    def cached(
        self, suffix: str, files: dict[str, bytes], make: Callable[[dict[str, bytes]], bytes]
    ) -> bytes:
        """What ``make`` gives for these files, from the cache if it was made before."""
        file = self._place(suffix, files)
        if not file.exists():
            write_whole(file, make(files))
        return file.read_bytes()

    def _place(self, suffix: str, files: dict[str, bytes]) -> Path:
        digest = hashlib.sha256()
        for name, content in files.items():
            digest.update(hashlib.sha256(name.encode()).digest())
            digest.update(hashlib.sha256(content).digest())
        return self.cache / (digest.hexdigest()[:32] + suffix)

    def _compile(self, sources: dict[str, bytes]) -> dict[str, bytes]:
        names = {f"{i}.py": path for i, path in enumerate(sources)}
        files = {name: sources[path] for name, path in names.items()}
        files["sources.json"] = json.dumps(names).encode()
        compiled = self._job("compile.py", files, [f"{name}c" for name in names])
        return {path: compiled[f"{name}c"] for name, path in names.items()}

    def _job(self, script: str, files: dict[str, bytes], answers: list[str]) -> dict[str, bytes]:
        with tempfile.TemporaryDirectory() as scratch:
            copy_files(replace(self.pyodide, files={"package/*": "pyodide/"}), Path(scratch))
            job = Path(scratch) / "job"
            job.mkdir()
            for name, content in files.items():
                (job / name).write_bytes(content)
            interpreter = Path(scratch) / "pyodide"
            command: list[str | Path]
            command = [_node(), SCRIPTS / "run.mjs", interpreter, SCRIPTS / script, job]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise AssetError(f"{script} failed in Pyodide:\n{done.stderr.strip()[-2000:]}")
            return {name: (job / name).read_bytes() for name in answers}


def _node() -> str:
    beside = str(Path(sys.executable).parent)
    found = shutil.which("node", path=beside) or shutil.which("node")
    if not found:
        raise AssetError("node was not found; `make setup` installs one")
    return found
