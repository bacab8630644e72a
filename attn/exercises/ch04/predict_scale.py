"""The scale that gives scores a spread of 1, predicted from the entries alone."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, n, m, d_k, q_spread, k_spread, seed):
    """Queries and keys with a mean of exactly 0: half of the rows are the others, negated."""
    rng = np.random.default_rng(seed)
    halves = [
        rng.normal(0, spread, (rows // 2, d_k)).round(2)
        for rows, spread in ((n, q_spread), (m, k_spread))
    ]
    Q, K = (np.vstack([half, -half]) for half in halves)
    return Probe.of(label, Q=Q, K=K)


PROBES = (
    _probe(
        "queries of spread about 3 and keys of about 0.5, of size 7",
        n=6,
        m=10,
        d_k=7,
        q_spread=3.0,
        k_spread=0.5,
        seed=52,
    ).advise("One product has variance Q.var() * K.var(), and a score is a sum of 7 of them."),
    _probe(
        "queries and keys of spread about 0.6, of size 20",
        n=6,
        m=2,
        d_k=20,
        q_spread=0.6,
        k_spread=0.6,
        seed=53,
    ).advise("The variance of the scores is d_k * Q.var() * K.var(); its root is the spread."),
    _probe(
        "keys of spread about 5, of size 3", n=8, m=10, d_k=3, q_spread=1.5, k_spread=5.0, seed=54
    ).advise("Both spreads count, and each once: try doubling all entries of K alone."),
    _probe(
        "queries and keys of size 300", n=2, m=6, d_k=300, q_spread=0.2, k_spread=1.7, seed=55
    ).advise("The number of queries and keys does not matter: a score is one query with one key."),
)


def _predict_scale(Q, K):
    return 1 / (np.sqrt(Q.shape[-1]) * Q.std() * K.std())


MISTAKES = (
    Mistake(
        "assumes-spread-one",
        "You divide by the square root of d_k alone, which is right only if all entries have a "
        "spread of 1.",
        lambda Q, K: 1 / np.sqrt(Q.shape[-1]),
        hint="A product of entries has the spread Q.std() * K.std().",
    ),
    Mistake(
        "forgets-the-number-of-terms",
        "You use the spread of one product, but a score is a sum of d_k of them.",
        lambda Q, K: 1 / (Q.std() * K.std()),
        hint="Its spread is √d_k times as large.",
    ),
    Mistake(
        "forgets-the-root",
        "You divide by d_k itself. Variances add up, spreads do not.",
        lambda Q, K: 1 / (Q.shape[-1] * Q.std() * K.std()),
        hint="The sum is √d_k times as wide as one term.",
    ),
    Mistake(
        "uses-the-variances",
        "You divide by the variance of a score, but dividing scores by c divides their variance by"
        " c².",
        lambda Q, K: 1 / (Q.shape[-1] * Q.var() * K.var()),
        hint="Divide by its square root, the spread.",
    ),
    Mistake(
        "mixes-variances-and-root",
        "You take the square root of d_k but keep the variances of the entries.",
        lambda Q, K: 1 / (np.sqrt(Q.shape[-1]) * Q.var() * K.var()),
        hint="Take the root of all three factors.",
    ),
    Mistake(
        "forgets-the-keys",
        "Your scale does not depend on the keys, but both factors of a product count.",
        lambda Q, K: 1 / (np.sqrt(Q.shape[-1]) * Q.std()),
        hint="Divide by K.std() as well.",
    ),
    Mistake(
        "forgets-the-queries",
        "Your scale does not depend on the queries' entries, but both factors of a product count.",
        lambda Q, K: 1 / (np.sqrt(Q.shape[-1]) * K.std()),
        hint="Divide by Q.std() as well.",
    ),
    Mistake(
        "adds-the-spreads",
        "You add the spreads of queries and keys, although their entries are multiplied.",
        lambda Q, K: 1 / (np.sqrt(Q.shape[-1]) * (Q.std() + K.std())),
        hint="For independent entries of mean 0, the spreads multiply too.",
    ),
    Mistake(
        "counts-the-queries",
        "You take the square root of the number of rows, but a score sums over the entries of one "
        "query and one key.",
        lambda Q, K: 1 / (np.sqrt(len(Q)) * Q.std() * K.std()),
        variants=(lambda Q, K: 1 / (np.sqrt(len(K)) * Q.std() * K.std()),),
        hint="Their number is the last axis.",
    ),
    Mistake(
        "measures-instead-of-predicting",
        "You compute the scores and measure their spread. That is a good check, but the task is to"
        " know it beforehand.",
        lambda Q, K: 1 / (Q @ K.T).std(),
        hint="Use only d_k, Q.std() and K.std().",
    ),
    Mistake(
        "returns-the-spread",
        "You return the spread of the scores, not the number to multiply them by so that it "
        "becomes 1.",
        lambda Q, K: 1 / _predict_scale(Q, K),
        hint="Return one over it.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Predict the scale",
    difficulty=2,
    minutes=8,
    hints=(
        "Start with one product q_c k_c: for independent entries of mean 0, its variance is the "
        "product of the two variances.",
        "A score sums d_k such products, and variances add up. The spread is the square root of "
        "that.",
        "Multiplying the scores by 1 / spread makes their spread 1.",
    ),
    mistakes=MISTAKES,
    section="sec-04-variance",
    passed=(
        "You predicted the spread of scores you never computed. With entries of spread 1, your "
        "scale is the 1/√d_k that attn.attention uses."
    ),
    task=Task("predict_scale", _predict_scale, PROBES),
)
