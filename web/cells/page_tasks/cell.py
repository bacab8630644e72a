"""Run one cell of a chapter after the cells above it.

A session keeps what its names held after each cell. A cell starts from what the nearest one above
it left behind, whatever ran since: its output depends on the page's text, never on the order in
which a reader pressed *Run*.
"""

import copy
import json

import numpy as np
from page_tasks.display import packages_for, show, show_open_plots
from page_tasks.running import Output, captured, error_outcome, execute, fresh_namespace


class Session:
    """One namespace, and what it held after each cell.

    All cells run in the same dictionary: a function of one finds the names that another binds.
    """

    def __init__(self, name):
        self.name, self.namespace, self.after = name, {}, {}

    def enter(self, cell):
        above = [number for number in self.after if number < cell]
        self.namespace.clear()
        self.namespace.update(_kept(self.after[max(above)]) if above else fresh_namespace())
        self.after.pop(cell, None)

    def leave(self, cell):
        self.after[cell] = _kept(self.namespace)


def _kept(names):
    """The names and their values; a random generator is copied, since drawing changes it."""
    return {
        name: copy.deepcopy(value) if isinstance(value, np.random.Generator) else value
        for name, value in names.items()
    }


session = Session(None)


def packages(task):
    """What has to be loaded before the cell can run."""
    return packages_for(task["code"])


def run(task, send):
    """Run the code of a cell, sending its output as (kind, content); return the outcome as JSON.

    The task has ``code``, ``cell`` (its place on the page), ``name`` ("cell 7", for tracebacks)
    and ``session``: another one starts with nothing. The outcome has ``state`` ("ran", "error" or
    "stopped") and, after an error, ``summary`` and ``memory``.
    """
    global session
    if task["session"] != session.name:
        session = Session(task["session"])
    cell, output = task["cell"], Output(send)

    def send_limited(kind, content):
        output.write(kind, content) if isinstance(content, str) else send(kind, content)

    session.enter(cell)
    try:
        with captured(output):
            value = execute(task["code"], task["name"], session.namespace)
        with captured(output):
            show(value, send_limited)
            show_open_plots(send_limited)
        session.leave(cell)
        outcome = {"state": "ran"}
    except BaseException as error:
        outcome = error_outcome(error, task["name"], output)
    output.close()
    return json.dumps(outcome, default=str)
