"""Questions answered without code, as an author writes them.

    ````{admonition} Predict before you move
    :class: question
    :name: q-01-beta-zero

    One paragraph that asks.

    - a: an option
    - b: the right one

    ```{dropdown} Answer
    - a: ✗ What to say to a reader who picks it.
    - b: ✓ Why it is right.
    ```
    ````

Any Jupyter that knows MyST shows this as a box with a folded answer; the book makes it a form.
Without a list of options the reader types a number, in digits or as a small formula: the answers
are then `- 20 ± 0.5: ✓ ...`, `- 14: ✗ ...` and, for any other number, `- else: ✗ ...`.
"""

import math
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """An answer a reader may give, and the feedback to it; a number has no text of its own."""

    key: str
    text: str
    feedback: str


@dataclass(frozen=True)
class Question:
    """A question with one right answer: an option's key, or a number within the tolerance."""

    id: str
    title: str
    prompt: str
    answer: str
    options: tuple[Option, ...]
    tolerance: float | None = None

    @property
    def kind(self) -> str:
        return "choice" if self.tolerance is None else "number"


def is_question(options: dict) -> bool:
    """Whether an admonition with these options is a question."""
    classes = options.get("class", "")
    return "question" in (classes.split() if isinstance(classes, str) else classes)


def read_question(title: str, options: dict, body: str) -> Question:
    """Read a question's admonition; a ValueError states the rule that it breaks."""
    name = str(options.get("name", ""))
    if not re.fullmatch(r"q-\d\d-[a-z0-9]+(-[a-z0-9]+)*", name):
        raise ValueError(f":name: is q-, the chapter, a dash and a name: {name!r} found")
    parts = re.fullmatch(r"(.*?)\n```\{dropdown\}[^\n]*\n(.*?)\n```", body.strip(), re.DOTALL)
    if not parts:
        raise ValueError(f"a question ends with ```{{dropdown}} Answer: {name} does not")
    prompt, choices = _items(parts[1])
    before, answers = _items(parts[2])
    if not prompt or "\n\n" in prompt or before:
        raise ValueError(f"a question asks in one paragraph before its options: {name}")
    right = [(key, text[1:].strip()) for key, text in answers if text.startswith("✓")]
    wrong = [(key, text[1:].strip()) for key, text in answers if text.startswith("✗")]
    if len(right) != 1 or len(right) + len(wrong) < len(answers):
        raise ValueError(f"each answer starts with ✓ or ✗, and one with ✓: {name}")
    if choices:
        answer, given, tolerance = right[0][0], _choices(name, choices, right + wrong), None
    else:
        answer, given, tolerance = _numbers(name, right[0], wrong)
    return Question(name[2:], title.strip(), prompt, answer, given, tolerance)


def is_right(asked: Question, option: Option) -> bool:
    """Whether an option is the answer."""
    return option.key == asked.answer


def _items(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The paragraph before a list, and the (key, text) items of the list."""
    first, *rest = re.split(r"^- ", text.strip(), flags=re.MULTILINE)
    items = []
    for line in rest:
        item = re.fullmatch(r"([^:]+?):\s+(.+)", " ".join(line.split()))
        if not item:
            raise ValueError(f"a question's list has items `- key: text`: {line.strip()!r} found")
        items.append((item[1], item[2]))
    return first.strip(), items


def _choices(
    name: str, choices: list[tuple[str, str]], answers: list[tuple[str, str]]
) -> tuple[Option, ...]:
    keys, feedback = [key for key, _ in choices], dict(answers)
    if len(keys) < 2 or not all(re.fullmatch(r"[a-z]", key) for key in keys):
        raise ValueError(f"options are `- a: text`, `- b: text` and so on: {name} has {keys}")
    if sorted(keys) != sorted(key for key, _ in answers):
        raise ValueError(f"each option has one answer: {name} has {keys} and {sorted(feedback)}")
    return tuple(Option(key, text, feedback[key]) for key, text in choices)


def _numbers(
    name: str, right: tuple[str, str], wrong: list[tuple[str, str]]
) -> tuple[str, tuple[Option, ...], float]:
    answer, _, slack = (part.strip() for part in right[0].partition("±"))
    value, tolerance = _number(answer), _number(slack or "0")
    known = [_number(key) for key, _ in wrong if key != "else"]
    if value is None or tolerance is None or tolerance < 0 or None in known:
        keys = [right[0], *(key for key, _ in wrong)]
        raise ValueError(f"answers are `- 20 ± 0.5: ✓`, `- 14: ✗`, `- else: ✗`: {name} has {keys}")
    if [key for key, _ in wrong].count("else") != 1:
        raise ValueError(f"a number question says what to tell any other number: {name}, else")
    if any(abs(other - value) <= tolerance for other in known if other is not None):
        raise ValueError(f"a wrong number lies within the tolerance of the right one: {name}")
    return answer, tuple(Option(k, "", t) for k, t in [(answer, right[1]), *wrong]), tolerance


def _number(text: str) -> float | None:
    """A plain decimal number, which the page's script reads just as Python does."""
    if not re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None
