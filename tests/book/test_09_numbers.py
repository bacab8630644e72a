"""Every number in the prose of chapter 9, computed again."""

import math
import re

import numpy as np
import pytest
import torch
from chapter_text import Chapter

from attn import (
    additive_scores,
    attention,
    linear_attention,
    linear_attention_recurrent,
    softmax,
)
from attn.data import find_record, load, runs_after, steps_until
from attn.nn.experiments.recurrence import ANSWERS, CLIP, EVERY, HELD_OUT, KEYS, RATE, draw_recall
from attn.widgets import CostTable, GradientPaths, LinearState

CHAPTER = Chapter("09-vs-rnn")
says = CHAPTER.says
TABLE = load("recurrence")
TIMES = load("forward_time")
DRAWS = range(1, 6)


def arm(task, size, **values):
    return find_record(TABLE["arms"], task=task, size=size, **values)


def accuracy(task, size, step, **values):
    return runs_after(arm(task, size, **values), step)


def learned(task, size, **values):
    return steps_until(arm(task, size, **values), 0.9)


def at_first(size, **values):
    return np.median(runs_after(arm("first", size, **values), 0, "reach"))


def commonest(pairs):
    values = np.random.default_rng(1).integers(8, size=(20_000, pairs))
    return np.mean([np.bincount(row).max() / pairs for row in values])


def commonest_of_held_out(pairs, seed):
    """What naming the commonest value scores on the very sequences of a run."""
    drawn, _ = draw_recall(pairs, HELD_OUT, torch.Generator().manual_seed(2000 + seed))
    values = drawn[:, :pairs, 1].numpy()
    return np.mean([np.bincount(row).max() / pairs for row in values])


def test_attention_keeps_a_key_and_a_value_for_each_word():
    says(f"- {1000 * (32 + 32)}: ✓", "32 numbers each")


def test_the_decoder_s_favourite_changes_with_its_step():
    says("the sixth word is the most relevant one, in the third row the first")
    CHAPTER.computes("rng = np.random.default_rng(6)", "W_s, W_e, U, C = rng.normal(0, 0.6")
    rng, d = np.random.default_rng(6), 16
    H = rng.normal(size=(6, d))
    W_s, W_e, U, C = rng.normal(0, 0.6, size=(4, d, d))
    w, s, best = rng.normal(0, 0.5, size=d), np.zeros(d), []
    for _ in range(4):
        p = softmax(additive_scores(s[None], H, W_s, W_e, w)[0])
        best.append(int(p.argmax()) + 1)
        s = np.tanh(s @ U + p @ H @ C)
    assert (best[0], best[2]) == (6, 1)


def test_at_200_the_norms_are_as_told():
    says("In this draw the RNN is at about $10^{-72}$, the GRU at $10^{-42}$, attention at 0.008")
    last = {name: norms[-1] for name, norms in GradientPaths().norms.items()}
    assert math.log10(last["RNN"]) == pytest.approx(-72, abs=0.5)
    assert math.log10(last["GRU"]) == pytest.approx(-42, abs=0.5)
    assert last["attention"] == pytest.approx(0.008, abs=5e-4)
    says("In float32, the usual precision, the RNN's number would be 0, and that in every draw")
    assert all(np.float32(GradientPaths(draw=i).norms["RNN"][-1]) == 0 for i in DRAWS)


@pytest.mark.parametrize("draw", DRAWS)
def test_the_rnn_loses_more_than_half_a_step_and_attention_falls_as_1_over_n(draw):
    says("on average the RNN loses more than half of the change at every step, at 30 as at 200")
    norms = GradientPaths(draw=draw).norms
    for n in (30, 200):
        assert (norms["RNN"][n - 1] / norms["RNN"][0]) ** (1 / (n - 1)) < 0.5
    shares = [norms["attention"][n - 1] * n for n in range(1, 201)]
    if draw == 1:
        says("and that number stays between 0.5 and 6")
        assert 0.5 < min(shares) < max(shares) < 6
    shares = shares[19:]
    assert 0.4 < np.mean(shares[-40:]) / np.mean(shares[:40]) < 2.5


@pytest.mark.parametrize("draw", DRAWS)
def test_a_keep_bias_of_6_flattens_gru_and_lstm(draw):
    says("neither line falls off any more. The GRU's is almost flat, and low from the start")
    says("The LSTM's wanders, and ends *above* attention's in all five draws")
    norms = GradientPaths(keep=6.0, draw=draw).norms
    assert 0.4 < norms["GRU"][199] / norms["GRU"][9] < 1.2
    assert 0.2 < norms["LSTM"][199] / norms["LSTM"][9]
    assert norms["LSTM"][199] > norms["attention"][199]
    assert norms["GRU"][0] < 0.02


