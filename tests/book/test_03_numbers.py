"""Chapter 3: every number in the prose, computed again."""

import re

import numpy as np
import pytest
import torch
from chapter_text import Chapter

import attn
from attn.widgets import LayerExplorer, QKVStepper, TokenPlane, TwoContexts

CHAPTER = Chapter("03-qkv")
says = CHAPTER.says
X = np.array([[1.0, 1.0], [2.0, 0.0], [0.0, -1.0]])
W_Q, W_K, W_V = np.array([[0.0, 2], [0, 0]]), np.eye(2), np.diag([0.5, 1.0])
RAW = attn.softmax(X @ X.T)
SCALED = attn.attention_weights(X, X)
ASKED = attn.attention_weights(X @ W_Q, X @ W_K)
CAT, WALKS, STREET = range(3)


def percent(share):
    return f"{100 * share:.0f} %"


def test_the_words_are_those_of_the_last_chapter():
    table = TokenPlane().embedding
    assert [table[word] for word in ("cat", "walks", "street")] == X.tolist()


def test_raw_scores_are_the_same_both_ways_and_the_weights_the_wrong_way_round():
    scores = X @ X.T
    assert scores[WALKS, CAT] == scores[CAT, WALKS] == 2
    says("*walks* scores 2 with *cat*, and *cat* scores 2 with *walks*")
    says(f"gives *cat* {percent(RAW[WALKS, CAT])} and keeps {percent(RAW[WALKS, WALKS])} for")
    says(f"gives *walks* {percent(RAW[CAT, WALKS])}. You can move")


def test_the_cure_cures_the_complaint_it_opened_with():
    """walks finds cat, cat does not ask for walks; raw and new weights have the same scale."""
    says("both with step 3, so that the matrices are all that differs")
    CHAPTER.computes("raw = attention_weights(X, X)", "asked = attention_weights(X @ W_q, X @ W_k)")
    says(f"went from {percent(SCALED[WALKS, CAT])} to {percent(ASKED[WALKS, CAT])} for *cat*")
    says(f"went from {percent(SCALED[CAT, WALKS])} to {percent(ASKED[CAT, WALKS])} for *walks*")
    assert ASKED[WALKS].argmax() == ASKED[CAT].argmax() == CAT
    assert ASKED[STREET] == pytest.approx([1 / 3] * 3)
    scores = X @ W_Q @ (X @ W_K).T
    assert scores[WALKS, CAT] == 4
    assert scores[CAT, WALKS] == 0
    says("score of *walks* with *cat* is 4, and that of *cat* with *walks* is 0")
    assert SCALED[WALKS].argmax() == WALKS


def test_both_pictures_are_described_as_they_are():
    assert [percent(SCALED[i, j]) for i, j in ((0, 0), (0, 1), (1, 1), (1, 0), (2, 2))] == [
        "47 %",
        "47 %",
        "77 %",
        "19 %",
        "58 %",
    ]
    CHAPTER.computes("Cat gives itself 47% and walks 47%. Walks gives", "itself 77% and cat 19%.")
    CHAPTER.computes("Street gives itself 58%.", "Walks gives cat 94%. Cat gives")
    CHAPTER.computes("itself 77% and walks 19%. Street gives each word a third.")
    assert [percent(ASKED[i, j]) for i, j in ((1, 0), (0, 0), (0, 1))] == ["94 %", "77 %", "19 %"]


def test_six_steps_for_walks():
    says(f"*walks* now looks {percent(ASKED[WALKS, CAT])} at *cat*")
    says(f"and {percent(ASKED[WALKS, WALKS])} at itself")
    output = attn.attention(X @ W_Q, X @ W_K, X @ W_V)[WALKS]
    says(f"leaves as ({output[0]:.3f}, {output[1]:.3f})")
    assert (X @ W_Q)[WALKS].tolist() == [0, 4]
    assert (X @ W_Q @ (X @ W_K).T)[WALKS].tolist() == [4, 0, -4]
    says("4 for *cat*, 0 for *walks*, −4 for *street*", "W_q = (0, 4)$: which key")
    from_cat = ASKED[WALKS, CAT] * (X @ W_V)[CAT, 1]
    assert from_cat / output[1] > 0.99, "its life comes from the cat"
    assert output[1] > output[0]


