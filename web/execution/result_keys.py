"""What the results of a chapter depend on: its code cells and the Python they can reach.

The key of a chapter changes when its results might. It covers the cells, the modules of ``attn``
that they import, directly or through others, the data that these read, the requirements and the
version of Python. JavaScript, styles, comments, docstrings and the hints of exercises change no
result, so they are not in it.

Imports are read, not run. Where a package passes names on (``from attn.widgets import SoftLookup``)
only the module that holds the name counts; where a module imports by a computed name, everything
below its package does. Of ``attn.data`` those files count that are asked for by name; where a name
is computed, all do.
"""

import ast
import hashlib
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache, cached_property
from pathlib import Path

from web.chapters.cell_rules import without_magics

PACKAGE = "attn"
DATA, LOADER, ALL = "attn.data", "load", "*"
COMPUTED = {"import_module", "__import__", "iter_modules", "walk_packages", "run_module"}
LOOKS_AT_SOURCE = re.compile(r"\b(help|inspect|__doc__)\b|\?\s*$", re.MULTILINE)
NO_DATA = {".py", ".pyc", ".js", ".css"}  # of the files beside a package
EXERCISE_ID = re.compile(r"(\d\d)-[a-z0-9-]+")


class Module:
    """One file of the package: its imports, and its source without what changes no result."""

    def __init__(self, name: str, path: Path, source: str):
        self.name, self.path, self.source = name, path, source
        self.is_package = path.name == "__init__.py"
        self.package = name if self.is_package else name.rpartition(".")[0]

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @cached_property
    def imports(self) -> list[tuple[str, str | None]]:
        return list(imports(self.tree, self.package))

    @cached_property
    def imports_by_computed_name(self) -> bool:
        names = (getattr(n, "attr", getattr(n, "id", None)) for n in ast.walk(self.tree))
        return not COMPUTED.isdisjoint(names)

    def home(self, name: str) -> list[tuple[str, str | None]]:
        """Where a package has one of its names from; empty if it is its own or unknown."""
        stars = []
        for node in self.tree.body:
            for alias in node.names if isinstance(node, ast.ImportFrom) else ():
                if (alias.asname or alias.name) == name:
                    return [(_absolute(node, self.package), alias.name)]
                if alias.name == "*":
                    stars.append((_absolute(node, self.package), name))
        return stars or [(f"{self.package}.{home}", None) for home in self._table(name)]

    def _table(self, name: str) -> Iterator[str]:
        """A module named for `name` in a table of strings, as a lazy ``__getattr__`` uses."""
        for table in (n for n in ast.walk(self.tree) if isinstance(n, ast.Dict)):
            for key, value in zip(table.keys, table.values, strict=True):
                if getattr(key, "value", None) == name and isinstance(value, ast.Constant):
                    yield str(value.value)

    @cached_property
    def normal(self) -> str:
        """The source without comments, docstrings, hints and what a package passes on."""
        package = self.package if self.is_package else None
        return ast.dump(_Normal(package).visit(ast.parse(self.source)))

    @property
    def data(self) -> list[Path]:
        """The files of a package that are not code: beside it, or in folders of their own."""
        if not self.is_package:
            return []
        found = []
        for path in self.path.parent.iterdir():
            if path.is_file() and path.suffix not in NO_DATA:
                found.append(path)
            elif path.is_dir() and not any(path.rglob("*.py*")):
                found += [file for file in path.rglob("*") if file.is_file()]
        return sorted(found)


_module = cache(Module)  # a build asks several times; another text is another module


class _Normal(ast.NodeTransformer):
    """Drop what changes no result."""

    def __init__(self, package: str | None):
        self.package = package

    def visit_Expr(self, node):
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else self.generic_visit(node)

    def visit_keyword(self, node):
        return None if node.arg == "hints" else self.generic_visit(node)

    def visit_ImportFrom(self, node):
        own = self.package and (node.module or "").startswith(f"{self.package}.")
        return None if own else node

    def visit_Assign(self, node):
        lists_names = any(getattr(target, "id", None) == "__all__" for target in node.targets)
        return None if lists_names else self.generic_visit(node)