def test_with_a_gain_of_4_the_rnn_grows_in_some_draws_and_falls_in_others():
    says("in four of them it ends above where it began, in one below")
    ends = [GradientPaths(gain=4.0, draw=i).norms["RNN"][[0, 199]] for i in DRAWS]
    assert [last > 5 * first for first, last in ends] == [True, True, False, True, True]
    assert ends[2][1] < ends[2][0] / 5


def test_the_score_to_beat_in_the_first_task_is_an_eighth():
    says("so 0.125 is the score to beat")
    CHAPTER.computes("plot.level(ax, 0.125")
    says("by Adam with one step size, 0.003", "gradients cut to a norm of 1")
    assert (RATE, CLIP) == (0.003, 1)


def test_the_models_have_so_many_parameters():
    says("At $T = 30$ attention has 4680 parameters, the GRU 7848, the RNN 3624")
    kinds = ("attention", "gru", "rnn")
    assert [arm("first", 30, kind=k, keep=0.0)["parameters"] for k in kinds] == [4680, 7848, 3624]


def test_who_learns_when_in_the_first_task():
    says("At $T = 10$ the GRU is done within 200 steps")
    assert all(step <= 200 for step in learned("first", 10, kind="gru"))
    says("At $T = 30$ the three runs stand still for 850, 1000 and 2550 steps")
    says("Then each learns it, completely, within 200 steps")
    CHAPTER.computes("stay near 0.125 for 850, 1000 and 2550 steps")
    gru = arm("first", 30, kind="gru", keep=0.0)
    still = [moved - EVERY for moved in steps_until(gru, 0.2)]
    assert sorted(still) == [850, 1000, 2550]
    done = learned("first", 30, kind="gru", keep=0.0)
    assert all(end - start <= 200 for start, end in zip(still, done, strict=True))
    assert (runs_after(gru, 3200) > 0.995).all()
    says("All three runs are above 0.9 after 100 steps")
    assert learned("first", 30, kind="gru", keep=3.0) == [100, 100, 100]
    says("At $T = 10$ one of its three runs gets there, at $T = 30$ none does in 1500 steps")
    assert sum(step is not None for step in learned("first", 10, kind="rnn")) == 1
    assert learned("first", 30, kind="rnn") == [None] * 3


def test_the_gradients_of_the_first_task_are_as_told():
    says("some hundred-millionths at the start against 0.007 in attention")
    assert 1e-8 < at_first(30, kind="gru", keep=0.0) < 1e-7
    assert at_first(30, kind="attention") == pytest.approx(0.007, abs=5e-4)
    says("its gradient ends smaller than it began")
    for run in arm("first", 30, kind="rnn")["reach"]:
        assert np.median(run[-10:]) < run[0]
    for run in arm("first", 30, kind="gru", keep=0.0)["reach"]:
        assert np.median(run[12:18]) > 3 * run[0], "it has grown before the accuracy moves"
        assert max(run) > 100 * np.median(run[12:18]), "and it leaps"


def test_the_two_pictures_of_the_first_task_are_described_as_they_are():
    CHAPTER.computes("start between 0.001 and 0.1", "below a trillionth and does not grow")
    for wanted in ({"kind": "attention"}, {"kind": "gru", "keep": 3.0}):
        for run in arm("first", 30, **wanted)["reach"]:
            assert 0.001 < run[0] < 0.1
    assert max(run[0] for run in arm("first", 30, kind="gru", keep=0.0)["reach"]) < 1e-7
    assert max(max(run) for run in arm("first", 30, kind="rnn")["reach"]) < 1e-12


def test_the_commonest_value_is_right_so_often():
    says(f"$1/8 + 7/16$, right {1 / 8 + 7 / 16:.0%}".replace("%", " %"), "With 16 pairs it is 26 %")
    says("Naming the commonest value gives 41 %")
    for pairs, share in ((2, 0.56), (4, 0.41), (16, 0.26)):
        assert commonest(pairs) == pytest.approx(share, abs=0.006)


def test_the_gru_stands_at_the_commonest_value_first():
    says("After 300 steps it is right 40 % of the time, after 600 still")
    means = [
        accuracy("recall", 4, step, kind="gru", width=32, steps=1500).mean() for step in (300, 600)
    ]
    assert means == [pytest.approx(0.40, abs=0.01)] * 2
    for pairs in (2, 4, 8, 16):
        early = accuracy("recall", pairs, 300, kind="gru", width=32, steps=1500).mean()
        assert early == pytest.approx(commonest(pairs), abs=0.05)


