"""Every number in the prose of chapter 9, computed again."""

import math

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


@CHAPTER.number("first-word", "most-of-the-first")
def share_of_the_first_word():
    """At the last of six words, with half kept and with the best setting."""
    half = RunningState(step=6).shares
    assert half[1] == 1 / 64 < 1 / 50
    assert half[6] == 1 / 2
    return half[1], max(RunningState(step=6, keep=g).shares[1] for g in np.linspace(0, 0.95, 20))


@CHAPTER.number("empty-at-0.9")
def empty_at_0_9():
    return RunningState(step=6, keep=0.9).shares[0]


def test_behind_a_gate_cat_is_written_once_and_stays_whole():
    assert RunningState(step=6, keep=0.0, gate="living").shares[2] == 1


def test_nouns_and_adjectives_are_aligned_in_every_training():
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
    assert len({int(np.argmax(run["weights"][0][4])) for run in ALIGNED["runs"]}) > 1


@CHAPTER.number("log-rnn", "log-gru", "attention-200")
def norms_at_200():
    """The exponents of two powers of ten, and attention's norm."""
    last = {name: norms[-1] for name, norms in GradientPaths().norms.items()}
    assert np.float32(last["RNN"]) == np.float32(last["LSTM"]) == 0 < np.float32(last["GRU"])
    return math.log10(last["RNN"]), math.log10(last["GRU"]), last["attention"]


@CHAPTER.number("least-times-n", "most-times-n")
def norms_of_attention_times_n():
    n = np.arange(1, 201)
    norms = [n * GradientPaths(draw=draw).norms["attention"][:200] for draw in DRAWS]
    return np.min(norms), np.max(norms)


@pytest.mark.parametrize("draw", DRAWS)
def test_the_rnn_loses_more_than_half_a_step_and_attention_falls_as_1_over_n(draw):
    norms = GradientPaths(draw=draw).norms
    for n in (30, 200):
        assert (norms["RNN"][n - 1] / norms["RNN"][0]) ** (1 / (n - 1)) < 0.5
    shares = [norms["attention"][n - 1] * n for n in range(1, 201)]
    shares = shares[19:]
    assert 0.4 < np.mean(shares[-40:]) / np.mean(shares[:40]) < 2.5


@pytest.mark.parametrize("draw", DRAWS)
def test_a_keep_bias_of_6_flattens_gru_and_lstm(draw):
    norms = GradientPaths(keep=6.0, draw=draw).norms
    assert 0.4 < norms["GRU"][199] / norms["GRU"][9] < 1.2
    assert 0.2 < norms["LSTM"][199] / norms["LSTM"][9]
    assert norms["LSTM"][199] > norms["attention"][199]
    assert norms["GRU"][0] < 0.02


@CHAPTER.number("draws", "rising-draws")
def draws_with_a_gain_of_4():
    """In how many the RNN's line ends above its start; in the other it falls."""
    ends = [GradientPaths(gain=4.0, draw=i).norms["RNN"][[0, 199]] for i in DRAWS]
    rising = [last > 5 * first for first, last in ends]
    assert all(up or last < first / 5 for up, (first, last) in zip(rising, ends, strict=True))
    return len(DRAWS), sum(rising)


@CHAPTER.number("rate", "clip", "held-out", "width")
def settings():
    widths = {record.get("width") for record in TABLE["arms"] if record["task"] == "first"}
    return RATE, CLIP, HELD_OUT, *(widths - {None} or {32})


@CHAPTER.number("parameters-attention", "parameters-gru", "parameters-rnn")
def parameters():
    kinds = ("attention", "gru", "rnn")
    return [arm("first", 30, kind=kind, keep=0.0)["parameters"] for kind in kinds]


@CHAPTER.number("still-0", "still-1", "still-2")
def plateaus():
    """How long each plain GRU stands still at 30."""
    gru = arm("first", 30, kind="gru", keep=0.0)
    assert (runs_after(gru, 3200) > 0.995).all()
    return [moved - EVERY for moved in steps_until(gru, 0.2)]


@CHAPTER.number("learned-within")
def learned_within():
    done = learned("first", 30, kind="gru", keep=0.0)
    return max(end - start for start, end in zip(plateaus(), done, strict=True))


@CHAPTER.number("first-plain", "last-plain", "learned-biased")
def steps_to_learn():
    """Of the plain GRUs, and of all three with a keep bias."""
    done = learned("first", 30, kind="gru", keep=0.0)
    (biased,) = set(learned("first", 30, kind="gru", keep=3.0))
    return min(done), max(done), biased


def test_attention_and_the_keep_bias_are_near_1_within_150_steps():
    for wanted in ({"kind": "attention"}, {"kind": "gru", "keep": 3.0}):
        assert accuracy("first", 30, 150, **wanted).min() > 0.97


