"""Attention that obeys a mask, and gives a query that sees nothing a row of zeros."""

import numpy as np

from attn import attention, softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import divides_by_d_k, forgets_the_scale, naive_softmax


def _probe(label, *, n, m, d_k, d_v, mask, seed):
    QKV, mask = {"Q": (n, d_k), "K": (m, d_k), "V": (m, d_v)}, np.array(mask, dtype=bool)
    return Probe.random(label, seed, digits=1, **QKV, mask=mask)


PROBES = (
    _probe(
        "two queries, three keys", n=2, m=3, d_k=5, d_v=4, mask=[[1, 1, 0], [1, 0, 1]], seed=63
    ).advise("Put -np.inf where the mask is False, divide by the root of d_k = 5, then softmax."),
    _probe(
        "three queries, five keys, everything seen",
        n=3,
        m=5,
        d_k=3,
        d_v=2,
        mask=np.ones((3, 5)),
        seed=64,
    ).advise("With nothing hidden this is the attention of chapter 4."),
    _probe(
        "a query that sees one key",
        n=3,
        m=4,
        d_k=2,
        d_v=5,
        mask=[[0, 0, 1, 0], [1, 1, 0, 1], [0, 1, 1, 1]],
        seed=65,
    ).advise("Its output is that key's value."),
    _probe(
        "a query that sees nothing",
        n=3,
        m=4,
        d_k=6,
        d_v=2,
        mask=[[1, 0, 1, 1], [0, 0, 0, 0], [0, 1, 0, 0]],
        seed=66,
    ).advise("Give that query an output of zeros, and leave the others as they are."),
    _probe(
        "four queries, two of which see nothing",
        n=4,
        m=3,
        d_k=7,
        d_v=5,
        mask=[[0, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]],
        seed=67,
    ).advise("Row by row: mask.any(axis=-1) says which queries see something."),
    Probe.of(
        "a hidden key that fits far better than all others",
        Q=[[3.0, 20.0], [-1.0, 30.0], [2.0, -0.5]],
        K=[[0.5, 0.1], [1.0, -0.2], [4.0, 40.0], [-0.5, 0.3]],
        V=[[1.0], [2.0], [-3.0], [4.0]],
        mask=np.array([[1, 1, 0, 1], [1, 0, 0, 1], [1, 1, 1, 0]], dtype=bool),
    ).advise("Hide a score before the softmax sees it: afterwards nothing may be left to divide."),
    Probe.of(
        "seen keys that fit badly, and a hidden value of a million",
        Q=[[8.0, -6.0], [5.0, -7.0]],
        K=[[-5.0, 4.0], [-4.0, 5.0], [0.1, 0.2]],
        V=[[1.0, 5.0], [2.0, -1.0], [1e6, -1e6]],
        mask=np.array([[1, 1, 0], [1, 1, 0]], dtype=bool),
    ).advise(
        "Seen scores may be -40 or lower: what is hidden must be lower than any of them, -np.inf."
    ),
    Probe.of(
        "seen scores near ten million and near minus ten million",
        Q=[[1e4, 1.0, 0.0, 0.0], [-1e4, 0.0, 1.0, 0.0]],
        K=[[2000.0, 2.0, 4.0, 0.0], [2000.0, 4.0, 0.0, 1.0], [0.0, 1.0, 2.0, 3.0]],
        V=[[1.0, 5.0, 0.5], [2.0, -1.0, 0.0], [7.0, 3.0, -2.0]],
        mask=np.array([[1, 1, 0], [1, 1, 0]], dtype=bool),
    ).advise(
        "Print np.exp of the seen scores: inf in one row, 0 in the other. attn.softmax shifts "
        "each row's scores first."
    ),
)


def _scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


def _hidden_scores(Q, K, mask):
    return np.where(mask, _scores(Q, K), -np.inf)


def _shifted_exp(scores):
    """Powers of each row's scores above its largest finite one."""
    top = np.where(np.isneginf(scores), -np.inf, scores).max(axis=-1, keepdims=True)
    return np.exp(scores - np.where(np.isneginf(top), 0, top))


def _softmax_or_zeros(scores):
    e = _shifted_exp(scores)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total > 0, total, 1)


def _attention(Q, K, V, mask):
    return _softmax_or_zeros(_hidden_scores(Q, K, mask)) @ V


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
    scores = _hidden_scores(Q, K, mask)
    return naive_softmax(scores - scores.max(axis=-1, keepdims=True)) @ V


def _unshifted(Q, K, V, mask):
    e = np.exp(_hidden_scores(Q, K, mask))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total > 0, total, 1) @ V


def _fill_but_zero_blind(fill):
    return lambda Q, K, V, mask: (
        _fill_hidden(Q, K, V, mask, fill) * mask.any(axis=-1, keepdims=True)
    )


