"""What a right answer must not spend: some tasks ask for a result that is got in a certain way."""

from collections.abc import Callable
from dataclasses import dataclass, field

from attn.exercises.checking.outcome import without_warnings
from attn.exercises.checking.probe import Probe, copy_arguments


@dataclass(frozen=True)
class Cost:
    """A limit for answers with the right results: `measure` of an answer is at most `most`.

    `says` goes on after "The result is right, but"; `hint` is the cure.
    """

    id: str
    says: str
    measure: Callable[[Callable], float] = field(repr=False)
    most: float
    hint: str

    def is_exceeded_by(self, answer: Callable) -> bool:
        """Whether the answer spends too much; what cannot be measured does not count."""
        try:
            with without_warnings():
                return self.measure(answer) > self.most
        except KeyboardInterrupt:
            raise
        except BaseException:
            return False


def peak_bytes(answer: Callable, probe: Probe) -> int:
    """The most memory that a call of the answer holds at a time, its inputs not counted."""
    import tracemalloc  # only few exercises measure, and each page loads what it imports

    positional, by_name = probe.split(copy_arguments(probe))
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        answer(*positional, **by_name)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not was_tracing:
            tracemalloc.stop()