@CHAPTER.number("steps-rnn")
def steps_of_the_plain_rnn():
    """In which no run gets there."""
    assert learned("first", 30, kind="rnn") == [None] * 3
    return arm("first", 30, kind="rnn")["steps"]


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


@CHAPTER.number("log-untrained")
def untrained_gradients():
    """The exponent of the power of ten."""
    return math.log10(np.median([untrained_gradient(seed) for seed in range(3)]))


@CHAPTER.number("steps-plain-100")
def steps_of_the_plain_gru():
    """At 100, where it still only guesses."""
    plain = arm("first", 100, kind="gru", keep=0.0)
    assert max(max(run) for run in plain["accuracy"]) < 0.2
    return plain["steps"]


@CHAPTER.number("first-biased-100", "last-biased-100")
def steps_with_a_keep_bias():
    """At 100; soon every answer is right."""
    biased = arm("first", 100, kind="gru", keep=3.0)
    assert (runs_after(biased, 800) == 1).all()
    return min(steps_until(biased, 0.9)), max(steps_until(biased, 0.9))


@CHAPTER.number("gradient-attention")
def gradient_of_attention():
    return at_first(30, kind="attention")


def test_the_gru_s_gradient_starts_at_some_hundred_millionths():
    assert 1e-8 < at_first(30, kind="gru", keep=0.0) < 1e-7


def test_the_plain_rnn_s_gradient_ends_smaller_than_it_began():
    for run in arm("first", 30, kind="rnn")["reach"]:
        assert np.median(run[-10:]) < run[0]


def test_the_gru_s_gradient_stays_at_a_millionth_until_it_leaps():
    for run in arm("first", 30, kind="gru", keep=0.0)["reach"]:
        assert 3e-7 < run[12] < 3e-6
        assert max(run) > 100 * np.median(run[12:18])
    slowest = arm("first", 30, kind="gru", keep=0.0)["reach"][2]
    assert 3e-7 < min(slowest[12:44]) < max(slowest[12:44]) < 3e-6


def test_the_first_gradients_are_in_the_order_of_the_picture():
    for wanted in ({"kind": "attention"}, {"kind": "gru", "keep": 3.0}):
        for run in arm("first", 30, **wanted)["reach"]:
            assert 0.001 < run[0] < 0.1
    assert max(run[0] for run in arm("first", 30, kind="gru", keep=0.0)["reach"]) < 1e-7
    assert max(max(run) for run in arm("first", 30, kind="rnn")["reach"]) < 1e-12


@CHAPTER.number("most-common")
def most_common_of_four():
    return most_common(4)


@CHAPTER.number("recalled-300", "recalled-600")
def recalled_early():
    return [recalled(4, step).mean() for step in (300, 600)]


def test_the_gru_stands_at_the_most_common_value_first():
    for pairs in (2, 4, 8, 16):
        assert recalled(pairs, 300).mean() == pytest.approx(most_common(pairs), abs=0.05)
    assert recalled(2, 1500).min() > most_common(2) + 0.2
    assert 0 < recalled(4, 1500).min() - most_common(4) < 0.02
    assert recalled(4, 1500).max() < most_common(4) + 0.11
    for pairs in (8, 16):
        assert recalled(pairs, 1500).mean() < most_common(pairs) + 0.03


def recalled(pairs, step, keep=0.0):
    return accuracy("recall", pairs, step, kind="gru", width=32, keep=keep)


def test_attention_recalls_every_number_of_pairs():
    for pairs in (2, 4, 8, 16):
        assert (accuracy("recall", pairs, 300, kind="attention") == 1).all()


def test_the_keep_bias_does_not_help_recall():
    for pairs in (2, 4):
        assert recalled(pairs, 1500, 3.0).mean() < recalled(pairs, 1500).mean() - 0.04
    for pairs in (8, 16):
        assert recalled(pairs, 1500, 3.0).mean() == pytest.approx(
            recalled(pairs, 1500).mean(), abs=0.02
        )
    gaps = [recalled(16, 1500, 3.0)[i] - most_common_of_held_out(16, i) for i in range(5)]
    assert max(gaps) < 0.03


@CHAPTER.number("bias-ratio")
def ratio_of_first_gradients():
    """With a keep bias to without, with 16 pairs: the least of the runs."""
    biased, plain = (
        runs_after(arm("recall", 16, kind="gru", keep=keep), 0, "reach") for keep in (3.0, 0.0)
    )
    return (biased / plain).min()


@CHAPTER.number("recalled-1500", "recalled-9000", "recalled-biased")
def longer_runs():
    mean = np.mean(arm("recall", 4, kind="gru", width=32, keep=0.0)["accuracy"], axis=0)
    assert np.mean(mean[-20:]) > np.mean(mean[-60:-40]) + 0.01  # it still improves
    runs = (recalled(4, 1500), recalled(4, 9000), recalled(4, 9000, 3.0))
    return [run.mean() for run in runs]