MISTAKES = (
    Mistake(
        "nan-for-a-blind-query",
        "A query that sees nothing divides 0 by 0, and its output is nan instead of zeros.",
        _nan_when_hidden,
        variants=(lambda Q, K, V, mask: naive_softmax(_hidden_scores(Q, K, mask)) @ V,),
        hint="Divide by 1 where the sum is 0, or fill such rows at the end.",
    ),
    Mistake(
        "overflows",
        "You take exponentials of the scores as they are: a score above 710 gives inf, and a row "
        "of low scores gives only zeros, as if its query saw nothing.",
        _unshifted,
        variants=(
            lambda Q, K, V, mask: np.nan_to_num(naive_softmax(_hidden_scores(Q, K, mask))) @ V,
        ),
        hint="Subtract each row's largest seen score first, or use attn.softmax.",
    ),
    Mistake(
        "fills-with-a-small-number",
        "You hide a score by a number that is not low enough: a key that is seen may score lower "
        "still, and then the hidden one wins.",
        _fill_but_zero_blind(-100.0),
        variants=tuple(_fill_but_zero_blind(fill) for fill in (-10.0, -50.0, -1000.0, -1e4)),
        hint="Nothing is lower than -np.inf.",
    ),
    Mistake(
        "refuses-a-blind-query",
        "attn refuses a row with nothing to share, as its error says, but here a query that sees "
        "nothing gets zeros.",
        lambda Q, K, V, mask: softmax(_hidden_scores(Q, K, mask)) @ V,
        variants=(lambda Q, K, V, mask: attention(Q, K, V, mask=mask),),
        hint="Find those rows with mask.any(axis=-1) before the softmax.",
    ),
    Mistake(
        "fills-with-a-large-number",
        "A query that sees nothing gets the plain mean of all the values, hidden as they are, as "
        "from a fill of -1e9. The rest is right.",
        lambda Q, K, V, mask: _fill_hidden(Q, K, V, mask, -1e9),
        hint="Set the outputs of such queries to 0.",
    ),
    Mistake(
        "adds-a-large-number",
        "You add a large negative number to hidden scores. For a query that sees nothing it "
        "cancels, and the query sees everything.",
        lambda Q, K, V, mask: softmax(_scores(Q, K) + np.where(mask, 0.0, -1e9)) @ V,
        hint="Set the outputs of such queries to 0.",
    ),
    Mistake(
        "zeroes-the-scores",
        "You set hidden scores to 0, and e to the power of 0 is 1, so hidden keys keep a weight.",
        lambda Q, K, V, mask: _fill_hidden(Q, K, V, mask, 0.0),
        variants=(lambda Q, K, V, mask: softmax(_scores(Q, K) * mask) @ V * mask.any(-1)[:, None],),
        hint="The exponential of -np.inf is 0.",
    ),
    Mistake(
        "zeroes-the-weights",
        "You set hidden weights to 0 after the softmax, so what is left sums to less than 1.",
        lambda Q, K, V, mask: (softmax(_scores(Q, K)) * mask) @ V,
        hint="Hide the scores, before the softmax.",
    ),
    Mistake(
        "divides-what-is-left",
        "You hide after the softmax and divide by what is left. On paper that is right, but where "
        "a hidden key fits far better than the others, nothing is left.",
        _renormalise,
        variants=(_renormalise_or_nan,),
        hint="Hide before the softmax.",
    ),
    Mistake(
        "hides-what-may-be-seen",
        "You hide where the mask is True, but True means may look.",
        lambda Q, K, V, mask: _attention(Q, K, V, ~mask),
        hint="Put -np.inf where it is False.",
    ),
    Mistake(
        "ignores-the-mask",
        "Your output does not depend on the mask.",
        lambda Q, K, V, mask: softmax(_scores(Q, K)) @ V,
        hint="Put -np.inf into the scores where it is False.",
    ),
    forgets_the_scale(
        lambda Q, K, V, mask: _softmax_or_zeros(np.where(mask, Q @ K.T, -np.inf)) @ V
    ),
    divides_by_d_k(
        lambda Q, K, V, mask: _softmax_or_zeros(np.where(mask, Q @ K.T / Q.shape[-1], -np.inf)) @ V
    ),
    Mistake(
        "shares-among-the-queries",
        "Your columns share a 1, so keys choose queries instead of queries choosing keys.",
        lambda Q, K, V, mask: softmax(_hidden_scores(Q, K, mask), axis=0) @ V,
        hint="Sum over the last axis.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Attention that obeys a mask",
    difficulty=3,
    minutes=12,
    hints=(
        "Scores as in chapter 4, then np.where(mask, scores, -np.inf), then the softmax.",
        "mask.any(axis=-1) says which queries see something. Only their rows can go through a "
        "softmax.",
        "Start with np.zeros for all the outputs, and write the rows of those queries into it: "
        "Y[sees] = softmax(...) @ V.",
    ),
    mistakes=MISTAKES,
    section="sec-06-blind",
    passed=(
        "A hidden key has no influence at all, whatever its score or value, and a blind query "
        "disturbs nobody. Compare it with attn.attention(Q, K, V, mask=mask), which refuses a blind"
        " query instead."
    ),
    task=Task("masked_attention", _attention, PROBES),
)