def test_the_figure_opens_in_the_state_of_the_text():
    figure = QKVStepper()
    for own, given in ((figure.W_q, W_Q), (figure.W_k, W_K), (figure.W_v, W_V)):
        assert np.array_equal(own, given)
    assert np.array_equal(figure.embeddings, X)
    assert figure.word == WALKS


def test_the_score_of_the_question_is_8_over_2():
    q, k = np.array([3.0, 1, 0, 1]), np.array([2.0, 1, 5, 1])
    says(f"- {q @ k / np.sqrt(4):g} ± 0.01: ✓", "A query $(3, 1, 0, 1)$ meets a key $(2, 1, 5, 1)$")


def test_a_zero_query_shares_and_a_negative_one_looks_away():
    none = QKVStepper(W_q=[[0, 0], [0, 0]]).weights[WALKS]
    assert none == pytest.approx([1 / 3] * 3)
    away = QKVStepper(W_q=[[0, -2], [0, 0]]).weights[WALKS]
    says(f"*walks* now avoids life, and gives *street* {percent(away[STREET])}")


def test_only_the_second_row_of_w_q_moves_street():
    before = QKVStepper().weights[STREET]
    assert np.array_equal(QKVStepper(W_q=[[-1, 0.5], [0, 0]]).weights[STREET], before)
    assert not np.allclose(QKVStepper(W_q=[[0, 2], [1, 0]]).weights[STREET], before)
    assert not np.allclose(QKVStepper(W_q=[[0, 2], [0, 1]]).weights[STREET], before)


def test_doubling_w_q_and_halving_w_k_changes_nothing():
    same = attn.attention_weights(X @ (2 * W_Q), X @ (W_K / 2))
    assert np.array_equal(same, attn.attention_weights(X @ W_Q, X @ W_K))


def test_the_product_says_that_motion_asks_for_life():
    M = W_Q @ W_K.T
    assert M.tolist() == [[0, 2], [0, 0]]
    says("*Motion* (first row) asks for *life* (second column), with strength 2")


def test_scores_are_symmetric_exactly_if_the_product_is():
    symmetric, other = np.array([[1.0, 2], [2, -1]]), W_Q @ W_K.T
    assert np.allclose(X @ symmetric @ X.T, (X @ symmetric @ X.T).T)
    gap = X @ other @ X.T - (X @ other @ X.T).T
    np.testing.assert_allclose(gap, X @ (other - other.T) @ X.T)
    assert np.abs(gap).max() == 4


def test_two_projections_are_cheaper_than_their_product():
    says(f"{2 * 512 * 64:,} numbers instead of {512 * 512:,}")


def test_512_goes_to_64_and_the_division_is_by_8():
    says(f"$\\sqrt{{64}} = {np.sqrt(64):g}$")


BIAS = np.array([0.7, -1.2])


def test_a_key_bias_moves_nothing_and_a_query_bias_three_tenths():
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = attn.attention_weights(Q, K)
    assert np.abs(attn.attention_weights(Q, K + BIAS) - weights).max() < 1e-15
    moved = np.abs(attn.attention_weights(Q + BIAS, K) - weights).max()
    says(f"A query bias moves a weight by {moved:.1g}")
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


def test_the_weights_and_nothing_else_tell_the_two_monitors_apart():
    says(f"at a cosine of {cosine(*TwoContexts().outputs):.2f}. Turn β to 0")
    says("plain averages of the two sentences are **the same vector**")
    for angle in (0, 45, 90):
        one, two = TwoContexts(beta=0, word_angle=angle).outputs
        np.testing.assert_allclose(one, two)
    apart = [cosine(*TwoContexts(beta=beta).outputs) for beta in (0, 0.5, 1, 2, 4)]
    assert apart == sorted(apart, reverse=True)


def test_monitor_at_0_degrees_hears_patients_and_no_longer_nurses():
    figure = TwoContexts(word_angle=0)
    nurses, itself, _, patients = figure.weights[1][1]
    assert figure.embed("monitor") @ figure.embed("nurses") == 0
    says(f"*monitor* gives itself {percent(itself)} and *patients* {percent(patients)}. The")
    long, other = (np.linalg.norm(y) for y in figure.outputs)
    says(f"at a cosine of {cosine(*figure.outputs):.2f}, though one is {long / other:.1f} times")
    assert nurses < 0.12 < TwoContexts().weights[1][1][0]


