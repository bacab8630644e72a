"""What the average over heads says of a key, and what the layer's output says."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, h, n, m, d_v, d, seed, change=None):
    rng = np.random.default_rng(seed)
    A = rng.dirichlet(np.ones(m), size=(h, n))
    V, W_o = rng.normal(size=(h, m, d_v)).round(2), rng.normal(size=(h * d_v, d)).round(2)
    if change:
        A, V, W_o = change(A, V, W_o)
    return Probe.of(label, A=A.round(3), V=V, W_o=W_o)


def _sink(A, V, W_o):
    """Key 0 gets most of the weight and hands over next to nothing."""
    A[..., 0] += 3
    V[:, 0] = 0.01
    return A / A.sum(axis=-1, keepdims=True), V, W_o


def _opposed(A, V, W_o):
    """Two heads look alike at key 1, and what it hands over in one is minus that in the other."""
    A[1], V[1] = A[0], V[0]
    W_o[len(W_o) // 2 :] = W_o[: len(W_o) // 2]
    V[1, 1] = -V[0, 1]
    return A, V, W_o


PROBES = (
    _probe("one head", h=1, n=2, m=3, d_v=2, d=4, seed=140).advise(
        "With V[0, j] set to 0, output row i loses A[0, i, j] · V[0, j] @ W_o. Take the norm"
        " of all that is lost, over all rows together."
    ),
    _probe("two heads", h=2, n=3, m=4, d_v=3, d=5, seed=141).advise(
        "The output is a sum over heads, so what is lost is a sum over heads: add first, "
        "then take the norm."
    ),
    _probe(
        "two heads that cancel at key 1", h=2, n=4, m=3, d_v=2, d=5, seed=142, change=_opposed
    ).advise("What one head adds, the other takes away: without key 1 the output is the same."),
    _probe("three heads with a sink", h=3, n=4, m=5, d_v=2, d=6, seed=143, change=_sink).advise(
        "The key with the largest average may be the one that changes least."
    ),
)


def _handed(V, W_o):
    """What each key hands over in each head at weight 1, (h, m, d)."""
    return V @ W_o.reshape(len(V), V.shape[-1], -1)


def _both(A, V, W_o, *, effect=None):
    lost = np.einsum("hij,hjd->jid", A, _handed(V, W_o))
    effects = np.linalg.norm(lost, axis=(1, 2)) if effect is None else effect(A, V, W_o)
    return np.stack([A.mean(axis=(0, 1)), effects])


def _with_effect(effect):
    return lambda A, V, W_o: _both(A, V, W_o, effect=effect)


def _norms_added(A, V, W_o):
    lost = np.einsum("hij,hjd->hjid", A, _handed(V, W_o))
    return np.linalg.norm(lost, axis=(2, 3)).sum(axis=0)


def _rows_added(A, V, W_o):
    return np.linalg.norm(np.einsum("hij,hjd->jid", A, _handed(V, W_o)), axis=2).sum(axis=1)


def _rows_averaged(A, V, W_o):
    return _rows_added(A, V, W_o) / A.shape[1]


def _averaged_first(A, V, W_o):
    return np.linalg.norm(np.einsum("ij,jd->jid", A.mean(0), _handed(V, W_o).sum(0)), axis=(1, 2))


def _output(A, V, W_o):
    return np.einsum("hij,hjd->id", A, _handed(V, W_o))


def _hidden(A, V, W_o):
    effects = []
    for j in range(A.shape[-1]):
        rest = A.copy()
        rest[..., j] = 0
        rest /= rest.sum(axis=-1, keepdims=True)
        effects.append(np.linalg.norm(_output(A, V, W_o) - _output(rest, V, W_o)))
    return np.array(effects)


def _without_w_o(A, V, W_o):
    """The change of the merged heads, before W_o."""
    lost = np.einsum("hij,hjd->jihd", A, V)
    return np.sqrt((lost**2).sum(axis=(1, 2, 3)))


def _what_is_left(A, V, W_o):
    whole = _output(A, V, W_o)
    lost = np.einsum("hij,hjd->jid", A, _handed(V, W_o))
    return np.linalg.norm(whole - lost, axis=(1, 2))


def _difference_of_norms(A, V, W_o):
    return np.abs(np.linalg.norm(_output(A, V, W_o)) - _what_is_left(A, V, W_o))


MISTAKES = (
    Mistake(
        "adds-the-norms-of-heads",
        "You take a norm for each head and add them up. Heads add up as vectors, and can cancel.",
        _with_effect(_norms_added),
        hint="Add what all heads lose, then take one norm.",
    ),
    Mistake(
        "adds-the-norms-of-rows",
        "You take a norm for each query and add or average them. The task asks for one norm over "
        "all rows.",
        _with_effect(_rows_added),
        variants=(_with_effect(_rows_averaged),),
        hint="np.linalg.norm of a whole matrix is the root of the sum of all its squares.",
    ),
    Mistake(
        "averages-the-heads-first",
        "You average the weights over the heads and use the average for every head. Each head has "
        "values of its own.",
        _with_effect(_averaged_first),
        hint="Head i's weights go with head i's values: add up A[i, :, j] times V[i, j] @ W_o[i].",
    ),
    Mistake(
        "hides-the-key",
        "You hide the key, so its weight goes to the others. Here the weights stay as they are.",
        _with_effect(_hidden),
        hint="Only the value becomes 0. What is lost is what this key contributed.",
    ),
    Mistake(
        "forgets-w-o",
        "You measure the change in the merged heads. The output comes after W_o.",
        _with_effect(_without_w_o),
        hint="Multiply V by each head's rows of W_o: W_o.reshape(h, d_v, -1).",
    ),
    Mistake(
        "measures-what-is-left",
        "You take the norm of the output without the key, not of the change.",
        _with_effect(_what_is_left),
        hint="Subtract the two outputs, then take the norm.",
    ),
    Mistake(
        "subtracts-norms",
        "You subtract two norms. An output can change a lot and stay as long as it was.",
        _with_effect(_difference_of_norms),
        hint="Subtract the two outputs, then take the norm.",
    ),
    Mistake(
        "averages-over-the-keys",
        "Your average runs over the keys, so it is the same for every row.",
        lambda A, V, W_o: np.stack([np.full(A.shape[-1], 1 / A.shape[-1]), _both(A, V, W_o)[1]]),
        hint="Average over heads and queries: A.mean(axis=(0, 1)).",
    ),
    Mistake(
        "sums-the-weights",
        "You add the weights up instead of averaging them.",
        lambda A, V, W_o: np.stack([A.sum(axis=(0, 1)), _both(A, V, W_o)[1]]),
        variants=(
            lambda A, V, W_o: np.stack([A.mean(axis=0).sum(axis=0), _both(A, V, W_o)[1]]),
            lambda A, V, W_o: np.stack([A.sum(axis=0).mean(axis=0), _both(A, V, W_o)[1]]),
        ),
        hint="A.mean(axis=(0, 1)): its entries sum to 1.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="What the average hides",
    difficulty=2,
    minutes=12,
    hints=(
        "V @ W_o.reshape(h, d_v, -1) is what each key hands over in each head, (h, m, d_model).",
        "With key j emptied, output row i loses the sum over heads of A[head, i, j] times what key "
        "j hands over there: (n, d_model) numbers. np.linalg.norm of them is the effect.",
        "One way for all keys: np.einsum('hij,hjd->jid', A, handed), then a norm over the last two "
        "axes.",
    ),
    mistakes=MISTAKES,
    section="sec-12-sink",
    passed=(
        "A key can lead the average and change nothing: because its values are short, or because "
        "two heads cancel, which no picture of weights shows."
    ),
    task=Task(
        "average_and_effect",
        _both,
        PROBES,
        coarse=True,  # with one head, rows that are added up are as long as the sum of their norms
        row_names=("average weight", "effect"),
        steps={
            "average": (lambda A, V, W_o: A.mean(axis=(0, 1)),),
            "handed": (lambda A, V, W_o: _handed(V, W_o),),
        },
    ),
)
