"""Say in plain words what an exception of an answer means, where NumPy or Python is terse."""

import ast
import builtins
import difflib
import linecache
import re
import types
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

Operand = tuple[str, tuple[int, ...]]  # how it is written, and its shape

_INNER_SIZES = re.compile(r"^matmul: .*\(size (\d+) is different from (\d+)\)$")
_NO_ARRAY = re.compile(r"^matmul: .*does not have enough dimensions \(has 0,")
_AMBIGUOUS = "The truth value of an array with more than one element is ambiguous"


def explain_error(error: BaseException, text: str, code: types.CodeType | None) -> str:
    """What went wrong, in words for the reader; empty where the exception's own text will do."""
    step = _last_step_in(code, error)
    if type(error) is NameError and isinstance(error.name, str):
        return f"uses the name {error.name}, which is not defined{_nearest_name(error.name, step)}"
    if type(error) is AttributeError and type(error.obj) is types.ModuleType:
        near = _did_you_mean(str(error.name), dir(error.obj))
        return f"asks {error.obj.__name__} for {error.name}, which it does not have{near}"
    if type(error) is ValueError and text.startswith(_AMBIGUOUS):
        return "asks for the truth of a whole array, with if, and, or, or not"
    if type(error) is ValueError and _NO_ARRAY.match(text):
        return "multiplies with @ something that is not an array, or is not filled in yet"
    sizes = _INNER_SIZES.match(text) if type(error) is ValueError else None
    if sizes:
        return _describe_product(step, left=int(sizes[2]), right=int(sizes[1]))
    return ""


def _last_step_in(code: types.CodeType | None, error: BaseException) -> types.TracebackType | None:
    """The last step of the traceback in the file of this code: the reader's own."""
    found, step = None, error.__traceback__
    while step is not None:
        if code is not None and step.tb_frame.f_code.co_filename == code.co_filename:
            found = step
        step = step.tb_next
    return found


def _nearest_name(name: str, step: types.TracebackType | None) -> str:
    if step is None:
        return ""
    return _did_you_mean(name, [*step.tb_frame.f_locals, *step.tb_frame.f_globals, *dir(builtins)])


def _did_you_mean(name: str, known: Iterable[object]) -> str:
    near = difflib.get_close_matches(name, [k for k in known if isinstance(k, str)], n=1)
    return f". Did you mean {near[0]}?" if near else ""


def _describe_product(step: types.TracebackType | None, *, left: int, right: int) -> str:
    """Which two shapes an @ could not multiply, by name where the line names them."""
    inner = f"the inner sizes, {left} and {right}, must be equal"
    one, two = _operands(step) if step is not None else (None, None)
    if one and two:
        return f"multiplies {one[0]} @ {two[0]}, shapes {one[1]} and {two[1]}: {inner}"
    return f"multiplies two arrays with @ whose shapes do not fit: {inner}"


def _operands(step: types.TracebackType) -> tuple[Operand | None, Operand | None]:
    """(text, shape) of both sides of the @ where a step failed; None for a side that is unclear."""
    frame = step.tb_frame
    try:
        line, last, start, end = list(frame.f_code.co_positions())[step.tb_lasti // 2]
        source = linecache.getline(frame.f_code.co_filename, line or 0) if line == last else ""
        product = ast.parse(source.encode()[start:end].decode().strip(), mode="eval").body
    except (IndexError, TypeError, SyntaxError, ValueError):
        return None, None
    if not (isinstance(product, ast.BinOp) and isinstance(product.op, ast.MatMult)):
        return None, None
    return _shape_of(product.left, frame.f_locals), _shape_of(product.right, frame.f_locals)


def _shape_of(node: ast.expr, values: Mapping[str, Any]) -> Operand | None:
    """The text and the shape of a name, or of a name's transpose, if it is an array."""
    turned = isinstance(node, ast.Attribute) and node.attr == "T"
    name = node.value if isinstance(node, ast.Attribute) and turned else node
    value = values.get(name.id) if isinstance(name, ast.Name) else None
    if type(value) is not np.ndarray:
        return None
    return ast.unparse(node), value.T.shape if turned else value.shape
