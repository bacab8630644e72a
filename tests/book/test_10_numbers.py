"""Every number in the prose of chapter 10, computed again."""

import re

import numpy as np
import pytest
import torch
from book.chapter_text import Chapter

from attn import (
    encoder_block,
    feed_forward,
    layer_norm,
    multi_head_attention,
    sinusoidal_positions,
)
from attn import sentence as world
from attn.data import find_record, load, steps_until
from attn.nn import EncoderBlock
from attn.nn.experiments import depth
from attn.nn.experiments.order import closed_set
from attn.widgets import BlockCost, BlockSwitches, LayerExplorer

CHAPTER = Chapter("10-block")
TABLE = load("depth")
DRAWS = range(1, 6)
WHOLE = {"residual": True, "feed_forward": True}


def last(layers, norm, warm_up, rate):
    record = find_record(TABLE["arms"], layers=layers, norm=norm, warm_up=warm_up, rate=rate)
    return np.array(record["accuracy"])[:, -1]


def test_attention_brings_walks_what_is_told():
    layer = LayerExplorer(stage=10)
    brought = dict(zip(world.ENTRIES, layer.outputs[2], strict=True))
    entered = dict(zip(world.ENTRIES, layer.tokens[2], strict=True))
    for entry in ("living", "place", "ground"):
        assert brought[entry] > 0.8
        assert entered[entry] < 0.3
    cat, street = world.WORDS.index("cat"), world.WORDS.index("street")
    living, place, ground = (world.ENTRIES.index(e) for e in ("living", "place", "ground"))
    assert world.X[:, living].argmax() == cat
    assert world.X[street, [place, ground]].tolist() == [1, 1]
    assert np.allclose(layer.normed[2].mean(), 0, atol=1e-9)


def summed():
    """What *walks* is once attention's answer is added, by entry."""
    layer = LayerExplorer(stage=10)
    return dict(zip(world.ENTRIES, (layer.tokens + layer.outputs)[2], strict=True))


def test_walks_stays_a_verb_that_moves():
    assert summed()["verb"] > 1
    assert summed()["moves"] > 1


@CHAPTER.number("living-in-the-sum", "living-before", "living-normed", "mean-of-the-sum")
def living_in_walks():
    living, layer = world.ENTRIES.index("living"), LayerExplorer(stage=10)
    before, normed = layer.tokens[2, living], layer.normed[2, living]
    return summed()["living"], before, normed, np.mean(list(summed().values()))


def test_the_function_gives_the_figure_s_block():
    layer = LayerExplorer(stage=10)
    block = {name: getattr(world, name) for name in ("W_q", "W_k", "W_v", "W_o", "W_1", "W_2")}
    block |= {"b_1": np.zeros(4), "b_2": np.zeros(8)}
    for i in (1, 2):
        block |= {f"gain_{i}": np.ones(8), f"shift_{i}": np.zeros(8)}
    out = encoder_block(layer.tokens, block, heads=4, norm="post")
    np.testing.assert_allclose(out, layer.block, atol=1e-9)


def test_the_shapes_on_the_way_are_those_of_the_layer():
    layer = LayerExplorer(stage=10)
    shapes = [layer.tokens, layer.outputs, layer.normed, layer.hidden, layer.thought, layer.block]
    column = re.findall(r"^\| .* \| \$\((6, \d)\)\$ \| \$\(n, (\d+)\)\$ \|$", CHAPTER.text, re.M)
    assert [tuple(map(int, here.split(", "))) for here, _ in column] == [a.shape for a in shapes]
    assert [int(size) for _, size in column] == [512, 512, 512, 2048, 512, 512]


def test_the_norm_forgets_how_large_a_token_is():
    x = np.array([0.4, -1.2, 2.0, 0.1])
    np.testing.assert_allclose(layer_norm(10 * x + 5, eps=1e-12), layer_norm(x, eps=1e-12))


def test_weights_of_a_post_norm_block_fit_a_pre_norm_one_and_give_other_numbers():
    torch.manual_seed(1)
    post, pre = (EncoderBlock(8, 2, norm=norm) for norm in ("post", "pre"))
    pre.load_state_dict(post.state_dict())
    X = torch.randn(5, 8)
    assert (post(X) - pre(X)).abs().max() > 0.1


def test_the_unit_an_action_reads_and_writes_what_is_told():
    unit = world.UNITS.index("an action")
    reads = {e for e, x in zip(world.ENTRIES, world.W_1[:, unit], strict=True) if x > 0}
    writes = {e for e, x in zip(world.ENTRIES, world.W_2[unit], strict=True) if x > 0}
    assert (reads, writes) == ({"verb", "moves"}, {"living", "place"})
    hidden = LayerExplorer(stage=10).hidden
    assert hidden[2].argmax() == unit
    assert hidden[5, unit] == 0


@CHAPTER.number("units", "action-in-walks", "action-in-street", "writes")
def an_action():
    """What this unit finds in two words, and the part of it that it writes."""
    unit = world.UNITS.index("an action")
    walks, street = (LayerExplorer(stage=10).normed @ world.W_1)[[2, 5], unit]
    writes = set(world.W_2[unit]) - {0}
    return len(world.UNITS), walks, street, *writes