def test_attention_recalls_every_number_of_pairs():
    says("Attention has all of them right after 300 steps, at every number of pairs")
    says("attention is above 0.9 within 100 steps at every number of pairs")
    for pairs in (2, 4, 8, 16):
        assert accuracy("recall", pairs, 100, kind="attention").min() > 0.9
        assert accuracy("recall", pairs, 300, kind="attention").min() > 0.995
    says("At 50 steps it is at 0.9 or more for 2 and 4 pairs, and it takes longer for 16")
    for pairs in (2, 4):
        assert accuracy("recall", pairs, 50, kind="attention").min() >= 0.9
    assert accuracy("recall", 16, 50, kind="attention").max() < 0.9


def test_the_gru_s_recall_is_as_told():
    says("is at 0.89 after 1500 steps")
    late = {m: accuracy("recall", m, 1500, kind="gru", width=32, steps=1500) for m in (2, 4, 8, 16)}
    assert late[2].mean() == pytest.approx(0.89, abs=0.005)
    says("With 4 pairs one run of three is clearly above the commonest value by then")
    says("with 8 pairs one, with 16 none")
    for m, ahead in ((4, 1), (8, 1), (16, 0)):
        gaps = [late[m][seed] - commonest_of_held_out(m, seed) for seed in range(3)]
        assert sum(gap > 0.045 for gap in gaps) == ahead, gaps
        assert sum(gap > 0.03 for gap in gaps) == ahead, gaps


def test_the_longer_and_the_wider_run_are_as_told():
    says("had 0.44 right after 1500 steps has 0.85 right after 9000 (one run)")
    (longer,) = arm("recall", 4, kind="gru", steps=9000)["accuracy"]
    assert accuracy("recall", 4, 1500, kind="gru", width=32, steps=1500).mean() == pytest.approx(
        0.44, abs=0.006
    )
    assert longer[-1] == pytest.approx(0.85, abs=0.006)
    assert np.mean(longer[-20:]) > np.mean(longer[-60:-40]) + 0.01, "and the curve still rises"
    says("A state of 128 numbers is at 0.90 after 1500")
    assert accuracy("recall", 4, 1500, kind="gru", width=128).mean() == pytest.approx(
        0.9, abs=0.005
    )
    CHAPTER.computes("rises from 0.56 at 300 steps to 0.89 at 1500", "stays near 0.33 for all its")
    eight = np.mean(arm("recall", 8, kind="gru")["accuracy"], axis=0)[3:]
    assert 0.30 < eight.min() < eight.max() < 0.36


def test_four_pairs_are_23_bits_and_32_numbers_1024():
    bits = math.log2(math.comb(KEYS, 4) * ANSWERS**4)
    says(f"is {bits:.0f} bits of information, and 32 numbers in float32 have {32 * 32}")


def test_with_d_k_1_every_query_shares_out_alike():
    K = np.abs(np.random.default_rng(0).normal(size=(5, 1)))
    V = np.eye(5)
    one, other = (linear_attention(q * np.ones((5, 1)), K, V, causal=True) for q in (-1.0, 3.0))
    np.testing.assert_allclose(one, other)


def test_the_state_holds_12_numbers_and_a_total_of_4():
    says("12 numbers and a total of 4, after one word as after six")
    for step in (1, 6):
        assert LinearState(step=step).state.shape == (4, 3)


def test_both_forms_agree_on_200_words():
    rng = np.random.default_rng(0)
    Q, K, V = (rng.normal(size=(200, size)) for size in (8, 8, 5))
    recurrent, _ = linear_attention_recurrent(Q, K, V)
    np.testing.assert_allclose(linear_attention(Q, K, V, causal=True), recurrent, atol=1e-12)


def share_recalled(read, m, d_k, trials=150):
    rng, right = np.random.default_rng(m * d_k), []
    for _ in range(trials):
        K, value = rng.normal(size=(m, d_k)), rng.integers(8, size=m)
        right.append((read(K, np.eye(8)[value]).argmax(axis=1) == value).mean())
    return np.mean(right)


def read_sum(K, V):
    return K @ (K.T @ V)


def read_attention(K, V):
    return attention(K, K, V)


def read_least_squares(K, V):
    return K @ np.linalg.lstsq(K, V, rcond=None)[0]


def read_regression(K, V):
    """Softmax regression by plain gradient steps."""
    S = np.zeros((K.shape[1], V.shape[1]))
    for _ in range(800):
        S += K.T @ (V - softmax(K @ S)) / len(K)
    return K @ S


