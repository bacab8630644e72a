"""Every number in the prose of chapter 9, computed again."""

import math
import re

import numpy as np
import pytest
import torch
from book.chapter_text import Chapter

from attn import (
    attention,
    linear_attention,
    linear_attention_recurrent,
    softmax,
)
from attn.data import find_record, load, runs_after, steps_until
from attn.nn.experiments.recurrence import (
    ANSWERS,
    CLIP,
    EVERY,
    HELD_OUT,
    KEYS,
    RATE,
    TASKS,
    Reader,
    draw_recall,
)
from attn.widgets import CostTable, GradientPaths, LinearState, RunningState
from benchmarks.recurrence import TURNS

CHAPTER = Chapter("09-vs-rnn")
says = CHAPTER.says
TABLE = load("recurrence")
TIMES = load("forward_time")
ALIGNED = load("alignment")
DRAWS = range(1, 6)


def arm(task, size, **values):
    return find_record(TABLE["arms"], task=task, size=size, **values)


def accuracy(task, size, step, **values):
    return runs_after(arm(task, size, **values), step)


def learned(task, size, **values):
    return steps_until(arm(task, size, **values), 0.9)


def at_first(size, **values):
    return np.median(runs_after(arm("first", size, **values), 0, "reach"))


def most_common(pairs):
    values = np.random.default_rng(1).integers(8, size=(20_000, pairs))
    return np.mean([np.bincount(row).max() / pairs for row in values])


def most_common_of_held_out(pairs, seed):
    """What naming the most common value scores on the very sequences of a run."""
    drawn, _ = draw_recall(pairs, HELD_OUT, torch.Generator().manual_seed(2000 + seed))
    values = drawn[:, :pairs, 1].numpy()
    return np.mean([np.bincount(row).max() / pairs for row in values])


def test_attention_keeps_a_key_and_a_value_for_each_word():
    says(f"- {1000 * (32 + 32)}: ✓", "32 numbers each")


def test_the_first_word_fades_and_a_gate_can_keep_a_word():
    says("c: ✓", "$1/2^6 = 1/64$")
    last = RunningState(step=6).shares
    assert last[1] == 1 / 64 < 1 / 50
    says("The newest word makes up half of the state; the first is down to 1.6%")
    assert last[6] == 1 / 2
    assert last[1] == pytest.approx(0.016, abs=5e-4)
    says("half of the state is still empty")
    assert RunningState(step=6, keep=0.9).shares[0] == pytest.approx(0.53, abs=0.005)
    says("No setting leaves the first word more than 7%")
    firsts = [RunningState(step=6, keep=g).shares[1] for g in np.linspace(0, 0.95, 20)]
    assert 0.06 < max(firsts) < 0.07
    says("*cat* is written once and stays whole")
    assert RunningState(step=6, keep=0.0, gate="living").shares[2] == 1


def test_the_trained_alignment_is_as_told_in_every_training():
    says("*chat* looks at *cat*, *noir* at *black*")
    says("For this sentence, all five training runs agree")
    says("Both articles look at the nouns they agree with")
    CHAPTER.computes(
        "Le and chat look most at cat", "marche at walks, la and rue at street, blanche at white"
    )
    english = ALIGNED["sentences"][0].split()
    said = ALIGNED["runs"][0]["written"][0].split()
    assert said == "le chat noir marche sur la rue blanche".split()
    assert len(ALIGNED["runs"]) == 5
    for run in ALIGNED["runs"]:
        assert run["written"][0].split() == said
        looks = dict(zip(said, np.argmax(run["weights"][0], axis=1), strict=True))
        at = {word: english[j] for word, j in looks.items()}
        assert (at["chat"], at["noir"], at["marche"]) == ("cat", "black", "walks")
        assert (at["le"], at["la"], at["rue"], at["blanche"]) == (
            "cat",
            "street",
            "street",
            "white",
        )
        assert run["aligned"]["noun"] == run["aligned"]["adjective"] == 1
    says("only where *sur* looks varies")
    assert len({int(np.argmax(run["weights"][0][4])) for run in ALIGNED["runs"]}) > 1


def test_at_200_the_norms_are_as_told():
    says("The RNN is at about $10^{-72}$, the GRU at $10^{-42}$, attention at 0.008")
    last = {name: norms[-1] for name, norms in GradientPaths().norms.items()}
    assert math.log10(last["RNN"]) == pytest.approx(-72, abs=0.5)
    assert math.log10(last["GRU"]) == pytest.approx(-42, abs=0.5)
    assert last["attention"] == pytest.approx(0.008, abs=5e-4)
    says("In float32 the RNN's number and the LSTM's would be 0")
    assert np.float32(last["RNN"]) == np.float32(last["LSTM"]) == 0 < np.float32(last["GRU"])


