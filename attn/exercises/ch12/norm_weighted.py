"""Weights times the norms of what they weigh."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, h, n, m, d_v, d, seed, empty=None):
    """`empty` is a key whose values are short and whose weights are large: a sink."""
    rng = np.random.default_rng(seed)
    A = rng.dirichlet(np.ones(m), size=(h, n))
    V, W_o = rng.normal(size=(h, m, d_v)), rng.normal(size=(h * d_v, d))
    if empty is not None:
        A[..., empty] += 2
        V[:, empty] *= 0.02
    A = A / A.sum(axis=-1, keepdims=True)
    return Probe.of(label, A=A, V=V.round(3), W_o=W_o.round(2))


PROBES = (
    _probe("one head", h=1, n=2, m=3, d_v=2, d=4, seed=130).advise(
        "What key j hands over at weight 1 is V[0, j] @ W_o. Its norm multiplies column j, "
        "and then each row is divided by its sum."
    ),
    _probe("two heads", h=2, n=3, m=4, d_v=3, d=5, seed=131).advise(
        "Head i has rows i·d_v to (i + 1)·d_v of W_o, as in chapter 5."
    ),
    _probe("three heads with a sink", h=3, n=5, m=6, d_v=2, d=7, seed=132, empty=0).advise(
        "A key with a short value hands over little, however much weight it gets."
    ),
)


def _weighted(A, V, W_o, *, power=1):
    norms = _norms(V, W_o) ** power
    product = A * norms[:, None, :]
    return product / product.sum(axis=-1, keepdims=True)


def _norms(V, W_o):
    """The norm of what each key hands over in each head, (h, m)."""
    return np.linalg.norm(V @ W_o.reshape(len(V), V.shape[-1], -1), axis=-1)


def _values_only(A, V, W_o):
    product = A * np.linalg.norm(V, axis=-1)[:, None, :]
    return product / product.sum(axis=-1, keepdims=True)


def _over_queries(A, V, W_o):
    product = A * _norms(V, W_o)[:, None, :]
    return product / product.sum(axis=-2, keepdims=True)


def _over_everything(A, V, W_o):
    product = A * _norms(V, W_o)[:, None, :]
    return product / product.sum()


def _interleaved(A, V, W_o):
    """Every h-th row of W_o for a head."""
    own = np.stack([W_o[i :: len(V)] for i in range(len(V))])
    product = A * np.linalg.norm(V @ own, axis=-1)[:, None, :]
    return product / product.sum(axis=-1, keepdims=True)


def _first_rows(A, V, W_o):
    product = A * np.linalg.norm(V @ W_o[: V.shape[-1]], axis=-1)[:, None, :]
    return product / product.sum(axis=-1, keepdims=True)


def _softmax_again(A, V, W_o):
    product = np.exp(A * _norms(V, W_o)[:, None, :])
    return product / product.sum(axis=-1, keepdims=True)


def _of_sums(A, V, W_o):
    """The entries of what is handed over added up, not their norm."""
    handed = V @ W_o.reshape(len(V), V.shape[-1], -1)
    product = A * np.abs(handed).sum(axis=-1)[:, None, :]
    return product / product.sum(axis=-1, keepdims=True)


MISTAKES = (
    Mistake(
        "leaves-rows-unscaled",
        "You multiply by the norms and stop there: the rows no longer sum to 1.",
        lambda A, V, W_o: A * _norms(V, W_o)[:, None, :],
        hint="Divide each row by its sum.",
    ),
    Mistake(
        "forgets-w-o",
        "You take the norms of the values. What a key adds to the output has passed through W_o.",
        _values_only,
        hint="Multiply V by the head's rows of W_o first, then take the norm.",
    ),
    Mistake(
        "cuts-w-o-wrongly",
        "You give a head other rows of W_o than its own.",
        _interleaved,
        variants=(_first_rows,),
        hint="The merged heads stand side by side: head i has rows i·d_v to (i + 1)·d_v.",
    ),
    Mistake(
        "sums-over-queries",
        "You divide each column by its sum, so every key ends with the same total.",
        _over_queries,
        hint="Each row belongs to one query, and its shares sum to 1: axis=-1.",
    ),
    Mistake(
        "sums-over-everything",
        "You divide by one sum over all heads and queries, so the rows do not sum to 1.",
        _over_everything,
        hint="Each row belongs to one query, and its shares sum to 1: axis=-1, keepdims=True.",
    ),
    Mistake(
        "squares-the-norms",
        "You multiply each weight by the norm squared.",
        lambda A, V, W_o: _weighted(A, V, W_o, power=2),
        hint="A norm is the root of the sum of squares: np.linalg.norm(…, axis=-1).",
    ),
    Mistake(
        "adds-up-entries",
        "You add up the absolute values of the entries, which does not give the norm.",
        _of_sums,
        hint="The norm is the root of the sum of squares: np.linalg.norm(…, axis=-1).",
    ),
    Mistake(
        "takes-a-softmax",
        "You take a softmax of the products. They are weights already, not scores.",
        _softmax_again,
        hint="Divide by the sum; there is nothing to exponentiate.",
    ),
    Mistake(
        "returns-the-weights",
        "What you return equals the weights: no key's norm has made a difference.",
        lambda A, V, W_o: A,
        hint="Multiply column j by the norm of what key j hands over.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Weights times norms",
    difficulty=2,
    minutes=8,
    hints=(
        "W_o.reshape(h, d_v, -1) gives each head its own rows: (h, d_v, d_model).",
        "V @ that is what each key hands over, (h, m, d_model). Take the norm over the last axis.",
        "The norms are (h, m), the weights (h, n, m): norms[:, None, :] fits them together.",
    ),
    mistakes=MISTAKES,
    section="sec-12-sink",
    passed=(
        "On the real model this is Encoding.norm_weighted, and the switch in the chapter's figure. "
        "It still sees one head at a time, and only how long an arrow is, not where it points."
    ),
    task=Task(
        "norm_weighted",
        _weighted,
        PROBES,
        steps={"norms": (lambda A, V, W_o: _norms(V, W_o),)},
    ),
)
