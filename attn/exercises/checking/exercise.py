"""What an exercise is: its facts, the mistakes it knows, and the task its answers are held to."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from attn.exercises.checking.costs import Cost
from attn.exercises.checking.probe import Probe, Reader
from attn.exercises.checking.readers import numbers


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that people really give: `wrong` computes it, `says` tells what it does.

    `variants` holds other ways to make the same mistake, which give other results on some probe.
    `hint` is the cure, for a reader who asks for it.
    """

    id: str
    says: str
    wrong: Callable = field(repr=False)
    variants: tuple[Callable, ...] = field(default=(), repr=False)
    hint: str = ""

    @property
    def implementations(self) -> tuple[Callable, ...]:
        """Every recorded way to make it: the plain one and its variants."""
        return (self.wrong, *self.variants)


@dataclass(frozen=True)
class Task:
    """What a function must do: a reference, and the probes that tell it from the known mistakes.

    `tolerance` is (relative, absolute). `read` turns a result into an array. A task is `coarse` if
    one match says little, because results have few possible values or because different slips agree
    on the first probe: a mistake is then named only if it gives the answer on all probes.
    `row_names` are those of the result's rows. `steps` are local variables of the starter, with all
    the values that are right for them; `without` holds functions of ours that are not to be used;
    `costs` are limits for answers that are right.
    """

    name: str
    reference: Callable
    probes: tuple[Probe, ...]
    tolerance: tuple[float, float] = (1e-5, 1e-5)
    read: Reader = numbers
    coarse: bool = False
    row_names: tuple[str, ...] = ()
    steps: Mapping[str, tuple[Callable, ...]] = field(default_factory=dict)
    without: tuple[Callable, ...] = ()
    costs: tuple[Cost, ...] = ()


@dataclass(frozen=True)
class Exercise:
    """One exercise; its prose, starter and solution are in the chapter.

    `passed` says what a pass means, and what to compare the answer with.
    """

    id: str
    title: str
    chapter: int
    difficulty: int
    minutes: int
    hints: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    needs: tuple[str, ...] = ()
    section: str | None = None
    passed: str = ""
    task: Task = field(kw_only=True, repr=False)

    @classmethod
    def of(cls, module: str, **facts: Any) -> "Exercise":
        """The exercise of a module: its chapter and its id follow from the module's place.

        `attn.exercises.ch05.split_heads` is exercise 05-split-heads of chapter 5.
        """
        place = re.fullmatch(r".*\.ch(\d\d)\.([a-z0-9_]+)", module)
        if not place:
            raise ValueError(f"an exercise is a module of its chapter, chNN.its_name: {module}")
        exercise_id = f"{place[1]}-{place[2].replace('_', '-')}"
        return cls(exercise_id, chapter=int(place[1]), **facts)

    def __post_init__(self) -> None:
        if self.difficulty not in (1, 2, 3):
            raise ValueError(f"difficulty is 1, 2 or 3: {self.id} has {self.difficulty}")
        if not 2 <= len(self.hints) <= 3:
            raise ValueError(f"an exercise has 2 or 3 hints: {self.id} has {len(self.hints)}")
        names = [mistake.id for mistake in self.mistakes]
        if not names or len(set(names)) < len(names):
            raise ValueError(
                f"an exercise knows distinct mistakes, at least one: {self.id}, {names}"
            )
