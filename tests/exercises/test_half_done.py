"""Half an answer gets credit for its half, and a slip of the keyboard is told from a wrong idea."""

import numpy as np
import pytest

from attn import softmax
from attn.exercises import check

ATTEND = "02-one-token"


def test_scores_and_weights_get_credit_while_nothing_is_returned():
    def attend_one(X, i):
        scores = X @ X[i]
        weights = softmax(scores)  # noqa: F841
        return ...

    verdict = check(ATTEND, attend_one)
    assert verdict.passed is None
    assert (
        verdict.message == "Your scores and weights are right; what is returned is still missing."
    )


def test_scores_get_credit_while_the_weights_are_missing():
    def attend_one(X, i):
        scores = X @ X[i]  # noqa: F841
        weights = ...  # noqa: F841
        return ...

    message = check(ATTEND, attend_one).message
    assert message == "Your scores are right; weights are still missing."


def test_right_steps_get_credit_when_the_result_is_wrong():
    def attend_one(X, i):
        scores = X @ X[i]
        weights = softmax(scores)
        return weights @ X + 1

    message = check(ATTEND, attend_one).message
    assert "Your scores and weights are right; what is returned is not." in message


def test_a_step_done_in_another_way_is_not_called_wrong():
    def cross_attention(X, memory, W_q, W_k, W_v):
        Q = X @ W_q
        K = (memory @ W_k).T
        V = memory @ W_v
        return softmax(Q @ K) @ V * 3

    message = check("03-cross-attention", cross_attention).message
    assert "Your Q and V are right." in message


def test_a_step_of_the_right_shape_and_other_values_is_the_one_to_look_at():
    def attend_one(X, i):
        scores = X @ X[i]
        weights = softmax(scores / 3)
        return weights @ X

    assert "Your scores are right; look at your weights next." in check(ATTEND, attend_one).message


def test_a_step_that_cannot_be_read_is_not_right():
    class Odd:
        def __array__(self, *args, **kwargs):
            raise RuntimeError

        def __eq__(self, other):
            raise RuntimeError

    def attend_one(X, i):
        scores, weights = Odd(), Odd()  # noqa: F841
        return ...

    assert check(ATTEND, attend_one).message == "attend_one returns nothing yet."


def test_three_of_eight_shapes_get_credit():
    verdict = check("03-shapes", lambda n, m, d, k, v: [(d, k), (d, k), (d, v)])
    assert "So far W_q, W_k and W_v are right: 3 of 8." in verdict.message


def test_a_wrong_shape_goes_by_its_matrix_s_name():
    def shapes(n, m, d, k, v):
        return [(d, k), (d, k), (d, v), (n, k), (n, k), (m, v), (n, m), (n, v)]

    verdict = check("03-shapes", shapes)
    assert verdict.table == (("K", "[3, 4]", "[5, 4]"),)
    assert "in 1 of 8 rows; the others are right" in verdict.message


def test_an_unknown_name_is_told_with_the_nearest_and_its_line():
    def attend_one(X, i):
        return softmaxx(X @ X[i]) @ X  # noqa: F821

    verdict = check(ATTEND, attend_one)
    line = attend_one.__code__.co_firstlineno + 1
    words = f"stops on line {line}: it uses the name softmaxx, which is not defined"
    assert f"{words}. Did you mean softmax?" in verdict.message
    assert verdict.hint == ""


def test_a_function_that_numpy_does_not_have_is_told_with_the_nearest():
    message = check("01-softmax", lambda x: np.epx(x)).message
    assert "it asks numpy for epx, which it does not have. Did you mean exp?" in message


def test_shapes_that_do_not_fit_are_told_by_the_names_on_the_line():
    def attend_one(X, i):
        weights = softmax(X @ X[i])
        return X @ weights

    verdict = check(ATTEND, attend_one)
    assert verdict.mistake == "blends-from-the-wrong-side"
    assert "multiplies X @ weights, shapes (3, 2) and (3,)" in verdict.message
    assert "gufunc" not in verdict.message


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda X, i: (X + 0) @ softmax(X @ X[i]), "the inner sizes, 2 and 3, must be equal"),
        (lambda X, i: ... @ X, "is not an array, or is not filled in yet"),
        (lambda X, i: np.array(3) @ X, "is not an array, or is not filled in yet"),
        (lambda X, i: X if X > 0 else 0, "asks for the truth of a whole array"),
    ],
)
def test_what_numpy_says_of_shapes_and_truth_is_put_plainly(answer, words):
    message = check(ATTEND, answer).message
    assert words in message
    assert "gufunc" not in message


def test_a_fraction_is_a_number():
    fractions = pytest.importorskip("fractions")
    answer = check("09-crossover", lambda d, pairs: fractions.Fraction(max(0, (pairs - 2) * d)))
    assert answer.passed is True
