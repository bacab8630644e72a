"""Chapter 3, Queries, keys, values: shapes, indices, design, cross-attention, gated pooling."""

import numpy as np

from attn import attention, attention_pool, softmax
from attn.exercises.catalogue import Exercise, Mistake
from attn.exercises.examination import Task
from attn.exercises.probe import Outcome, Probe, numbers

# --- 03-shapes ----------------------------------------------------------------------------


def _sizes(label, n, m, d_model, d_k, d_v, advice):
    sizes = {"n": n, "m": m, "d_model": d_model, "d_k": d_k, "d_v": d_v}
    return Probe(label, sizes, advice)


def _table(n, m, d_model, d_k, d_v, **other):
    """The eight shapes in the order asked for, with some replaced."""
    right = {
        "W_q": (d_model, d_k),
        "W_k": (d_model, d_k),
        "W_v": (d_model, d_v),
        "Q": (n, d_k),
        "K": (m, d_k),
        "V": (m, d_v),
        "A": (n, m),
        "Y": (n, d_v),
    }
    return list((right | other).values())


def _torch_order(n, m, d_model, d_k, d_v):
    turned = {"W_q": (d_k, d_model), "W_k": (d_k, d_model), "W_v": (d_v, d_model)}
    return _table(n, m, d_model, d_k, d_v, **turned)


def _values_like_keys(n, m, d_model, d_k, d_v):
    return _table(n, m, d_model, d_k, d_k)


def _keys_like_queries(n, m, d_model, d_k, d_v):
    return _table(n, n, d_model, d_k, d_v)


_SHAPES = Exercise(
    "03-shapes",
    "The shape of every matrix",
    3,
    difficulty=1,
    minutes=6,
    hints=(
        "A projection takes d_model numbers and gives d_k or d_v of them: its shape is (in, out).",
        "Q has one row for each query, K and V one for each key. A has a row for each query and a "
        "column for each key.",
        "A V is (n, m) times (m, d_v): the m cancels.",
    ),
    mistakes=(
        Mistake(
            "stores-projections-as-torch-does",
            "Your projections are (out, in), as torch stores them; here a token is a row and "
            "stands on the left of its matrix, so a projection is (in, out). Swap the two numbers.",
            _torch_order,
        ),
        Mistake(
            "transposes-the-weights",
            "Your A is (m, n); rows are queries and columns are keys, so that each row can sum "
            "to 1 over the keys. Put n first.",
            lambda n, m, d_model, d_k, d_v: _table(n, m, d_model, d_k, d_v, A=(m, n)),
        ),
        Mistake(
            "gives-values-the-size-of-keys",
            "You give values d_k columns; keys are compared with queries, values are only "
            "averaged, and they have a size of their own. Use d_v in W_v, V and Y.",
            _values_like_keys,
        ),
        Mistake(
            "counts-keys-as-queries",
            "You use n for the keys too, which holds only if a sequence asks itself. Here n "
            "queries look at m keys: K and V have m rows, and A has m columns.",
            _keys_like_queries,
        ),
        Mistake(
            "returns-to-the-model-size",
            "Your Y has d_model columns, but a blend of values is as long as a value; going back "
            "to d_model takes one more matrix. Give Y the columns of V.",
            lambda n, m, d_model, d_k, d_v: _table(n, m, d_model, d_k, d_v, Y=(n, d_model)),
        ),
        Mistake(
            "gives-every-key-an-output",
            "Your Y has a row for each key; the queries ask, so each query gets one answer. Give Y "
            "the rows of Q.",
            lambda n, m, d_model, d_k, d_v: _table(n, m, d_model, d_k, d_v, Y=(m, d_v)),
        ),
        Mistake(
            "compares-coordinates",
            "Your A is (d_k, d_k), which is what Qᵀ K would give; a weight belongs to a pair of "
            "tokens. Q Kᵀ sums over d_k, and (n, m) is left.",
            lambda n, m, d_model, d_k, d_v: _table(n, m, d_model, d_k, d_v, A=(d_k, d_k)),
        ),
    ),
    section="sec-03-matrix",
    task=Task(
        "shapes",
        _table,
        (
            _sizes(
                "five sizes that all differ",
                3,
                5,
                8,
                4,
                6,
                "Write each product with its shapes below it: the two inner numbers must be equal.",
            ),
            _sizes(
                "a model of width 512 with 64 for keys and 32 for values",
                10,
                12,
                512,
                64,
                32,
                "Return the names of the sizes, not numbers that you worked out for one case.",
            ),
            _sizes(
                "one query and one key",
                1,
                1,
                2,
                3,
                5,
                "Nothing changes for one token: it is a matrix with one row.",
            ),
        ),
    ),
)

