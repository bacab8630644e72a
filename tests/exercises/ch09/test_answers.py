"""Chapter 9: right answers in another style, near misses, likely slips."""

import numpy as np
from exercises.answers import PASSES, UNNAMED, judged

from attn import linear_attention_recurrent


def _by_loops(needs):
    steps = []
    for i in range(len(needs)):
        waits = [steps[j] for j in range(i) if needs[i][j]]
        steps.append(1 + max(waits) if waits else 1)
    return max(steps)


def _by_powers(needs):
    """The longest chain: the first power of the matrix with nothing left."""
    reach, steps = np.eye(len(needs), dtype=int), 0
    while reach.any():
        reach, steps = (reach @ needs.astype(int) > 0).astype(int), steps + 1
    return steps


def _by_einsum(Q, K, V):
    S = np.cumsum(np.einsum("nk,nv->nkv", K, V), axis=0)
    z = np.cumsum(K, axis=0)
    return np.einsum("nk,nkv->nv", Q, S) / np.einsum("nk,nk->n", Q, z)[:, None]


def _by_product(X, W_x, W_h):
    """Diagonal matrices, multiplied out anew for each state."""
    h, slopes = np.zeros(len(W_h)), []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h)
        slopes.append(np.diag(1 - h**2))
    J = W_x @ slopes[0]
    norms = [np.sqrt((J**2).sum())]
    for slope in slopes[1:]:
        J = J @ W_h @ slope
        norms.append(np.sqrt((J**2).sum()))
    return norms


def _first_wait(needs):
    done = np.zeros(len(needs), int)
    for i in range(len(needs)):
        done[i] = 1 + (done[needs[i].argmax()] if needs[i].any() else 0)
    return done.max()


def _earliest_wait(needs):
    done = np.zeros(len(needs), int)
    for i, row in enumerate(needs):
        done[i] = 1 + (done[row].min() if row.any() else 0)
    return done.max()


def _last_wait(needs):
    done = np.zeros(len(needs), int)
    for i, row in enumerate(needs):
        done[i] = 1 + (done[row][-1] if row.any() else 0)
    return done.max()


def _empty_at_first(Q, K, V):
    S, z, Y = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
    for q, k, v in zip(Q, K, V, strict=True):
        Y.append(q @ S / (q @ z + 1e-9))
        S, z = S + np.outer(k, v), z + k
    return np.array(Y)


test_an_answer = judged(
    {
        "09-crossover": {
            PASSES: [lambda d, pairs: (pairs - 2) * d if pairs > 2 else 0],
            UNNAMED: [lambda d, pairs: max(0, (pairs - 2) * d) + 1],
            "forgets-W_o": [lambda d, pairs: (2 * pairs - 3) * d / 2],
        },
        "09-first-word": {
            PASSES: [_by_product],
            UNNAMED: [lambda X, W_x, W_h: np.array(_by_product(X, W_x, W_h))[::-1]],
        },
        "09-gated-step": {
            PASSES: [
                lambda h, c, s: h / (1 + np.exp(-s)) + c / (1 + np.exp(s)),
                lambda h, c, s: c + (h - c) * (1 + np.tanh(s / 2)) / 2,
            ],
            UNNAMED: [
                lambda h, c, s: np.tanh(s) * h + (1 - np.tanh(s)) * c,
                lambda h, c, s: np.clip(s, 0, 1) * h + (1 - np.clip(s, 0, 1)) * c,
            ],
        },
        "09-recurrent-form": {
            PASSES: [_by_einsum],
            UNNAMED: [lambda Q, K, V: linear_attention_recurrent(Q, K, V)[0] + 1],
            "reads-before-it-writes": [_empty_at_first],
            "applies-the-features-again": [lambda Q, K, V: linear_attention_recurrent(Q, K, V)[0]],
        },
        "09-steps-in-turn": {
            PASSES: [_by_loops, _by_powers],
            UNNAMED: [lambda needs: _by_loops(needs) + 1],
            "waits-for-one-only": [_first_wait, _last_wait],
            "waits-for-the-earliest": [_earliest_wait],
        },
    }
)
