"""Every number in the prose of chapter 4, computed again."""

import re

import numpy as np
import pytest
from prose import Chapter

import attn
from attn import softmax
from attn.data import load
from attn.exercises.catalogue import find
from attn.widgets import ScaleExplorer

CHAPTER = Chapter("04-scaling")
says = CHAPTER.says
SIZES = 2 ** np.arange(11)
ARMS = {(r["d"], r["arm"]): r for r in load("scaling")["arms"]}


def batch(d_k, keys=16):
    rng = np.random.default_rng(d_k)
    return rng.normal(size=(64, 16, d_k)), rng.normal(size=(64, keys, d_k))


def weights(d_k, scale, keys=16):
    Q, K = batch(d_k, keys)
    return softmax(scale * Q @ K.swapaxes(-1, -2))


def entropy(A):
    return -(A * np.log(np.maximum(A, 1e-300))).sum(axis=-1).mean()


def gradient(A):
    J = A[..., :, None] * (np.eye(A.shape[-1]) - A[..., None, :])
    return np.linalg.norm(J, axis=(-2, -1)).ravel()


def first(d, arm, name):
    return np.mean(ARMS[d, arm][f"gradient_{name}"])


def accuracy(d, arm, step):
    return np.array(ARMS[d, arm]["accuracy"])[:, step // 30]


def test_the_cells_of_the_chapter_are_those_computed_here():
    CHAPTER.computes("rng = np.random.default_rng(d_k)", "rng.normal(size=(64, 16, d_k))")


def test_14_and_12_leave_the_second_key_12_percent_and_112_and_96_a_ten_millionth():
    says("the second key keeps 12 % of the weight", "one part in ten million")
    assert softmax(np.array([14.0, 12.0]))[1] == pytest.approx(0.119, abs=5e-4)
    assert softmax(np.array([112.0, 96.0]))[1] == pytest.approx(1e-7, rel=0.15)


def test_the_ratio_of_weights_grows_from_7_4_to_almost_nine_million():
    says(r"$e^{2} \approx 7.4$", "almost nine million")
    assert np.exp(2) == pytest.approx(7.4, abs=0.05)
    assert 8.8e6 < np.exp(16) < 9e6


@pytest.mark.parametrize("d_k", [1, 4, 16, 64, 256, 1024])
def test_the_variance_of_a_score_is_d_k(d_k):
    rng = np.random.default_rng(100 + d_k)
    s = (rng.normal(size=(20_000, d_k)) * rng.normal(size=(20_000, d_k))).sum(axis=-1)
    assert s.var() == pytest.approx(d_k, rel=0.08)
    assert s.mean() == pytest.approx(0, abs=0.04 * np.sqrt(d_k))


def test_spreads_2_and_a_half_give_scores_a_spread_of_8():
    rng = np.random.default_rng(0)
    q, k = rng.normal(0, 2, (20_000, 64)), rng.normal(0, 0.5, (20_000, 64))
    assert (q * k).sum(axis=-1).std() == pytest.approx(8, rel=0.02)


def test_the_best_of_16_keys_takes_84_percent_raw_and_25_divided():
    says("takes 84 % without the division and 25 % with it", "At 1024 it is 96 % and still 25 %")
    for d_k, raw in ((64, 0.84), (1024, 0.96)):
        assert weights(d_k, 1).max(axis=-1).mean() == pytest.approx(raw, abs=0.005)
        divided = weights(d_k, d_k**-0.5).max(axis=-1).mean()
        assert divided == pytest.approx(0.25, abs=0.005)


@pytest.mark.parametrize("d_k", [16, 64, 256, 1024])
def test_the_divided_entropy_is_near_2_36_at_every_size(d_k):
    assert entropy(weights(d_k, d_k**-0.5)) == pytest.approx(2.36, abs=0.02)


def test_in_the_figure_the_median_gradient_grows_up_to_8_and_then_falls():
    says("Up to $d_k = 8$ the gradients *grow*")
    medians = [np.median(ScaleExplorer(d_k=int(d)).gradients) for d in SIZES]
    assert np.argmax(medians) == 3
    assert medians[:4] == sorted(medians[:4])
    assert medians[3:] == sorted(medians[3:], reverse=True)


def test_in_the_figure_the_divided_medians_hardly_move_from_16_on():
    says("From 16 on the two histograms keep their shape")
    medians = [np.median(ScaleExplorer(d_k=int(d), scaled=True).gradients) for d in SIZES[4:]]
    assert np.ptp(medians) < 0.01


def test_in_the_figure_some_query_is_still_undecided_at_1024():
    gradients = ScaleExplorer(d_k=1024).gradients
    assert (gradients[:32] > 0.1).any()


def test_query_1_gives_almost_all_its_weight_to_one_key_at_1024():
    assert ScaleExplorer(d_k=1024).weights[0].max() > 0.99


def test_two_keys_that_tie_react_more_than_16_alike_and_a_clear_winner_does_not():
    alike, tie, winner = (
        gradient(p)[0]
        for p in (np.full(16, 1 / 16), np.full(2, 0.5), softmax(np.array([112.0, 96.0])))
    )
    assert (alike, tie) == (pytest.approx(np.sqrt(15) / 16), pytest.approx(0.5))
    assert winner < 1e-6


@pytest.mark.parametrize(("keys", "peak"), [(16, 8), (64, 16)])
def test_the_median_peaks_near_8_with_16_keys_and_16_with_64(keys, peak):
    says("the median peaks near $d_k = 16$ and falls below the divided one only after 64")
    medians = [np.median(gradient(weights(d, 1, keys))) for d in SIZES[:8]]
    assert SIZES[np.argmax(medians)] == peak


def test_at_1024_the_mean_is_a_sixth_and_the_median_is_gone():
    says("a sixth of the divided 0.30", "the median is about 0.00002")
    says("about three queries in four have a gradient below 0.01")
    raw, divided = gradient(weights(1024, 1)), gradient(weights(1024, 1 / 32))
    assert raw.mean() / np.median(divided) == pytest.approx(1 / 6, abs=0.02)
    assert np.median(raw) == pytest.approx(2e-5, abs=5e-6)
    assert (raw < 0.01).mean() == pytest.approx(0.75, abs=0.02)


def test_the_picture_of_the_means_is_described_as_it_is():
    raw = np.array([gradient(weights(d, 1)) for d in SIZES])
    assert SIZES[np.argmax(raw.mean(axis=1))] == 4
    assert SIZES[np.argmax(np.median(raw, axis=1))] == 8
    assert raw[-1].mean() == pytest.approx(0.05, abs=0.005)


def test_the_gradient_at_a_query_is_scale_times_J_times_K():
    rng = np.random.default_rng(1)
    q, K, u, scale, step = (
        rng.normal(size=5),
        rng.normal(size=(3, 5)),
        rng.normal(size=3),
        0.3,
        1e-6,
    )
    p = softmax(scale * K @ q)
    formula = scale * u @ (np.diag(p) - np.outer(p, p)) @ K
    moved = [softmax(scale * (q + s * np.eye(5)) @ K.T) @ u for s in (step, -step)]
    np.testing.assert_allclose((moved[0] - moved[1]) / (2 * step), formula, atol=1e-8)


def test_the_accuracies_are_those_of_the_table():
    says("At 256 raw reaches 0.40 where divided is at 1.000")
    assert accuracy(256, "unscaled", 150).mean() == pytest.approx(0.40, abs=0.005)
    assert accuracy(256, "scaled", 150).mean() == pytest.approx(1.0, abs=5e-4)
    assert accuracy(256, "unscaled", 600).mean() == pytest.approx(0.77, abs=0.005)


def test_at_64_raw_is_behind_at_150_and_catches_up_and_the_small_start_leads():
    assert accuracy(64, "unscaled", 150).mean() < 0.95 < accuracy(64, "scaled", 150).mean()
    assert accuracy(64, "unscaled", 210).mean() > 0.99
    for step in (30, 60, 90):
        ahead = accuracy(64, "small start", step).mean()
        assert ahead > max(accuracy(64, arm, step).mean() for arm in ("scaled", "unscaled"))


def test_at_256_the_small_start_recovers_most_of_the_loss_but_not_all():
    raw, small, divided = (
        accuracy(256, arm, 150).mean() for arm in ("unscaled", "small start", "scaled")
    )
    assert 0.5 < (small - raw) / (divided - raw) < 0.95
    assert accuracy(256, "small start", 600).mean() == pytest.approx(0.96, abs=0.01)


def test_the_first_gradients_are_as_told():
    says("grows 16-fold", "13 times larger at $W_q$", "the gradient was 13 times larger")
    says("the median query loses about three quarters of its gradient, the mean half")
    arms = ("scaled", "small start", "unscaled")
    divided, small, raw = (first(256, arm, "query_median") for arm in arms)
    assert small / divided == pytest.approx(16, rel=0.01)
    assert 1 - raw / small == pytest.approx(0.75, abs=0.05)
    mean_small, mean_raw = (first(256, arm, "query_mean") for arm in arms[1:])
    assert 1 - mean_raw / mean_small == pytest.approx(0.5, abs=0.05)
    assert first(256, "unscaled", "W_q") / first(256, "scaled", "W_q") == pytest.approx(13, abs=0.5)


def test_the_model_s_scores_start_with_a_spread_of_0_48_roots():
    says(r"a spread of 0.48 $\sqrt{d_k}$")
    for d in (64, 256):
        assert np.mean(ARMS[d, "unscaled"]["spread"]) / np.sqrt(d) == pytest.approx(0.48, abs=0.005)
    assert np.mean(ARMS[256, "unscaled"]["spread"]) == pytest.approx(8, abs=0.5)


def test_the_root_of_512_gives_a_spread_of_0_35_and_nearly_equal_weights():
    says(r"$\sqrt{512} \approx 22.6$", "the scores have a spread of 0.35")
    assert np.sqrt(512) == pytest.approx(22.6, abs=0.05)
    assert 8 / np.sqrt(512) == pytest.approx(0.35, abs=0.005)
    assert np.sqrt(512 / 64) == pytest.approx(np.sqrt(8))
    assert entropy(weights(64, 512**-0.5)) > 0.97 * np.log(16)


def test_a_root_of_512_is_slower_and_ends_at_the_same_place():
    says("0.945 against 0.999 after 150 steps")
    wrong, right = (accuracy(64, arm, 150).mean() for arm in ("model size", "scaled"))
    assert (wrong, right) == (pytest.approx(0.945, abs=5e-4), pytest.approx(0.999, abs=5e-4))
    assert accuracy(64, "model size", 600).mean() > 0.995


def test_no_row_reacts_by_more_than_a_half():
    says("no row has more than ½")
    rows = np.random.default_rng(3).dirichlet(np.full(5, 0.2), size=20_000)
    assert 0.49 < gradient(rows).max() <= 0.5


def test_scaled_attention_is_a_soft_look_up_with_beta_1_over_root_d_k():
    Q, K = batch(64)
    V = np.eye(16)
    looked_up = attn.soft_lookup(Q[0], K[0], V, beta=1 / 8)
    np.testing.assert_allclose(attn.attention(Q[0], K[0], V), looked_up, atol=1e-12)


def test_a_key_equal_to_the_query_scores_about_d_k():
    q = np.random.default_rng(2).normal(size=(500, 256))
    assert (q * q).sum(axis=-1).mean() == pytest.approx(256, rel=0.02)


def test_a_search_for_entropy_2_36_finds_about_an_eighth():
    says("finds about 0.125")
    Q, K = batch(64)
    scale = find("04-find-scale").task.reference((Q[0] @ K[0].T), 2.36)
    many = find("04-find-scale").task.reference((Q @ K.swapaxes(-1, -2)).reshape(-1, 16), 2.36)
    assert many == pytest.approx(0.125, abs=0.003)
    assert scale == pytest.approx(0.125, abs=0.02)


def test_a_ratio_of_4_becomes_2_when_warm_and_16_when_cold():
    warm = find("04-temperature").task.reference
    for temperature, ratio in ((2.0, 2), (0.5, 16)):
        p = warm(np.array([[0.8, 0.2]]), temperature)[0]
        assert p[0] / p[1] == pytest.approx(ratio)


def test_the_live_run_shows_raw_behind_divided():
    assert accuracy(64, "unscaled", 150)[1] < 0.85 < 0.99 < accuracy(64, "scaled", 150)[1]


def test_every_exercise_of_the_chapter_is_asked():
    assert len(re.findall(r"^:label: ex-04-", CHAPTER.text, re.MULTILINE)) == 5
