"""What the results of a chapter depend on: its code cells and the Python they can reach.

The key of a chapter changes when its results might. It covers the cells, the modules of ``attn``
that they import, directly or through others, the data beside these, the optional files that they
found, the requirements and the version of Python. JavaScript, styles, comments, docstrings and the
hints of exercises change no result, so they are not in it.

Where a package passes names on (``from attn.widgets import SoftLookup``) only the module that holds
the name counts; where a module imports by a computed name, everything below its package does, but
for the exercises of chapters that the cells do not name.
"""

import ast
import hashlib
import re
import sys
from functools import cached_property
from pathlib import Path

from web.builder.execution.module_source import Module, read_module
from web.builder.python_imports import imports
from web.builder.third_party import assets
from web.chapters.cell_rules import without_magics

PACKAGE = "attn"
LOOKS_AT_SOURCE = re.compile(r"\b(help|inspect|__doc__)\b|\?\s*$", re.MULTILINE)
EXERCISE_ID = re.compile(r"(\d\d)-[a-z0-9-]+")


class Package:
    """The project's package at `top`, and the keys of chapters that use it."""

    def __init__(self, top: Path):
        self.top = top
        self.known: dict[str, Module | None] = {}

    def module(self, name: str) -> Module | None:
        """The file behind a dotted name; None for other people's modules and for plain names."""
        if name not in self.known:
            stem = self.top.joinpath(*name.split("."))
            files = [stem / "__init__.py", stem.with_suffix(".py")]
            ours = name.split(".")[0] == PACKAGE
            path = next((file for file in files if ours and file.is_file()), None)
            source = path.read_text(encoding="utf-8") if path else ""
            self.known[name] = read_module(name, path, source) if path else None
        return self.known[name]

    @cached_property
    def pins(self) -> list[str]:
        """The lines of requirements.txt that require something."""
        path = self.top / "requirements.txt"
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return [line for line in lines if line and not line.startswith("#")]

    @cached_property
    def optional_assets(self) -> dict[str, list[str]]:
        """The optional files that are here, by the module that uses them."""
        found: dict[str, list[str]] = {}
        for asset in assets.load_manifest():
            if asset.optional_for and (assets.ASSETS / asset.cached).is_file():
                found.setdefault(asset.optional_for, []).append(asset.sha256)
        return found

    def submodules(self, package: str) -> list[str]:
        """The names of all modules of a package, itself included."""
        files = sorted(self.top.joinpath(*package.split(".")).rglob("*.py"))
        names = (".".join(path.relative_to(self.top).with_suffix("").parts) for path in files)
        return [name.removesuffix(".__init__") for name in names]

    def key(self, cells: list[str], *, verbatim: bool = False) -> str:
        """The key of a chapter with these cells; `verbatim` takes in what pages show too."""
        digest = hashlib.sha256("\0".join([sys.version, *self.pins, *cells]).encode())
        verbatim = verbatim or any(LOOKS_AT_SOURCE.search(cell) for cell in cells)
        for name, module in sorted(Reach(self, cells).modules.items()):
            text = module.source if verbatim else module.normalized
            digest.update(f"\0{name}\0{text}\0".encode())
            for path in module.data:
                digest.update(path.relative_to(self.top).as_posix().encode() + path.read_bytes())
            digest.update("".join(self.optional_assets.get(name, [])).encode())
        return digest.hexdigest()


class Reach:
    """The modules that a chapter's cells can reach, by name."""

    def __init__(self, package: Package, cells: list[str]):
        self.package = package
        self.modules: dict[str, Module] = {}
        self.seen: set[tuple[str, str | None]] = set()
        try:
            tree = ast.parse("\n".join(map(without_magics, cells)))
        except SyntaxError:  # executing the cell will say so, or IPython knows what it means
            for name in package.submodules(PACKAGE):
                self.add(name)
            return
        strings = (n.value for n in ast.walk(tree) if isinstance(n, ast.Constant))
        ids = [EXERCISE_ID.fullmatch(value) for value in strings if isinstance(value, str)]
        self.exercised = {f"ch{found[1]}" for found in ids if found}
        for name, wanted in imports(tree):
            self.follow(name, wanted)

    def add(self, name: str) -> None:
        """Reach a module and the packages that it is in."""
        parts = name.split(".")
        for n in range(1, len(parts) + 1):
            module = self.package.module(".".join(parts[:n]))
            if module is not None:
                self.modules[module.name] = module

    def follow(self, name: str, wanted: str | None) -> None:
        """Reach a module, or the part of a package that holds the wanted name."""
        module = self.package.module(name)
        if module is None or (name, wanted) in self.seen:
            return
        self.seen.add((name, wanted))
        self.add(name)
        if not module.is_package or wanted is None:
            self.follow_all(module)
        elif self.package.module(f"{name}.{wanted}"):
            self.follow(f"{name}.{wanted}", None)
        else:
            origins = [one for one in module.origins(wanted) if self.package.module(one[0])]
            for origin in origins:
                self.follow(*origin)
            if not origins:
                self.follow_all(module)

    def follow_all(self, module: Module) -> None:
        """Reach all that a module imports; of a chapter's exercises, those the cells name."""
        for name, wanted in module.imports:
            self.follow(name, wanted)
        if module.imports_by_computed_name:
            for name in self.package.submodules(module.package):
                chapter = re.search(r"\.(ch\d\d)\b", name)
                if not chapter or chapter[1] in self.exercised:
                    self.follow(name, None)
