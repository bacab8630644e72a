"""How an answer is checked: what an exercise is, and how one answer to it is judged."""

from attn.exercises.checking.costs import Cost, peak_bytes
from attn.exercises.checking.exercise import Exercise, Mistake, Task
from attn.exercises.checking.grading import CHANGES_ITS_INPUT, grade
from attn.exercises.checking.outcome import Outcome
from attn.exercises.checking.probe import Probe, watch_call
from attn.exercises.checking.readers import numbers, truth
from attn.exercises.checking.verdict import Verdict

__all__ = [
    "CHANGES_ITS_INPUT",
    "Cost",
    "Exercise",
    "Mistake",
    "Outcome",
    "Probe",
    "Task",
    "Verdict",
    "grade",
    "numbers",
    "peak_bytes",
    "truth",
    "watch_call",
]
