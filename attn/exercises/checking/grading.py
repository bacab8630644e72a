"""Judge an answer: probes from the most basic up, then the mistake that explains a failure.

A mistake is named only if it does what the answer does on every probe. One that agrees on some is a
guess, and a reader who is told of a mistake that is not theirs looks for it in vain.
"""

from dataclasses import replace
from functools import cache

from attn.exercises.checking.probe import alike, ask, misfit, same
from attn.exercises.checking.verdict import Verdict
from attn.exercises.checking.wording import call_of, difference, inputs_of

CHANGES_ITS_INPUT = "changes-its-input"


def grade(exercise, answer) -> Verdict:
    """Probe an answer until it fails or all probes agree."""
    task = exercise.task
    verdict = _before_calling(task, answer)
    if verdict is None:
        verdict = _probe_all(exercise, answer)
    return replace(verdict, title=exercise.title)


def _before_calling(task, answer):
    call = call_of(task.name, task.probes[0])
    if answer is None or answer is ...:
        return Verdict(None, f"Write {task.name}, then run this cell again.")
    if not callable(answer):
        return Verdict(
            False,
            f"check was given a result, not a function. Pass the function itself, {task.name}, "
            f"without calling it.",
        )
    reason = misfit(answer, task.probes[0])
    if reason is not None:
        return Verdict(
            False,
            f"Your function cannot be called as {call}: {reason}. "
            f"Keep the parameters of the starter, in their order.",
        )
    return None


def _probe_all(exercise, answer):
    task, changed = exercise.task, None
    for probe in task.probes:
        outcome = ask(answer, probe, task.read)
        if outcome.kind == "unanswered":
            return _unanswered(task, probe)
        if not same(outcome, _expected(task, probe), task.tolerance):
            return _failure(exercise, answer, probe, outcome)
        changed = changed or outcome.changed
    if changed is not None:
        return _changed(exercise, changed)
    return Verdict(
        True,
        f"{task.name} gives the expected result on all {len(task.probes)} inputs, "
        f"from {task.probes[0].label} to {task.probes[-1].label}.",
    )


def _expected(task, probe):
    return _known(task.reference, probe, task.read)


@cache
def _known(function, probe, read):
    """What a function of ours does on a probe: always the same, so computed once."""
    return ask(function, probe, read)


def _unanswered(task, probe):
    if probe is task.probes[0]:
        return Verdict(None, f"{task.name} returns nothing yet. Replace the ... and run again.")
    return Verdict(
        None,
        f"{task.name} returns nothing for {probe.label}: {inputs_of(probe)}. "
        f"Make every path through the function end in a return.",
    )


def _failure(exercise, answer, probe, outcome):
    task, expected = exercise.task, _expected(exercise.task, probe)
    mistake = _mistake_behind(exercise, answer, probe, outcome)
    what, table = difference(outcome, expected)
    if mistake is not None:
        message = f"{mistake.says} Seen on {probe.label}: {inputs_of(probe)}."
        return Verdict(False, message, mistake.id, table=table)
    advice = _reshape(task, outcome, expected) or _advice(probe, outcome)
    message = f"On {probe.label}, {inputs_of(probe)}, {task.name} {what}. {advice}"
    if outcome.changed:
        message += f" It also changes its input {outcome.changed}: work on a new array."
    name = CHANGES_ITS_INPUT if outcome.changed else None
    return Verdict(False, message, name, table=table)


def _reshape(task, outcome, expected):
    """What to say of a right number that is wrapped in an array."""
    if outcome.kind != "returned" or expected.value.shape != () or outcome.value.size != 1:
        return None
    bare = replace(outcome, value=outcome.value.reshape(()))
    right = outcome.value.shape != () and same(bare, expected, task.tolerance)
    return "The value is right; return one number, not an array of one." if right else None


def _advice(probe, outcome):
    """One next step; an exception that is not about shapes or values is for the reader to see."""
    if outcome.kind == "raised" and not outcome.problem.startswith("ValueError"):
        return "Call it on this input, on a line before the check, and read the traceback."
    return probe.advice


def _changed(exercise, name):
    generic = (
        f"The result is right, but your function changes its input {name}, and whoever called it "
        f"still needs it. Make a new array instead of writing into this one."
    )
    own = [m.says for m in exercise.mistakes if m.id == CHANGES_ITS_INPUT]
    return Verdict(False, own[0] if own else generic, CHANGES_ITS_INPUT)


def _mistake_behind(exercise, answer, failed, outcome):
    """The known mistake, in one of its ways, that does what the answer does on every probe."""
    task = exercise.task
    ways = [(mistake, way) for mistake in exercise.mistakes for way in mistake.implementations]
    ways = [w for w in ways if same(outcome, _known(w[1], failed, task.read), task.tolerance)]
    for probe in task.probes:
        if ways and probe is not failed:
            done = ask(answer, probe, task.read)
            ways = [w for w in ways if alike(done, _known(w[1], probe, task.read), task.tolerance)]
    return ways[0][0] if ways else None