@pytest.mark.parametrize("draw", DRAWS)
def test_the_rnn_loses_more_than_half_a_step_and_attention_falls_as_1_over_n(draw):
    says("on average, the RNN loses more than half each time")
    norms = GradientPaths(draw=draw).norms
    for n in (30, 200):
        assert (norms["RNN"][n - 1] / norms["RNN"][0]) ** (1 / (n - 1)) < 0.5
    shares = [norms["attention"][n - 1] * n for n in range(1, 201)]
    says("attention's stays between 0.6 and 7.5 in all five draws")
    assert 0.6 < min(shares) < max(shares) < 7.5
    shares = shares[19:]
    assert 0.4 < np.mean(shares[-40:]) / np.mean(shares[:40]) < 2.5


@pytest.mark.parametrize("draw", DRAWS)
def test_a_keep_bias_of_6_flattens_gru_and_lstm(draw):
    says("neither gated line falls off. The GRU's is low from the start")
    says("The LSTM's ends *above* attention's in all five draws")
    norms = GradientPaths(keep=6.0, draw=draw).norms
    assert 0.4 < norms["GRU"][199] / norms["GRU"][9] < 1.2
    assert 0.2 < norms["LSTM"][199] / norms["LSTM"][9]
    assert norms["LSTM"][199] > norms["attention"][199]
    assert norms["GRU"][0] < 0.02


def test_with_a_gain_of_4_the_rnn_grows_in_some_draws_and_falls_in_others():
    says("lifts the RNN's line above its start in four draws")
    ends = [GradientPaths(gain=4.0, draw=i).norms["RNN"][[0, 199]] for i in DRAWS]
    assert [last > 5 * first for first, last in ends] == [True, True, False, True, True]
    assert ends[2][1] < ends[2][0] / 5


def test_the_score_to_beat_in_the_first_task_is_an_eighth():
    says("Guessing is right one time in eight")
    CHAPTER.computes("plot.level(ax, 0.125")
    says("by Adam with one step size, 0.003", "gradients are clipped to a norm of 1")
    assert (RATE, CLIP) == (0.003, 1)


def test_the_models_have_so_many_parameters():
    says("At $T = 30$ attention has 4680 parameters, the GRU 7848, the RNN 3624")
    kinds = ("attention", "gru", "rnn")
    assert [arm("first", 30, kind=k, keep=0.0)["parameters"] for k in kinds] == [4680, 7848, 3624]


def test_who_learns_when_in_the_first_task():
    says("they stand still for 1000, 850 and 2550 steps")
    says("Then each learns it within 200 more")
    CHAPTER.computes("stay near 0.125 for 1000, 850 and 2550 steps")
    gru = arm("first", 30, kind="gru", keep=0.0)
    still = [moved - EVERY for moved in steps_until(gru, 0.2)]
    assert still == [1000, 850, 2550]
    done = learned("first", 30, kind="gru", keep=0.0)
    assert all(end - start <= 200 for start, end in zip(still, done, strict=True))
    assert (runs_after(gru, 3200) > 0.995).all()
    says("With the keep bias, all three are above 0.9 after 100 steps")
    assert learned("first", 30, kind="gru", keep=3.0) == [100, 100, 100]
    says("at 30 it takes 100 training steps instead of 1050 to 2650")
    assert sorted(done)[::2] == [1050, 2650]
    CHAPTER.computes("near 1 within 150 steps")
    for wanted in ({"kind": "attention"}, {"kind": "gru", "keep": 3.0}):
        assert accuracy("first", 30, 150, **wanted).min() > 0.97
    says("at 30, no run gets there in 1500 steps")
    assert learned("first", 30, kind="rnn") == [None] * 3
    assert arm("first", 30, kind="rnn")["steps"] == 1500


def untrained_gradient(seed):
    """‖∂L/∂x₁‖ of the plain GRU at T = 100: in double precision, or its squares are 0."""
    torch.manual_seed(seed)
    draw, tables = TASKS["first"]
    model = Reader("gru", tables(100), keep=0.0)
    pairs, answer = draw(100, 100, torch.Generator().manual_seed(2000 + seed))
    tokens = model.tokens(pairs).detach().requires_grad_()
    loss = torch.nn.functional.cross_entropy(model(tokens), answer, reduction="sum")
    (slopes,) = torch.autograd.grad(loss, tokens)
    return slopes[:, 0].double().norm(dim=-1).median().item()


