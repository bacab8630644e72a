"""Chapter 3: every number in the prose, computed again."""

import re

import numpy as np
import pytest
import torch
from book.chapter_text import Chapter

import attn
from attn import sentence
from attn.exercises.catalog import catalog
from attn.sentence import ENTRIES, WORDS, X
from attn.widgets import LayerExplorer, QKVStepper, TwoContexts

CHAPTER = Chapter("03-qkv")
says = CHAPTER.says
W_Q, W_K, W_V = (W[:, :2] for W in (sentence.W_q, sentence.W_k, sentence.W_v))
Q, K, V = X @ W_Q, X @ W_K, X @ W_V
RAW = attn.softmax(X @ X.T)
WHOLE = attn.softmax(Q @ K.T)
SCALED = attn.attention_weights(Q, K)
_, CAT, WALKS, _, _, STREET = range(6)


def percent(share):
    """As figures write it: with a decimal below 10%."""
    return f"{100 * share:.{int(share < 0.0995)}f}".removesuffix(".0") + "%"


def test_the_complaint_is_chapter_2_s_in_the_same_numbers():
    says(f"*walks* gave *cat* {percent(RAW[WALKS, CAT])}")
    says(f"kept {percent(RAW[WALKS, WALKS])} for itself")
    before = Chapter("02-self-attention")
    before.says(f"*walks* gives *cat* {percent(RAW[WALKS, CAT])} and keeps")
    assert X[WALKS] @ X[CAT] == X[CAT] @ X[WALKS] == 1
    shared = [e for e, a, b in zip(ENTRIES, X[WALKS], X[CAT], strict=True) if a and b]
    assert shared == ["moves"]
    says("All that *walks* and *cat* have in common is *moves*")


def test_the_cure_cures_the_complaint_it_opened_with():
    """The same words: cat's share goes from 19% to 97%, and to 87% after the division."""
    says(f"*walks* now gives *cat* {percent(WHOLE[WALKS, CAT])}")
    says(f"*walks* looks {percent(SCALED[WALKS, CAT])} at *cat*, up from 19%")
    says(f"expect {percent(SCALED[WALKS, CAT])} for *cat*, not {percent(WHOLE[WALKS, CAT])}")
    says(f"stay as they are, {percent(SCALED[WALKS, CAT])} for *cat*")
    CHAPTER.computes(
        "from attn.sentence import W_k, W_q, W_v", "(W[:, :2] for W in (W_q, W_k, W_v))"
    )
    np.testing.assert_allclose(WHOLE, LayerExplorer(stage=3).weights[0])
    np.testing.assert_allclose(SCALED, LayerExplorer(stage=4).weights[0])


def test_what_of_the_matrices_is_not_0_is_what_the_chapter_reads_off_them():
    def filled(W):
        return {(ENTRIES[i], int(j)): W[i, j] for i, j in np.argwhere(W)}

    assert filled(W_Q) == {("verb", 0): 5, ("living", 1): 5}
    assert filled(W_K) == {("living", 0): 1, ("verb", 1): 1}
    assert filled(W_V) == {("living", 0): 1, ("moves", 1): 1}
    says("in $W_q$ a *verb* asks it, and in $W_k$ a *living* thing is found by it")
    says("Column 1 is another question, *doing what?*", "hand over *living* and *moves*")
    assert sentence.W_q.shape[1] == 8
    says("each matrix has eight columns. We use the first two here")


def test_cat_asks_doing_what():
    assert Q[CAT].tolist() == [0, 5]
    assert K[WALKS].tolist() == [0, 1]
    assert (Q @ K.T)[CAT].tolist() == [0, 0, 5, 0, 0, 0]
    says("its query is (0, 5)", "that of the verb, (0, 1), so *cat* scores 5 with *walks*")