# --- 03-swapped-index ---------------------------------------------------------------------


def _qkv(label, Q, K, V, advice):
    return Probe(label, {"Q": np.array(Q), "K": np.array(K), "V": np.array(V)}, advice)


def _scaled(Q, K, root=None):
    return Q @ K.T / np.sqrt(Q.shape[-1] if root is None else root)


_ATTEND_PROBES = (
    _qkv(
        "three tokens whose queries are not their keys",
        [[1.0, 0.0], [0.0, 2.0], [1.0, -1.0]],
        [[0.5, 1.0], [2.0, 0.0], [-1.0, 1.0]],
        [[1.0, 0.0, 2.0], [0.0, 3.0, -1.0], [2.0, 1.0, 0.0]],
        "Print the scores: row i holds query i against every key.",
    ),
    _qkv(
        "two queries and four keys",
        [[1.0, 0.5, -1.0], [0.0, 2.0, 1.0]],
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [2.0, -1.0, 1.0], [0.3, 0.3, 0.3]],
        [[1.0], [2.0], [-3.0], [0.5]],
        "The result has one row for each query: loop over the queries, and inside over the keys.",
    ),
    _qkv(
        "four queries and two keys",
        [[1.0, 0.0], [0.5, 1.5], [-1.0, 1.0], [2.0, 2.0]],
        [[1.0, 1.0], [0.0, -2.0]],
        [[1.0, 2.0, 3.0], [-1.0, 0.0, 4.0]],
        "With more queries than keys the same two loops must do: check their ends.",
    ),
)

_SWAPPED = Exercise(
    "03-swapped-index",
    "Find the swapped index",
    3,
    difficulty=2,
    minutes=8,
    hints=(
        "Say in words what row i of the scores should hold, then read what the loop puts there.",
        "Row i belongs to query i. Its scores are q_i · k_j for every j.",
    ),
    mistakes=(
        Mistake(
            "still-swapped",
            "You still score q_j · k_i: your row i holds what others ask of token i. Row i must "
            "hold what token i asks: q_i · k_j.",
            lambda Q, K, V: softmax(_scaled(K, Q)) @ V,
        ),
        Mistake(
            "transposes-the-weights-instead",
            "You swap the weights after the softmax. Then the columns sum to 1 and the rows do "
            "not; repair the score, before the softmax.",
            lambda Q, K, V: softmax(_scaled(Q, K)).T @ V,
        ),
        Mistake(
            "softmax-over-the-queries",
            "Your softmax runs over the queries, so each key shares itself out. Each query shares "
            "its attention among the keys: use the last axis.",
            lambda Q, K, V: softmax(_scaled(Q, K), axis=0) @ V,
        ),
        Mistake(
            "forgets-the-scale",
            "The index is right, but the scores are no longer divided. Keep the division by the "
            "square root of d_k.",
            lambda Q, K, V: softmax(Q @ K.T) @ V,
        ),
        Mistake(
            "divides-by-d-k",
            "You divide by d_k itself; the scores are to be divided by its square root. Use "
            "np.sqrt(Q.shape[1]).",
            lambda Q, K, V: softmax(Q @ K.T / Q.shape[-1]) @ V,
        ),
        Mistake(
            "scales-by-the-values",
            "You divide by the square root of d_v, the size of a value. The sum runs over the "
            "coordinates of query and key: use d_k.",
            lambda Q, K, V: softmax(_scaled(Q, K, V.shape[-1])) @ V,
        ),
        Mistake(
            "returns-the-weights",
            "You return the weights; they still have to blend the values. Multiply them with V.",
            lambda Q, K, V: softmax(_scaled(Q, K)),
        ),
        Mistake(
            "blends-the-keys",
            "You blend the keys; keys decide how much, values decide what. Multiply the weights "
            "with V, not with K.",
            lambda Q, K, V: softmax(_scaled(Q, K)) @ K,
        ),
    ),
    section="sec-03-matrix",
    task=Task("attend", attention, _ATTEND_PROBES),
)

# --- 03-design ----------------------------------------------------------------------------


_NO_PAIR = Outcome("unreadable", problem="something else than the two matrices W_q, W_k")


