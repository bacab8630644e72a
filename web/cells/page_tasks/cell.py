"""Run a cell of a chapter, after those above it that have not run as they are now.

The page sends the code of all cells down to the one that a reader asked for; what ran is known here
alone. A cell starts from what the one above it left behind, whatever ran since: its output depends
on the page's text, never on the order in which a reader pressed *Run*.
"""

import json

from page_tasks.display import PLOTS, packages_for, show, show_open_plots
from page_tasks.running import Output, captured, error_outcome, execute, fresh_namespace
from page_tasks.snapshot import Snapshot, Snapshots

ROOM = 100_000_000  # bytes for all snapshots of a session
START = Snapshot(fresh_namespace())


class Session:
    """One namespace, and which cells ran in it, by their place from 0.

    All cells run in the same dictionary: a function of one finds the names that another binds.
    """

    def __init__(self, name):
        self.name, self.namespace = name, {}
        self.ran = {}  # the codes of a cell and of those above it, as they were when it ran
        self.after = Snapshots(ROOM, START)
        self.last = None  # the cell after which the names are as they stand

    def plan(self, codes):
        """Which cells have to run for the last one to run, in their order."""
        last = len(codes) - 1
        planned = {last} | {
            place for place in range(last) if self.ran.get(place) != codes[: place + 1]
        }
        for place in reversed(range(last)):
            stands = place == self.last and place < min(planned)
            if place + 1 in planned and not (stands or place in self.after):
                planned.add(place)
        return sorted(planned)

    def enter(self, place):
        if self.last != place - 1:
            self.namespace.clear()
            self.namespace.update(self.after.restore(place - 1))
        self.last = None
        self.ran.pop(place, None)
        self.after.drop(place)

    def leave(self, place, codes):
        self.after.take(place, self.namespace)
        self.ran[place] = codes[: place + 1]
        self.last = place


session = Session(None)


def planned(task):
    """The session of the task, the codes of its cells, and which of them have to run."""
    global session
    if task["session"] != session.name:
        session = Session(task["session"])
    codes = [cell["code"] for cell in task["cells"]]
    return session, codes, session.plan(codes)


def packages(task):
    """What has to be loaded before these cells can run."""
    _, codes, places = planned(task)
    needed = {package for place in places for package in packages_for(codes[place])}
    return [package for package in PLOTS if package in needed]


def run(task, send):
    """Run the last of the ``cells``, sending what happens as (kind, content); return the outcome.

    A cell has ``code`` and ``name`` ("cell 7", for tracebacks); another ``session`` starts with
    nothing. Sent is of each cell that runs "begin" with its place, then its output. The outcome, as
    JSON, is that of the cell that began last; those before it ran. It has ``state`` ("ran", "error"
    or "stopped") and, after an error, ``summary`` and ``memory``.
    """
    session, codes, places = planned(task)
    outcome = {"state": "stopped"}
    try:
        for place in places:
            send("begin", place)
            outcome = run_one(session, place, codes, task["cells"][place]["name"], send)
            if outcome["state"] != "ran":
                break
    except KeyboardInterrupt:
        outcome = {"state": "stopped"}
    return json.dumps(outcome, default=str)


def run_one(session, place, codes, name, send):
    output = Output(send)

    def send_limited(kind, content):
        output.write(kind, content) if isinstance(content, str) else send(kind, content)

    try:
        session.enter(place)
        with captured(output):
            value = execute(codes[place], name, session.namespace)
        with captured(output):
            show(value, send_limited)
            show_open_plots(send_limited)
        session.leave(place, codes)
        outcome = {"state": "ran"}
    except BaseException as error:
        outcome = error_outcome(error, name, output)
    output.close()
    return outcome