def test_walks_leaves_with_the_cat_s_living():
    y = (SCALED @ V)[WALKS]
    says(f"leaves with {y[0]:.3f} of it, all from *cat*")
    assert X[WALKS, ENTRIES.index("living")] == 0
    assert V[:, 0].tolist() == [0, 1, 0, 0, 0, 0], "only the cat hands over living"


def test_asking_is_not_tied_to_being_asked():
    says("*walks* asks with `W_q[verb, 0]` and *cat* with `W_q[living, 1]`: two separate numbers")
    says("We happened to choose 5 for both")
    W = W_Q.copy()
    W[ENTRIES.index("verb"), 0] = 0
    row = attn.attention_weights(X @ W, K)
    np.testing.assert_allclose(row[WALKS], 1 / 6)
    np.testing.assert_allclose(row[CAT], SCALED[CAT])


def test_cat_asks_by_hand():
    assert K.tolist() == [[0, 0], [1, 0], [0, 1], [0, 0], [0, 0], [0, 0]]
    says("The key of *walks* is (0, 1), that of *cat* (1, 0), and the other four are (0, 0)")
    living = (SCALED @ V)[CAT, 0]
    assert living == pytest.approx(0.025, abs=5e-4)
    assert WHOLE[CAT, CAT] == pytest.approx(0.007, abs=5e-4)
    assert SCALED[CAT, WALKS] == pytest.approx(0.873, abs=5e-4)
    says("- 0.025 ± 0.004: ✓", "- 0.007: ✗", "- 0.873: ✗")
    says(f"divided by √2, {5 / np.sqrt(2):.2f} and 0", "gives *walks* 0.873 and every other word")


def test_the_figure_opens_in_the_state_of_the_text():
    figure = QKVStepper()
    assert figure.entries == ["verb", "living"]
    np.testing.assert_allclose(figure.weights, SCALED)
    assert WORDS[figure.word] == "walks"
    assert not np.array(figure.values)[:, 1].any()
    says("their second column is 0 until you change it")


def test_a_zero_query_shares_and_a_negative_one_looks_away():
    none = QKVStepper(W_q=[[0, 0], [0, 5]]).weights
    assert none[WALKS] == pytest.approx([1 / 6] * 6)
    says(f"it still gives *walks* {percent(none[CAT, WALKS])}")
    away = QKVStepper(W_q=[[-5, 0], [0, 5]]).weights[WALKS]
    says(f"*cat* gets {percent(away[CAT])}, and the other five {percent(away[STREET])} each")


def test_street_has_nothing_to_ask_with():
    assert np.array(QKVStepper().embeddings)[STREET].tolist() == [0, 0]
    row = QKVStepper(W_q=[[-1, 0.5], [3, 2]]).weights[STREET]
    assert row == pytest.approx([1 / 6] * 6)


def test_the_minutes_of_the_exercises_are_their_own():
    spent = sum(e.minutes for e in catalog() if e.id.startswith("03-"))
    says(f"plus {spent} for the exercises")


def test_the_score_of_the_question_is_8_over_2():
    q, k = np.array([3.0, 1, 0, 1]), np.array([2.0, 1, 5, 1])
    says(f"- {q @ k / np.sqrt(4):g} ± 0.01: ✓", "A query $(3, 1, 0, 1)$ meets a key $(2, 1, 5, 1)$")


def test_doubling_w_q_and_halving_w_k_changes_nothing():
    same = attn.attention_weights(X @ (2 * W_Q), X @ (W_K / 2))
    assert np.array_equal(same, SCALED)


def test_the_product_says_who_asks_for_what():
    M = W_Q @ W_K.T
    asks = {(ENTRIES[i], ENTRIES[j]): M[i, j] for i, j in np.argwhere(M)}
    assert asks == {("verb", "living"): 5, ("living", "verb"): 5}


def test_scores_are_symmetric_exactly_if_the_product_is():
    says("can differ between the two directions only if $M$ differs from $M^\\top$")
    symmetric, other = W_Q @ W_K.T, sentence.W_q[:, 2:4] @ sentence.W_k[:, 2:4].T
    assert np.allclose(X @ symmetric @ X.T, (X @ symmetric @ X.T).T)
    gap = X @ other @ X.T - (X @ other @ X.T).T
    np.testing.assert_allclose(gap, X @ (other - other.T) @ X.T)
    assert np.abs(gap).max() == 5


