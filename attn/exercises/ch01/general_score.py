"""A score with a matrix between query and key."""

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "query and keys of the same size",
        query=[1.0, 2.0],
        keys=[[1.0, 0.0], [0.5, -1.0], [2.0, 1.0]],
        W=[[1.0, 3.0], [0.5, -2.0]],
    ).advise("Write one score out: the sum over a and b of query[a] * W[a, b] * keys[j, b]."),
    Probe.of(
        "a query with more entries than the keys",
        query=[1.0, -1.0, 0.5],
        keys=[[1.0, 2.0], [0.0, 1.0], [-1.0, 1.0], [3.0, 0.0]],
        W=[[1.0, 0.0], [2.0, 1.0], [0.0, 4.0]],
    ).advise("Follow the shapes: (d_q,) @ (d_q, d_k) is (d_k,), and each key is (d_k,)."),
    Probe.of(
        "a single key",
        query=[2.0, -0.5],
        keys=[[1.0, 1.0, 0.5]],
        W=[[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]],
    ).advise("One key gives one score, still in an array of shape (1,)."),
)

MISTAKES = (
    Mistake(
        "ignores-the-matrix",
        "You return the plain dot products, and W does not appear in them.",
        lambda query, keys, W: keys @ query,
        hint="Move the query through W first: query @ W.",
    ),
    Mistake(
        "transposes-the-matrix",
        "You compute kᵀWq instead of qᵀWk, and the two differ unless W is symmetric.",
        lambda query, keys, W: keys @ W @ query,
        variants=(lambda query, keys, W: keys @ (query @ W.T),),
        hint="The query belongs on the left of W.",
    ),
    Mistake(
        "applies-the-matrix-twice",
        "You send both the query and the keys through W, which the score uses only once.",
        lambda query, keys, W: (keys @ W) @ (query @ W),
        hint="Leave the keys as they are.",
    ),
    Mistake(
        "multiplies-entry-by-entry",
        "You multiply W and the query entry by entry, not as a matrix and a vector.",
        lambda query, keys, W: keys @ (W * query).sum(axis=0),
        hint="Use @ instead of *.",
    ),
    Mistake(
        "returns-the-weights",
        "You return softmax weights, but the scores themselves were asked for.",
        lambda query, keys, W: softmax(keys @ (query @ W)),
        hint="Leave the softmax to the caller.",
    ),
    Mistake(
        "adds-up-the-scores",
        "You add up the scores of all the keys into one number.",
        lambda query, keys, W: (keys @ (query @ W)).sum(),
        hint="Do not sum over the keys: each has its own score.",
    ),
    Mistake(
        "keeps-an-extra-axis",
        "The scores are right, but they come as a table of shape (1, m) instead of an array of "
        "shape (m,).",
        lambda query, keys, W: query[None, :] @ W @ keys.T,
        hint="Keep the query one-dimensional.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="A score with a matrix in it",
    difficulty=2,
    minutes=8,
    hints=(
        "Move the query into the keys' space first: a vector of shape (d_k,).",
        "query @ W has shape (d_k,). One more product scores every key at once.",
    ),
    mistakes=MISTAKES,
    section="sec-01-general",
    passed=(
        "W decides what counts as a match, and the query and the keys may have different sizes. "
        "Chapter 3 learns such a matrix. With W = np.eye(d) you get the plain dot product back."
    ),
    task=Task(
        "general_score",
        lambda query, keys, W: keys @ (query @ W),
        PROBES,
    ),
)
