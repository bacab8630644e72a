"""Grade an answer: probes from the most basic up, then the mistake that explains a failure.

A mistake is named if it does what the answer does on every probe up to the first that failed, and
no other known mistake does. Where several do, the rest of the probes decide between them: a reader
who is told of a mistake that is not theirs looks for it in vain.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from attn.exercises.checking.credit import describe_progress
from attn.exercises.checking.exercise import Exercise, Mistake, Task
from attn.exercises.checking.outcome import Outcome, same_kind, same_outcome
from attn.exercises.checking.probe import (
    Probe,
    Reader,
    run_probe,
    signature_mismatch,
    watch_call,
)
from attn.exercises.checking.verdict import Verdict
from attn.exercises.checking.wording import describe_call, describe_difference, describe_inputs

CHANGES_ITS_INPUT = "changes-its-input"
USES_OURS = "uses-ours"


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
    task, outcomes = exercise.task, []
    for probe in task.probes:
        outcome = run_probe(answer, probe, task.read)
        outcomes.append(outcome)
        if outcome.kind == "unanswered":
            return _unanswered_verdict(task, answer, probe)
        if not same_outcome(outcome, _expected_outcome(task, probe), task.tolerance):
            return _failure_verdict(exercise, answer, outcomes)
    changed_input = next((o.changed_input for o in outcomes if o.changed_input), None)
    if changed_input is not None:
        return _changed_input_verdict(exercise, changed_input)
    if task.without:
        ours = _ours_within(task, answer)
        if ours is not None:
            return ours
    for cost in task.costs:
        if cost.is_exceeded_by(answer):
            return Verdict(False, f"The result is right, but {cost.says}", cost.id, hint=cost.hint)
    first, last = task.probes[0].label, task.probes[-1].label
    tried = f"{task.name} is right on all {len(outcomes)} inputs, from {first} to {last}."
    return Verdict(True, f"{exercise.passed}\n\n{tried}".strip())


def _ours_within(task: Task, answer: Callable) -> Verdict | None:
    """What to say of an answer that leaves the work to the function it is to be."""
    ran = watch_call(answer, task.probes[0])[1]
    used = [f.__name__ for f in task.without if f.__code__ in ran]
    if not used:
        return None
    return Verdict(
        False,
        f"The result is right, and attn.{used[0]} does all the work. The task is to write "
        f"{task.name} without attn.",
        USES_OURS,
        hint="Use NumPy alone: the hints below the editor say where to start.",
    )


def _expected_outcome(task: Task, probe: Probe) -> Outcome:
    return _own_outcome(task.reference, probe, task.read)


@cache
def _own_outcome(function: Callable, probe: Probe, read: Reader) -> Outcome:
    """What a function of ours does on a probe: always the same, so computed once."""
    return run_probe(function, probe, read)


def _unanswered_verdict(task: Task, answer: Callable, probe: Probe) -> Verdict:
    if probe is task.probes[0]:
        progress = describe_progress(task, answer, probe, returns=False)
        return Verdict(None, progress or f"{task.name} returns nothing yet.")
    return Verdict(
        None,
        f"{task.name} returns nothing for {probe.label}: {describe_inputs(probe)}.",
        hint="Make every path through the function end in a return.",
    )


def _failure_verdict(exercise: Exercise, answer: Callable, outcomes: list[Outcome]) -> Verdict:
    task, outcome, probe = exercise.task, outcomes[-1], exercise.task.probes[len(outcomes) - 1]
    expected, inputs = _expected_outcome(task, probe), describe_inputs(probe)
    difference, table = describe_difference(outcome, expected, task.row_names)
    mistake = _diagnose(exercise, answer, outcomes)
    if mistake is not None:
        seen = f"Seen on {probe.label}: {inputs}."
        seen += "" if table else f" There {task.name} {difference}."
        return Verdict(False, f"{mistake.says} {seen}", mistake.id, table=table, hint=mistake.hint)
    message = f"On {probe.label}, {inputs}, {task.name} {difference}"
    message += "" if message.endswith("?") else "."
    credit = _unwrap_advice(task, outcome, expected)
    credit = credit or describe_progress(task, answer, probe, returns=True)
    message += f" {credit}" if credit else ""
    if outcome.changed_input:
        message += f" It also changes its input {outcome.changed_input}."
    name = CHANGES_ITS_INPUT if outcome.changed_input else None
    return Verdict(False, message, name, table=table, hint=_next_step(probe, outcome))


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
    if outcome.changed_input:
        return f"Work on a new array and leave {outcome.changed_input} as it is. {probe.advice}"
    if outcome.problem.startswith(("NameError", "AttributeError")) and outcome.explanation:
        return ""
    if outcome.kind == "raised" and not outcome.problem.startswith("ValueError"):
        return "Call it on this input, on a line before the check, and read the traceback."
    return probe.advice


def _changed_input_verdict(exercise: Exercise, name: str) -> Verdict:
    for mistake in exercise.mistakes:
        if mistake.id == CHANGES_ITS_INPUT:
            return Verdict(False, mistake.says, mistake.id, hint=mistake.hint)
    return Verdict(
        False,
        f"The result is right, but your function changes its input {name}, and whoever called it "
        f"still needs it.",
        CHANGES_ITS_INPUT,
        hint="Make a new array instead of writing into this one.",
    )


def _diagnose(exercise: Exercise, answer: Callable, outcomes: list[Outcome]) -> Mistake | None:
    """The known mistake that explains the answer up to its first failure, if only one does."""
    task = exercise.task
    explaining = [
        (mistake, wrong)
        for mistake in exercise.mistakes
        for wrong in mistake.implementations
        if _explains(wrong, task, outcomes, len(outcomes) - 1)
    ]
    says_little = task.coarse or _is_blank(outcomes[-1])
    if says_little or len({mistake.id for mistake, _ in explaining}) > 1:
        outcomes, failed = list(outcomes), len(outcomes) - 1
        for probe in task.probes[len(outcomes) :] if explaining else ():
            outcomes.append(run_probe(answer, probe, task.read))
            explaining = [
                (mistake, wrong)
                for mistake, wrong in explaining
                if _explains(wrong, task, outcomes, failed)
            ]
    return explaining[0][0] if explaining else None


def _is_blank(outcome: Outcome) -> bool:
    """Whether there is no number to compare: an exception, a refusal, or nan alone."""
    value = outcome.value
    return value is None or (value.size < 1000 and bool((value != value).all()))


def _explains(wrong: Callable, task: Task, outcomes: list[Outcome], failed: int) -> bool:
    """Whether a mistake gives these outcomes; on the failed probe also the exception's text."""
    return all(
        (same_outcome if index == failed else same_kind)(
            outcome, _own_outcome(wrong, task.probes[index], task.read), task.tolerance
        )
        for index, outcome in enumerate(outcomes)
    )