def imports(tree: ast.AST, package: str = "") -> Iterator[tuple[str, str | None]]:
    """Each import at any depth as (module, name); the name is None where all of it is imported.

    >>> list(imports(ast.parse("import a.b; from .c import d; from e import *"), "a"))
    [('a.b', None), ('a', None), ('a.c', 'd'), ('e', None)]
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                yield from ((".".join(parts[:n]), None) for n in range(len(parts), 0, -1))
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield _absolute(node, package), None if alias.name == "*" else alias.name


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    above = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*above, node.module] if node.module else above)


def files_read(tree: ast.AST, wanted: str | None, data: ast.Module) -> set[str]:
    """Patterns for the files of data that a tree can read, if it imports `wanted` from there.

    ``load("order")`` names its file, and any other function of the package does within itself.

    >>> sorted(files_read(ast.parse("load('order'), load('heads')"), "load", ast.parse("")))
    ['heads.*', 'order.*']
    >>> files_read(ast.parse("[load(name) for name in names]"), "load", ast.parse(""))
    {'*'}
    >>> files_read(ast.parse(""), "digits", ast.parse("def digits(): return read('digits.npz')"))
    {'digits.npz'}
    """
    if wanted == LOADER:
        names = [name for name in map(_loaded, ast.walk(tree)) if name]
        mentions = [node for node in ast.walk(tree) if getattr(node, "id", None) == LOADER]
        return {f"{name}.*" for name in names} if 0 < len(names) == len(mentions) else {ALL}
    bodies = [n for n in data.body if isinstance(n, ast.FunctionDef) and n.name == wanted]
    return {text for body in bodies for text in strings(body)} if bodies else {ALL}


def _loaded(node: ast.AST) -> str | None:
    match node:
        case ast.Call(func=ast.Name(id="load"), args=[ast.Constant(value=str(name))]):
            return name
    return None


def strings(tree: ast.AST) -> list[str]:
    """Every string that stands in a source."""
    values = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [value for value in values if isinstance(value, str)]


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
            found = next((f for f in files if ours and f.is_file()), None)
            self.known[name] = found and _module(name, found, found.read_text(encoding="utf-8"))
        return self.known[name]

    @cached_property
    def pins(self) -> list[str]:
        """The lines of requirements.txt that require something."""
        path = self.top / "requirements.txt"
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return [line for line in lines if line and not line.startswith("#")]

    def below(self, package: str) -> list[str]:
        """The names of all modules of a package, itself included."""
        files = sorted(self.top.joinpath(*package.split(".")).rglob("*.py"))
        names = (".".join(path.relative_to(self.top).with_suffix("").parts) for path in files)
        return [name.removesuffix(".__init__") for name in names]

    def key(self, cells: list[str], *, to_the_letter: bool = False) -> str:
        """The key of a chapter with these cells; `to_the_letter` takes in what pages show too."""
        digest = hashlib.sha256("\0".join([sys.version, *self.pins, *cells]).encode())
        to_the_letter = to_the_letter or any(LOOKS_AT_SOURCE.search(cell) for cell in cells)
        reach = Reach(self, cells)
        for name in sorted(reach.reached):
            module = self.module(name)
            text = module.source if to_the_letter else module.normal
            digest.update(f"\0{name}\0{text}\0".encode())
            for path in reach.data(module):
                digest.update(path.relative_to(self.top).as_posix().encode() + path.read_bytes())
        return digest.hexdigest()


class Reach:
    """The modules that a chapter's cells can reach, and the files of data that these read."""

    def __init__(self, package: Package, cells: list[str]):
        self.package = package
        self.reached: set[str] = set()
        self.files: set[str] = set()
        self.seen: set[tuple[str, str | None]] = set()
        try:
            tree = ast.parse("\n".join(map(without_magics, cells)))
        except SyntaxError:  # executing the cell will say so, or IPython knows what it means
            self.reached, self.files = set(package.below(PACKAGE)), {ALL}
            return
        ids = map(EXERCISE_ID.fullmatch, strings(tree))
        self.exercised = {f"ch{found[1]}" for found in ids if found}
        for name, wanted in imports(tree):
            self.follow(name, wanted, tree)

    def data(self, module: Module) -> list[Path]:
        """The files beside a package that can be read."""
        folder, patterns = module.path.parent, self.files if module.name == DATA else {ALL}
        names = {path: path.relative_to(folder).as_posix() for path in module.data}
        return [p for p, name in names.items() if any(fnmatch(name, one) for one in patterns)]

    def follow(self, name: str, wanted: str | None, importer: ast.AST) -> None:
        """Reach a module, or the part of a package that holds the wanted name."""
        module = self.package.module(name)
        if module is not None and name == DATA:
            self.files |= files_read(importer, wanted, module.tree)
        if module is None or (name, wanted) in self.seen:
            return
        self.seen.add((name, wanted))
        parts = name.split(".")
        self.reached |= {".".join(parts[:n]) for n in range(1, len(parts) + 1)}
        if not module.is_package or wanted is None:
            self.follow_all(module)
        elif self.package.module(f"{name}.{wanted}"):
            self.follow(f"{name}.{wanted}", None, importer)
        else:
            homes = [home for home in module.home(wanted) if self.package.module(home[0])]
            for home, its_name in homes:
                self.follow(home, its_name, importer)
            if not homes:
                self.follow_all(module)

    def follow_all(self, module: Module) -> None:
        """Reach all that a module imports; of a chapter's exercises, those the cells name."""
        for name, wanted in module.imports:
            self.follow(name, wanted, module.tree)
        if module.imports_by_computed_name:
            for name in self.package.below(module.package):
                chapter = re.search(r"\.(ch\d\d)\b", name)
                if not chapter or chapter[1] in self.exercised:
                    self.follow(name, None, module.tree)
