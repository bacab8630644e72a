"""The rules for a chapter's cells, read from their Python.

An exercise cell has its imports first, a name to define, a call of check last; a starter leaves a
blank and a solution none; no later cell uses a name that an exercise defines.
"""

import ast
import re

# %name and %%name, or !command; a line of Python may go on with % or !=.
MAGIC = re.compile(r"^([ \t]*)(?:%%?\w|!(?!=)).*$", re.MULTILINE)


def without_magics(source: str) -> str:
    """A cell as Python reads it: where a line speaks to the notebook, it does nothing.

    >>> without_magics("%matplotlib inline\\nfor x in y:\\n    !ls\\nz = (x\\n    % 2)")
    'pass\\nfor x in y:\\n    pass\\nz = (x\\n    % 2)'
    """
    return MAGIC.sub(r"\1pass", source)


def checked_name(source: str, exercise_id: str) -> str:
    """The name that a cell hands to check; a ValueError states the rule that the cell breaks."""
    try:
        body = ast.parse(source).body
    except SyntaxError as error:
        raise ValueError(
            f"the cell is not Python: {error.msg} at its line {error.lineno}"
        ) from None
    if not body or not isinstance(body[0], ast.Import | ast.ImportFrom):
        raise ValueError("an exercise cell starts with its imports")
    name = _checked(body[-1], exercise_id)
    if name is None:
        found = ast.unparse(body[-1])
        raise ValueError(f'the last line is check("{exercise_id}", name): {found!r} found')
    if "check" not in _bound(body):
        raise ValueError("an exercise cell is self-contained: from attn.exercises import check")
    if name not in _bound(body):
        raise ValueError(f"the cell defines what it checks: {name} is not defined")
    return name


def has_blank(source: str) -> bool:
    """Whether `...` stands where a statement or a value should be (not inside an index)."""
    for node in ast.walk(ast.parse(source)):
        value = getattr(node, "value", None)
        if isinstance(node, ast.Expr | ast.Assign | ast.Return) and _is_blank(value):
            return True
    return False


def first_leak(sources: list[str], of_exercise: list[bool]) -> tuple[int, str] | None:
    """The first plain cell that reads a name last bound by one of an exercise, as (index, name)."""
    bound_by_exercise: set[str] = set()
    for index, (source, in_exercise) in enumerate(zip(sources, of_exercise, strict=True)):
        body = ast.parse(without_magics(source)).body
        bound = _bound(body)
        if in_exercise:
            bound_by_exercise |= bound - _imported(body)
            continue
        leaks = sorted((_read(body) & bound_by_exercise) - bound)
        if leaks:
            return index, leaks[0]
        bound_by_exercise -= bound
    return None


def _checked(statement: ast.stmt, exercise_id: str) -> str | None:
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Name(id="check"),
                args=[ast.Constant(value=given), ast.Name(id=name)],
                keywords=[],
            )
        ) if given == exercise_id:
            return name
    return None


def _is_blank(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _imported(body: list[ast.stmt]) -> set[str]:
    found = [s for s in body if isinstance(s, ast.Import | ast.ImportFrom)]
    return {(a.asname or a.name).split(".")[0] for s in found for a in s.names}


def _bound(body: list[ast.stmt]) -> set[str]:
    """Names that a cell's own statements define, at its top level."""
    names = _imported(body)
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(statement.name)
        else:
            names |= {
                node.id
                for node in ast.walk(statement)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            }
    return names


def _read(body: list[ast.stmt]) -> set[str]:
    return {
        node.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
