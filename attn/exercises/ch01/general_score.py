"""A score with a matrix between query and key."""

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "query and keys of the same size",
        query=[1.0, 2.0],
        keys=[[1.0, 0.0], [0.5, -1.0], [2.0, 1.0]],
        W=[[1.0, 3.0], [0.5, -2.0]],
        advice="Write one score out: the sum over a and b of query[a] * W[a, b] * keys[j, b].",
    ),
    Probe.of(
        "a query with more entries than the keys",
        query=[1.0, -1.0, 0.5],
        keys=[[1.0, 2.0], [0.0, 1.0], [-1.0, 1.0], [3.0, 0.0]],
        W=[[1.0, 0.0], [2.0, 1.0], [0.0, 4.0]],
        advice="Follow the shapes: (d_q,) @ (d_q, d_k) is (d_k,), and each key is (d_k,).",
    ),
    Probe.of(
        "a single key",
        query=[2.0, -0.5],
        keys=[[1.0, 1.0, 0.5]],
        W=[[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]],
        advice="One key gives one score, still in an array of shape (1,).",
    ),
)

MISTAKES = (
    Mistake(
        "ignores-the-matrix",
        "You return the plain dot products; W does not appear in them. Move the query through "
        "W first: query @ W.",
        lambda query, keys, W: keys @ query,
    ),
    Mistake(
        "transposes-the-matrix",
        "You compute kᵀWq; the score is qᵀWk, which differs unless W is symmetric. The "
        "query belongs on the left of W.",
        lambda query, keys, W: keys @ W @ query,
        variants=(lambda query, keys, W: keys @ (query @ W.T),),
    ),
    Mistake(
        "applies-the-matrix-twice",
        "You send both the query and the keys through W; the score uses it once. Leave the "
        "keys as they are.",
        lambda query, keys, W: (keys @ W) @ (query @ W),
    ),
    Mistake(
        "multiplies-entry-by-entry",
        "You multiply W with the query entry by entry; W must be applied as a matrix. Use @, "
        "not *.",
        lambda query, keys, W: keys @ (W * query).sum(axis=0),
    ),
    Mistake(
        "returns-the-weights",
        "You return softmax weights; the scores themselves were asked for. Leave the softmax "
        "to the caller.",
        lambda query, keys, W: softmax(keys @ (query @ W)),
    ),
    Mistake(
        "adds-up-the-scores",
        "You add the scores of all keys into one number; each key has its own. Do not sum over "
        "the keys.",
        lambda query, keys, W: (keys @ (query @ W)).sum(),
    ),
    Mistake(
        "keeps-an-extra-axis",
        "The scores are right but come as a table of shape (1, m); shape (m,) was expected. "
        "Leave the query one-dimensional.",
        lambda query, keys, W: query[None, :] @ W @ keys.T,
    ),
)

EXERCISE = Exercise(
    "01-general-score",
    title="A score with a matrix in it",
    chapter=1,
    difficulty=2,
    minutes=8,
    hints=(
        "Move the query into the keys' space first: a vector of shape (d_k,).",
        "query @ W has shape (d_k,). One more product scores every key at once.",
    ),
    mistakes=MISTAKES,
    section="sec-01-general",
    task=Task(
        "general_score",
        lambda query, keys, W: keys @ (query @ W),
        PROBES,
    ),
)
