"""Run the cells that come in as ``{page: [source, …]}``; print ``{page: [text, …]}``, both JSON.

A page's cells share one namespace, as in its kernel. A cell's text is what it prints, and the
value of its last expression.
"""

import ast
import contextlib
import io
import json
import re
import sys

ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def run(source, namespace):
    """Execute one cell; return its text."""
    tree, text = ast.parse(source), io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(text):
        exec(compile(tree, "cell", "exec"), namespace)
        if last:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)
            if value is not None:
                print(ADDRESS.sub("", repr(value)))
    return text.getvalue()


def run_page(sources):
    namespace = {"__name__": "__main__"}
    return [run(source, namespace) for source in sources]


if __name__ == "__main__":
    pages = json.load(sys.stdin)
    json.dump({name: run_page(sources) for name, sources in pages.items()}, sys.stdout)
