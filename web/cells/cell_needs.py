"""What a chapter's cells need that Python in the page does not have, read from their code.

A cell needs what it imports, and what the cells need whose names it uses.
"""

import ast
import symtable
import sys
from collections.abc import Iterator

from web.builder.python_imports import imports
from web.chapters.cell_rules import without_magics
from web.course import course

# Beyond the standard library; the longest name that fits decides. None: the page has it.
MODULES: dict[str, str | None] = {
    "numpy": None,
    "matplotlib": None,
}


def need_of(module: str) -> str | None:
    """What an import needs that the page lacks.

    >>> need_of("numpy.linalg"), need_of("attn.nn.experiments"), need_of("sklearn.svm")
    (None, 'torch', 'sklearn')
    """
    own = course()
    known = MODULES | {own.package.name: None} | dict(own.packages.missing)
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if name in known:
            return known[name]
    return None if parts[0] in sys.stdlib_module_names else parts[0]


def cell_needs(sources: list[str]) -> list[list[str]]:
    """The needs of each cell, in the order of the page.

    >>> cell_needs(["import torch\\nx = torch.ones(3)", "y = 2 * x", "x = 1", "x + 1"])
    [['torch'], ['torch'], [], []]
    """
    found, of_names = [], dict[str, set[str]]()
    for source in sources:
        tree = ast.parse(without_magics(source))
        needs = {need for module in _modules(tree) if (need := need_of(module))}
        read, bound = _flow(tree.body)
        needs |= {need for name in read for need in of_names.get(name, ())}
        of_names |= dict.fromkeys(bound, needs)
        found.append(sorted(needs))
    return found


def _modules(tree: ast.AST) -> Iterator[str]:
    """Every module that may be imported: the name in ``from a import b`` may be one."""
    for module, name in imports(tree):
        yield f"{module}.{name}" if name else module


def _flow(statements: list[ast.stmt]) -> tuple[set[str], set[str]]:
    """The global names that statements read before they bind them, and all that they bind."""
    read, bound = set[str](), set[str]()
    for statement in statements:
        heads, blocks = _parts(statement)
        for head in heads:
            uses, binds = _names(head)
            read |= uses - bound
            bound |= binds
        for block in blocks:
            uses, binds = _flow(block)
            read |= uses - bound
            bound |= binds
    return read, bound


def _parts(statement: ast.stmt) -> tuple[list[ast.stmt], list[list[ast.stmt]]]:
    """A statement as what runs first, such as the head of a loop, and the blocks in it."""
    match statement:
        case ast.For(target=target, iter=source, body=body, orelse=other):
            return [ast.Expr(source), ast.Assign([target], ast.Constant(0))], [body, other]
        case ast.While(test=test, body=body, orelse=other):
            return [ast.Expr(test)], [body, other]
        case ast.If(test=test, body=body, orelse=other):
            return [ast.Expr(test)], [body, other]
        case ast.With(items=items, body=body):
            return [ast.With(items, [ast.Pass()])], [body]
    return [statement], []


def _names(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """The global names that a statement reads, at any depth, and those that it binds."""
    text = ast.unparse(ast.fix_missing_locations(statement))
    top = symtable.symtable(text, "cell", "exec")
    written, tables = set(), [top]
    # The table counts `x += 1` as a binding alone.
    augmented = [node.target for node in ast.walk(statement) if isinstance(node, ast.AugAssign)]
    read = {target.id for target in augmented if isinstance(target, ast.Name)}
    for table in tables:  # which grows
        tables += table.get_children()
        for symbol in table.get_symbols():
            if not (table is top or symbol.is_global()):
                continue
            if symbol.is_referenced():
                read.add(symbol.get_name())
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                written.add(symbol.get_name())
    return read, written
