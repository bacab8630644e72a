"""What every live figure shares: one JavaScript file each, self-contained for Jupyter."""

import posixpath
import re
from base64 import b64encode
from functools import cache
from pathlib import Path

import anywidget

JS = Path(__file__).parent / "js"
_SIBLING = re.compile(r'(\bfrom\s*)"(\.[\w./-]+\.js)"')


@cache
def self_contained(name, above=()):
    """The text of js/`name` with each sibling it imports folded in as a data: URL.

    A notebook gives the module no address, so ``./core.js`` would have nothing to be relative to.
    """
    if name in above:
        raise ValueError(f"modules must not import in a circle: {' → '.join((*above, name))}")

    def fold(match):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[2]))
        inner = self_contained(path, (*above, name))
        return f'{match[1]}"data:text/javascript;base64,{b64encode(inner.encode()).decode()}"'

    return _SIBLING.sub(fold, (JS / name).read_text(encoding="utf-8"))


class Figure(anywidget.AnyWidget):
    """A widget whose drawing is js/<its module's name>.js and whose look is js/kit/kit.css."""

    _esm = "export default { render() {} };"

    def __init_subclass__(cls, **kwargs):
        # An instance subclasses its own class to turn `_esm` into a trait: leave that one be.
        if "_esm" not in cls.__dict__:
            cls._esm = self_contained(f"{cls.__module__.rpartition('.')[2]}.js")
            cls._css = (JS / "kit" / "kit.css").read_text(encoding="utf-8")
        super().__init_subclass__(**kwargs)