def attended_types(result):
    """Read (W_q, W_k) as the type that gets 0.9 or more from each type, -1 where none does."""
    if type(result) not in (tuple, list, np.ndarray):
        read = numbers(result)
        return read if read.kind != "returned" else _NO_PAIR
    if len(result) != 2:
        return _NO_PAIR
    parts = [numbers(part) for part in result]
    if any(part.kind != "returned" for part in parts):
        return next(part for part in parts if part.kind != "returned")
    W_q, W_k = (part.value.astype(np.float64) for part in parts)
    if W_q.ndim != 2 or W_q.shape != W_k.shape or not W_q.size:
        words = f"matrices of shapes {W_q.shape} and {W_k.shape}: both must be (types, d_k)"
        return Outcome("unreadable", problem=words)
    if not (np.isfinite(W_q).all() and np.isfinite(W_k).all()):
        return Outcome("unreadable", problem="matrices with nan or inf: use finite numbers")
    A = softmax(W_q @ W_k.T / np.sqrt(W_q.shape[1]))
    found = np.where(A.max(axis=-1) >= 0.9, A.argmax(axis=-1), -1)
    return Outcome("returned", value=found)


def _wish(label, wants, advice):
    return Probe(label, {"wants": np.array(wants)}, advice)


def _pick(wants):
    return np.eye(len(wants))[wants]


_DESIGN = Exercise(
    "03-design",
    "Choose who looks at whom",
    3,
    difficulty=3,
    minutes=12,
    hints=(
        "Tokens are one-hot, so row i of W_q is the query of type i, and row j of W_k is the key "
        "of type j.",
        "Let W_k be the identity: each type gets a coordinate of its own. The query of type i must "
        "then be large in coordinate wants[i] and 0 elsewhere.",
        "np.eye(t)[wants] stacks the rows that are wanted. Make it large enough that the softmax "
        "gives 0.9.",
    ),
    mistakes=(
        Mistake(
            "looks-the-other-way",
            "Your types are looked at by the ones they want to look at: the choice is in the keys. "
            "The one who asks chooses, so it belongs in W_q.",
            lambda wants: (20 * np.eye(len(wants)), _pick(wants)),
        ),
        Mistake(
            "everyone-looks-at-itself",
            "Your queries equal your keys, so every type looks at its own kind: that is raw "
            "self-attention. Give W_q the rows that are wanted.",
            lambda wants: (20 * np.eye(len(wants)), np.eye(len(wants))),
        ),
        Mistake(
            "chooses-twice",
            "You use the choice in both matrices, so types that want the same look at each other. "
            "Keep W_k the identity.",
            lambda wants: (20 * _pick(wants), _pick(wants)),
        ),
        Mistake(
            "too-soft",
            "The right type scores highest, but by 1 only, and no weight reaches 0.9 (-1 in the "
            "result). Multiply one of the matrices by 20.",
            lambda wants: (_pick(wants), np.eye(len(wants))),
        ),
        Mistake(
            "works-for-one-to-one-only",
            "You invert the choice, which is possible only if no two types want the same. Put the "
            "choice in W_q, where nothing has to be inverted.",
            lambda wants: (20 * np.eye(len(wants)), np.eye(len(wants))[np.argsort(wants)]),
        ),
    ),
    section="sec-03-product",
    task=Task(
        "design",
        lambda wants: (20 * _pick(wants), np.eye(len(wants))),
        (
            _wish(
                "three types in a ring",
                [1, 2, 0],
                "Compute W_q @ W_k.T by hand: its row i must be largest in column wants[i].",
            ),
            _wish(
                "four types, three of which want the same",
                [1, 1, 1, 0],
                "Two rows of W_q may be equal; nothing has to be invertible.",
            ),
            _wish(
                "five types, one of which looks at itself",
                [4, 1, 0, 0, 2],
                "Row i of W_q says what type i looks for, whoever else looks for it.",
            ),
        ),
        read=attended_types,
    ),
)

# --- 03-cross-attention -------------------------------------------------------------------


def _cross(X, memory, W_q, W_k, W_v, *, keys=None, values=None, scale=None):
    K = (memory if keys is None else keys) @ W_k
    V = (memory if values is None else values) @ W_v
    return attention(X @ W_q, K, V, scale=scale)


