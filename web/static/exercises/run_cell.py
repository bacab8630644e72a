"""Run one exercise cell the way a notebook does, in a namespace of its own.

The worker of the page calls :func:`run` and forwards what it sends. Nothing here needs the
page: the same code runs in any Python.
"""

import ast
import contextlib
import functools
import io
import json
import linecache
import traceback

OUTPUT_LIMIT = 20_000
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
def record_checks(exercises):
    """Collect (exercise id, verdict) of every call of ``exercises.check``."""
    original, checks = exercises.check, []

    @functools.wraps(original)
    def check(*args, **kwargs):
        verdict = original(*args, **kwargs)
        checks.append((args[0] if args else next(iter(kwargs.values())), verdict))
        return verdict

    exercises.check = check
    try:
        yield checks
    finally:
        exercises.check = original


def execute(source, filename):
    """Run the cell; return the value of its last line if that is an expression, else None."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    tree = ast.parse(source, filename)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    namespace = {"__name__": "__main__", "input": refuse_input}
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
    return f"{text} (line {line})" if line else text


def check_outcome(exercise, checks):
    """The state that the checks of a run lead to: the last one of this exercise counts."""
    own = [verdict for checked, verdict in checks if checked == exercise]
    if own:
        return {"state": own[-1].state, "verdict": own[-1].as_dict()}
    if checks:
        note = f"This cell checked {checks[-1][0]}; its last line should check {exercise}."
    else:
        note = f'Nothing was checked: end the cell with check("{exercise}", …).'
    return {"state": "unanswered", "note": note}


def error_outcome(error, filename, output):
    """Say what went wrong in the output, and return the state it leads to."""
    if isinstance(error, KeyboardInterrupt):
        return {"state": "stopped"}
    output.write("error", readers_traceback(error, filename))
    summary = summarize(error, filename)
    memory = isinstance(error, MemoryError) or any(words in summary for words in TOO_LARGE)
    return {"state": "error", "summary": summary, "memory": memory}


def run(source, exercise, send):
    """Run a cell, sending its output as (kind, text); return the outcome as JSON.

    The outcome has ``state`` ("passed", "failed", "unanswered", "error" or "stopped") and, where
    they apply, ``verdict``, ``note``, ``summary`` and ``memory``.
    """
    from attn import exercises

    output, filename = Output(send), f"exercise {exercise}"
    out, err = Stream(output, "out"), Stream(output, "err")
    with record_checks(exercises) as checks:
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                value = execute(source, filename)
                if value is not None and not any(value is verdict for _, verdict in checks):
                    print(repr(value))
            outcome = check_outcome(exercise, checks)
        except BaseException as error:
            out.flush()
            err.flush()
            outcome = error_outcome(error, filename, output)
    out.flush()
    err.flush()
    output.close()
    return json.dumps(outcome, default=str)
