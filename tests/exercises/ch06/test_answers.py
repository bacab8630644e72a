"""Chapter 6: masks in other styles pass, masks of numbers do not, and a blind query gets zeros."""

import tracemalloc

import numpy as np
import pytest

import attn
from attn.exercises import check
from attn.exercises.catalog import find


def _rows(mask):
    return [[bool(cell) for cell in row] for row in mask]


@pytest.mark.parametrize(
    "answer",
    [
        lambda n: np.tril(np.ones((n, n), dtype=bool)),
        lambda n: np.tril(np.ones((n, n))) == 1,
        lambda n: [[j <= i for j in range(n)] for i in range(n)],
        lambda n: ~np.triu(np.ones((n, n), dtype=bool), 1),
    ],
    ids=["tril", "compared", "lists", "triu"],
)
def test_a_causal_mask_may_be_written_in_any_way(answer):
    assert check("06-causal", answer).passed is True


@pytest.mark.parametrize(
    "answer",
    [
        attn.padding_mask,
        lambda lengths, m: np.array([[[j < length for j in range(m)]] for length in lengths]),
        lambda lengths, m: (np.arange(m) < lengths[:, None])[:, None],
    ],
    ids=["attn", "loops", "an axis at the end"],
)
def test_a_padding_mask_may_be_written_in_any_way(answer):
    assert check("06-padding", answer).passed is True


@pytest.mark.parametrize(
    "answer",
    [
        lambda n, m: np.tril(np.ones((n, m), dtype=bool), m - n),
        lambda n, m: np.tril(np.ones((m, m), dtype=bool))[m - n :],
        lambda n, m: _rows(np.tri(n, m, m - n)),
    ],
    ids=["tril", "the last rows", "lists"],
)
def test_a_cached_mask_may_be_written_in_any_way(answer):
    assert check("06-cached", answer).passed is True


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("06-causal", attn.causal_mask),
        ("06-causal", lambda n: attn.causal_mask(n)),
        ("06-cached", attn.causal_mask),
        ("06-cached", lambda n, m: _rows(attn.causal_mask(m)[-n:])),
    ],
)
def test_a_mask_that_attn_makes_is_not_written_without_attn(exercise, answer):
    verdict = check(exercise, answer)
    assert verdict.mistake == "uses-ours"
    assert "attn.causal_mask does all the work" in verdict.message


@pytest.mark.parametrize(
    "answer",
    [
        lambda hide, look: look & ~hide,
        lambda hide, look: look & np.equal(hide, False),
        lambda hide, look: look > hide,
        lambda hide, look: np.where(hide, False, look),
    ],
    ids=["and", "equal to False", "greater", "where"],
)
def test_two_masks_may_be_joined_in_any_way(answer):
    assert check("06-polarity", answer).passed is True


def _everywhere(mask, hide, look):
    return np.broadcast_to(mask, np.broadcast_shapes(hide.shape, look.shape))


@pytest.mark.parametrize(
    "answer",
    [
        lambda hide, look: look == hide,
        lambda hide, look: _everywhere(hide, hide, look),
        lambda hide, look: _everywhere(~look, hide, look),
    ],
    ids=["equal", "hide alone", "look turned, alone"],
)
def test_masks_that_agree_on_one_sequence_are_told_apart(answer):
    verdict = check("06-polarity", answer)
    assert verdict.passed is False
    assert verdict.mistake is None


@pytest.mark.parametrize("kind", [int, float, np.int8, np.float32])
@pytest.mark.parametrize("name", ["06-causal", "06-padding", "06-polarity", "06-cached"])
def test_a_mask_of_numbers_is_refused_and_named(name, kind):
    reference = find(name).task.reference
    verdict = check(name, lambda *args: np.asarray(reference(*args)).astype(kind))
    assert verdict.passed is False
    assert verdict.mistake == "returns-numbers"
    assert ".astype(bool)" in verdict.hint


@pytest.mark.parametrize("name", ["06-causal", "06-padding", "06-polarity", "06-cached"])
def test_what_is_added_to_the_scores_is_not_told_to_become_its_opposite(name):
    reference = find(name).task.reference
    verdict = check(name, lambda *args: np.where(reference(*args), 0.0, -np.inf))
    assert verdict.mistake == "returns-what-is-added"
    assert ".astype(bool)" not in verdict.hint


@pytest.mark.parametrize("name", ["06-causal", "06-padding", "06-polarity", "06-cached"])
def test_what_is_added_the_wrong_way_round_is_not_told_that_it_is_what_is_added(name):
    reference = find(name).task.reference
    verdict = check(name, lambda *args: np.where(reference(*args), -np.inf, 0.0))
    assert verdict.mistake == "adds-to-what-is-seen"


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
    assert verdict.passed is False
    assert verdict.mistake is None
    assert verdict.table[0] == ("row 0", "[True, True, False]", "[True, False, False]")


def _loops(Q, K, V, mask):
    rows = []
    for q, look in zip(Q, mask, strict=True):
        scores = [q @ k / len(q) ** 0.5 for k, seen in zip(K, look, strict=True) if seen]
        e = [np.exp(score - max(scores)) for score in scores]
        rows.append(sum(x * v for x, v in zip(e, V[look], strict=True)) / (sum(e) or 1))
    return [row + np.zeros(V.shape[1]) for row in rows]


def _nan_to_zero(Q, K, V, mask):
    scores = np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return np.nan_to_num(e / e.sum(-1, keepdims=True)) @ V


def _rows_that_see(Q, K, V, mask):
    Y, sees = np.zeros((len(Q), V.shape[1])), mask.any(axis=-1)
    scores = np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    Y[sees] = attn.softmax(scores[sees]) @ V
    return Y


@pytest.mark.parametrize("answer", [_loops, _nan_to_zero, _rows_that_see])
def test_masked_attention_may_be_written_in_any_way(answer):
    assert check("06-masked-attention", answer).passed is True


def _unshifted(Q, K, V, mask):
    e = np.exp(np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf))
    total = e.sum(-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0) @ V


def test_exponentials_that_are_not_shifted_are_refused_and_named():
    assert check("06-masked-attention", _unshifted).mistake == "overflows"


@pytest.mark.parametrize("fill", [-10, -20, -30, -50, -100, -800, -1e4, -2e4, -1e5, -1e6])
def test_a_fill_that_is_not_low_enough_is_refused(fill):
    def answer(Q, K, V, mask):
        scores = np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), fill)
        return attn.softmax(scores) @ V * mask.any(axis=-1)[:, None]

    verdict = check("06-masked-attention", answer)
    assert verdict.passed is False
    assert verdict.mistake in (None, "fills-with-a-small-number")
    assert fill > -1e4 or verdict.mistake is not None


def test_a_fill_of_minus_1e9_passes_if_blind_queries_get_zeros():
    def answer(Q, K, V, mask):
        scores = np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -1e9)
        return attn.softmax(scores) @ V * mask.any(axis=-1)[:, None]

    assert check("06-masked-attention", answer).passed is True


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda Q, K, V, mask: attn.attention(Q, K, V, mask=mask), "refuses-a-blind-query"),
        (
            lambda Q, K, V, mask: (
                attn.softmax(np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -1e30)) @ V
            ),
            "fills-with-a-large-number",
        ),
    ],
)
def test_the_likeliest_slips_are_named(answer, mistake):
    assert check("06-masked-attention", answer).mistake == mistake


def test_masked_attention_may_be_computed_in_float32():
    def answer(Q, K, V, mask):
        return _rows_that_see(*(part.astype(np.float32) for part in (Q, K, V)), mask)

    assert check("06-masked-attention", answer).passed is True
