"""Break a function in many small ways, and run it within a number of lines.

A change is one operator, comparison, constant, name, call or statement. A broken function may loop
for ever, so a run is stopped after a number of its own lines: a count gives the same answer on a
fast machine, a slow one and a busy one, which a time limit does not.
"""

import ast
import copy
import sys

MOST_LINES = 20_000
OPERATORS = {
    ast.Add: [ast.Sub, ast.Mult],
    ast.Sub: [ast.Add, ast.Mult],
    ast.Mult: [ast.Div, ast.Add],
    ast.Div: [ast.Mult, ast.Sub],
    ast.MatMult: [ast.Mult],
    ast.Pow: [ast.Mult],
    ast.FloorDiv: [ast.Mult],
    ast.Mod: [ast.Mult],
}
COMPARISONS = {
    ast.Lt: [ast.Gt, ast.LtE],
    ast.LtE: [ast.GtE, ast.Lt],
    ast.Gt: [ast.Lt, ast.GtE],
    ast.GtE: [ast.LtE, ast.Gt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
}
SIMILAR_NAMES = {
    "max": ["min", "mean", "sum"],
    "min": ["max"],
    "sum": ["max", "mean", "prod"],
    "mean": ["sum"],
    "cos": ["sin"],
    "sin": ["cos"],
    "all": ["any"],
    "any": ["all"],
    "exp": ["abs", "exp2", "expm1"],
}


def mutants(source, name):
    """(changed line, changed source) for every single change of a function, its last line left out.

    The source is a solution cell: the function `name`, and a call of `check` as its last line.
    """
    tree = ast.parse(source)
    tree.body.pop()
    function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    function.body = [s for s in function.body if not _is_docstring(s)]
    before = ast.unparse(tree)
    for mutant in dict.fromkeys(_changed_sources(tree, function)):
        if mutant != before:  # a swap of equal operands changes nothing
            yield _describe_change(before, mutant), mutant


class LineLimit(KeyboardInterrupt):
    """A run took more lines than it may; like *Stop*, it passes through a check."""


def define(source, name):
    """The function `name` of a source."""
    namespace = {}
    exec(compile(source, "mutant", "exec"), namespace)
    return namespace[name]


def run_limited(run, most=MOST_LINES):
    """The result of a run, or None if functions from `define` take more lines than these."""
    count = 0

    def step(frame, event, argument):
        nonlocal count
        count += event == "line"
        if count > most:
            raise LineLimit
        return step

    before = sys.gettrace()
    sys.settrace(lambda frame, *_: step if frame.f_code.co_filename == "mutant" else None)
    try:
        return run()
    except LineLimit:
        return None
    finally:
        sys.settrace(before)


def _replacements(node, names):
    """Other nodes to put in the place of this one."""
    if isinstance(node, ast.BinOp):
        yield from (ast.BinOp(node.left, op(), node.right) for op in OPERATORS[type(node.op)])
        yield from (node.left, node.right)
        if not isinstance(node.op, ast.Add | ast.Mult):
            yield ast.BinOp(node.right, node.op, node.left)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Compare):
        for operator in COMPARISONS[type(node.ops[0])]:
            yield ast.Compare(node.left, [operator()], node.comparators)
    elif isinstance(node, ast.Constant):
        yield from map(ast.Constant, _other_constants(node.value))
    elif isinstance(node, ast.Call):
        yield from _other_calls(node)
    elif isinstance(node, ast.Attribute):
        yield from (
            ast.Attribute(node.value, name, node.ctx) for name in SIMILAR_NAMES.get(node.attr, [])
        )
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        yield from (ast.Name(other, node.ctx) for other in names if other != node.id)
        yield _swap_axes(node)
        yield ast.UnaryOp(ast.USub(), node)


def _swap_axes(node):
    """The last two axes swapped; unlike `.T`, a vector raises instead of staying as it is."""
    return ast.parse(f"{node.id}.swapaxes(-1, -2)", mode="eval").body


def _other_constants(value):
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        others = [value + 1, value - 1, value * 2, value / 2, -value]
        return [other for other in dict.fromkeys(others) if other != value]
    return []


def _other_calls(node):
    if node.args:
        yield node.args[0]
    elif isinstance(node.func, ast.Attribute):
        yield node.func.value
    if len(node.args) > 1:
        yield ast.Call(node.func, node.args[::-1], node.keywords)
    for index in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:index] + node.keywords[index + 1 :])


def _local_names(function):
    bound = [n.id for n in ast.walk(function) if isinstance(n, ast.Name)]
    stored = [
        n.id
        for n in ast.walk(function)
        if isinstance(getattr(n, "ctx", None), ast.Store) and isinstance(n, ast.Name)
    ]
    arguments = [a.arg for a in function.args.args + function.args.kwonlyargs]
    return sorted(set(arguments + [name for name in bound if name in stored]))


def _sites(function):
    """Places (parent, field, index) of the nodes inside a function's body."""
    for parent in ast.walk(function):
        for name, value in ast.iter_fields(parent):
            for index, node in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(node, ast.expr) and parent is not function:
                    yield parent, name, index if isinstance(value, list) else None


def _put(parent, field, index, node):
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _take(parent, field, index):
    value = getattr(parent, field)
    return value if index is None else value[index]


def _changed_sources(tree, function):
    names = _local_names(function)
    for place in list(_sites(function)):
        original = _take(*place)
        for replacement in list(_replacements(original, names)):
            _put(*place, copy.deepcopy(replacement))
            yield ast.unparse(tree)
            _put(*place, original)
    for block in [n for n in ast.walk(function) if isinstance(getattr(n, "body", None), list)]:
        for statements in (block.body, getattr(block, "orelse", [])):
            for index, statement in enumerate(list(statements)):
                statements[index] = ast.Pass()
                yield ast.unparse(tree)
                statements[index] = statement


def _describe_change(before, after):
    """The first line that differs, as `old => new`."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next(f"{a.strip()} => {b.strip()}" for a, b in pairs if a != b)


def _is_docstring(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
