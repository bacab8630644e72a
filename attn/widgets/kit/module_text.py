"""A figure's JavaScript as one text, for a notebook, which gives a module no address."""

import json
import posixpath
import re
from pathlib import Path

_SIBLING = re.compile(r'(\bfrom\s*)"(\.[\w./-]+\.js)"')

# Each module becomes a file in the browser's memory, its siblings' addresses written into it first.
_PRELUDE = """\
const address = {{}};
for (const [name, text] of {modules}) {{
  const whole = text.replace(/"attn:([^"]+)"/g, (_, sibling) => `"${{address[sibling]}}"`);
  address[name] = URL.createObjectURL(new Blob([whole], {{ type: "text/javascript" }}));
}}
const figure = await import(address[{name}]);
for (const url of Object.values(address)) URL.revokeObjectURL(url);
export default figure.default;
"""


def self_contained(folder, name):
    """One module that imports nothing and exports what `folder`/`name` exports by default."""
    modules = _in_order(folder, name, {}, ())
    return _PRELUDE.format(
        modules=json.dumps(list(modules.items()), ensure_ascii=False), name=json.dumps(name)
    )


def modules(folder, name):
    """The names of `folder`/`name` and of all that it imports, those first."""
    return list(_in_order(folder, name, {}, ()))


def _in_order(folder, name, found, above):
    """`found` with `name` added and, before it, everything it imports."""
    if name in above:
        raise ValueError(f"modules must not import in a circle: {' → '.join((*above, name))}")
    if name in found:
        return found
    text = (Path(folder) / name).read_text(encoding="utf-8")
    below = posixpath.dirname(name)

    def sibling(match):
        path = posixpath.normpath(posixpath.join(below, match[2]))
        _in_order(folder, path, found, (*above, name))
        return f'{match[1]}"attn:{path}"'

    found[name] = _SIBLING.sub(sibling, text)
    return found
