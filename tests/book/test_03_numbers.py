"""Chapter 3: every number in the prose, computed again."""

import re

import numpy as np
import pytest
import torch
from book.chapter_text import Chapter

import attn
from attn import sentence
from attn.sentence import ENTRIES, WORDS, X
from attn.widgets import LayerExplorer, QKVStepper, TwoContexts

CHAPTER = Chapter("03-qkv")
W_Q, W_K, W_V = (W[:, :2] for W in (sentence.W_q, sentence.W_k, sentence.W_v))
Q, K, V = X @ W_Q, X @ W_K, X @ W_V
RAW = attn.softmax(X @ X.T)
WHOLE = attn.softmax(Q @ K.T)
SCALED = attn.attention_weights(Q, K)
_, CAT, WALKS, _, _, STREET = range(6)


@CHAPTER.number("raw-cat", "raw-itself")
def walks_before_the_matrices():
    return RAW[WALKS, CAT], RAW[WALKS, WALKS]


@CHAPTER.number("whole-cat", "scaled-cat")
def walks_with_the_matrices_before_and_after_the_division():
    return WHOLE[WALKS, CAT], SCALED[WALKS, CAT]


def test_the_complaint_is_chapter_2_s_one_shared_entry_and_one_score_both_ways():
    assert X[WALKS] @ X[CAT] == X[CAT] @ X[WALKS] == 1
    shared = [e for e, a, b in zip(ENTRIES, X[WALKS], X[CAT], strict=True) if a and b]
    assert shared == ["moves"]


def test_the_cure_cures_the_complaint_in_the_layer_itself():
    np.testing.assert_allclose(WHOLE, LayerExplorer(stage=3).weights[0])
    np.testing.assert_allclose(SCALED, LayerExplorer(stage=4).weights[0])
    assert RAW[WALKS, CAT] < SCALED[WALKS, CAT] < WHOLE[WALKS, CAT]


def test_what_of_the_matrices_is_not_0_is_what_the_chapter_reads_off_them():
    def filled(W):
        return {(ENTRIES[i], int(j)): W[i, j] for i, j in np.argwhere(W)}

    assert filled(W_Q) == {("verb", 0): 5, ("living", 1): 5}
    assert filled(W_K) == {("living", 0): 1, ("verb", 1): 1}
    assert filled(W_V) == {("living", 0): 1, ("moves", 1): 1}


def test_cat_asks_doing_what():
    assert Q[CAT].tolist() == [0, 5]
    assert K[WALKS].tolist() == [0, 1]
    assert (Q @ K.T)[CAT].tolist() == [0, 0, 5, 0, 0, 0]


def test_walks_leaves_with_the_cat_s_living():
    assert X[WALKS, ENTRIES.index("living")] == 0
    assert V[:, 0].tolist() == [0, 1, 0, 0, 0, 0], "only the cat hands over living"


def test_asking_is_not_tied_to_being_asked():
    W = W_Q.copy()
    W[ENTRIES.index("verb"), 0] = 0
    row = attn.attention_weights(X @ W, K)
    np.testing.assert_allclose(row[WALKS], 1 / 6)
    np.testing.assert_allclose(row[CAT], SCALED[CAT])


def test_only_cat_and_walks_have_a_key():
    assert K.tolist() == [[0, 0], [1, 0], [0, 1], [0, 0], [0, 0], [0, 0]]


@CHAPTER.number("columns")
def columns_of_each_matrix():
    (columns,) = {W.shape[1] for W in (sentence.W_q, sentence.W_k, sentence.W_v)}
    return columns


@CHAPTER.number("cat-itself", "cat-itself-undivided")
def living_that_cat_leaves_with():
    assert SCALED[CAT, WALKS] == SCALED[WALKS, CAT]
    return (SCALED @ V)[CAT, 0], WHOLE[CAT, CAT]


def test_the_figure_opens_in_the_state_of_the_text():
    figure = QKVStepper()
    assert figure.entries == ["verb", "living"]
    np.testing.assert_allclose(figure.weights, SCALED)
    assert WORDS[figure.word] == "walks"
    assert not np.array(figure.values)[:, 1].any()


def test_a_zero_query_shares_evenly_and_leaves_the_question_of_cat():
    none = QKVStepper(W_q=[[0, 0], [0, 5]]).weights
    assert none[WALKS] == pytest.approx([1 / 6] * 6)
    assert none[CAT, WALKS] == pytest.approx(SCALED[WALKS, CAT])


@CHAPTER.number("avoided-cat", "avoiding-others")
def a_negative_question_looks_away():
    away = QKVStepper(W_q=[[-5, 0], [0, 5]]).weights[WALKS]
    return away[CAT], away[STREET]


def test_street_has_nothing_to_ask_with():
    assert np.array(QKVStepper().embeddings)[STREET].tolist() == [0, 0]
    row = QKVStepper(W_q=[[-1, 0.5], [3, 2]]).weights[STREET]
    assert row == pytest.approx([1 / 6] * 6)


def test_doubling_w_q_and_halving_w_k_changes_nothing():
    same = attn.attention_weights(X @ (2 * W_Q), X @ (W_K / 2))
    assert np.array_equal(same, SCALED)


def test_the_product_says_who_asks_for_what():
    M = W_Q @ W_K.T
    asks = {(ENTRIES[i], ENTRIES[j]): M[i, j] for i, j in np.argwhere(M)}
    assert asks == {("verb", "living"): 5, ("living", "verb"): 5}


