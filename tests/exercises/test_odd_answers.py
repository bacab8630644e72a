"""Whatever a reader passes, a check answers with a verdict."""

import json

import numpy as np
import pytest
from exercises import odd_answers

from attn.exercises import Verdict, catalog, check

IDS = [exercise.id for exercise in catalog()]
# One exercise for each way to read a result: numbers, True or False, an exercise's own.
KINDS = {exercise.task.read.__name__: exercise.id for exercise in catalog()}


def _unsound(verdict):
    """What is wrong with a verdict on an odd answer, or None."""
    if type(verdict) is not Verdict or verdict.passed is True:
        return "passed"
    if not 0 < len(verdict.message) < 1500:
        return f"a message of {len(verdict.message)} characters"
    if json.loads(json.dumps(verdict.as_dict()))["message"] != verdict.message:
        return "not JSON"
    if "0x7" in str(verdict) or not verdict._repr_html_().endswith("</div>"):
        return f"shown as {verdict}"
    return None


def _problems(exercise_id, answers):
    """One line per odd answer that crashes the check, gets past it, or is judged in two ways.

    Answers stay in here: a failing assertion would call their __repr__.
    """
    problems = []
    for index, answer in enumerate(answers):
        try:
            verdict = check(exercise_id, answer)
            problem = _unsound(verdict)
            if index % 3 == 0 and check(exercise_id, answer) != verdict:
                problem = "judged in two ways"
        except BaseException as error:
            problem = f"crash {type(error)}"
        if problem:
            problems.append(f"answer {index}: {problem}")
    return problems


@pytest.mark.parametrize("kind", KINDS)
def test_of_500_odd_answers_none_passes_or_crashes_a_kind_of_check(kind, capfd):
    answers = odd_answers.every_odd_answer()
    count = len(answers)
    assert count >= 500
    assert _problems(KINDS[kind], answers) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("exercise_id", IDS)
def test_no_odd_answer_of_a_handful_passes_or_crashes_the_check(exercise_id, capfd):
    assert _problems(exercise_id, odd_answers.a_handful()) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("exercise_id", IDS)
def test_stop_goes_through(exercise_id):
    with pytest.raises(KeyboardInterrupt):
        check(exercise_id, odd_answers.raiser(KeyboardInterrupt()))


def test_torch_tensors_are_read_or_refused():
    torch = pytest.importorskip("torch")

    def right(x):
        return torch.softmax(torch.tensor(x, dtype=torch.float64), dim=-1)

    assert check("01-softmax", right).passed is True
    tensors = [torch.zeros(3, requires_grad=True), torch.zeros(3, device="meta")]
    tensors += [torch.zeros(3).to_sparse(), torch.zeros(3, dtype=torch.bfloat16)]
    for exercise_id in KINDS.values():
        for tensor in tensors:
            assert not _unsound(check(exercise_id, lambda *a, tensor=tensor, **k: tensor))
        assert not _unsound(check(exercise_id, tensors[0]))


def test_an_exception_is_shown_with_its_type_text_input_and_line():
    def softmax(x):
        raise ZeroDivisionError("by hand")

    line = softmax.__code__.co_firstlineno + 1
    message = check("01-softmax", softmax).message
    assert f"softmax raised ZeroDivisionError: by hand (line {line})" in message
    assert "one row of scores, x = [0.5, -1, 2]" in message


def test_endless_recursion_is_named():
    assert "raised RecursionError" in check("01-softmax", odd_answers.forever).message


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (odd_answers.generator, "a generator: write return, not yield"),
        (odd_answers.coroutine, "a coroutine: write def, not async def"),
        (lambda x: lambda: x, "a function: call it"),
        (lambda x: "0.5", "an object of type str: return numbers"),
        (lambda x: {}, "an object of type dict: return numbers"),
        (lambda x: x + 0j, "complex128: return real numbers"),
        (lambda x, y: x, "cannot be called as softmax(x): missing a required argument: 'y'"),
        (np.zeros(3), "Pass the function itself, softmax, without calling it"),
        (lambda x: x * np.nan, "returned nan (not a number)"),
    ],
)
def test_an_odd_answer_is_described(answer, words):
    assert words in check("01-softmax", answer).message


def test_a_changed_input_is_named_even_when_the_result_is_wrong():
    verdict = check("01-softmax", odd_answers.spoil)
    assert verdict.mistake == "changes-its-input"
    assert "changes its input x" in verdict.message


def test_a_changed_input_is_named_when_the_result_is_right():
    def general_score(query, keys, W):
        scores = keys @ (query @ W)
        keys *= 0
        return scores

    verdict = check("01-general-score", general_score)
    assert verdict.mistake == "changes-its-input"
    assert "The result is right, but your function changes its input keys" in verdict.message


def test_a_test_of_order_must_return_one_decision():
    verdict = check("02-equivariance", lambda Y, Y_shuffled, order: Y == Y_shuffled)
    assert "return one True or False" in verdict.message


def test_an_answer_cannot_leave_its_numpy_settings_behind():
    before = np.geterr()
    check("01-softmax", odd_answers.change_settings)
    assert np.geterr() == before
