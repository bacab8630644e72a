"""Chapter 6: masks in other styles pass, masks of numbers do not, and a blind query gets zeros."""

import tracemalloc

import numpy as np
import pytest
from exercises.answers import PASSES, UNNAMED, judged

import attn
from attn.exercises import check
from attn.exercises.catalog import find


def _rows(mask):
    return [[bool(cell) for cell in row] for row in mask]


def _everywhere(mask, hide, look):
    return np.broadcast_to(mask, np.broadcast_shapes(hide.shape, look.shape))


def _other_kinds(exercise):
    """The right mask as something else than True and False."""
    look = find(exercise).task.reference
    kinds = (int, float, np.int8, np.float32)
    return {
        "returns-numbers": [
            lambda *given, kind=kind: np.asarray(look(*given)).astype(kind) for kind in kinds
        ],
        "returns-what-is-added": [lambda *given: np.where(look(*given), 0.0, -np.inf)],
        "adds-to-what-is-seen": [lambda *given: np.where(look(*given), -np.inf, 0.0)],
    }


def _scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1])


def _loops(Q, K, V, mask):
    rows = []
    for q, look in zip(Q, mask, strict=True):
        scores = [q @ k / len(q) ** 0.5 for k, seen in zip(K, look, strict=True) if seen]
        e = [np.exp(score - max(scores)) for score in scores]
        rows.append(sum(x * v for x, v in zip(e, V[look], strict=True)) / (sum(e) or 1))
    return [row + np.zeros(V.shape[1]) for row in rows]


def _nan_to_zero(Q, K, V, mask):
    scores = np.where(mask, _scores(Q, K), -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return np.nan_to_num(e / e.sum(-1, keepdims=True)) @ V


def _rows_that_see(Q, K, V, mask):
    Y, sees = np.zeros((len(Q), V.shape[1])), mask.any(axis=-1)
    Y[sees] = attn.softmax(np.where(mask, _scores(Q, K), -np.inf)[sees]) @ V
    return Y


def _in_float32(Q, K, V, mask):
    return _rows_that_see(*(part.astype(np.float32) for part in (Q, K, V)), mask)


def _unshifted(Q, K, V, mask):
    e = np.exp(np.where(mask, _scores(Q, K), -np.inf))
    total = e.sum(-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0) @ V


def _filled_with(fill):
    def masked_attention(Q, K, V, mask):
        hidden = np.where(mask, _scores(Q, K), fill)
        return attn.softmax(hidden) @ V * mask.any(axis=-1)[:, None]

    return masked_attention


test_an_answer = judged(
    {
        "06-causal": {
            PASSES: [
                lambda n: np.tril(np.ones((n, n), dtype=bool)),
                lambda n: np.tril(np.ones((n, n))) == 1,
                lambda n: [[j <= i for j in range(n)] for i in range(n)],
                lambda n: ~np.triu(np.ones((n, n), dtype=bool), 1),
            ],
            "uses-ours": [attn.causal_mask, lambda n: attn.causal_mask(n)],
            **_other_kinds("06-causal"),
        },
        "06-padding": {
            PASSES: [
                attn.padding_mask,
                lambda lengths, m: np.array([[[j < end for j in range(m)]] for end in lengths]),
                lambda lengths, m: (np.arange(m) < lengths[:, None])[:, None],
            ],
            **_other_kinds("06-padding"),
        },
        "06-cached": {
            PASSES: [
                lambda n, m: np.tril(np.ones((n, m), dtype=bool), m - n),
                lambda n, m: np.tril(np.ones((m, m), dtype=bool))[m - n :],
                lambda n, m: _rows(np.tri(n, m, m - n)),
            ],
            "uses-ours": [attn.causal_mask, lambda n, m: _rows(attn.causal_mask(m)[-n:])],
            **_other_kinds("06-cached"),
        },
        "06-polarity": {
            PASSES: [
                lambda hide, look: look & ~hide,
                lambda hide, look: look & np.equal(hide, False),
                lambda hide, look: look > hide,
                lambda hide, look: np.where(hide, False, look),
            ],
            UNNAMED: [
                lambda hide, look: look == hide,
                lambda hide, look: _everywhere(hide, hide, look),
                lambda hide, look: _everywhere(~look, hide, look),
            ],
            **_other_kinds("06-polarity"),
        },
        "06-masked-attention": {
            PASSES: [_loops, _nan_to_zero, _rows_that_see, _in_float32, _filled_with(-1e9)],
            UNNAMED: [*map(_filled_with, (-20, -30))],
            "fills-with-a-small-number": [
                *map(_filled_with, (-10, -50, -100, -800, -1e4, -2e4, -1e5, -1e6))
            ],
            "fills-with-a-large-number": [
                lambda Q, K, V, mask: attn.softmax(np.where(mask, _scores(Q, K), -1e30)) @ V
            ],
            "refuses-a-blind-query": [lambda Q, K, V, mask: attn.attention(Q, K, V, mask=mask)],
            "overflows": [_unshifted],
        },
    }
)


@pytest.mark.parametrize("kind", [bool, np.int8])
def test_a_mask_of_another_shape_is_not_looked_through(kind):
    huge = np.zeros((10_000, 1000), dtype=kind)
    tracemalloc.start()
    verdict = check("06-causal", lambda n: huge)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert verdict.passed is False
    assert peak < huge.nbytes / 5


@pytest.mark.parametrize(
    "answer",
    [lambda n: np.ones((n, n), dtype=object), lambda n: "mask", lambda n: [["True"] * n] * n],
)
def test_whoever_returns_something_else_is_asked_for_true_and_false(answer):
    assert "return True and False" in check("06-causal", answer).message


def test_a_wrong_mask_is_shown_row_by_row_as_true_and_false():
    verdict = check("06-causal", lambda n: np.ones((n, n), dtype=bool) & (np.arange(n) < 2))
    assert verdict.mistake is None
    assert verdict.table[0] == ("row 0", "[True, True, False]", "[True, False, False]")
