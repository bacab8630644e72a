"""Chapter 6: masks in other styles pass, masks of numbers do not, and a blind query gets zeros."""

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
        attn.causal_mask,
        lambda n: np.tril(np.ones((n, n), dtype=bool)),
        lambda n: np.tril(np.ones((n, n))) == 1,
        lambda n: [[j <= i for j in range(n)] for i in range(n)],
        lambda n: ~np.triu(np.ones((n, n), dtype=bool), 1),
    ],
    ids=["attn", "tril", "compared", "lists", "triu"],
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
        lambda n, m: attn.causal_mask(n, m),
        lambda n, m: np.tril(np.ones((n, m), dtype=bool), m - n),
        lambda n, m: np.tril(np.ones((m, m), dtype=bool))[m - n :],
        lambda n, m: _rows(attn.causal_mask(m)[-n:]),
    ],
    ids=["attn", "tril", "the last rows", "lists"],
)
def test_a_cached_mask_may_be_written_in_any_way(answer):
    assert check("06-cached", answer).passed is True


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


@pytest.mark.parametrize("kind", [int, float, np.int8, np.float32])
@pytest.mark.parametrize("name", ["06-causal", "06-padding", "06-polarity", "06-cached"])
def test_a_mask_of_numbers_is_refused_and_named(name, kind):
    reference = find(name).task.reference
    verdict = check(name, lambda *args: np.asarray(reference(*args)).astype(kind))
    assert verdict.passed is False
    assert verdict.mistake == "returns-numbers"
    assert ".astype(bool)" in verdict.message


@pytest.mark.parametrize("name", ["06-causal", "06-padding", "06-polarity", "06-cached"])
def test_what_is_added_to_the_scores_is_not_told_to_become_its_opposite(name):
    reference = find(name).task.reference
    verdict = check(name, lambda *args: np.where(reference(*args), 0.0, -np.inf))
    assert verdict.mistake == "returns-what-is-added"
    assert ".astype(bool)" not in verdict.message


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
        e = [
            np.exp(q @ k / len(q) ** 0.5) if seen else 0.0 for k, seen in zip(K, look, strict=True)
        ]
        rows.append(sum(x * v for x, v in zip(e, V, strict=True)) / (sum(e) or 1))
    return rows


def _nan_to_zero(Q, K, V, mask):
    e = np.exp(np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf))
    return np.nan_to_num(e / e.sum(-1, keepdims=True)) @ V


def _powers_and_divided(Q, K, V, mask):
    scores = np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    kept = np.exp(scores)
    total = kept.sum(-1, keepdims=True)
    return np.divide(kept, total, out=np.zeros_like(kept), where=total > 0) @ V


@pytest.mark.parametrize("answer", [_loops, _nan_to_zero, _powers_and_divided])
def test_masked_attention_may_be_written_in_any_way(answer):
    assert check("06-masked-attention", answer).passed is True


@pytest.mark.parametrize("fill", [-10, -20, -30, -50])
def test_a_fill_that_is_not_low_enough_is_refused(fill):
    def answer(Q, K, V, mask):
        scores = np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), fill)
        return attn.softmax(scores) @ V * mask.any(axis=-1)[:, None]

    assert check("06-masked-attention", answer).passed is False


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
