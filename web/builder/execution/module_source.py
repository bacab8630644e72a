"""One file of ``attn`` as the keys of chapters see it: what it imports, what of it can matter."""

import ast
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

from web.builder.python_imports import absolute, imports

COMPUTED = {"import_module", "__import__", "iter_modules", "walk_packages", "run_module"}
NO_DATA = {".py", ".pyc", ".js", ".css"}  # of the files beside a package


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

    def origins(self, name: str) -> list[tuple[str, str | None]]:
        """Where a package has one of its names from; empty if it is its own or unknown."""
        stars: list[tuple[str, str | None]] = []
        for node in [n for n in self.tree.body if isinstance(n, ast.ImportFrom)]:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return [(absolute(node, self.package), alias.name)]
                if alias.name == "*":
                    stars.append((absolute(node, self.package), name))
        return stars or [(f"{self.package}.{module}", None) for module in self._table(name)]

    def _table(self, name: str) -> Iterator[str]:
        """A module named for `name` in a table of strings, as a lazy ``__getattr__`` uses."""
        for table in (n for n in ast.walk(self.tree) if isinstance(n, ast.Dict)):
            for key, value in zip(table.keys, table.values, strict=True):
                if getattr(key, "value", None) == name and isinstance(value, ast.Constant):
                    yield str(value.value)

    @cached_property
    def normalized(self) -> str:
        """The source without comments, docstrings, hints and what a package passes on."""
        package = self.package if self.is_package else None
        return ast.dump(_Normalize(package).visit(ast.parse(self.source)))

    @property
    def data(self) -> list[Path]:
        """The files of a package that are not code: beside it, or in folders of their own."""
        if not self.is_package:
            return []
        found: list[Path] = []
        for path in self.path.parent.iterdir():
            if path.is_file() and path.suffix not in NO_DATA:
                found.append(path)
            elif path.is_dir() and not any(path.rglob("*.py*")):
                found += [file for file in path.rglob("*") if file.is_file()]
        return sorted(found)


read_module = cache(Module)  # a build asks several times; another text is another module


class _Normalize(ast.NodeTransformer):
    """Drop what changes no result."""

    def __init__(self, package: str | None):
        self.package = package

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST | None:
        return None if node.arg == "hints" else self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        own = self.package and (node.module or "").startswith(f"{self.package}.")
        return None if own else node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        lists_names = any(getattr(target, "id", None) == "__all__" for target in node.targets)
        return None if lists_names else self.generic_visit(node)
