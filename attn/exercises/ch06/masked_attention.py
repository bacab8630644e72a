"""Attention that obeys a mask, and gives a query that sees nothing a row of zeros."""

import numpy as np

from attn import attention, softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.random_arrays import random_arrays


def _probe(label, *, n, m, d_k, d_v, mask, seed, advice):
    arrays = random_arrays(seed, {"Q": (n, d_k), "K": (m, d_k), "V": (m, d_v)}, digits=1)
    return Probe(label, arrays | {"mask": np.array(mask, dtype=bool)}, advice)


PROBES = (
    _probe(
        "two queries, three keys",
        n=2,
        m=3,
        d_k=5,
        d_v=4,
        mask=[[1, 1, 0], [1, 0, 1]],
        seed=63,
        advice="Put -np.inf where the mask is False, divide by the root of d_k = 5, then softmax.",
    ),
    _probe(
        "three queries, five keys, everything seen",
        n=3,
        m=5,
        d_k=3,
        d_v=2,
        mask=np.ones((3, 5)),
        seed=64,
        advice="With nothing hidden this is the attention of chapter 4.",
    ),
    _probe(
        "a query that sees one key",
        n=3,
        m=4,
        d_k=2,
        d_v=5,
        mask=[[0, 0, 1, 0], [1, 1, 0, 1], [0, 1, 1, 1]],
        seed=65,
        advice="Its output is that key's value.",
    ),
    _probe(
        "a query that sees nothing",
        n=3,
        m=4,
        d_k=6,
        d_v=2,
        mask=[[1, 0, 1, 1], [0, 0, 0, 0], [0, 1, 0, 0]],
        seed=66,
        advice="Give that query an output of zeros, and leave the others as they are.",
    ),
    _probe(
        "four queries, two of which see nothing",
        n=4,
        m=3,
        d_k=7,
        d_v=5,
        mask=[[0, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]],
        seed=67,
        advice="Row by row: mask.any(axis=-1) says which queries see something.",
    ),
    Probe.of(
        "a hidden key that fits far better than all others",
        Q=[[3.0, 20.0], [-1.0, 30.0], [2.0, -0.5]],
        K=[[0.5, 0.1], [1.0, -0.2], [4.0, 40.0], [-0.5, 0.3]],
        V=[[1.0], [2.0], [-3.0], [4.0]],
        mask=np.array([[1, 1, 0, 1], [1, 0, 0, 1], [1, 1, 1, 0]], dtype=bool),
        advice="Hide a score before the softmax sees it: afterwards nothing may be left to divide.",
    ),
    Probe.of(
        "keys that are seen and fit badly, and a hidden value of a million",
        Q=[[8.0, -6.0], [5.0, -7.0]],
        K=[[-5.0, 4.0], [-4.0, 5.0], [0.1, 0.2]],
        V=[[1.0, 5.0], [2.0, -1.0], [1e6, -1e6]],
        mask=np.array([[1, 1, 0], [1, 1, 0]], dtype=bool),
        advice=(
            "Seen scores may be -40 or lower: what is hidden must be lower than any of them, "
            "-np.inf."
        ),
    ),
)


def _scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


def _shifted_exp(scores):
    """Powers of each row's scores above its largest finite one."""
    top = np.where(np.isneginf(scores), -np.inf, scores).max(axis=-1, keepdims=True)
    return np.exp(scores - np.where(np.isneginf(top), 0, top))


def _softmax_or_zeros(scores):
    e = _shifted_exp(scores)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total > 0, total, 1)


def _attention(Q, K, V, mask):
    return _softmax_or_zeros(np.where(mask, _scores(Q, K), -np.inf)) @ V


def _fill_hidden(Q, K, V, mask, fill):
    return softmax(np.where(mask, _scores(Q, K), fill)) @ V


def _renormalise(Q, K, V, mask):
    kept = softmax(_scores(Q, K)) * mask
    total = kept.sum(axis=-1, keepdims=True)
    return kept / np.where(total > 0, total, 1) @ V


def _renormalise_or_nan(Q, K, V, mask):
    kept = softmax(_scores(Q, K)) * mask
    return kept / kept.sum(axis=-1, keepdims=True) @ V


def _nan_when_hidden(Q, K, V, mask):
    e = np.exp(np.where(mask, _scores(Q, K), -np.inf))
    return e / e.sum(axis=-1, keepdims=True) @ V