@pytest.mark.parametrize("d_k", [8, 16, 32, 64])
def test_what_a_sum_keeps_depends_on_pairs_for_each_entry(d_k):
    says("With a quarter as many pairs as entries nearly all come back")
    says("with as many 0.84 to 0.89, with twice as many about 0.7")
    assert share_recalled(read_sum, d_k // 4, d_k, trials=400) > 0.98
    assert 0.835 < share_recalled(read_sum, d_k, d_k, trials=400) < 0.898
    assert share_recalled(read_sum, 2 * d_k, d_k) == pytest.approx(0.7, abs=0.02)


def test_attention_keeps_more_than_the_sum_and_with_short_keys_not_all():
    says("Wherever the sum has blurred, attention keeps more")
    says("from $d_k = 32$ on at least 99 in 100 at every number of pairs here")
    for d_k in (8, 16, 32):
        for m in (d_k, 2 * d_k, 128):
            by_sum = share_recalled(read_sum, m, d_k, trials=40)
            assert share_recalled(read_attention, m, d_k, trials=40) > by_sum
    assert share_recalled(read_attention, 128, 32, trials=40) > 0.99
    assert share_recalled(read_attention, 128, 8, trials=40) < 0.6


def test_least_squares_is_exact_up_to_as_many_pairs_as_entries_and_not_the_best_beyond():
    says("Up to $m = d_k$ the second way is exact", "give back nearly all of 32 pairs")
    assert share_recalled(read_least_squares, 16, 16, trials=30) == 1
    assert share_recalled(read_least_squares, 32, 16, trials=30) < 0.95
    assert share_recalled(read_regression, 32, 16, trials=8) > 0.97


def test_the_bill_of_the_base_model_is_as_told():
    says("“As printed” attention takes an eighth of the recurrence's operations")
    says("Counted in full it takes 0.71 of a GRU's. One layer of convolution is cheaper than both")
    figure = CostTable()
    assert (figure.n, figure.d, figure.k, figure.cell) == (64, 512, 3, "gru")
    assert figure.n**2 * figure.d / (figure.n * figure.d**2) == 1 / 8
    total = {name: sum(parts.values()) for name, parts in figure.counts.items()}
    assert total["attention"] / total["recurrence"] == pytest.approx(0.71, abs=0.005)
    assert total["convolution"] < min(total["attention"], total["recurrence"])
    says("the 64 words are joined by 32 plain layers or by 4 dilated ones")
    assert figure.paths["convolution"] == 32
    assert figure.paths["dilated convolution"] == 4


def test_the_crossings_are_as_told():
    says("$4nd^2 + 2n^2d = 6nd^2$ at $n = d$", "they cross at $2d$")
    crossings = {
        cell: CostTable(cell=cell).crossings["recurrence"] for cell in ("rnn", "gru", "lstm")
    }
    assert crossings["rnn"] < 0
    assert crossings["gru"] == 512
    assert crossings["lstm"] == 1024


def test_the_times_are_those_of_the_file():
    says(
        "attention passes the GRU between 256 and 512 words, and at 4096 it takes 14 times as long"
    )
    table = dict(zip(TIMES["n"], TIMES["table"], strict=False))
    assert table[256] < 1 < table[512]
    assert table[4096] == pytest.approx(14, abs=0.5)
    says("it is faster than the GRU up to 4096 words and slower at 8192")
    fused = dict(zip(TIMES["n"], TIMES["fused"], strict=True))
    assert max(fused[n] for n in TIMES["n"] if n <= 4096) < 1 < fused[8192]
    says("batch 1, $d = 64$, 4 causal heads, float32, one thread")
    assert (TIMES["d"], TIMES["heads"]) == (64, 4)
    says("those that the causal mask leaves, would put the crossing near 128 words")
    (counted,) = re.findall(r"counted = (.*?) told", CHAPTER.code)
    below, above = (eval(counted, {"n": n}) for n in (127, 128))
    assert below == 1 < above


def test_two_recurrent_layers_take_n_plus_1_steps():
    says("Two recurrent layers take $n + 1$, not $2n$")
    from attn.exercises.catalog import find

    exercise = find("09-steps-in-turn")
    (probe,) = [p for p in exercise.task.probes if "two recurrent layers over five" in p.label]
    assert exercise.task.reference(probe.arguments["needs"]) == 6


def test_every_exercise_of_the_chapter_is_asked():
    assert len(re.findall(r"^:label: ex-09-", CHAPTER.text, re.MULTILINE)) == 5
