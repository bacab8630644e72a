"""Causal linear attention, one token at a time."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, n, d_k, d_v, seed):
    rng = np.random.default_rng(seed)
    Q, K = (rng.uniform(0.1, 3.0, size=(n, d_k)).round(2) for _ in range(2))
    return Probe.of(label, Q=Q, K=K, V=rng.normal(size=(n, d_v)).round(2))


PROBES = (
    _probe("two tokens", n=2, d_k=3, d_v=4, seed=102).advise(
        "For the second token, S holds two outer products and z two keys."
    ),
    _probe("one token", n=1, d_k=3, d_v=2, seed=101).advise(
        "The first token can only hand over its own value."
    ),
    _probe("five tokens", n=5, d_k=3, d_v=2, seed=103).advise(
        "By hand, for row i: weights q_i · k_j for j up to i, divided by their sum."
    ),
    _probe("six tokens with keys of size 1", n=6, d_k=1, d_v=3, seed=104).advise(
        "Write token t into S and z before you read with q_t."
    ),
    _probe("four tokens with values of size 1", n=4, d_k=5, d_v=1, seed=105).advise(
        "S is (d_k, d_v), here (5, 1)."
    ),
)


def _weights(Q, K):
    return np.tril(Q @ K.T)


def _parallel(Q, K, V):
    A = _weights(Q, K)
    return A @ V / A.sum(axis=1, keepdims=True)


def _read_before_write(Q, K, V):
    """Read, then write: the first token finds nothing."""
    A = np.tril(Q @ K.T, -1)
    return A @ V / A.sum(axis=1, keepdims=True)


def _softmax_causal(Q, K, V):
    scores = np.where(np.tri(len(Q), dtype=bool), Q @ K.T, -np.inf)
    return softmax(scores) @ V


MISTAKES = (
    Mistake(
        "forgets-the-total",
        "You do not divide, so the weights of a row need not sum to 1.",
        lambda Q, K, V: _weights(Q, K) @ V,
        hint="Keep the sum of the keys, z, and divide by q · z.",
    ),
    Mistake(
        "sees-the-future",
        "Every token reads the sum over all the tokens, those after it included.",
        lambda Q, K, V: (Q @ (K.T @ V)) / (Q @ K.sum(axis=0))[:, None],
        hint="Read inside the loop, when only the tokens so far are in the state.",
    ),
    Mistake(
        "reads-before-it-writes",
        "You read before you write, so a token does not see itself, and the first one finds an "
        "empty state.",
        _read_before_write,
        variants=(lambda Q, K, V: np.nan_to_num(_read_before_write(Q, K, V)),),
        hint="Add k and v first.",
    ),
    Mistake(
        "divides-by-its-own-key",
        "You divide by q · k of this token only.",
        lambda Q, K, V: _weights(Q, K) @ V / (Q * K).sum(axis=1, keepdims=True),
        hint="Divide by q · z, with all the keys so far in z.",
    ),
    Mistake(
        "divides-by-the-count",
        "You divide by the number of tokens so far, not by the sum of the weights.",
        lambda Q, K, V: _weights(Q, K) @ V / np.arange(1, len(Q) + 1)[:, None],
        hint="The weights are q · k, and their sum is q · z.",
    ),
    Mistake(
        "starts-anew-at-each-token",
        "You keep only the latest token, so each token just returns its own value.",
        lambda Q, K, V: V.copy(),
        hint="The state is a sum over all tokens so far: S = S + np.outer(k, v).",
    ),
    Mistake(
        "uses-an-exponential",
        "You use a softmax. Its exponential of q · k does not split into a part of q and a part of"
        " k, so no state can hold it.",
        _softmax_causal,
        hint="Here a weight is q · k itself.",
    ),
    Mistake(
        "applies-the-features-again",
        "You put Q and K through φ once more, but they have been through it already.",
        lambda Q, K, V: _parallel(Q + 1, K + 1, V),
        hint="A weight is q · k as they stand.",
    ),
    Mistake(
        "swaps-queries-and-keys",
        "You write with the queries and read with the keys.",
        lambda Q, K, V: _parallel(K, Q, V),
        hint="The state is made of keys and values; queries read it.",
    ),
    Mistake(
        "scales-the-state",
        "You average the state over the tokens but not the total, or the other way round.",
        lambda Q, K, V: _parallel(Q, K, V) / np.arange(1, len(Q) + 1)[:, None],
        variants=(lambda Q, K, V: _parallel(Q, K, V) * np.arange(1, len(Q) + 1)[:, None],),
        hint="Both are plain sums.",
    ),
    Mistake(
        "forgets-the-query",
        "You read without the query, so the weights are the same for every query.",
        lambda Q, K, V: _parallel(np.ones_like(Q), K, V),
        hint="Multiply S and z by q_t.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Linear attention with a state",
    difficulty=2,
    minutes=12,
    hints=(
        "Two things are carried from token to token: S, the sum of the outer products of key and "
        "value, (d_k, d_v), and z, the sum of the keys, (d_k,).",
        "One step: S = S + np.outer(k, v), z = z + k, then read q @ S and divide by q @ z.",
    ),
    mistakes=MISTAKES,
    section="sec-09-linear",
    passed=(
        "The same attention, as a recurrent network: the state stays the same size however long the"
        " text grows. Compare it with the parallel form, np.tril(Q @ K.T) @ V with each row divided"
        " by its sum."
    ),
    task=Task("linear_recurrent", _parallel, PROBES),
)