def test_scores_are_symmetric_exactly_if_the_product_is():
    symmetric, other = W_Q @ W_K.T, sentence.W_q[:, 2:4] @ sentence.W_k[:, 2:4].T
    assert np.allclose(X @ symmetric @ X.T, (X @ symmetric @ X.T).T)
    gap = X @ other @ X.T - (X @ other @ X.T).T
    np.testing.assert_allclose(gap, X @ (other - other.T) @ X.T)
    assert np.abs(gap).max() == 5


BIAS = np.array([0.7, -1.2])


def test_a_key_bias_moves_nothing_and_a_query_bias_does():
    weights = attn.attention_weights(Q, K)
    assert np.abs(attn.attention_weights(Q, K + BIAS) - weights).max() < 1e-15
    assert np.abs(attn.attention_weights(Q + BIAS, K) - weights).max() > 0.1
    shifted = attn.attention(Q, K, V + BIAS) - attn.attention(Q, K, V)
    np.testing.assert_allclose(shifted, np.broadcast_to(BIAS, shifted.shape), atol=1e-12)


def test_a_library_keeps_a_key_bias_whose_gradient_is_zero():
    torch.manual_seed(0)
    layer = torch.nn.MultiheadAttention(8, 2, batch_first=True, dtype=torch.float64)
    given = torch.randn(1, 5, 8, dtype=torch.float64)
    layer(given, given, given)[0].pow(2).sum().backward()
    query, key, value = layer.in_proj_bias.grad.chunk(3)
    assert key.abs().max() < 1e-12
    assert query.abs().max() > 1e-4
    assert value.abs().max() > 1e-4


def cosine(one, two):
    return one @ two / np.linalg.norm(one) / np.linalg.norm(two)


@CHAPTER.number("self-cosine")
def cosine_of_the_two_monitors():
    return cosine(*TwoContexts().outputs)


def test_the_weights_and_nothing_else_tell_the_two_monitors_apart():
    for angle in (0, 45, 90):
        one, two = TwoContexts(beta=0, word_angle=angle).outputs
        np.testing.assert_allclose(one, two)
    apart = [cosine(*TwoContexts(beta=beta).outputs) for beta in (0, 0.5, 1, 2, 4)]
    assert apart == sorted(apart, reverse=True)


@CHAPTER.number("monitor-itself", "monitor-patients", "thing-cosine", "thing-ratio")
def monitor_at_0_degrees_hears_patients_and_no_longer_nurses():
    figure = TwoContexts(word_angle=0)
    nurses, itself, _, patients = figure.weights[1][1]
    assert figure.embed("monitor") @ figure.embed("nurses") == 0
    assert nurses < 0.12 < TwoContexts().weights[1][1][0]
    long, other = (np.linalg.norm(y) for y in figure.outputs)
    return itself, patients, cosine(*figure.outputs), long / other


def test_keys_for_values_lose_a_risk_that_values_of_their_own_keep():
    crowded_and_dead, both = np.array([[2.0, 0], [0, 2]]), np.ones((2, 2))
    for looks, risk in ((crowded_and_dead, 0.9), (both, 0.1)):
        np.testing.assert_allclose(attn.attention([[1, 1]], looks, looks), [[1, 1]])
        out = attn.attention([[1, 1]], looks, np.full((2, 1), risk))
        np.testing.assert_allclose(out, risk)


def test_the_shape_questions_answer_what_the_shapes_say():
    sizes = np.ones((10, 64)), np.ones((12, 64)), np.ones((12, 32))
    assert attn.attention(*sizes).shape == (10, 32)
    assert len(TwoContexts(kind="pooling").weights[1]) == 1


def test_swapped_indices_agree_when_queries_are_keys():
    assert np.allclose(X @ X.T, (X @ X.T).T)
    turned = X @ sentence.W_q[:, 2:4]
    assert not np.allclose(
        turned @ (X @ sentence.W_k[:, 2:4]).T, (X @ sentence.W_k[:, 2:4]) @ turned.T
    )


def test_a_factor_of_20_is_enough_up_to_16_types_and_15_is_not():

    def least(factor, t):
        return attn.softmax(factor * np.eye(t) / np.sqrt(t)).diagonal().min()

    assert all(least(20, t) >= 0.9 for t in range(1, 17))
    assert least(20, 17) < 0.9
    assert least(15, 16) < 0.9


def test_in_two_entries_the_division_changes_how_sharply_and_not_where():
    assert WHOLE[WALKS].argmax() == SCALED[WALKS].argmax() == CAT


def test_two_projections_to_64_make_a_product_of_rank_64():
    W_a, W_b = np.random.default_rng(0).normal(size=(2, 512, 64))
    assert np.linalg.matrix_rank(W_a @ W_b.T) == 64


def test_what_may_be_left_out_is_collapsed_in_jupyter_from_its_heading_on():
    folds = re.findall(
        r"^(.*)\n\n\(sec-03-[\w-]+\)=\n### Going deeper: .*\n\n(.*)$", CHAPTER.text, re.MULTILINE
    )
    assert len(folds) == CHAPTER.text.count("\n### ")
    assert set(folds) == {('+++ {"jp-MarkdownHeadingCollapsed": true}', "+++")}


def test_in_the_layer_walks_finds_the_cat_unless_its_question_is_0():
    row = LayerExplorer(stage=3, strength=0).weights[0, 2]
    np.testing.assert_allclose(row, 1 / 6)


test_number = CHAPTER.tests()