def ends(**switches):
    """The distance of the words from their mean after twelve layers."""
    return BlockSwitches(**switches).distances[12]


@CHAPTER.number("entering")
def entering():
    return BlockSwitches().distances[0]


def test_four_layers_of_attention_leave_rounding():
    for draw in DRAWS:
        distances = BlockSwitches(draw=draw).distances
        assert distances[2] < 0.001
        assert distances[4:].max() < 1e-14


def test_neither_norm_nor_feed_forward_saves_the_words():
    for draw in DRAWS:
        for norm in ("none", "pre", "post"):
            for forward in (False, True):
                figure = BlockSwitches(draw=draw, norm=norm, feed_forward=forward)
                assert figure.distances[7:].max() < 1e-14


@CHAPTER.number("residual-only", "norm-before", "norm-after")
def residual_only():
    figure = BlockSwitches(residual=True)
    return figure.distances[12], figure.norms[0], figure.norms[12]


@CHAPTER.number("whole-pre", "whole-post", "least-draw", "most-draw")
def whole_blocks():
    """Of the first draw by the norm's place, and of the other draws with pre-norm."""
    pre, *others = [ends(norm="pre", draw=draw, **WHOLE) for draw in DRAWS]
    return pre, ends(norm="post", **WHOLE), min(others), max(others)


@CHAPTER.number("post-halved", "pre-doubled", "log-post-doubled")
def other_sizes_of_the_matrices():
    """The last is the exponent of a power of ten."""
    halved, doubled = (ends(norm="post", factor=factor, **WHOLE) for factor in (0.5, 2.0))
    return halved, ends(norm="pre", factor=2.0, **WHOLE), np.log10(doubled)


def test_post_norm_keeps_more_than_pre_norm_with_small_matrices():
    for draw in DRAWS:
        post, pre = (ends(norm=n, factor=0.5, draw=draw, **WHOLE) for n in ("post", "pre"))
        assert post > pre


@CHAPTER.number("without-feed-forward", "without-norm", "norm-without-norm")
def pre_norm_without_a_part():
    without_norm = BlockSwitches(norm="none", **WHOLE)
    return ends(residual=True, norm="pre"), without_norm.distances[12], without_norm.norms[12]


def test_the_size_of_the_matrices_decides_for_post_norm_only():
    for draw in DRAWS:
        for factor in np.arange(0.5, 2.01, 0.25):
            figure = BlockSwitches(norm="pre", draw=draw, factor=factor, **WHOLE)
            assert figure.distances[12] > 0.25
        small, large = (
            BlockSwitches(norm="post", draw=draw, factor=factor, **WHOLE) for factor in (0.5, 2.0)
        )
        assert small.distances[12] > 0.85
        assert large.distances[12] < 1e-6


def test_with_other_matrices_attention_collapses_and_the_residual_holds():
    tokens = world.X + world.POSITION_SCALE * sinusoidal_positions(6, 8)

    def distance(X):
        return np.linalg.norm(X - X.mean(axis=0)) / np.linalg.norm(X)

    rng = np.random.default_rng(10)
    alone = added = tokens
    for _ in range(3):
        W = rng.normal(0, 1 / np.sqrt(8), size=(4, 8, 8))
        alone = multi_head_attention(alone, *W, heads=2)
        added = added + multi_head_attention(added, *W, heads=2)
    assert distance(alone) < 1e-11
    assert distance(added) > 0.2


def test_one_word_s_change_changes_one_row_of_the_feed_forward():
    Z = LayerExplorer(stage=10).normed
    changed = Z.copy()
    changed[1] = 0
    small = world.W_1, np.zeros(4), world.W_2, np.zeros(8)
    moved = feed_forward(Z, *small) != feed_forward(changed, *small)
    assert np.flatnonzero(moved.any(axis=1)).tolist() == [1]


@CHAPTER.number("entries", "hidden-units")
def sizes_of_a_model():
    hidden, entries = EncoderBlock(768, 12).params()["W_2"].shape
    return entries, hidden


@CHAPTER.number("d", "hidden", "d-2017", "hidden-2017")
def widths():
    assert world.W_2.shape == world.W_1.shape[::-1]
    return *world.W_1.shape, *EncoderBlock(512, 8).params()["W_1"].shape


@CHAPTER.number("reach")
def reach_of_ten_layers():
    """Of a window of a word and the 127 before it."""
    n = 1400
    offset = np.subtract.outer(np.arange(n), np.arange(n))
    window = ((offset >= 0) & (offset <= 127)).astype(np.float32)
    reach = np.eye(n, dtype=np.float32)[-1]
    for _ in range(10):
        reach = (reach @ window > 0).astype(np.float32)
    return n - 1 - np.flatnonzero(reach)[0]


