"""The three archives that Python in the page is made of, with bytecode in them.

The standard library and NumPy are read from verified files of their publishers, then packed again:
what a first run imports is compiled, and what a page cannot use is left out. This project's own
wheel keeps its sources beside the bytecode, for a reader who wants to see them.
"""

import ast
import base64
import hashlib
import io
import re
import zipfile
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from web.python_imports import imports

PARTS = {"__init__.py", "core", "exercises"}  # of the package, what an exercise can import
COMMANDS = {"exercises/__main__.py", "exercises/progress.py"}  # for a teacher, in a terminal
CHAPTER = re.compile(r"exercises/ch(\d\d)/")
# Of NumPy's wheel: what building other software needs, types for editors, and its own tests.
NOT_FOR_A_PAGE = ("*/f2py/*", "*/tests/*", "*/_pyinstaller/*", "*/conftest.py", "*/include/*")
NOT_IMPORTED = (".pyi", ".pxd", ".pyx", ".h", ".c", ".a", ".md", ".ini", ".pc", ".rst", ".build")
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
        bytecode[f"{source.parent}/__pycache__/{source.stem}.{tag}.pyc"] = compiled[path]
    return files | bytecode


def usable_numpy(numpy: dict[str, bytes]) -> dict[str, bytes]:
    """The files of NumPy's wheel that a page can use."""
    return {
        name: data
        for name, data in numpy.items()
        if ".dist-info/" in name
        or not (name.endswith(NOT_IMPORTED) or any(fnmatch(name, one) for one in NOT_FOR_A_PAGE))
    }


def package_files(package: Path, chapters: set[str] | None = None) -> dict[str, bytes]:
    """The modules of the package that the page can use, by their name in a wheel.

    ``chapters`` are the numbers of those whose exercises it holds; None is all of them.
    """
    files = {}
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).as_posix()
        chapter = CHAPTER.match(inside)
        if inside.split("/")[0] not in PARTS or inside in COMMANDS:
            continue
        if chapters is None or not chapter or chapter[1] in chapters:
            files[f"{package.name}/{inside}"] = path.read_bytes()
    return files


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


def with_record(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files of a wheel, with a list of them that is true."""
    (info,) = {name.split("/")[0] for name in files if ".dist-info/" in name}
    record = f"{info}/RECORD"
    listed = {name: data for name, data in files.items() if name != record}
    lines = [f"{name},sha256={_hash(data)},{len(data)}" for name, data in listed.items()]
    return listed | {record: "\n".join([*lines, f"{record},,\n"]).encode()}


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
