"""How many steps must be taken one after another."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, count, edges):
    needs = np.zeros((count, count), dtype=bool)
    for later, earlier in edges:
        needs[later, earlier] = True
    return Probe.of(label, needs=needs)


def _grid(layers, n):
    """A layer at time t waits for itself at t - 1, and for the layer below at t."""
    at = [(t, layer) for layer in range(layers) for t in range(n)]
    place = {cell: i for i, cell in enumerate(at)}
    pairs = [((t, up), before) for t, up in at for before in ((t - 1, up), (t, up - 1))]
    return [(place[cell], place[before]) for cell, before in pairs if before in place]


def _stack(layers, n):
    """Each output of a layer of attention waits for all outputs of the layer below."""
    return [
        (up * n + i, (up - 1) * n + j)
        for up in range(1, layers)
        for i in range(n)
        for j in range(n)
    ]


PROBES = (
    _probe(
        "a recurrence over five tokens", count=5, edges=[(t, t - 1) for t in range(1, 5)]
    ).advise("Each state waits for the one before it: five steps, one after another."),
    _probe("one layer of attention over six tokens", count=6, edges=[]).advise(
        "Nothing waits for anything: all six are done in the first step."
    ),
    _probe("three layers of attention over four tokens", count=12, edges=_stack(3, 4)).advise(
        "All outputs of a layer are done in one step; then the next layer can start."
    ),
    _probe("two recurrent layers over five tokens", count=10, edges=_grid(2, 5)).advise(
        "The second layer need not wait for the end of the first: it follows one step behind."
    ),
    _probe(
        "seven operations, some of which wait for several others",
        count=7,
        edges=[(2, 0), (3, 0), (3, 1), (4, 2), (5, 1), (6, 4), (6, 5)],
    ).advise("Operation i is done one step after the last of those that it waits for."),
    _probe(
        "eight operations, one of which waits for four",
        count=8,
        edges=[(1, 0), (2, 1), (4, 0), (5, 1), (5, 2), (5, 3), (5, 4), (6, 5), (7, 6)],
    ).advise(
        "Of the four that operation 5 waits for, the latest counts: which step is it done in?"
    ),
    _probe(
        "six operations, the last of which waits for nothing",
        count=6,
        edges=[(1, 0), (2, 1), (3, 1), (4, 3)],
    ).advise("The answer is the latest step of all, not that of the last operation."),
)


def _finishing_steps(needs):
    steps = np.zeros(len(needs), dtype=int)
    for i, row in enumerate(needs):
        steps[i] = 1 + max(steps[row], default=0)
    return steps


def _steps(needs):
    return _finishing_steps(needs).max()


def _longest_neighbour_chain(needs):
    """Only the neighbour before counts."""
    run = best = 1
    for i in range(1, len(needs)):
        run = run + 1 if needs[i, i - 1] else 1
        best = max(best, run)
    return best


def _steps_waiting_for_one(needs, which):
    """Each operation waits for one of those it needs: the first or the last of its row."""
    steps = np.zeros(len(needs), dtype=int)
    for i, row in enumerate(needs):
        waits = np.flatnonzero(row)
        steps[i] = 1 + (steps[waits[which]] if len(waits) else 0)
    return steps.max()


def _steps_after_the_earliest(needs):
    steps = np.zeros(len(needs), dtype=int)
    for i, row in enumerate(needs):
        steps[i] = 1 + min(steps[row], default=0)
    return steps.max()


MISTAKES = (
    Mistake(
        "waits-for-the-earliest",
        "You wait for the earliest of those an operation needs, not for the latest.",
        _steps_after_the_earliest,
        hint="It can start when all of them are done: take the maximum of their steps.",
    ),
    Mistake(
        "waits-for-one-only",
        "Each of your operations waits for only one of those it needs, the first or the last in "
        "its row.",
        lambda needs: _steps_waiting_for_one(needs, 0),
        variants=(lambda needs: _steps_waiting_for_one(needs, -1),),
        hint="It must wait for all of them: take the latest of their steps.",
    ),
    Mistake(
        "counts-every-operation",
        "You count all the operations, as if they came one after another.",
        lambda needs: len(needs),
        hint="Operations that do not wait for each other share a step.",
    ),
    Mistake(
        "counts-the-arrows",
        "You count how many times one operation waits for another; that is work, not time.",
        lambda needs: needs.sum(),
        hint="Follow the longest chain.",
    ),
    Mistake(
        "counts-arrows-of-the-longest-chain",
        "You count the waits along the longest chain, one fewer than its operations.",
        lambda needs: _steps(needs) - 1,
        hint="A chain of five operations has four waits and takes five steps.",
    ),
    Mistake(
        "counts-what-one-waits-for",
        "You count how many others one operation waits for, but they may all be done in the same "
        "step.",
        lambda needs: 1 + needs.sum(axis=1).max(),
        variants=(lambda needs: needs.sum(axis=1).max(),),
        hint="What counts is when the last of them is done.",
    ),
    Mistake(
        "reads-the-last-operation",
        "You return the step in which the last operation is done, but another may be done later.",
        lambda needs: _finishing_steps(needs)[-1],
        hint="Take the maximum.",
    ),
    Mistake(
        "looks-at-the-neighbour-only",
        "You look only at the operation just before each one, but it may wait for one far back.",
        _longest_neighbour_chain,
        hint="Look at every j with needs[i, j].",
    ),
    Mistake(
        "counts-those-that-wait",
        "You count the operations that wait for something, but many of them can be done together.",
        lambda needs: needs.any(axis=1).sum(),
        variants=(lambda needs: 1 + needs.any(axis=1).sum(),),
        hint="Follow the longest chain.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Count the sequential steps",
    difficulty=2,
    minutes=10,
    hints=(
        "Write down, for each operation, the step in which it is done. One that waits for nothing "
        "is done in step 1.",
        "Operation i is done one step after the latest of those it waits for: done[needs[i]] holds"
        " their steps. Earlier operations have smaller numbers, so one pass is enough.",
        "max(done[row], default=0) is 0 where a row has no True.",
    ),
    mistakes=MISTAKES,
    section="sec-09-parallel",
    passed=(
        "The longest chain of waits is the number of sequential operations, however much hardware "
        "there is. Two recurrent layers over n words take n + 1 steps, not 2n; attention takes one "
        "per layer."
    ),
    task=Task("steps_in_turn", _steps, PROBES, coarse=True),
)
