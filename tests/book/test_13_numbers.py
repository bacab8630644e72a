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
from attn.widgets import MemoryBill, TileStepper
from attn.widgets.memory_bill import BLOCK
from benchmarks.long_texts import TURNS

CHAPTER = Chapter("13-efficient")
MEASURED = load("long_texts")
WAYS = (attention, blockwise_attention)


def corrections(figure):
    """How often the maximum rises after the first block."""
    tops = [max(figure.scores[:end]) for end in range(figure.block, 8, figure.block)]
    tops.append(max(figure.scores))
    return sum(later > earlier for earlier, later in itertools.pairwise(tops))


def test_one_factor_corrects_every_old_term():
    old, new, scores = 2.0, 4.0, np.array([1.0, 0.0, 2.0, 1.0])
    np.testing.assert_allclose(np.exp(scores - new), np.exp(scores - old) * np.exp(old - new))


def test_a_larger_score_corrects_the_sum_by_one_factor():
    before, after = TileStepper(step=4), TileStepper(step=5)
    assert (before.running[0], after.running[0]) == (2, 4)
    assert after.running[1] == pytest.approx(before.running[1] * np.exp(2 - 4) + 1)


@CHAPTER.number("corrections-one-by-one", "corrections-by-four")
def corrections_in_all():
    return [corrections(TileStepper(step=8, block=block)) for block in (1, 4)]


@CHAPTER.number("output")
def output():
    """The same however many scores are read at a time."""
    outputs = [TileStepper(step=8, block=block).running[2] for block in (1, 4, 8)]
    np.testing.assert_allclose(outputs, outputs[0], atol=1e-12)
    return outputs[0]


def test_after_the_largest_score_nothing_is_corrected():
    scores = TileStepper().scores
    assert max(scores[5:]) < scores[4]
    assert corrections(TileStepper(step=8, block=8)) == 0
    assert corrections(TileStepper(step=8, scores=[5.0, *scores[1:]])) == 0


@pytest.mark.parametrize("block", [1, 7, 64, 1000])
def test_the_chapter_s_loop_is_exact(block):
    cell = next(cell for cell in CHAPTER.cells if "def read_in_blocks" in cell)
    names: dict = {}
    exec(cell, names)
    rng = np.random.default_rng(3)
    q, K, V = 5 * rng.normal(size=8), rng.normal(size=(1000, 8)), rng.normal(size=(1000, 3))
    ours = names["read_in_blocks"](q, K, V, block)
    np.testing.assert_allclose(ours, attention(q[None], K, V)[0], rtol=1e-12, atol=1e-13)


@CHAPTER.number("crossing", "crossing-64-heads")
def crossings():
    return MemoryBill(d=512, heads=8).crossing, MemoryBill(d=4096, heads=64).crossing


@CHAPTER.number("growth-of-the-table")
def growth_of_the_table():
    """When the text doubles; nothing else grows by more than a factor of 2."""
    once, twice = MemoryBill(n=4096).bytes, MemoryBill(n=8192).bytes
    factors = {name: twice[name] / once[name] for name in once}
    table = factors.pop("table of weights")
    assert set(factors.values()) == {1, 2}
    return table


@CHAPTER.number("novel-table", "novel-rows")
def a_novel():
    """One layer's table in GB, some rows of one head in MB."""
    novel = MemoryBill(n=131072).bytes
    return novel["table of weights"] / 1e9, novel["rows at a time"] / 1e6


def extra_bytes(function, n):
    rng = np.random.default_rng(n)
    Q, K, V = (rng.standard_normal((n, 64), dtype=np.float32) for _ in range(3))
    tracemalloc.start()
    Y = function(Q, K, V)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak - Y.nbytes


@CHAPTER.number("growth-table", "growth-blocks")
def growth_of_memory():
    """When the text doubles."""
    held = [[extra_bytes(f, n) for n in (512, 1024, 2048)] for f in WAYS]
    growth = np.array(held)[:, 1:] / np.array(held)[:, :-1]
    assert np.ptp(growth, axis=1).max() < 0.3
    return growth.mean(axis=1)


@CHAPTER.number("copies")
def copies_of_the_table():
    return extra_bytes(attention, 2048) / (4 * 2048**2)


def test_the_blocks_reuse_one_piece():
    assert extra_bytes(blockwise_attention, 2048) / (4 * 2048 * BLOCK) == pytest.approx(1, abs=0.05)


def test_the_measured_table_is_what_a_measurement_gives_today():
    for way, function in (("table", attention), ("blocks", blockwise_attention)):
        for i, n in enumerate(MEASURED["n"][:3]):
            assert extra_bytes(function, n) == pytest.approx(MEASURED["bytes"][way][i], rel=0.05)


@CHAPTER.number("longest", "head-size", "turns")
def settings_of_the_measurement():
    assert MEASURED["block"] == BLOCK
    return MEASURED["n"][-1], MEASURED["d"], TURNS