@CHAPTER.number("most-steps")
def most_steps():
    return max(record["steps"] for record in TABLE["arms"])


@CHAPTER.number("recalled-wide")
def recalled_by_a_wide_state():
    return accuracy("recall", 4, 1500, kind="gru", width=128).mean()


@CHAPTER.number("stuck-runs", "recall-runs")
def runs_at_the_most_common_value():
    runs = recalled(4, 9000, 3.0)
    return sum(runs < most_common(4) + 0.02), len(runs)


@CHAPTER.number("bits")
def bits_of_four_pairs():
    return math.log2(math.comb(KEYS, 4) * ANSWERS**4)


def test_with_d_k_1_every_query_shares_out_alike():
    K = np.abs(np.random.default_rng(0).normal(size=(5, 1)))
    V = np.eye(5)
    one, other = (linear_attention(q * np.ones((5, 1)), K, V, causal=True) for q in (-1.0, 3.0))
    np.testing.assert_allclose(one, other)


@CHAPTER.number("state", "total")
def sizes_of_the_state():
    """At the first word as at the last."""
    first, last = (LinearState(step=step).state for step in (1, 6))
    assert first.shape == last.shape
    return last.size, last.shape[0]


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


@CHAPTER.number("kept-as-many", "kept-twice")
def kept_by_a_sum():
    """With as many pairs as entries in a key, and twice as many: about the same for any size."""
    sizes = (8, 16, 32, 64)
    for d_k in sizes:
        assert share_recalled(read_sum, d_k // 4, d_k, trials=400) > 0.98
    as_many = [share_recalled(read_sum, d_k, d_k, trials=400) for d_k in sizes]
    twice = [share_recalled(read_sum, 2 * d_k, d_k) for d_k in sizes]
    assert 0.835 < min(as_many) < max(as_many) < 0.898
    assert np.ptp(twice) < 0.04
    return np.mean(as_many), np.mean(twice)


def test_attention_keeps_more_than_the_sum_and_with_short_keys_not_all():
    for d_k in (8, 16, 32):
        for m in (d_k, 2 * d_k, 128):
            by_sum = share_recalled(read_sum, m, d_k, trials=40)
            assert share_recalled(read_attention, m, d_k, trials=40) > by_sum
    assert share_recalled(read_attention, 128, 32, trials=40) > 0.99
    assert share_recalled(read_attention, 128, 8, trials=40) < 0.6


def test_least_squares_is_exact_up_to_as_many_pairs_as_entries_and_not_the_best_beyond():
    assert share_recalled(read_least_squares, 16, 16, trials=30) == 1
    assert share_recalled(read_least_squares, 32, 16, trials=30) < 0.95
    assert share_recalled(read_regression, 32, 16, trials=8) > 0.97


@CHAPTER.number("as-printed", "counted", "layers", "layers-dilated")
def bill_of_the_base_model():
    figure = CostTable()
    assert (figure.n, figure.d, figure.s, figure.cell) == (64, 512, 3, "gru")
    printed = figure.n**2 * figure.d / (figure.n * figure.d**2)
    total = {name: sum(parts.values()) for name, parts in figure.counts.items()}
    layers = [figure.paths[name] for name in ("convolution", "dilated convolution")]
    return printed, total["attention"] / total["recurrence"], *layers


def test_a_gru_costs_as_much_at_d_an_lstm_at_2_d_and_a_plain_rnn_never():
    crossings = {
        cell: CostTable(cell=cell).crossings["recurrence"] for cell in ("rnn", "gru", "lstm")
    }
    assert crossings["rnn"] < 0
    assert crossings["gru"] == 512
    assert crossings["lstm"] == 1024


@CHAPTER.number("last-faster", "first-slower", "time-4096", "time-heads", "turns")
def times():
    """Of a table of scores: where it falls behind the GRU, and its time at the end."""
    assert TIMES["d"] == 64
    table = dict(zip(TIMES["n"], TIMES["table"], strict=False))
    faster, slower = max(n for n in table if table[n] < 1), min(n for n in table if table[n] > 1)
    assert faster < slower
    return faster, slower, table[4096], TIMES["heads"], TURNS


@CHAPTER.number("fused-faster")
def longest_text_that_the_fused_kernel_reads_faster():
    return max(n for n, time in zip(TIMES["n"], TIMES["fused"], strict=True) if time < 1)


def test_two_recurrent_layers_take_n_plus_1_steps():
    from attn.exercises.catalog import find

    exercise = find("09-steps-in-turn")
    (probe,) = [p for p in exercise.task.probes if "two recurrent layers over five" in p.label]
    assert exercise.task.reference(probe.arguments["needs"]) == 6


test_number = CHAPTER.tests()
