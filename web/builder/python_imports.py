"""What Python source imports, read and not run."""

import ast
from collections.abc import Iterator


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
                yield absolute(node, package), None if alias.name == "*" else alias.name


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that a ``from … import`` names, seen from a package.

    >>> absolute(ast.parse("from ..kit import figure").body[0], "attn.widgets.dial")
    'attn.widgets.kit'
    """
    if not node.level:
        return node.module or ""
    above = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*above, node.module] if node.module else above)
