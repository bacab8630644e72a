"""JavaScript that tests run in a page: functions of the module beside a Python file."""

import re
from pathlib import Path


def page_function(file: str, name: str) -> str:
    """A function of the ``.mjs`` that has the name of a Python file, as ``evaluate`` takes it.

    A browser's driver evaluates an expression, never a module; so the function comes with all of
    its module around it, and functions of one module can call each other.
    """
    path = Path(file).with_suffix(".mjs")
    module = re.sub("^export ", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if not re.search(rf"^(async )?function {name}\(", module, re.MULTILINE):
        raise ValueError(f"{path.name} has no function {name}")
    return f"/* {name} */ (...given) => {{\n{module}\nreturn {name}(...given);\n}}"


def page_script(file: str, name: str) -> str:
    """The same function as a script that calls it, for a page to run before its own."""
    return f"({page_function(file, name)})();"
