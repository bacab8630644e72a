"""Grade an answer: probes from the most basic up, then the mistake that explains a failure.

A mistake is named only if it does what the answer does on every probe. One that agrees on some is a
guess, and a reader who is told of a mistake that is not theirs looks for it in vain.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from attn.exercises.checking.exercise import Exercise, Mistake, Task
from attn.exercises.checking.outcome import Outcome, same_kind, same_outcome
from attn.exercises.checking.probe import Probe, Reader, run_probe, signature_mismatch
from attn.exercises.checking.verdict import Verdict
from attn.exercises.checking.wording import describe_call, describe_difference, describe_inputs

CHANGES_ITS_INPUT = "changes-its-input"


def grade(exercise: Exercise, answer: Any) -> Verdict:
    """Probe an answer until it fails or all probes agree."""
    verdict = _verdict_before_calling(exercise.task, answer)
    if verdict is None:
        verdict = _run_probes(exercise, answer)
    return replace(verdict, title=exercise.title)


def _verdict_before_calling(task: Task, answer: Any) -> Verdict | None:
    if answer is None or answer is ...:
        return Verdict(None, f"Write {task.name}, then run this cell again.")
    if not callable(answer):
        return Verdict(
            False,
            f"check was given a result, not a function. Pass the function itself, {task.name}, "
            f"without calling it.",
        )
    reason = signature_mismatch(answer, task.probes[0])
    if reason is not None:
        return Verdict(
            False,
            f"Your function cannot be called as {describe_call(task.name, task.probes[0])}: "
            f"{reason}. Keep the parameters of the starter, in their order.",
        )
    return None


def _run_probes(exercise: Exercise, answer: Callable) -> Verdict:
    task, changed_input = exercise.task, None
    for probe in task.probes:
        outcome = run_probe(answer, probe, task.read)
        if outcome.kind == "unanswered":
            return _unanswered_verdict(task, probe)
        if not same_outcome(outcome, _expected_outcome(task, probe), task.tolerance):
            return _failure_verdict(exercise, answer, probe, outcome)
        changed_input = changed_input or outcome.changed_input
    if changed_input is not None:
        return _changed_input_verdict(exercise, changed_input)
    return Verdict(
        True,
        f"{task.name} gives the expected result on all {len(task.probes)} inputs, "
        f"from {task.probes[0].label} to {task.probes[-1].label}.",
    )


def _expected_outcome(task: Task, probe: Probe) -> Outcome:
    return _own_outcome(task.reference, probe, task.read)


@cache
def _own_outcome(function: Callable, probe: Probe, read: Reader) -> Outcome:
    """What a function of ours does on a probe: always the same, so computed once."""
    return run_probe(function, probe, read)


def _unanswered_verdict(task: Task, probe: Probe) -> Verdict:
    if probe is task.probes[0]:
        return Verdict(None, f"{task.name} returns nothing yet. Replace the ... and run again.")
    return Verdict(
        None,
        f"{task.name} returns nothing for {probe.label}: {describe_inputs(probe)}. "
        f"Make every path through the function end in a return.",
    )


def _failure_verdict(
    exercise: Exercise, answer: Callable, probe: Probe, outcome: Outcome
) -> Verdict:
    task, expected = exercise.task, _expected_outcome(exercise.task, probe)
    mistake = _diagnose(exercise, answer, probe, outcome)
    difference, table = describe_difference(outcome, expected)
    if mistake is not None:
        message = f"{mistake.says} Seen on {probe.label}: {describe_inputs(probe)}."
        return Verdict(False, message, mistake.id, table=table)
    next_step = _unwrap_advice(task, outcome, expected) or _next_step(probe, outcome)
    inputs = describe_inputs(probe)
    message = f"On {probe.label}, {inputs}, {task.name} {difference}. {next_step}"
    if outcome.changed_input:
        message += f" It also changes its input {outcome.changed_input}: work on a new array."
    name = CHANGES_ITS_INPUT if outcome.changed_input else None
    return Verdict(False, message, name, table=table)


def _unwrap_advice(task: Task, outcome: Outcome, expected: Outcome) -> str | None:
    """What to say of a right number that is wrapped in an array."""
    value = outcome.value
    if value is None or value.shape == () or value.size != 1:
        return None
    if not same_outcome(replace(outcome, value=value.reshape(())), expected, task.tolerance):
        return None
    return "The value is right; return one number, not an array of one."


def _next_step(probe: Probe, outcome: Outcome) -> str:
    """One next step; an exception that is not about shapes or values is for the reader to see."""
    if outcome.kind == "raised" and not outcome.problem.startswith("ValueError"):
        return "Call it on this input, on a line before the check, and read the traceback."
    return probe.advice


def _changed_input_verdict(exercise: Exercise, name: str) -> Verdict:
    generic = (
        f"The result is right, but your function changes its input {name}, and whoever called it "
        f"still needs it. Make a new array instead of writing into this one."
    )
    own = [m.says for m in exercise.mistakes if m.id == CHANGES_ITS_INPUT]
    return Verdict(False, own[0] if own else generic, CHANGES_ITS_INPUT)


def _diagnose(
    exercise: Exercise, answer: Callable, failed: Probe, outcome: Outcome
) -> Mistake | None:
    """The known mistake with an implementation that does what the answer does on every probe."""
    task = exercise.task
    candidates = [
        (mistake, wrong)
        for mistake in exercise.mistakes
        for wrong in mistake.implementations
        if same_outcome(outcome, _own_outcome(wrong, failed, task.read), task.tolerance)
    ]
    for probe in task.probes:
        if candidates and probe is not failed:
            outcome = run_probe(answer, probe, task.read)
            candidates = [
                (mistake, wrong)
                for mistake, wrong in candidates
                if same_kind(outcome, _own_outcome(wrong, probe, task.read), task.tolerance)
            ]
    return candidates[0][0] if candidates else None
