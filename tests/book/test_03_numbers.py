"""Chapter 3: every number in the prose, computed again."""

import re

import numpy as np
import pytest
import torch
from prose import Chapter

import attn
from attn.widgets import QKVStepper, TwoContexts

CHAPTER = Chapter("03-qkv")
says = CHAPTER.says
X = np.array([[1.0, 1.0], [0.0, 2.0], [2.0, 0.0]])
W_Q, W_K, W_V = np.array([[0.0, 1], [1, 0]]), np.eye(2), np.diag([1.0, 0.5])
ROOT = np.sqrt(2)


def percent(share):
    return f"{100 * share:.0f} %"


def test_raw_walks_keeps_87_percent_at_home_and_gives_street_2():
    weights = attn.softmax(X @ X.T)[1]
    home, street = percent(weights[1]), percent(weights[2])
    says(f"{home} of the attention of *walks* stays at home and {street} reaches *street*")


def test_the_raw_scores_are_symmetric_and_walks_scores_most_with_itself():
    scores = X @ X.T
    assert np.array_equal(scores, scores.T)
    assert scores[1].argmax() == 1


def test_six_steps_for_walks():
    weights = attn.attention_weights(X @ W_Q, X @ W_K)[1]
    cat, home, street = map(percent, weights)
    says(f"*walks* now looks {street} at *street*, {cat} at *cat* and {home} at itself")
    output = attn.attention(X @ W_Q, X @ W_K, X @ W_V)[1]
    says(f"leaves as ({output[0]:.3f}, {output[1]:.3f})")
    assert (X @ W_Q @ (X @ W_K).T)[1].tolist() == [2, 0, 4]
    says("2 for *cat*, 0 for *walks*, 4 for *street*")


def test_the_figure_opens_in_the_state_of_the_text():
    figure = QKVStepper()
    for own, given in ((figure.W_q, W_Q), (figure.W_k, W_K), (figure.W_v, W_V)):
        assert np.array_equal(own, given)
    assert np.array_equal(figure.embeddings, X)


def test_the_score_of_the_question_is_8_over_2():
    q, k = np.array([3.0, 1, 0, 1]), np.array([2.0, 1, 5, 1])
    assert q @ k == 8
    says(f"- {q @ k / np.sqrt(4):g} ± 0.01: ✓")


def test_a_zero_query_shares_and_a_negative_one_comes_home():
    none = QKVStepper(W_q=[[0, 1], [0, 0]]).weights[1]
    assert none == pytest.approx([1 / 3] * 3)
    away = QKVStepper(W_q=[[0, 1], [-1, 0]]).weights[1]
    assert away.argmax() == 1
    says(f"*walks* now avoids things, and {percent(away[1])} of its attention comes home")


def test_only_the_first_row_of_w_q_moves_street():
    before = QKVStepper().weights[2]
    assert np.array_equal(QKVStepper(W_q=[[0, 1], [-2, 2]]).weights[2], before)
    assert not np.allclose(QKVStepper(W_q=[[1, 1], [1, 0]]).weights[2], before)
    assert not np.allclose(QKVStepper(W_q=[[0, 0], [1, 0]]).weights[2], before)


def test_doubling_w_q_and_halving_w_k_changes_nothing():
    same = attn.attention_weights(X @ (2 * W_Q), X @ (W_K / 2))
    assert np.array_equal(same, attn.attention_weights(X @ W_Q, X @ W_K))


def test_motion_asks_for_things():
    weights = attn.softmax(X @ np.array([[0, 0], [1, 0]]) @ X.T / ROOT)
    walks, cat = percent(weights[1, 2]), percent(weights[0, 2])
    says(f"*walks* looks {walks} at *street* as before, and *cat*")
    says(f"half as much motion, {cat}.")
    assert weights[2] == pytest.approx([1 / 3] * 3)


def test_two_projections_are_cheaper_than_their_product():
    says(f"{2 * 512 * 64:,} numbers instead of {512 * 512:,}")


def test_512_goes_to_64_and_the_division_is_by_8():
    assert np.sqrt(64) == 8
    says("$\\sqrt{64} = 8$")


BIAS = np.array([0.7, -1.2])


def test_a_key_bias_moves_nothing_and_a_query_bias_four_tenths():
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


def test_monitor_leaves_at_a_cosine_of_053():
    one, two = TwoContexts().outputs
    cosine = one @ two / np.linalg.norm(one) / np.linalg.norm(two)
    says(f"at a cosine of {cosine:.2f}")


def test_monitor_at_0_degrees_hears_nurses_and_patients_less():
    half, thing = (TwoContexts(word_angle=a).weights[1][1] for a in (45, 0))
    assert thing[0] < half[0]
    assert thing[3] < half[3]


def test_without_sharpness_the_two_outputs_still_differ():
    one, two = TwoContexts(beta=0).outputs
    assert not np.allclose(one, two)


def test_two_suspect_looks_share_a_risk_of_086():
    looks = np.array([[2.0, 0], [0, 2], [-1, -1], [-1, -1]])
    risk = attn.attention([[1, 1]], looks, [[0.9], [0.9], [0.1], [0.1]])[0, 0]
    says(f"a risk of {risk:.2f}")
    blend = attn.attention([[1, 1]], looks, looks)[0]
    assert np.abs(looks - blend).max(axis=1).min() > 0.5, "no patch looks like the blend"


def test_the_shape_questions_answer_what_the_shapes_say():
    Q, K, V = np.ones((10, 64)), np.ones((12, 64)), np.ones((12, 32))
    assert attn.attention(Q, K, V).shape == (10, 32)
    says("- 32: ✓ An output is a blend of values")
    assert len(TwoContexts(kind="pooling").weights[1]) == 1


def test_swapped_indices_agree_when_queries_are_keys():
    assert np.allclose(X @ X.T, (X @ X.T).T)
    Q, K = X @ W_Q @ np.diag([1.0, 2]), X
    assert not np.allclose(Q @ K.T, (Q @ K.T).T)


def test_every_percentage_in_the_prose_is_one_of_those_above():
    stated = set(re.findall(r"\d+ %", CHAPTER.prose))
    assert stated == {"87 %", "2 %", "77 %", "19 %", "5 %", "58 %"}


def test_street_asks_by_hand():
    says("- 0.277 ± 0.02: ✓")
    says("- 0.149: ✗")
    q = np.array([0.0, 2.0])
    K = np.array([[1.0, 1.0], [0.0, 2.0], [2.0, 0.0]])
    V = np.array([[1.0, 0.5], [0.0, 1.0], [2.0, 0.0]])
    y = attn.softmax(K @ q / np.sqrt(2)) @ V
    assert y == pytest.approx([0.277, 0.861], abs=1e-3)
    assert (attn.softmax(K @ q) @ V)[0] == pytest.approx(0.149, abs=1e-3)