@CHAPTER.number("blocks", "norms")
def norms_of_a_post_norm_stack():
    blocks = depth.LAYERS[-1]
    parts = depth.build("post", blocks, 0).modules()
    return blocks, sum(isinstance(part, torch.nn.LayerNorm) for part in parts)


def test_with_two_blocks_every_run_learns():
    for rate in depth.RATES:
        for norm, warm_up in depth.ARMS:
            assert last(2, norm, warm_up, rate).min() > 0.92


@CHAPTER.number("stuck")
def stuck():
    """Where every post-norm run of 12 blocks stays at the largest step size."""
    record = find_record(TABLE["arms"], layers=12, norm="post", warm_up=0, rate=0.003)
    assert np.ptp(record["accuracy"]) < 0.01
    return np.mean(record["accuracy"])


def test_every_pre_norm_run_of_twelve_learns_at_the_largest_step_size():
    assert last(12, "pre", 0, 0.003).min() > 0.8


def test_with_twelve_post_norm_needs_no_help_at_the_smaller_step_sizes():
    for rate in (0.0003, 0.001):
        assert last(12, "post", 0, rate).min() > 0.94
        assert abs(last(12, "pre", 0, rate).mean() - last(12, "post", 0, rate).mean()) < 0.03


def test_with_warm_up_post_norm_learns_and_one_run_falls_back():
    warm = find_record(TABLE["arms"], layers=12, norm="post", warm_up=200, rate=0.003)
    runs = np.array(warm["accuracy"])
    assert runs.max(axis=1).min() > 0.9
    assert sorted(runs[:, -1] > 0.8) == [False, True, True]
    assert runs[:, -1].min() == pytest.approx(0.5, abs=0.005)


def test_at_0_001_all_nine_runs_end_well():
    assert min(last(12, norm, warm_up, 0.001).min() for norm, warm_up in depth.ARMS) > 0.95


def steps_to_0_9(norm, rate):
    record = find_record(TABLE["arms"], layers=12, norm=norm, warm_up=0, rate=rate)
    return steps_until(record, 0.9)


@CHAPTER.number("pre-first", "pre-last", "post-first", "post-last")
def first_and_last_run_to_pass_0_9():
    """At 0.001."""
    pre, post = (steps_to_0_9(norm, 0.001) for norm in ("pre", "post"))
    return min(pre), max(pre), min(post), max(post)


def test_at_0_0003_neither_norm_is_ahead_and_all_runs_learn():
    assert np.mean(steps_to_0_9("pre", 0.0003)) == np.mean(steps_to_0_9("post", 0.0003))
    for layers in depth.LAYERS:
        for norm, warm_up in depth.ARMS:
            assert last(layers, norm, warm_up, 0.0003).min() > 0.92


@CHAPTER.number("length", "size", "heads", "batch", "seeds", "warm-up", "sequences")
def protocol():
    drawn = closed_set(depth.GROUPS, depth.LENGTH, torch.Generator().manual_seed(0))
    sizes = depth.LENGTH, depth.D_MODEL, depth.HEADS
    return *sizes, depth.BATCH, len(depth.SEEDS), depth.WARM_UP, len(drawn[0])


@CHAPTER.number("least-gradient", "most-gradient", "most-gradient-2")
def first_gradients():
    """Post-norm's to pre-norm's, with any number of blocks and with two."""
    pre, post = (
        np.array(
            [
                np.array(find_record(TABLE["gradients"], layers=n, norm=norm)["gradients"])[:, -1]
                for n in depth.LAYERS
            ]
        )
        for norm in ("pre", "post")
    )
    ratios = post / pre
    return ratios.min(), ratios.max(), ratios[0].max()


def test_torch_s_own_layer_is_post_norm_and_equal():
    torch.manual_seed(0)
    theirs = torch.nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, dtype=torch.float64)
    ours = EncoderBlock.from_torch(theirs.eval())
    assert ours.norm == "post"
    Z = torch.randn(6, 16, dtype=torch.float64)
    with torch.no_grad():
        expected = theirs(Z[None])[0].numpy()
    found = encoder_block(Z.numpy(), ours.params(), heads=4, norm="post")
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@CHAPTER.number("share-of-the-feed-forward")
def share_of_the_feed_forward():
    learned = BlockCost().parameters
    assert learned["feed-forward"] == 8 * 512**2
    return learned["feed-forward"] / (learned["feed-forward"] + learned["projections"])


@CHAPTER.number("share-2017", "share-long", "share-large")
def shares_of_scores_and_blend():
    figures = [BlockCost(d=d, n=n) for d, n in ((512, 512), (512, 32768), (8192, 32768))]
    return [figure.work["scores and blend"] / sum(figure.work.values()) for figure in figures]


@pytest.mark.parametrize(("d", "n"), [(512, 512), (8192, 32768)])
def test_the_work_is_12_n_d_squared_and_2_n_squared_d(d, n):
    figure = BlockCost(d=d, n=n)
    assert sum(figure.work.values()) == 12 * n * d**2 + 2 * n**2 * d
    assert figure.even == 6 * d


test_number = CHAPTER.tests()
