"""Every exercise knows its mistakes, and every mistake gets its own message."""

import re

import numpy as np
import pytest

import attn
from attn.exercises import Exercise, Mistake, Verdict, catalog, check
from attn.exercises.catalog import find

EXERCISES = list(catalog())
MISTAKES = [(e.id, m) for e in EXERCISES for m in e.mistakes]


def _id_of(value):
    return getattr(value, "id", value)


@pytest.mark.parametrize(("exercise_id", "mistake"), MISTAKES, ids=_id_of)
def test_each_mistake_gets_its_own_name_and_what_to_try_each_time(exercise_id, mistake):
    assert len(mistake.says.split()) >= 7, "7 words at least: what the answer did"
    assert mistake.says.endswith(".")
    assert mistake.hint.endswith((".", "?", "...")), "the cure has its own place"
    for wrong in mistake.implementations:
        verdict = check(exercise_id, wrong)
        assert isinstance(verdict, Verdict)
        assert verdict.passed is False
        assert verdict.mistake == mistake.id
        assert verdict.message.startswith(mistake.says)
        assert verdict.hint == mistake.hint
        assert mistake.hint not in verdict.message
        assert check(exercise_id, wrong) == verdict


@pytest.mark.parametrize("exercise", EXERCISES, ids=_id_of)
def test_the_reference_passes(exercise):
    verdict = check(exercise.id, exercise.task.reference)
    assert verdict.passed is True
    assert verdict.mistake is None
    assert verdict.title == exercise.title
    assert verdict.message.startswith(exercise.passed)


@pytest.mark.parametrize("exercise", EXERCISES, ids=_id_of)
def test_a_pass_says_what_it_means_and_names_functions_that_exist(exercise):
    assert len(exercise.passed.split()) >= 15, "passed: 15 words at least on what a pass means"
    assert exercise.passed.endswith(".")
    for name in re.findall(r"\battn\.(\w+)", exercise.passed):
        assert hasattr(attn, name), name


def test_the_library_passes_its_own_exercises():
    assert check("01-softmax", attn.softmax).passed is True
    assert check("01-soft-lookup", attn.soft_lookup).passed is True


@pytest.mark.parametrize("exercise", EXERCISES, ids=_id_of)
def test_nothing_written_is_not_judged(exercise):
    for nothing in (None, ..., lambda *a, **k: None, lambda *a, **k: ...):
        assert check(exercise.id, nothing).passed is None


def test_an_answer_that_forgets_a_return_on_one_path_is_told_where():
    verdict = check("01-softmax", lambda x: attn.softmax(x) if x.ndim == 1 else None)
    assert verdict.passed is None
    assert "two rows of scores" in verdict.message


def test_float32_answers_pass():
    def softmax(x):
        e = np.exp((x - x.max(-1, keepdims=True)).astype(np.float32))
        return e / e.sum(-1, keepdims=True)

    assert check("01-softmax", softmax).passed is True


def test_an_answer_by_plain_loops_and_lists_passes():
    def general_score(query, keys, W):
        pairs = [(a, b) for a in range(len(query)) for b in range(len(keys[0]))]
        return [sum(query[a] * W[a, b] * key[b] for a, b in pairs) for key in keys]

    assert check("01-general-score", general_score).passed is True


def test_an_overflow_is_named_even_when_written_with_e_to_the_power():
    verdict = check("01-softmax", lambda x: np.e**x / (np.e**x).sum(-1, keepdims=True))
    assert verdict.mistake == "overflows"


def test_dropping_the_axis_in_max_is_named_as_in_sum():
    verdict = check("01-softmax", lambda x: np.exp(x - x.max(-1)) / np.exp(x - x.max(-1)).sum(-1))
    assert verdict.mistake == "loses-the-row-axis"


def test_an_unknown_id_lists_the_ids_near_it():
    with pytest.raises(KeyError, match="'01-sofmax'; near ids: 01-softmax"):
        check("01-sofmax", None)
    with pytest.raises(KeyError, match="ids: " + ", ".join(e.id for e in catalog())):
        check("zzzzzzzz", None)
    with pytest.raises(KeyError, match="no exercise has the id 5"):
        check(5, None)


@pytest.mark.parametrize("exercise", EXERCISES, ids=_id_of)
def test_hints_are_gradual_and_a_section_explains(exercise):
    assert 2 <= len(exercise.hints) <= 3
    label = f"sec-{exercise.chapter:02d}-"
    assert (exercise.section or "").startswith(label), f"its section is a label, {label}…"
    assert all(hint.endswith(".") for hint in exercise.hints)


def _exercise(**changes):
    model = find("01-softmax")
    fields = {
        "id": "01-x",
        "title": "X",
        "chapter": 1,
        "difficulty": 1,
        "minutes": 5,
        "hints": ("One.", "Two."),
        "mistakes": (Mistake("a", "says", abs),),
        "task": model.task,
    }
    return Exercise(**(fields | changes))


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"difficulty": 4}, "difficulty is 1, 2 or 3: 01-x has 4"),
        ({"hints": ("One.",)}, "2 or 3 hints: 01-x has 1"),
        ({"mistakes": ()}, "distinct mistakes, at least one"),
        ({"mistakes": (Mistake("a", "", abs), Mistake("a", "", abs))}, r"\['a', 'a'\]"),
    ],
)
def test_an_exercise_that_breaks_a_rule_is_refused(changes, rule):
    with pytest.raises(ValueError, match=rule):
        _exercise(**changes)


def test_needs_and_section_are_optional():
    exercise = _exercise()
    assert exercise.needs == ()
    assert exercise.section is None