def _crossing(label, seed, n, m, d_x, d_m, d_k, d_v, advice):
    rng = np.random.default_rng(seed)
    sizes = {"X": (n, d_x), "memory": (m, d_m), "W_q": (d_x, d_k)}
    sizes |= {"W_k": (d_m, d_k), "W_v": (d_m, d_v)}
    return Probe(label, {k: rng.normal(size=s).round(1) for k, s in sizes.items()}, advice)


_CROSS = Exercise(
    "03-cross-attention",
    "Let one sequence ask another",
    3,
    difficulty=2,
    minutes=8,
    hints=(
        "Only one of the three projections is applied to X.",
        "X asks: Q = X @ W_q. The memory is asked: K = memory @ W_k, V = memory @ W_v.",
        "After that it is attention as before: scores (n, m), divided by the square root of d_k, "
        "softmax over the keys, times V.",
    ),
    mistakes=(
        Mistake(
            "asks-itself",
            "You take keys and values from X too, which is self-attention. The memory is what is "
            "asked: compute K and V from it.",
            lambda X, memory, W_q, W_k, W_v: _cross(X, X, W_q, W_k, W_v),
        ),
        Mistake(
            "lets-the-memory-ask",
            "You let the memory ask and X answer. Each token of X wants an output: its queries "
            "come from X, keys and values from the memory.",
            lambda X, memory, W_q, W_k, W_v: _cross(memory, X, W_q, W_k, W_v),
        ),
        Mistake(
            "takes-values-from-x",
            "Your keys come from the memory but your values from X. Key j and value j belong to "
            "the same token: compute V from the memory.",
            lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, values=X),
        ),
        Mistake(
            "takes-keys-from-x",
            "Your values come from the memory but your keys from X. Key j and value j belong to "
            "the same token: compute K from the memory.",
            lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, keys=X),
        ),
        Mistake(
            "forgets-the-scale",
            "Your scores are not divided, and the softmax comes out too sharp. Divide them by the "
            "square root of d_k before the softmax.",
            lambda X, memory, W_q, W_k, W_v: _cross(X, memory, W_q, W_k, W_v, scale=1.0),
        ),
        Mistake(
            "scales-by-the-model-size",
            "You divide by the square root of d_model. The sum runs over the coordinates of query "
            "and key, of which there are d_k: use Q.shape[-1].",
            lambda X, memory, W_q, W_k, W_v: _cross(
                X, memory, W_q, W_k, W_v, scale=1 / np.sqrt(X.shape[-1])
            ),
        ),
        Mistake(
            "softmax-over-the-queries",
            "Your softmax runs over the queries, so your columns sum to 1. Each query shares its "
            "attention among the keys: use the last axis.",
            lambda X, memory, W_q, W_k, W_v: (
                softmax(_scaled(X @ W_q, memory @ W_k), axis=0) @ (memory @ W_v)
            ),
        ),
        Mistake(
            "blends-the-keys",
            "You blend the keys; keys decide how much, values decide what. Multiply the weights "
            "with memory @ W_v.",
            lambda X, memory, W_q, W_k, W_v: attention(X @ W_q, memory @ W_k, memory @ W_k),
        ),
        Mistake(
            "forgets-the-value-projection",
            "You blend the memory itself; it has to pass through W_v first. Multiply the weights "
            "with memory @ W_v.",
            lambda X, memory, W_q, W_k, W_v: attention(X @ W_q, memory @ W_k, memory),
        ),
    ),
    section="sec-03-who-asks",
    task=Task(
        "cross_attention",
        _cross,
        (
            _crossing(
                "three tokens that ask three others",
                31,
                3,
                3,
                4,
                4,
                2,
                5,
                "Print the shapes of Q, K and V, and which sequence each of them comes from.",
            ),
            _crossing(
                "two tokens that ask five",
                32,
                2,
                5,
                4,
                4,
                3,
                2,
                "The weights are (2, 5): a row for each token that asks, a column for each asked.",
            ),
            _crossing(
                "two sequences of different width",
                33,
                4,
                3,
                6,
                2,
                5,
                1,
                "W_q fits X and W_k, W_v fit the memory; nothing else needs the widths.",
            ),
        ),
    ),
)

# --- 03-gated-pool ------------------------------------------------------------------------


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _pooled(H, w, W_tanh, W_gate):
    return attention_pool(H, w, W_tanh, W_gate=W_gate)[0]


def _from_hidden(H, w, hidden):
    return softmax(hidden @ w) @ H