def test_a_hundred_steps_back_the_keep_bias_is_enough():
    plain = arm("first", 100, kind="gru", keep=0.0)
    says("The plain GRU's gradient starts near $10^{-23}$", "it still only guesses")
    assert [round(math.log10(start)) for start in map(untrained_gradient, range(3))] == [
        -23,
        -22,
        -23,
    ]
    assert max(max(run) for run in plain["accuracy"]) < 0.2
    says("With the keep bias it is above 0.9 after 300 to 400 steps")
    biased = arm("first", 100, kind="gru", keep=3.0)
    assert sorted(steps_until(biased, 0.9))[::2] == [300, 400]
    says("after 800 it gets all of 500 new sequences right, in all three runs")
    assert HELD_OUT == 500
    assert (runs_after(biased, 800) == 1).all()


def test_the_gradients_of_the_first_task_are_as_told():
    says("starts at some hundred-millionths, against 0.007 in attention")
    assert 1e-8 < at_first(30, kind="gru", keep=0.0) < 1e-7
    assert at_first(30, kind="attention") == pytest.approx(0.007, abs=5e-4)
    says("The plain RNN's ends smaller than it began")
    for run in arm("first", 30, kind="rnn")["reach"]:
        assert np.median(run[-10:]) < run[0]
    says("It rises to about a millionth within 600 steps")
    says("In the slowest run it stays there for more than another 1000")
    for run in arm("first", 30, kind="gru", keep=0.0)["reach"]:
        assert 3e-7 < run[12] < 3e-6
        assert max(run) > 100 * np.median(run[12:18]), "and it leaps"
    slowest = arm("first", 30, kind="gru", keep=0.0)["reach"][2]
    assert 3e-7 < min(slowest[12:44]) < max(slowest[12:44]) < 3e-6


def test_the_two_pictures_of_the_first_task_are_described_as_they_are():
    CHAPTER.computes("start between 0.001 and 0.1", "stays below a trillionth")
    for wanted in ({"kind": "attention"}, {"kind": "gru", "keep": 3.0}):
        for run in arm("first", 30, **wanted)["reach"]:
            assert 0.001 < run[0] < 0.1
    assert max(run[0] for run in arm("first", 30, kind="gru", keep=0.0)["reach"]) < 1e-7
    assert max(max(run) for run in arm("first", 30, kind="rnn")["reach"]) < 1e-12


def test_the_most_common_value_is_right_so_often():
    says("which is right 41% of the time with 4 pairs")
    assert most_common(4) == pytest.approx(0.41, abs=0.006)


def test_the_gru_stands_at_the_most_common_value_first():
    says("After 300 steps it is right 40% of the time, and after 600 still 40%")
    means = [recalled(4, step).mean() for step in (300, 600)]
    assert means == [pytest.approx(0.40, abs=0.005)] * 2
    for pairs in (2, 4, 8, 16):
        assert recalled(pairs, 300).mean() == pytest.approx(most_common(pairs), abs=0.05)
    says("then well beyond it with 2 pairs and a little with 4")
    assert recalled(2, 1500).min() > most_common(2) + 0.2
    assert 0 < recalled(4, 1500).min() - most_common(4) < 0.02
    assert recalled(4, 1500).max() < most_common(4) + 0.11
    for pairs in (8, 16):
        assert recalled(pairs, 1500).mean() < most_common(pairs) + 0.03


def recalled(pairs, step, keep=0.0):
    return accuracy("recall", pairs, step, kind="gru", width=32, keep=keep)


def test_attention_recalls_every_number_of_pairs():
    says("Attention recalls every pair")
    for pairs in (2, 4, 8, 16):
        assert (accuracy("recall", pairs, 300, kind="attention") == 1).all()


def test_the_keep_bias_does_not_help_recall():
    says("(five seeds, ± their standard deviation)", "with 2 and 4 pairs it is behind")
    CHAPTER.computes("x.std(ddof=1)")
    for pairs in (2, 4):
        assert recalled(pairs, 1500, 3.0).mean() < recalled(pairs, 1500).mean() - 0.04
    for pairs in (8, 16):
        assert recalled(pairs, 1500, 3.0).mean() == pytest.approx(
            recalled(pairs, 1500).mean(), abs=0.02
        )
    says("with 16 pairs the bias makes it more than 100 times as large at the first token")
    starts = [
        runs_after(arm("recall", 16, kind="gru", keep=keep), 0, "reach") for keep in (3.0, 0.0)
    ]
    assert (starts[0] > 100 * starts[1]).all()
    says("to no avail")
    gaps = [recalled(16, 1500, 3.0)[i] - most_common_of_held_out(16, i) for i in range(5)]
    assert max(gaps) < 0.03


