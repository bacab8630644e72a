"""Chapter 4: answers that were once told of a mistake they do not make."""

import numpy as np
import pytest

from attn import softmax
from attn.exercises import check
from attn.exercises.catalog import find


def _dots(Q, K):
    return (Q * K).sum(axis=-1)


@pytest.mark.parametrize(
    "measure",
    [
        lambda s, d_k: ((s - s.mean()) ** 2).sum(),
        lambda s, d_k: (s / np.sqrt(d_k)).var(),
        lambda s, d_k: np.abs(s - s.mean()).mean(),
    ],
    ids=["no division", "scaled scores", "mean absolute deviation"],
)
def test_another_measure_of_spread_is_not_taken_for_a_known_one(measure):
    verdict = check("04-score-variance", lambda Q, K: measure(_dots(Q, K), Q.shape[-1]))
    assert verdict.passed is False
    assert verdict.mistake is None


@pytest.mark.parametrize(
    "spread",
    [
        lambda x: np.sqrt(x.var()),
        lambda x: np.sqrt((x**2).mean()),
        lambda x: float(np.sqrt(sum(e * e for row in x for e in row) / x.size)),
    ],
    ids=["root of the variance", "root mean square", "a loop"],
)
def test_any_right_way_to_a_spread_predicts_the_scale(spread):
    verdict = check(
        "04-predict-scale", lambda Q, K: (len(Q[0]) * spread(Q) ** 2 * spread(K) ** 2) ** -0.5
    )
    assert verdict.passed is True, str(verdict)


@pytest.mark.parametrize("number", [2, 4])
def test_a_scale_for_other_sizes_is_not_taken_for_a_known_mistake(number):
    verdict = check("04-predict-scale", lambda Q, K: 1 / (number * Q.std() * K.std()))
    assert verdict.passed is False
    assert verdict.mistake is None


def _scaled(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (_scaled, "forgets-the-softmax"),
        (lambda Q, K: softmax(Q @ K.T / np.sqrt(Q.shape[-1])), "transposes-all-axes"),
        (lambda Q, K: softmax(_scaled(Q, K), axis=0), "shares-among-the-heads"),
    ],
)
def test_the_likeliest_slips_with_heads_are_named(answer, mistake):
    assert check("04-head-scale", answer).mistake == mistake


@pytest.mark.parametrize(
    "answer",
    [
        lambda w, T: softmax(np.log(w)),
        lambda w, T: w / w.sum(axis=-1, keepdims=True),
        lambda w, T: w.copy(),
    ],
)
def test_weights_that_come_back_are_not_told_how_they_were_computed(answer):
    verdict = check("04-temperature", answer)
    assert verdict.message.startswith("The weights come back unchanged: either")


def test_the_temperature_s_solution_survives_a_very_cold_row():
    row = np.array([0.3, 0.2, *np.full(14, 0.5 / 14)])
    cold = find("04-temperature").task.reference(row, 0.001)
    np.testing.assert_allclose(cold, np.eye(16)[0], atol=1e-12)


@pytest.mark.parametrize(
    "scale",
    [lambda h, d_head: 1 / (h * d_head), lambda h, d_head: np.sqrt(h * d_head)],
    ids=["divided by d_model", "times the root of d_model"],
)
def test_a_wrong_scale_by_the_model_s_size_is_not_taken_for_one_by_the_head_s(scale):
    def head_weights(Q, K):
        return softmax(Q @ K.swapaxes(-1, -2) * scale(Q.shape[0], Q.shape[-1]))

    verdict = check("04-head-scale", head_weights)
    assert verdict.passed is False
    assert verdict.mistake is None


def _slopes(scores):
    p = softmax(scores)
    return np.diag(p) - np.outer(p, p)


def test_a_slope_divided_by_the_scale_is_not_told_that_it_multiplies():
    verdict = check("04-jacobian", lambda scores, *, scale=1.0: _slopes(scores / scale) / scale)
    assert verdict.passed is False
    assert verdict.mistake is None


def test_mean_squares_over_d_k_are_not_taken_for_a_sum_over_the_pairs():
    verdict = check("04-score-variance", lambda Q, K: (_dots(Q, K) ** 2).mean() / Q.shape[-1])
    assert verdict.passed is False
    assert verdict.mistake is None


def test_powers_that_all_round_to_zero_are_refused_and_named():
    def change_temperature(weights, temperature):
        raised = weights ** (1 / temperature)
        return raised / raised.sum(axis=-1, keepdims=True)

    assert check("04-temperature", change_temperature).mistake == "rounds-to-zero"


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_a_softmax_of_the_logarithms_changes_the_temperature_too():
    verdict = check("04-temperature", lambda w, T: softmax(np.log(w) / T))
    assert verdict.passed is True, str(verdict)


@pytest.mark.parametrize(
    ("exercise", "answer", "cure"),
    [
        (
            "04-jacobian",
            lambda scores, *, scale=1.0: (
                np.eye(len(scores)) - np.outer(softmax(scores), softmax(scores))
            ),
            "carry p",
        ),
        ("04-temperature", lambda w, T: softmax(w / T), "logarithms"),
    ],
)
def test_the_cure_stands_in_the_hint_and_not_in_the_verdict(exercise, answer, cure):
    verdict = check(exercise, answer)
    assert verdict.mistake is not None
    assert cure not in verdict.message
    assert cure in verdict.hint