MISTAKES = (
    Mistake(
        "nan-for-a-blind-query",
        "A query that sees nothing divides 0 by 0, and its output is nan. Give it zeros: divide "
        "by 1 where the sum is 0, or fill such rows at the end.",
        _nan_when_hidden,
    ),
    Mistake(
        "refuses-a-blind-query",
        "attn refuses a row with nothing to share, as its error says. A query that sees nothing is "
        "to get zeros here: find those rows with mask.any(axis=-1) before the softmax.",
        lambda Q, K, V, mask: softmax(np.where(mask, _scores(Q, K), -np.inf)) @ V,
        variants=(lambda Q, K, V, mask: attention(Q, K, V, mask=mask),),
    ),
    Mistake(
        "fills-with-a-large-number",
        "A query that sees nothing gets the plain mean of all values here, hidden as they are, as "
        "from a fill of -1e9. It is to get zeros; the rest is right.",
        lambda Q, K, V, mask: _fill_hidden(Q, K, V, mask, -1e9),
    ),
    Mistake(
        "adds-a-large-number",
        "You add a large negative number. Where some key is seen it works; for a query that sees "
        "nothing it cancels, and the query sees everything. It is to get zeros.",
        lambda Q, K, V, mask: softmax(_scores(Q, K) + np.where(mask, 0.0, -1e9)) @ V,
    ),
    Mistake(
        "zeroes-the-scores",
        "You set hidden scores to 0, and e to the power of 0 is 1: hidden keys keep a weight. Put "
        "-np.inf there.",
        lambda Q, K, V, mask: _fill_hidden(Q, K, V, mask, 0.0),
        variants=(lambda Q, K, V, mask: softmax(_scores(Q, K) * mask) @ V * mask.any(-1)[:, None],),
    ),
    Mistake(
        "zeroes-the-weights",
        "You set hidden weights to 0 after the softmax, so the rest sums to less than 1. Hide the "
        "scores, before the softmax.",
        lambda Q, K, V, mask: (softmax(_scores(Q, K)) * mask) @ V,
    ),
    Mistake(
        "divides-what-is-left",
        "You hide after the softmax and divide by what is left. On paper that is right; where a "
        "hidden key fits far better than the others, nothing is left. Hide before the softmax.",
        _renormalise,
        variants=(_renormalise_or_nan,),
    ),
    Mistake(
        "hides-what-may-be-seen",
        "You hide where the mask is True. True means may look: put -np.inf where it is False.",
        lambda Q, K, V, mask: _attention(Q, K, V, ~mask),
    ),
    Mistake(
        "ignores-the-mask",
        "Your output does not depend on the mask. Put -np.inf in the scores where it is False.",
        lambda Q, K, V, mask: softmax(_scores(Q, K)) @ V,
    ),
    Mistake(
        "forgets-the-scale",
        "Your scores are not divided: divide them by the square root of d_k before the softmax.",
        lambda Q, K, V, mask: _softmax_or_zeros(np.where(mask, Q @ K.T, -np.inf)) @ V,
    ),
    Mistake(
        "divides-by-d-k",
        "You divide by d_k itself; divide the scores by its square root, as in chapter 4.",
        lambda Q, K, V, mask: _softmax_or_zeros(np.where(mask, Q @ K.T / Q.shape[-1], -np.inf)) @ V,
    ),
    Mistake(
        "shares-among-the-queries",
        "Your columns share 1, so keys choose queries. Each query shares its attention among the "
        "keys that it sees: sum over the last axis.",
        lambda Q, K, V, mask: softmax(np.where(mask, _scores(Q, K), -np.inf), axis=0) @ V,
    ),
)

EXERCISE = Exercise(
    "06-masked-attention",
    title="Attention that obeys a mask",
    chapter=6,
    difficulty=3,
    minutes=12,
    hints=(
        "Scores as in chapter 4, then np.where(mask, scores, -np.inf), then the softmax.",
        "mask.any(axis=-1) says which queries see something. Only their rows can go through a "
        "softmax.",
        "Start with np.zeros for all outputs, and write the rows of those queries into it: "
        "Y[sees] = softmax(...) @ V.",
    ),
    mistakes=MISTAKES,
    section="sec-06-blind",
    task=Task("masked_attention", _attention, PROBES),
)