@CHAPTER.number("peak-table", "peak-blocks", "peak-fused")
def peaks():
    """In MB, with the longest text."""
    return [MEASURED["bytes"][way][-1] / 1e6 for way in ("table", "blocks", "fused")]


@CHAPTER.number("one-table")
def one_table():
    return 4 * MEASURED["n"][-1] ** 2 / 1e6


@CHAPTER.number("tables-held")
def tables_held():
    return peaks()[0] / one_table()


def test_the_blocks_are_several_times_as_fast():
    assert MEASURED["time"]["table"][-1] / MEASURED["time"]["blocks"][-1] > 3


@CHAPTER.number("growth-of-time")
def growth_of_time():
    """When the text doubles, over the whole measurement."""
    times = np.array([MEASURED["time"][way] for way in ("blocks", "fused")])
    growth = times[:, 1:] / times[:, :-1]
    assert growth.min() > 3.3
    assert growth.max() < 4.5
    return growth.mean()


def test_three_ways_agree_up_to_rounding():
    Q, K, V = (np.random.default_rng(5).normal(size=(3, 600, 64))).astype(np.float32)
    expected = attention(*(x.astype(np.float64) for x in (Q, K, V)))
    tensors = [torch.from_numpy(x)[None, None] for x in (Q, K, V)]
    fused = torch.nn.functional.scaled_dot_product_attention(*tensors)[0, 0].numpy()
    for ours in (attention(Q, K, V), blockwise_attention(Q, K, V), fused):
        np.testing.assert_allclose(ours, expected, atol=2e-6)


def test_a_window_s_reach_grows_by_w_less_1_for_each_layer():
    window, seen = sliding_window_mask(64, 4), np.eye(64, dtype=bool)
    for layer in range(1, 5):
        seen = window.astype(int) @ seen > 0
        assert seen[-1].sum() == 1 + 3 * layer
    assert window.sum() <= 64 * 4


def test_divided_attention_reaches_everyone():
    time, place = np.divmod(np.arange(4 * 5), 5)  # four frames of five patches
    same_place, same_frame = (x[:, None] == x for x in (place, time))
    assert (same_frame.astype(int) @ same_place.astype(int) > 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_a_longer_query_sharpens_softmax_attention_and_not_linear_attention(seed):
    rng, m = np.random.default_rng(seed), 256
    K = rng.normal(size=(m, 16))
    K = 4 * K / np.linalg.norm(K, axis=1, keepdims=True)
    assert np.diag(attention(64 * K, K, np.eye(m))).mean() > 0.99
    shares = [np.diag(linear_attention(b * K, K, np.eye(m))).mean() for b in (1, 16, 64, 1e6)]
    assert shares[0] < shares[1]
    assert shares[-1] < 2 / m
    assert shares[-1] - shares[1] < 0.001


@CHAPTER.number("needle-ratio")
def needle_ratio():
    """The largest that any query gets."""
    K = np.zeros((8, 2))
    K[0, 0] = 1
    weights = [linear_attention([[size, 0.0]], K, np.eye(8))[0] for size in (1, 100, 1e6)]
    return max(row[0] / row[1] for row in weights)


def test_a_needle_is_found_by_softmax():
    assert softmax(np.array([1, 0]) * 100 / math.sqrt(2))[0] > 0.99


def test_a_cache_gives_the_rows_of_a_full_pass():
    rng = np.random.default_rng(4)
    Q, K, V = rng.normal(size=(3, 6, 8))
    cache = KeyValueCache()
    rows = [cache.step(Q[t : t + 1], K[t : t + 1], V[t : t + 1])[0] for t in range(6)]
    np.testing.assert_allclose(rows, attention(Q, K, V, mask=causal_mask(6)), atol=1e-14)


def test_a_step_takes_2_products_for_each_pair_that_is_seen():
    for t in (1, 5, 64):
        assert 2 * causal_mask(t).sum() == t * (t + 1)
        assert 2 * causal_mask(1, t).sum() == 2 * t


LARGE = CHAPTER.arguments("MemoryBill")[1]


def large(**settings):
    return MemoryBill(**(LARGE | settings)).bytes


@CHAPTER.number("cache-alone", "cache-4", "cache-all")
def caches():
    """In GB, in GB and in MB."""
    held = [large(share=share)["key–value cache"] for share in ("1", "4", "all")]
    return np.array(held) / (1e9, 1e9, 1e6)


@CHAPTER.number("cache-of-a-word")
def cache_of_a_word():
    """In kB."""
    return large(share="1")["key–value cache"] / LARGE["n"] / 1e3


@CHAPTER.number("long-cache-4", "long-projections-4", "long-cache-all", "long-projections-all")
def long_bills():
    """In GB."""
    bills = [large(n=131072, share=share) for share in ("4", "all")]
    return [bill[name] / 1e9 for bill in bills for name in ("key–value cache", "projections")]


test_number = CHAPTER.tests()
