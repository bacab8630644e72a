"""Every number in the prose of chapter 13, computed again."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
import torch
from book.chapter_text import Chapter

from attn import (
    KeyValueCache,
    attention,
    blockwise_attention,
    causal_mask,
    linear_attention,
    sliding_window_mask,
    softmax,
)
from attn.data import load
from attn.exercises.catalog import catalog
from attn.widgets import MemoryBill, TileStepper
from attn.widgets.memory_bill import BLOCK
from benchmarks.long_texts import TURNS

CHAPTER = Chapter("13-efficient")
says = CHAPTER.says
MEASURED = load("long_texts")


def corrections(figure):
    """How often the maximum rises after the first block."""
    tops = [max(figure.scores[:end]) for end in range(figure.block, 8, figure.block)]
    tops.append(max(figure.scores))
    return sum(later > earlier for earlier, later in itertools.pairwise(tops))


def test_a_table_of_weights_grows_with_the_square():
    says("fill a table of 36 numbers", "A report of 8,192 words fills a table of 67 million")
    assert 6**2 == 36
    assert round(8192**2 / 1e6) == 67


def test_one_factor_corrects_every_old_term():
    old, new, scores = 2.0, 4.0, np.array([1.0, 0.0, 2.0, 1.0])
    np.testing.assert_allclose(np.exp(scores - new), np.exp(scores - old) * np.exp(old - new))


def test_the_figure_shows_what_is_told_of_it():
    says("by a factor of $e^{2-4} = 0.135$, and so do the old sum and the old blend")
    before, after = TileStepper(step=4), TileStepper(step=5)
    assert (before.running[0], after.running[0]) == (2, 4)
    assert after.running[1] == pytest.approx(before.running[1] * np.exp(2 - 4) + 1)
    assert np.exp(2 - 4) == pytest.approx(0.135, abs=5e-4)
    says("two corrections in all, and the output is 3.33", "The output is 3.33 each time")
    for block, corrected in ((1, 2), (4, 1), (8, 0)):
        figure = TileStepper(step=8, block=block)
        assert corrections(figure) == corrected
        assert figure.running[2] == pytest.approx(3.33, abs=0.005)
    says("No later score is larger", "one correction is enough")
    assert max(after.scores[5:]) < after.scores[4]
    says("Raise the first score to 5", "Now nothing is ever corrected")
    assert corrections(TileStepper(step=8, scores=[5.0, *TileStepper().scores[1:]])) == 0


@pytest.mark.parametrize("block", [1, 7, 64, 1000])
def test_the_chapter_s_loop_is_exact(block):
    CHAPTER.computes("def read_in_blocks(q, K, V, block):")
    cell = next(cell for cell in CHAPTER.cells if "def read_in_blocks" in cell)
    names: dict = {}
    exec(cell, names)
    rng = np.random.default_rng(3)
    q, K, V = 5 * rng.normal(size=8), rng.normal(size=(1000, 8)), rng.normal(size=(1000, 3))
    ours = names["read_in_blocks"](q, K, V, block)
    np.testing.assert_allclose(ours, attention(q[None], K, V)[0], rtol=1e-12, atol=1e-13)


def test_the_table_outgrows_the_vectors_at_four_times_the_size_of_a_head():
    says("- 256: ✓ $8 n^2 = 4 \\cdot 512\\, n$ at $n = 256 = 4 \\cdot 64$")
    assert MemoryBill(d=512, heads=8).crossing == 256 == 4 * 64
    says("each head still has size 64, and at 256 tokens the table and the vectors are equal again")
    assert MemoryBill(n=256, d=4096, heads=64).crossing == 256


def test_doubling_the_text_and_a_novel():
    says("grows by a factor of 4; everything else doubles or stays the same")
    once, twice = MemoryBill(n=4096).bytes, MemoryBill(n=8192).bytes
    factors = {name: twice[name] / once[name] for name in once}
    assert factors.pop("table of weights") == 4
    assert set(factors.values()) == {1, 2}
    says("one layer's table would take 550 GB, but 128 rows of one head take only 67.1 MB")
    novel = MemoryBill(n=131072).bytes
    assert round(novel["table of weights"] / 1e9) == 550
    assert novel["rows at a time"] / 1e6 == pytest.approx(67.1, abs=0.05)
    assert BLOCK == 128


def extra_bytes(function, n):
    rng = np.random.default_rng(n)
    Q, K, V = (rng.standard_normal((n, 64), dtype=np.float32) for _ in range(3))
    tracemalloc.start()
    Y = function(Q, K, V)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak - Y.nbytes


def test_blocks_take_memory_that_grows_with_n_and_the_table_with_its_square():
    says("in memory that grows with $n$ instead of $n^2$")
    for function, factor in ((blockwise_attention, 2), (attention, 4)):
        held = [extra_bytes(function, n) for n in (512, 1024, 2048)]
        for less, more in itertools.pairwise(held):
            assert factor * 0.9 < more / less < factor * 1.1
    says("twice the text takes four times the memory with the table, and twice with blocks")
    says("the table takes three times what the figure says", "the blocks reuse one")
    for function, rows, tables in ((attention, 2048, 3), (blockwise_attention, BLOCK, 1)):
        assert extra_bytes(function, 2048) / (4 * 2048 * rows) == pytest.approx(tables, abs=0.05)


def test_the_measured_table_is_what_a_measurement_gives_today():
    for way, function in (("table", attention), ("blocks", blockwise_attention)):
        for i, n in enumerate(MEASURED["n"][:3]):
            assert extra_bytes(function, n) == pytest.approx(MEASURED["bytes"][way][i], rel=0.05)


def test_what_is_said_of_the_measurement_is_in_the_table():
    says("up to 8,192 words, on one thread")
    assert MEASURED["n"][-1] == 8192
    says("At 8,192 words the table takes 803 MB and the blocks 4.2 MB")
    table, blocks, fused = (np.array(MEASURED["bytes"][w]) for w in ("table", "blocks", "fused"))
    assert round(table[-1] / 1e6) == 803
    assert blocks[-1] / 1e6 == pytest.approx(4.2, abs=0.05)
    says('which can only tell "less than 1 MB"')
    assert fused.max() < 1e6
    says("the 803 MB are three tables of 268 MB", "A table of 268 MB is too large")
    assert round(4 * 8192**2 / 1e6) == 268
    assert round(table[-1] / (4 * 8192**2)) == 3
    says("the blocks are several times as fast")
    slow, piecewise, unit = (np.array(MEASURED["time"][w]) for w in ("table", "blocks", "fused"))
    assert slow[-1] / piecewise[-1] > 3
    says("with blocks, too, twice the text takes about four times as long")
    for times in (piecewise, unit):
        growth = times[1:] / times[:-1]
        assert growth.min() > 3.3
        assert growth.max() < 4.5
    says("Times are medians of nine")
    assert TURNS == 9
    says("One head of size 64", "takes 128 rows at a time")
    assert (MEASURED["d"], MEASURED["block"]) == (64, 128)


def test_three_ways_agree_up_to_rounding():
    says("Both use float32, and the outputs agree up to rounding")
    Q, K, V = (np.random.default_rng(5).normal(size=(3, 600, 64))).astype(np.float32)
    expected = attention(*(x.astype(np.float64) for x in (Q, K, V)))
    tensors = [torch.from_numpy(x)[None, None] for x in (Q, K, V)]
    fused = torch.nn.functional.scaled_dot_product_attention(*tensors)[0, 0].numpy()
    for ours in (attention(Q, K, V), blockwise_attention(Q, K, V), fused):
        np.testing.assert_allclose(ours, expected, atol=2e-6)


def test_a_window_s_reach_grows_by_w_less_1_for_each_layer():
    says("- 1525: ✓ $1 + 12 \\cdot 127$")
    assert 1 + 12 * 127 == 1525
    says("to $1 + L(w - 1)$ after $L$ layers")
    says("You multiplied 12 by 128")
    assert 12 * 128 == 1536
    window, seen = sliding_window_mask(64, 4), np.eye(64, dtype=bool)
    for layer in range(1, 5):
        seen = window.astype(int) @ seen > 0
        assert seen[-1].sum() == 1 + 3 * layer
    says("That makes at most $nw$ scores instead of $n^2$")
    assert window.sum() <= 64 * 4


def test_divided_attention_takes_one_fifteenth_and_reaches_everyone():
    says("16 frames of 196 patches are 3,136 tokens and 9.8 million scores")
    frames, patches = 16, 196
    assert frames * patches == 3136
    assert 3136**2 / 1e6 == pytest.approx(9.8, abs=0.05)
    says("$196 \\cdot 16^2 + 16 \\cdot 196^2$ scores, one fifteenth")
    divided = patches * frames**2 + frames * patches**2
    assert round(3136**2 / divided) == 15
    says("after both steps every patch can depend on every other")
    time, place = np.divmod(np.arange(4 * 5), 5)  # four frames of five patches
    same_place, same_frame = (x[:, None] == x for x in (place, time))
    assert (same_frame.astype(int) @ same_place.astype(int) > 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_a_longer_query_sharpens_softmax_attention_and_not_linear_attention(seed):
    says("With the softmax it does: a sharp lookup")
    says("With linear attention its share levels off, on average below twice an equal share")
    rng, m = np.random.default_rng(seed), 256
    K = rng.normal(size=(m, 16))
    K = 4 * K / np.linalg.norm(K, axis=1, keepdims=True)
    assert np.diag(attention(64 * K, K, np.eye(m))).mean() > 0.99
    shares = [np.diag(linear_attention(b * K, K, np.eye(m))).mean() for b in (1, 16, 64, 1e6)]
    assert shares[0] < shares[1]
    assert shares[-1] < 2 / m
    assert shares[-1] - shares[1] < 0.001


def test_a_needle_s_ratio_is_at_most_2_whatever_the_query():
    says("$\\varphi$ gives 1 and 2: a ratio of 2 at most, however large the query is")
    K = np.zeros((8, 2))
    K[0, 0] = 1
    for size in (1, 100, 1e6):
        weights = linear_attention([[size, 0.0]], K, np.eye(8))[0]
        assert weights[0] / weights[1] <= 2
    says("a difference of $100/\\sqrt{2}$")
    assert softmax(K @ [100, 0] / math.sqrt(2))[0] > 0.99


def test_a_cache_gives_the_rows_of_a_full_pass_and_counts_are_as_told():
    says("a cache gives the same rows as a full pass")
    rng = np.random.default_rng(4)
    Q, K, V = rng.normal(size=(3, 6, 8))
    cache = KeyValueCache()
    rows = [cache.step(Q[t : t + 1], K[t : t + 1], V[t : t + 1])[0] for t in range(6)]
    np.testing.assert_allclose(rows, attention(Q, K, V, mask=causal_mask(6)), atol=1e-14)
    says("$3td^2$ for the projections and $t(t+1)d$ for scores and blends")
    says("with a cache it takes $3d^2$ and $2td$")
    for t in (1, 5, 64):
        assert 2 * causal_mask(t).sum() == t * (t + 1)
        assert 2 * causal_mask(1, t).sum() == 2 * t


def test_shared_heads_make_the_cache_as_small_as_told():
    sizes = {"n": 16384, "d": 4096, "heads": 32, "layers": 32, "number": "2"}
    CHAPTER.computes('MemoryBill(n=16384, d=4096, heads=32, layers=32, number="2")')
    says("the cache of one text takes 8.59 GB", "Let every 4 heads share: 2.15 GB", "share: 268 MB")
    held = {s: MemoryBill(**sizes, share=s).bytes["key–value cache"] for s in ("1", "4", "all")}
    assert held["1"] / 1e9 == pytest.approx(8.59, abs=0.005)
    assert held["4"] / 1e9 == pytest.approx(2.15, abs=0.005)
    assert held["all"] / 1e6 == pytest.approx(268, abs=0.5)
    says("with every 4 heads sharing, the cache takes 17.2 GB, and all projections together")
    says("take 2.68 GB", "it takes about as much: 2.15 GB and 2.21 GB")
    long = MemoryBill(**(sizes | {"n": 131072}), share="4").bytes
    assert long["key–value cache"] / 1e9 == pytest.approx(17.2, abs=0.05)
    assert long["projections"] / 1e9 == pytest.approx(2.68, abs=0.005)
    one = MemoryBill(**(sizes | {"n": 131072}), share="all").bytes
    assert one["key–value cache"] / 1e9 == pytest.approx(2.15, abs=0.005)
    assert one["projections"] / 1e9 == pytest.approx(2.21, abs=0.005)
    says("With 32 layers of 32 heads of size 128, at 2 bytes each, that is 524 kB per word")
    assert 2 * 32 * 32 * 128 * 2 * sizes["n"] == held["1"]
    assert round(held["1"] / sizes["n"] / 1e3) == 524
    says("`np.repeat(K, 4, axis=0)` makes 32 heads of keys out of 8")
    assert len(np.repeat(np.ones(8), 4, axis=0)) == 32


def test_the_exercises_take_the_minutes_that_the_opening_says():
    own = [exercise for exercise in catalog() if exercise.chapter == 13]
    says(f"plus {sum(exercise.minutes for exercise in own)} for the exercises")
    assert len(own) == 5
