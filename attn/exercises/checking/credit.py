"""Credit for half of an answer: which steps of the starter are right so far."""

from typing import Any

import numpy as np

from attn.exercises.checking.exercise import Task
from attn.exercises.checking.outcome import Outcome, same_outcome
from attn.exercises.checking.probe import Probe, run_probe, watch_call
from attn.exercises.checking.readers import numbers
from attn.exercises.checking.wording import join_words


def describe_progress(task: Task, answer: Any, probe: Probe, *, returns: bool) -> str:
    """Which of the task's steps are right, and what is missing; empty if none is right.

    A step that is neither is not called wrong: there may be other ways to the same result. If it
    has the right shape, it is the one to look at.
    """
    values = watch_call(answer, probe)[0] if task.steps else {}
    right = [name for name in task.steps if _is_right(task, name, values.get(name, ...), probe)]
    missing = [n for n in task.steps if n in values and (values[n] is ... or values[n] is None)]
    if not right:
        return ""
    words = f"Your {_with_verb(right)} right"
    if missing:
        return f"{words}; {_with_verb(missing)} still missing."
    if len(right) < len(task.steps):
        others = [n for n in task.steps if n not in right and n in values]
        unlike = [n for n in others if _has_its_shape(task, n, values[n], probe)]
        return f"{words}; look at your {join_words(unlike)} next." if unlike else f"{words}."
    return f"{words}; what is returned {'is not' if returns else 'is still missing'}."


def _with_verb(names: list[str]) -> str:
    """Q is; scores are; Q and K are."""
    one = len(names) == 1 and not names[0].endswith("s")
    return f"{join_words(names)} {'is' if one else 'are'}"


def _has_its_shape(task: Task, name: str, value: Any, probe: Probe) -> bool:
    wanted = run_probe(task.steps[name][0], probe, numbers).value
    return wanted is not None and isinstance(value, np.ndarray) and value.shape == wanted.shape


def _is_right(task: Task, name: str, value: Any, probe: Probe) -> bool:
    try:
        found = numbers(value)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return False
    return any(_same(found, run_probe(right, probe, numbers), task) for right in task.steps[name])


def _same(found: Outcome, wanted: Outcome, task: Task) -> bool:
    return found.kind == "returned" and same_outcome(found, wanted, task.tolerance)
