"""Run one exercise cell in a namespace of its own, and say what its check found."""

import contextlib
import functools
import json

from page_tasks.running import Output, captured, error_outcome, execute, fresh_namespace


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


def run(task, send):
    """Run the code of an exercise, sending its output as (kind, text); return the outcome as JSON.

    The task has ``code`` and ``exercise``. The outcome has ``state`` ("passed", "failed",
    "unanswered", "error" or "stopped") and, where they apply, ``verdict``, ``note``, ``summary``
    and ``memory``.
    """
    from attn import exercises

    exercise = task["exercise"]
    output, filename = Output(send), f"exercise {exercise}"
    with record_checks(exercises) as checks:
        try:
            with captured(output):
                value = execute(task["code"], filename, fresh_namespace())
                if value is not None and not any(value is verdict for _, verdict in checks):
                    print(repr(value))
            outcome = check_outcome(exercise, checks)
        except BaseException as error:
            outcome = error_outcome(error, filename, output)
    output.close()
    return json.dumps(outcome, default=str)
