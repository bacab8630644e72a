"""The archives that Python in the page is made of, with bytecode in them.

The standard library and third-party packages are read from verified files of their publishers,
then packed again: what a page imports is compiled, and what it cannot use is left out. This
project's own wheels keep their sources beside the bytecode, for a reader who wants to see them.
"""

import ast
import base64
import hashlib
import io
import re
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.metadata import Distribution
from pathlib import Path, PurePosixPath

from web.builder.python_imports import imports
from web.course import course
from web.page_python.packages import FOR_CELLS

CHAPTER = re.compile(r"exercises/ch(\d\d)/")
WHEEL = "Wheel-Version: 1.0\nGenerator: attn-book\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def unpack(archive: bytes) -> dict[str, bytes]:
    """The files of a zip archive, in its order."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {i.filename: opened.read(i) for i in opened.infolist() if not i.is_dir()}


def pack(files: dict[str, bytes]) -> bytes:
    """A zip archive; the same files always give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, compresslevel=9)
    return buffer.getvalue()


def sources(files: dict[str, bytes], place: str) -> dict[str, bytes]:
    """The Python sources among the files, by the path that they have in the page."""
    return {f"{place}/{name}": text for name, text in files.items() if name.endswith(".py")}


def with_bytecode_instead(
    files: dict[str, bytes], place: str, compiled: dict[str, bytes]
) -> dict[str, bytes]:
    """The files, with bytecode in the place of each source that there is bytecode of."""
    return {
        f"{name}c" if f"{place}/{name}" in compiled else name: compiled.get(f"{place}/{name}", data)
        for name, data in files.items()
    }


def with_bytecode_beside(
    files: dict[str, bytes], place: str, compiled: dict[str, bytes], tag: str
) -> dict[str, bytes]:
    """The files, with the bytecode of each source where Python looks for it first."""
    bytecode = {}
    for path in sources(files, place):
        source = PurePosixPath(path.removeprefix(f"{place}/"))
        bytecode[str(source.parent / f"__pycache__/{source.stem}.{tag}.pyc")] = compiled[path]
    return files | bytecode


def exercise_files(package: Path, chapters: set[str] | None = None) -> dict[str, bytes]:
    """The modules of the package that an exercise can import, by their name in a wheel.

    ``chapters`` are the numbers of those whose exercises it holds; None is all of them.
    """
    files, parts = {}, course().packages.for_exercises
    for inside, path in _files(package):
        chapter = CHAPTER.match(inside)
        if not inside.endswith(".py") or inside.split("/")[0] not in parts:
            continue
        if chapters is None or not chapter or chapter[1] in chapters:
            files[f"{package.name}/{inside}"] = path.read_bytes()
    return files


def ipython_pretty() -> dict[str, bytes]:
    """The module by which IPython prints a value, with its licence, under a name of its own.

    A package named ``IPython`` would make others believe that all of IPython is there.
    """
    ipython = Distribution.from_name("ipython")
    ends = {"/lib/pretty.py": "ipython_pretty.py", "/licenses/LICENSE": "ipython_pretty.LICENSE"}
    return {
        name: file.read_binary()
        for file in ipython.files or []
        for end, name in ends.items()
        if str(file).endswith(end)
    }


def book_files(package: Path) -> dict[str, bytes]:
    """What a chapter's cells can import beyond that: plots, figures, tables, with their data."""
    packages = course().packages
    elsewhere = packages.for_exercises | packages.for_no_page
    return {
        f"{package.name}/{inside}": path.read_bytes()
        for inside, path in _files(package)
        if inside.split("/")[0] not in elsewhere and inside.endswith(FOR_CELLS)
    }


def _files(package: Path) -> Iterator[tuple[str, Path]]:
    """The files of the package, but for what is run in a terminal, by their path in it."""
    for path in sorted(package.rglob("*")):
        inside = path.relative_to(package).as_posix()
        made = path.is_dir() or "__pycache__" in path.parts
        if not made and not any(fnmatch(inside, command) for command in course().packages.commands):
            yield inside, path


def imported_modules(files: dict[str, bytes]) -> list[str]:
    """The names that the sources import, wherever they do it."""
    trees = [ast.parse(text) for name, text in files.items() if name.endswith(".py")]
    return sorted({module for tree in trees for module, _ in imports(tree)})


def metadata(name: str, version: str) -> dict[str, bytes]:
    """What makes a set of files a wheel, but for the list of its files."""
    info, text = f"{name}-{version}.dist-info", f"Name: {name}\nVersion: {version}\n"
    return {
        f"{info}/METADATA": f"Metadata-Version: 2.1\n{text}".encode(),
        f"{info}/WHEEL": WHEEL.encode(),
    }


def distribution(files: dict[str, bytes]) -> str:
    """The name and version that a wheel's own metadata are filed under, as in its file's name."""
    (info,) = {name.split("/")[0] for name in files if ".dist-info/" in name}
    return info.removesuffix(".dist-info")


def with_record(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files of a wheel, with a list of them that is true."""
    record = f"{distribution(files)}.dist-info/RECORD"
    listed = {name: data for name, data in files.items() if name != record}
    lines = [f"{name},sha256={_hash(data)},{len(data)}" for name, data in listed.items()]
    return listed | {record: "\n".join([*lines, f"{record},,\n"]).encode()}


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
