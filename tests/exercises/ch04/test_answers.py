"""Chapter 4: right answers in other styles, and ones once told of a mistake they do not make."""

import numpy as np
from exercises.answers import PASSES, UNNAMED, judged

from attn import softmax
from attn.exercises.catalog import find


def _measured(measure):
    """A measure of spread taken of the dot products."""
    return lambda Q, K: measure((Q * K).sum(axis=-1), Q.shape[-1])


def _predicted_from(spread):
    return lambda Q, K: (len(Q[0]) * spread(Q) ** 2 * spread(K) ** 2) ** -0.5


def _spread_by_a_loop(x):
    return float(np.sqrt(sum(e * e for row in x for e in row) / x.size))


def _scaled(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


def _slopes(scores):
    p = softmax(scores)
    return np.diag(p) - np.outer(p, p)


def _softmax_of_logarithms(weights, temperature):
    with np.errstate(divide="ignore"):
        return softmax(np.log(weights) / temperature)


def _powers_that_round_to_zero(weights, temperature):
    raised = weights ** (1 / temperature)
    return raised / raised.sum(axis=-1, keepdims=True)


test_an_answer = judged(
    {
        "04-score-variance": {
            UNNAMED: [
                _measured(lambda s, d_k: ((s - s.mean()) ** 2).sum()),
                _measured(lambda s, d_k: (s / np.sqrt(d_k)).var()),
                _measured(lambda s, d_k: np.abs(s - s.mean()).mean()),
                _measured(lambda s, d_k: (s**2).mean() / d_k),
            ],
        },
        "04-predict-scale": {
            PASSES: [
                _predicted_from(lambda x: np.sqrt(x.var())),
                _predicted_from(lambda x: np.sqrt((x**2).mean())),
                _predicted_from(_spread_by_a_loop),
            ],
            UNNAMED: [
                lambda Q, K: 1 / (2 * Q.std() * K.std()),
                lambda Q, K: 1 / (4 * Q.std() * K.std()),
            ],
        },
        "04-head-scale": {
            UNNAMED: [
                lambda Q, K: softmax(Q @ K.swapaxes(-1, -2) / (Q.shape[0] * Q.shape[-1])),
                lambda Q, K: softmax(Q @ K.swapaxes(-1, -2) * np.sqrt(Q.shape[0] * Q.shape[-1])),
            ],
            "forgets-the-softmax": [_scaled],
            "transposes-all-axes": [lambda Q, K: softmax(Q @ K.T / np.sqrt(Q.shape[-1]))],
            "shares-among-the-heads": [lambda Q, K: softmax(_scaled(Q, K), axis=0)],
        },
        "04-jacobian": {
            UNNAMED: [lambda scores, *, scale=1.0: _slopes(scores / scale) / scale],
            "starts-from-the-identity": [
                lambda scores, *, scale=1.0: (
                    np.eye(len(scores)) - np.outer(softmax(scores), softmax(scores))
                )
            ],
        },
        "04-temperature": {
            PASSES: [_softmax_of_logarithms],
            "lets-the-temperature-cancel": [
                lambda w, T: _softmax_of_logarithms(w, 1),
                lambda w, T: w / w.sum(axis=-1, keepdims=True),
                lambda w, T: w.copy(),
            ],
            "rounds-to-zero": [_powers_that_round_to_zero],
            "softmax-of-the-weights": [lambda w, T: softmax(w / T)],
        },
    }
)


def test_the_temperature_s_solution_survives_a_very_cold_row():
    row = np.array([0.3, 0.2, *np.full(14, 0.5 / 14)])
    cold = find("04-temperature").task.reference(row, 0.001)
    np.testing.assert_allclose(cold, np.eye(16)[0], atol=1e-12)
