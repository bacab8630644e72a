"""The text that IPython prints for a value, and so the text that the built pages show.

A container stands on one line or, where that would be too long, has each item on a line of its own.
The way there is that of ``IPython.lib.pretty``: separators wait in a buffer until it is known
whether their group breaks, the outermost group first.
"""

import inspect
import types
from collections import deque

WIDTH = 79
MOST = 1000  # items of one container


def pretty(value):
    """The value in text.

    >>> print(pretty([("east", 1.0, 0.0), ("north", 0.0, 1.0), ("a name " * 6, -1.0, 0.0)]))
    [('east', 1.0, 0.0),
     ('north', 0.0, 1.0),
     ('a name a name a name a name a name a name ', -1.0, 0.0)]
    """
    printer = Printer()
    printer.value(value)
    printer.flush()
    return "".join(printer.written)


class Group:
    """What breaks together: all separators of one container."""

    def __init__(self, depth):
        self.depth, self.waiting, self.breaks = depth, deque(), False


class Separator:
    """A space that may turn out to be the end of a line."""

    def __init__(self, group, indent):
        self.group, self.indent = group, indent
        group.waiting.append(self)


class Printer:
    def __init__(self):
        self.written, self.column, self.indent = [], 0, 0
        self.buffer, self.buffered = deque(), 0  # text and separators, and their width
        self.open, self.queue = [Group(0)], [[]]  # groups: those around us; all, by their depth
        self.queue[0].append(self.open[0])
        self.around = []  # ids of the containers around us

    def text(self, text):
        if not self.buffer:
            self.written.append(text)
            self.column += len(text)
            return
        self.buffer.append(text)
        self.buffered += len(text)
        self._break_what_is_too_long()

    def separator(self):
        if self.open[-1].breaks:
            self._end_line()
            return
        self.buffer.append(Separator(self.open[-1], self.indent))
        self.buffered += 1
        self._break_what_is_too_long()

    def lines(self, text):
        """Text that has its own ends of lines, such as an array's."""
        self.begin()
        for number, line in enumerate(text.splitlines()):
            if number:
                if group := self._outermost():
                    self._break(group)
                self._end_line()
            self.text(line)
        self.end()

    def begin(self, opening=""):
        if opening:
            self.text(opening)
        group = Group(self.open[-1].depth + 1)
        self.open.append(group)
        if len(self.queue) <= group.depth:
            self.queue.append([])
        self.queue[group.depth].append(group)
        self.indent += len(opening)

    def end(self, opening="", closing=""):
        self.indent -= len(opening)
        group = self.open.pop()
        if not group.waiting:
            self._forget(group)
        if closing:
            self.text(closing)

    def flush(self):
        while self.buffer:
            self._write_next()

    def value(self, value):
        self.begin()
        self.around.append(id(value))
        for cls in type(value).__mro__:
            if cls in CONTAINERS:
                self._container(value, *CONTAINERS[cls])
                break
            if cls in NAMED:
                self.text(NAMED[cls](value))
                break
            if cls is not object and "__repr__" in cls.__dict__:
                self.lines(repr(value))
                break
        else:
            self.text(f"<{_class_name(type(value))} at {id(value):#x}>")
        self.around.pop()
        self.end()

    def _container(self, value, opening, closing):
        if id(value) in self.around[:-1]:
            self.text("{...}" if isinstance(value, dict) else f"{opening}...{closing}")
            return
        if isinstance(value, (set, frozenset)) and not value:
            self.text(f"{type(value).__name__}()")
            return
        self.begin(opening)
        for number, item in enumerate(_items(value)):
            if number:
                self.text(",")
                self.separator()
            if number >= MOST:
                self.text("...")
                break
            self.value(item)
            if isinstance(value, dict):
                self.text(": ")
                self.value(value[item])
        if isinstance(value, tuple) and len(value) == 1:
            self.text(",")
        self.end(opening, closing)

    def _break_what_is_too_long(self):
        while self.column + self.buffered > WIDTH and (group := self._outermost()):
            self._break(group)

    def _outermost(self):
        """The outermost group with a separator that waits; those without, before it, break too."""
        for groups in self.queue:
            for place, group in enumerate(reversed(groups)):
                if group.waiting:
                    del groups[place]
                    group.breaks = True
                    return group
            for group in groups:
                group.breaks = True
            groups.clear()
        return None

    def _break(self, group):
        while group.waiting:
            self._write_next()
        while self.buffer and isinstance(self.buffer[0], str):
            self._write_next()

    def _write_next(self):
        item = self.buffer.popleft()
        if isinstance(item, str):
            self.written.append(item)
            self.column += len(item)
            self.buffered -= len(item)
            return
        self.buffered -= 1
        item.group.waiting.popleft()
        if item.group.breaks:
            self._new_line(item.indent)
            return
        if not item.group.waiting:
            self._forget(item.group)
        self.written.append(" ")
        self.column += 1

    def _end_line(self):
        self.flush()
        self._new_line(self.indent)

    def _new_line(self, indent):
        self.written.append("\n" + " " * indent)
        self.column = indent

    def _forget(self, group):
        if group in self.queue[group.depth]:
            self.queue[group.depth].remove(group)


def _items(container):
    if not isinstance(container, (set, frozenset)) or len(container) >= MOST:
        return container
    try:
        return sorted(container)
    except TypeError:
        return sorted(container, key=str)


def _class_name(cls):
    module = "" if cls.__module__ == "builtins" else f"{cls.__module__}."
    return module + cls.__qualname__


def _function(function):
    try:
        signature = str(inspect.signature(function))
    except ValueError:
        signature = ""
    module = function.__module__
    prefix = "" if module in (None, "builtins") else f"{module}."
    return f"<function {prefix}{function.__qualname__}{signature}>"


CONTAINERS = {
    tuple: ("(", ")"),
    list: ("[", "]"),
    dict: ("{", "}"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}
NAMED = {
    type: _class_name,
    types.FunctionType: _function,
    types.BuiltinFunctionType: _function,
}