def test_keys_for_values_lose_a_risk_that_values_of_their_own_keep():
    crowded_and_dead, both = np.array([[2.0, 0], [0, 2]]), np.ones((2, 2))
    CHAPTER.computes("first = np.array([[2.0, 0.0],", "second = np.array([[1.0, 1.0],")
    CHAPTER.computes("in ((first, 0.9), (second, 0.1)):")
    for looks, risk in ((crowded_and_dead, 0.9), (both, 0.1)):
        np.testing.assert_allclose(attn.attention([[1, 1]], looks, looks), [[1, 1]])
        out = attn.attention([[1, 1]], looks, np.full((2, 1), risk))
        np.testing.assert_allclose(out, risk)
    says("leave as the same vector, (1, 1)", "leave as a risk of 0.9 and one of 0.1")


def test_the_shape_questions_answer_what_the_shapes_say():
    Q, K, V = np.ones((10, 64)), np.ones((12, 64)), np.ones((12, 32))
    assert attn.attention(Q, K, V).shape == (10, 32)
    says("- 32: ✓ An output is a blend of values")
    assert len(TwoContexts(kind="pooling").weights[1]) == 1
    says("- 1: ✓ There is one query, so there is one row of weights")


def test_swapped_indices_agree_when_queries_are_keys():
    assert np.allclose(X @ X.T, (X @ X.T).T)
    Q, K = X @ W_Q @ np.diag([1.0, 2]), X
    assert not np.allclose(Q @ K.T, (Q @ K.T).T)


def test_every_percentage_in_the_prose_is_one_of_those_above():
    known = {"12 %", "87 %", "49 %", "94 %", "6 %", "19 %", "47 %", "31 %", "97 %"}
    assert set(re.findall(r"\d+ %", CHAPTER.prose)) == known


def test_cat_asks_by_hand():
    K, V = X, X @ W_V
    p = attn.softmax(K @ [0.0, 2.0] / np.sqrt(2))
    assert p.round(4).tolist() == [0.7679, 0.1867, 0.0454]
    says("weights 0.7679, 0.1867, 0.0454; so 0.7679 · 1 + 0.1867 · 0 − 0.0454 · 1 ≈ 0.723.")
    says(f"divided by √2: {2 / np.sqrt(2):.3f}, 0, −{2 / np.sqrt(2):.3f};")
    assert (p @ V).round(3).tolist() == [0.571, 0.723]
    assert (attn.softmax(K @ [0.0, 2.0]) @ V)[1] == pytest.approx(0.851, abs=5e-4)
    says("- 0.723 ± 0.02: ✓", "- 0.571: ✗", "- 0.851: ✗")


def test_the_factor_20_is_enough_up_to_16_types_and_15_is_not():
    says("The factor 20 makes the gap between scores $20/\\sqrt t$", "up to 16 types")

    def least(factor, t):
        return attn.softmax(factor * np.eye(t) / np.sqrt(t)).diagonal().min()

    assert all(least(20, t) >= 0.9 for t in range(1, 17))
    assert least(20, 17) < 0.9
    assert least(15, 16) < 0.9


def test_without_the_division_scores_lie_eight_times_as_far_apart():
    says("without the division by 8 the scores lie eight times as far apart")
    says("many queries give nearly all their attention to a single key")
    Q, K = np.random.default_rng(0).normal(size=(2, 200, 10, 64))
    most = attn.softmax(Q @ K.swapaxes(1, 2)).max(axis=-1)
    assert 0.5 < (most > 0.9).mean() < 0.7


def test_two_projections_to_64_make_a_product_of_rank_64():
    says("has rank at most 64", "a head can compare along 64")
    W_a, W_b = np.random.default_rng(0).normal(size=(2, 512, 64))
    assert np.linalg.matrix_rank(W_a @ W_b.T) == 64


def test_what_may_be_left_out_is_collapsed_in_jupyter_from_its_heading_on():
    folds = re.findall(
        r"^(.*)\n\n\(sec-03-[\w-]+\)=\n### Going deeper: .*\n\n(.*)$", CHAPTER.text, re.MULTILINE
    )
    assert len(folds) == CHAPTER.text.count("\n### ") == 3
    assert set(folds) == {('+++ {"jp-MarkdownHeadingCollapsed": true}', "+++")}


def test_in_the_layer_walks_finds_the_cat_unless_its_question_is_0():
    says(f"*walks* now gives *cat* {percent(LayerExplorer(stage=3).weights[0, 2, 1])}")
    row = LayerExplorer(stage=3, strength=0).weights[0, 2]
    np.testing.assert_allclose(row, 1 / 6)
    says("all six words get the same share")