def _bag(label, seed, n, d, a, advice):
    rng = np.random.default_rng(seed)
    sizes = {"H": (n, d), "w": (a,), "W_tanh": (d, a), "W_gate": (d, a)}
    return Probe(label, {k: (1.5 * rng.normal(size=s)).round(1) for k, s in sizes.items()}, advice)


_POOL = Exercise(
    "03-gated-pool",
    "One vector for a whole slide",
    3,
    difficulty=2,
    minutes=10,
    hints=(
        "Two hidden layers of shape (n, a): tanh of one product, sigmoid of the other. Multiply "
        "them entry by entry.",
        "hidden @ w gives one score for each patch, (n,). Softmax makes them shares of the bag.",
        "The answer is one vector (d,): the weights, (n,), times H, (n, d).",
    ),
    mistakes=(
        Mistake(
            "forgets-the-gate",
            "Your scores come from tanh alone; the gate never closes. Multiply the hidden layer by "
            "the sigmoid of H @ W_gate.",
            lambda H, w, W_tanh, W_gate: attention_pool(H, w, W_tanh)[0],
        ),
        Mistake(
            "swaps-tanh-and-gate",
            "You take tanh of the gate and sigmoid of the other. W_tanh goes with np.tanh, W_gate "
            "with the sigmoid: swap them.",
            lambda H, w, W_tanh, W_gate: _pooled(H, w, W_gate, W_tanh),
        ),
        Mistake(
            "adds-the-gate",
            "You add the gate; then it cannot close. A gate multiplies: use * between the two "
            "hidden layers.",
            lambda H, w, W_tanh, W_gate: _from_hidden(
                H, w, np.tanh(H @ W_tanh) + _sigmoid(H @ W_gate)
            ),
        ),
        Mistake(
            "gates-with-tanh",
            "You use tanh for the gate too, which lets a gate turn the sign. A gate lies between 0 "
            "and 1: use the sigmoid, 1 / (1 + exp(-x)).",
            lambda H, w, W_tanh, W_gate: _from_hidden(
                H, w, np.tanh(H @ W_tanh) * np.tanh(H @ W_gate)
            ),
        ),
        Mistake(
            "sigmoid-of-the-wrong-sign",
            "Your gate is 1 / (1 + exp(x)), which is open where it should be closed. Put a minus "
            "sign in front of the product.",
            lambda H, w, W_tanh, W_gate: _from_hidden(
                H, w, np.tanh(H @ W_tanh) * _sigmoid(-(H @ W_gate))
            ),
        ),
        Mistake(
            "takes-the-plain-mean",
            "You average the patches, and every patch counts alike. Weight them by the softmax of "
            "their scores.",
            lambda H, w, W_tanh, W_gate: H.mean(axis=0),
        ),
        Mistake(
            "skips-the-softmax",
            "You use the scores themselves as weights; they may be negative and do not sum to 1. "
            "Pass them through a softmax over the patches.",
            lambda H, w, W_tanh, W_gate: (np.tanh(H @ W_tanh) * _sigmoid(H @ W_gate)) @ w @ H,
        ),
        Mistake(
            "does-not-add-up",
            "You return the weighted patches one by one; the bag wants a single vector. Sum over "
            "the patches: weights @ H does both.",
            lambda H, w, W_tanh, W_gate: (
                attention_pool(H, w, W_tanh, W_gate=W_gate)[1][:, None] * H
            ),
        ),
        Mistake(
            "returns-the-weights",
            "You return the weights of the patches; they still have to blend them. Return "
            "weights @ H, one vector for the bag.",
            lambda H, w, W_tanh, W_gate: attention_pool(H, w, W_tanh, W_gate=W_gate)[1],
        ),
    ),
    section="sec-03-keys-and-values",
    task=Task(
        "gated_pool",
        _pooled,
        (
            _bag(
                "a bag of four patches",
                41,
                4,
                3,
                2,
                "Print the shape after each line: (n, a), (n, a), (n,), (n,), (d,).",
            ),
            _bag(
                "a bag of seven patches",
                42,
                7,
                2,
                4,
                "Bags have any number of patches: do not use a fixed count.",
            ),
            _bag(
                "a single patch",
                43,
                1,
                5,
                3,
                "With one patch the softmax gives 1, and the bag is that patch.",
            ),
        ),
    ),
)

EXERCISES = (_SHAPES, _SWAPPED, _DESIGN, _CROSS, _POOL)