def test_the_longer_and_the_wider_runs_are_as_told():
    says("from 0.46 on average after 1500 steps to 0.78 after 9000, still improving")
    says("(with the keep bias, 0.57)", "at most 9000 steps")
    means = (recalled(4, 1500), recalled(4, 9000), recalled(4, 9000, 3.0))
    assert [round(runs.mean(), 2) for runs in means] == [0.46, 0.78, 0.57]
    assert max(record["steps"] for record in TABLE["arms"]) == 9000
    mean = np.mean(arm("recall", 4, kind="gru", width=32, keep=0.0)["accuracy"], axis=0)
    assert np.mean(mean[-20:]) > np.mean(mean[-60:-40]) + 0.01, "and it still improves"
    says("A state of 128 numbers is at 0.89 after 1500")
    wide = accuracy("recall", 4, 1500, kind="gru", width=128)
    assert wide.mean() == pytest.approx(0.89, abs=0.005)
    says("two of the five runs are still at the most common value after 9000 steps")
    assert sum(recalled(4, 9000, 3.0) < most_common(4) + 0.02) == 2
    CHAPTER.computes("climbs to 0.78 at 9000 and is still rising", "is at 0.57 by 9000")


def test_four_pairs_are_23_bits_and_32_numbers_1024():
    bits = math.log2(math.comb(KEYS, 4) * ANSWERS**4)
    says(f"is {bits:.0f} bits, and 32 numbers in float32 have {32 * 32}")


def test_with_d_k_1_every_query_shares_out_alike():
    says("The query cancels, and chooses nothing")
    K = np.abs(np.random.default_rng(0).normal(size=(5, 1)))
    V = np.eye(5)
    one, other = (linear_attention(q * np.ones((5, 1)), K, V, causal=True) for q in (-1.0, 3.0))
    np.testing.assert_allclose(one, other)


def test_the_state_holds_12_numbers_and_a_total_of_4():
    says("which never grows: 12 numbers and a total of 4")
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
    says("With a quarter as many pairs as entries in a key, nearly all come back")
    says("with as many, just under 0.9; with twice as many, about 0.7")
    assert share_recalled(read_sum, d_k // 4, d_k, trials=400) > 0.98
    assert 0.835 < share_recalled(read_sum, d_k, d_k, trials=400) < 0.898
    assert share_recalled(read_sum, 2 * d_k, d_k) == pytest.approx(0.7, abs=0.02)


def test_attention_keeps_more_than_the_sum_and_with_short_keys_not_all():
    says("recalls more wherever the sum has blurred")
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
    says("“As printed”, attention takes an eighth of the recurrence's operations")
    says("counted in full, 0.71 of a GRU's")
    figure = CostTable()
    assert (figure.n, figure.d, figure.s, figure.cell) == (64, 512, 3, "gru")
    assert figure.n**2 * figure.d / (figure.n * figure.d**2) == 1 / 8
    total = {name: sum(parts.values()) for name, parts in figure.counts.items()}
    assert total["attention"] / total["recurrence"] == pytest.approx(0.71, abs=0.005)
    says("join the 64 words in $(64 - 1)/(3 - 1)$ layers, rounded up: 32", "4 layers")
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
    says("attention becomes slower than the GRU between 256 and 512 words")
    says("and takes 14 times as long at 4096")
    table = dict(zip(TIMES["n"], TIMES["table"], strict=False))
    assert table[256] < 1 < table[512]
    assert table[4096] == pytest.approx(14, abs=0.5)
    says("stays faster than the GRU up to 4096 words")
    fused = dict(zip(TIMES["n"], TIMES["fused"], strict=True))
    assert max(fused[n] for n in TIMES["n"] if n <= 4096) < 1 < fused[8192]
    says("batch 1, $d = 64$, 4 causal heads, one thread, medians of 9")
    assert (TIMES["d"], TIMES["heads"], TURNS) == (64, 4, 9)


def test_two_recurrent_layers_take_n_plus_1_steps():
    says("Two recurrent layers take $n + 1$, not $2n$")
    from attn.exercises.catalog import find

    exercise = find("09-steps-in-turn")
    (probe,) = [p for p in exercise.task.probes if "two recurrent layers over five" in p.label]
    assert exercise.task.reference(probe.arguments["needs"]) == 6


def test_every_exercise_of_the_chapter_is_asked():
    assert len(re.findall(r"^:label: ex-09-", CHAPTER.text, re.MULTILINE)) == 5
