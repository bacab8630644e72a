"""Run a piece of a reader's Python the way a notebook does: its output, its value, its errors.

What the page's tasks share. Nothing here needs the page: the same code runs in any Python.
"""

import ast
import contextlib
import io
import linecache
import traceback

OUTPUT_LIMIT = 20_000
LINE_LIMIT = 500  # of an error in one line
# What NumPy and Python say of a size that no 32-bit memory holds; neither is a MemoryError.
TOO_LARGE = ("array is too big", "cannot fit 'int' into an index-sized integer")


class Output:
    """The text of one run: sent until the limit, then counted."""

    def __init__(self, send, limit=OUTPUT_LIMIT):
        self.send, self.left, self.dropped = send, limit, 0

    def write(self, kind, text):
        sent = text[: self.left]
        self.left -= len(sent)
        self.dropped += len(text) - len(sent)
        if sent:
            self.send(kind, sent)

    def close(self):
        if self.dropped:
            self.send("note", f"\n… {self.dropped:,} more characters are not shown.\n")


class Stream(io.TextIOBase):
    """A file for ``sys.stdout`` or ``sys.stderr`` that hands over whole lines."""

    def __init__(self, output, kind):
        self.output, self.kind, self.line = output, kind, ""

    def writable(self):
        return True

    def write(self, text):
        self.line += text
        if "\n" in text or len(self.line) > 1000:
            self.flush()
        return len(text)

    def flush(self):
        line, self.line = self.line, ""
        if line:
            self.output.write(self.kind, line)


@contextlib.contextmanager
def captured(output):
    """Send what is printed, to the last character, whatever happens."""
    out, err = Stream(output, "out"), Stream(output, "err")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            yield
    finally:
        out.flush()
        err.flush()


def fresh_namespace():
    return {"__name__": "__main__", "input": refuse_input}


def execute(source, filename, namespace):
    """Run the code; return the value of its last line if that is an expression, else None."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    tree = ast.parse(source, filename)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, filename, "exec"), namespace)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), filename, "eval"), namespace)


def refuse_input(prompt=""):
    raise RuntimeError("input() has no keyboard to read from here: assign a value instead")


def readers_traceback(error, filename):
    """The traceback as text, with the frames of the reader's own cell only."""
    shown = traceback.TracebackException.from_exception(error, compact=True)
    pending = [shown]
    while pending:
        one = pending.pop()
        own = [frame for frame in one.stack if frame.filename == filename]
        one.stack = traceback.StackSummary.from_list(own) if own else None
        pending += [other for other in (one.__cause__, one.__context__) if other]
        pending += one.exceptions or []
    return "".join(shown.format())


def summarize(error, filename):
    """The error in one line, and the reader's line where it came up."""
    lines = "".join(traceback.format_exception_only(error)).strip().splitlines()
    if isinstance(error, SyntaxError):
        text = lines[-1]
        line = error.lineno if error.filename == filename else None
    else:
        text = lines[0]
        frames = traceback.extract_tb(error.__traceback__)
        line = next((f.lineno for f in reversed(frames) if f.filename == filename), None)
    text = text if len(text) <= LINE_LIMIT else f"{text[:LINE_LIMIT]}…"
    return f"{text} (line {line})" if line else text


def error_outcome(error, filename, output):
    """Say what went wrong in the output, and return the state it leads to."""
    if isinstance(error, KeyboardInterrupt):
        return {"state": "stopped"}
    output.write("error", readers_traceback(error, filename))
    summary = summarize(error, filename)
    memory = isinstance(error, MemoryError) or any(words in summary for words in TOO_LARGE)
    return {"state": "error", "summary": summary, "memory": memory}