def test_two_projections_are_cheaper_than_their_product():
    says(f"they hold {2 * 512 * 64:,} numbers, where a free $M$ would have {512 * 512:,}")


def test_512_goes_to_64_and_the_division_is_by_8():
    says(f"$\\sqrt{{64}} = {np.sqrt(64):g}$")


BIAS = np.array([0.7, -1.2])


def test_a_key_bias_moves_nothing_and_a_query_bias_does():
    weights = attn.attention_weights(Q, K)
    assert np.abs(attn.attention_weights(Q, K + BIAS) - weights).max() < 1e-15
    moved = np.abs(attn.attention_weights(Q + BIAS, K) - weights).max()
    says(f"Here it moves a weight by up to {moved:.2f}")
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
    says("come out as the same vector, (1, 1)", "come out as a risk of 0.9 and a risk of 0.1")


def test_the_shape_questions_answer_what_the_shapes_say():
    sizes = np.ones((10, 64)), np.ones((12, 64)), np.ones((12, 32))
    assert attn.attention(*sizes).shape == (10, 32)
    says("- 32: ✓ An output is a blend of values")
    assert len(TwoContexts(kind="pooling").weights[1]) == 1
    says("- 1: ✓ There is one query, so there is one row of weights", "- 6: ✗ Six words are asked")


def test_swapped_indices_agree_when_queries_are_keys():
    assert np.allclose(X @ X.T, (X @ X.T).T)
    turned = X @ sentence.W_q[:, 2:4]
    assert not np.allclose(
        turned @ (X @ sentence.W_k[:, 2:4]).T, (X @ sentence.W_k[:, 2:4]) @ turned.T
    )


def test_every_percentage_in_the_prose_is_one_of_those_above():
    known = {"19%", "52%", "97%", "87%", "0.6%", "20%", "47%", "31%"}
    assert set(re.findall(r"[\d.]+ ?%", CHAPTER.prose)) == known


def test_the_factor_20_is_enough_up_to_16_types_and_15_is_not():
    says("The factor 20 makes the gap between scores $20/\\sqrt t$", "up to 16 types")

    def least(factor, t):
        return attn.softmax(factor * np.eye(t) / np.sqrt(t)).diagonal().min()

    assert all(least(20, t) >= 0.9 for t in range(1, 17))
    assert least(20, 17) < 0.9
    assert least(15, 16) < 0.9


def test_in_two_entries_the_division_changes_how_sharply_and_not_where():
    says("takes *cat* from 97% to 87%, and *walks* looks at the same word as before")
    assert WHOLE[WALKS].argmax() == SCALED[WALKS].argmax() == CAT


def test_two_projections_to_64_make_a_product_of_rank_64():
    says("has rank at most 64", "compare words along at most 64 directions, not 512")
    W_a, W_b = np.random.default_rng(0).normal(size=(2, 512, 64))
    assert np.linalg.matrix_rank(W_a @ W_b.T) == 64


def test_what_may_be_left_out_is_collapsed_in_jupyter_from_its_heading_on():
    folds = re.findall(
        r"^(.*)\n\n\(sec-03-[\w-]+\)=\n### Going deeper: .*\n\n(.*)$", CHAPTER.text, re.MULTILINE
    )
    assert len(folds) == CHAPTER.text.count("\n### ") == 6
    assert set(folds) == {('+++ {"jp-MarkdownHeadingCollapsed": true}', "+++")}


def test_in_the_layer_walks_finds_the_cat_unless_its_question_is_0():
    row = LayerExplorer(stage=3, strength=0).weights[0, 2]
    np.testing.assert_allclose(row, 1 / 6)
    says("all six words get the same share")
