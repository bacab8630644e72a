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
says = CHAPTER.says
TABLE = load("depth")
DRAWS = range(1, 6)
WHOLE = {"residual": True, "feed_forward": True}


def last(layers, norm, warm_up, rate):
    record = find_record(TABLE["arms"], layers=layers, norm=norm, warm_up=warm_up, rate=rate)
    return np.array(record["accuracy"])[:, -1]


def test_attention_brings_walks_what_is_told():
    says("Attention answers with another eight: *living* from the cat, *place* and *ground*")
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


def test_walks_stays_a_verb_that_moves_and_becomes_living():
    says("*walks* is still a verb that moves, and in the sum it has something *living* about it")
    layer = LayerExplorer(stage=10)
    summed = dict(zip(world.ENTRIES, (layer.tokens + layer.outputs)[2], strict=True))
    assert summed["verb"] > 1
    assert summed["moves"] > 1
    says("0.89, where it had 0", "this reads −0.24", "the mean of the row, which was 1.02")
    living = world.ENTRIES.index("living")
    assert summed["living"] == pytest.approx(0.89, abs=0.005)
    assert layer.tokens[2, living] == pytest.approx(0, abs=0.005)
    assert layer.normed[2, living] == pytest.approx(-0.24, abs=0.005)
    assert np.mean(list(summed.values())) == pytest.approx(1.02, abs=0.005)


def test_the_function_gives_the_figure_s_block():
    says("Its row for *walks* is the one in the figure's last panel")
    CHAPTER.computes('out = attn.encoder_block(tokens, block, heads=4, norm="post")')
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
    says("- b: ✓ Subtracting the mean removes the 5, dividing by the spread removes the 10")
    x = np.array([0.4, -1.2, 2.0, 0.1])
    np.testing.assert_allclose(layer_norm(10 * x + 5, eps=1e-12), layer_norm(x, eps=1e-12))


def test_weights_of_a_post_norm_block_fit_a_pre_norm_one_and_give_other_numbers():
    says("every shape fits, and the outputs are wrong")
    torch.manual_seed(1)
    post, pre = (EncoderBlock(8, 2, norm=norm) for norm in ("post", "pre"))
    pre.load_state_dict(post.state_dict())
    X = torch.randn(5, 8)
    assert (post(X) - pre(X)).abs().max() > 0.1


def test_the_unit_an_action_reads_and_writes_what_is_told():
    says("the unit *an action* reads *verb* and *moves*, and writes *living* and *place*")
    unit = world.UNITS.index("an action")
    reads = {e for e, x in zip(world.ENTRIES, world.W_1[:, unit], strict=True) if x > 0}
    writes = {e for e, x in zip(world.ENTRIES, world.W_2[unit], strict=True) if x > 0}
    assert (reads, writes) == ({"verb", "moves"}, {"living", "place"})
    says("Our world has four units")
    assert len(world.UNITS) == 4
    layer = LayerExplorer(stage=10)
    assert layer.hidden[2].argmax() == unit
    says("In *walks* it finds 1.87 and adds half of that to both", "in *street* it finds −1.11")
    found = (layer.normed @ world.W_1)[:, unit]
    assert found[[2, 5]] == pytest.approx([1.87, -1.11], abs=0.005)
    assert set(world.W_2[unit]) == {0, 0.5}
    assert layer.hidden[5, unit] == 0


def test_the_words_enter_at_0_78_and_four_layers_of_attention_leave_rounding():
    says("As they enter it is 0.78")
    assert BlockSwitches().distances[0] == pytest.approx(0.78, abs=0.005)
    says("after four layers, all five are down to rounding", "within four layers")
    says("It is below that after two layers already")
    for draw in DRAWS:
        distances = BlockSwitches(draw=draw).distances
        assert distances[2] < 0.001
        assert distances[4:].max() < 1e-14


def test_neither_norm_nor_feed_forward_saves_the_words():
    says("by layer 7, only rounding is left", "with norms or a feed-forward within seven")
    for draw in DRAWS:
        for norm in ("none", "pre", "post"):
            for forward in (False, True):
                figure = BlockSwitches(draw=draw, norm=norm, feed_forward=forward)
                assert figure.distances[7:].max() < 1e-14


def test_the_residual_alone_fades_slowly_while_norms_grow():
    says("to 0.01 after twelve layers, and their norm grows from 1.5 to 113")
    figure = BlockSwitches(residual=True)
    assert figure.distances[12] == pytest.approx(0.01, abs=0.005)
    assert figure.norms[[0, 12]] == pytest.approx([1.5, 113], rel=0.01)


def test_the_whole_block_by_the_norm_s_place_and_the_factor():
    says("That holds them at 0.60", "they end at 0.04")
    pre, post = (BlockSwitches(norm=norm, **WHOLE) for norm in ("pre", "post"))
    assert pre.distances[12] == pytest.approx(0.60, abs=0.005)
    assert post.distances[12] == pytest.approx(0.04, abs=0.005)
    says("between 0.43 and 0.73 in the other draws")
    others = [BlockSwitches(norm="pre", draw=draw, **WHOLE).distances[12] for draw in DRAWS][1:]
    assert (min(others), max(others)) == pytest.approx((0.43, 0.73), abs=0.005)
    says(
        "it keeps 0.95, more than pre-norm", "and it is at $10^{-7}$, where pre-norm still has 0.31"
    )
    for figure in (pre, post):
        figure.factor = 0.5
    assert post.distances[12] == pytest.approx(0.95, abs=0.005)
    for draw in DRAWS:
        pre.draw = post.draw = draw
        assert post.distances[12] > pre.distances[12]
    pre.factor, pre.draw = 2.0, 1
    assert pre.distances[12] == pytest.approx(0.31, abs=0.005)
    post.factor, post.draw = 2.0, 1
    assert np.log10(post.distances[12]) == pytest.approx(-7, abs=0.3)


def test_what_pre_norm_loses_without_each_part():
    says("Without the feed-forward 0.27 is left, and without the norm only 0.02", "of norm 403")
    without_feed = BlockSwitches(residual=True, norm="pre")
    assert without_feed.distances[12] == pytest.approx(0.27, abs=0.005)
    without_norm = BlockSwitches(norm="none", **WHOLE)
    assert without_norm.distances[12] == pytest.approx(0.02, abs=0.005)
    assert without_norm.norms[12] == pytest.approx(403, abs=0.5)


def test_the_size_of_the_matrices_decides_for_post_norm_only():
    says("a pre-norm block keeps them apart in all our draws", "with small matrices and not with")
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


def test_a_feed_forward_comes_back_to_the_size_it_started_from():
    says("- 768: ✓ It widens to 3072 and comes back", "$W_2$ is $(3072, 768)$")
    assert EncoderBlock(768, 12).params()["W_2"].shape == (3072, 768)
    says("inside it is usually wider: 512 → 2048 → 512", "Ours goes 8 → 4 → 8")
    assert (world.W_1.shape, world.W_2.shape) == ((8, 4), (4, 8))
    assert EncoderBlock(512, 8).params()["W_2"].shape == (2048, 512)


def test_ten_layers_of_a_window_reach_1270_words_back():
    says("- 1270: ✓ 127 further back with each layer", "nine other words' rows")
    n = 1400
    offset = np.subtract.outer(np.arange(n), np.arange(n))
    window = ((offset >= 0) & (offset <= 127)).astype(np.float32)
    reach = np.eye(n, dtype=np.float32)[-1]
    for _ in range(10):
        reach = (reach @ window > 0).astype(np.float32)
    assert n - 1 - np.flatnonzero(reach)[0] == 1270


def test_a_post_norm_stack_of_12_blocks_has_24_norms():
    says("every sum passes a norm, 24 of them in 12 blocks")
    norms = [m for m in depth.build("post", 12, 0).modules() if isinstance(m, torch.nn.LayerNorm)]
    assert len(norms) == 24


def test_with_two_blocks_every_run_learns():
    says("With two blocks, every run of either kind learns, at all three step sizes")
    for rate in depth.RATES:
        for norm, warm_up in depth.ARMS:
            assert last(2, norm, warm_up, rate).min() > 0.92


def test_with_twelve_it_does_at_the_largest_step_size_only():
    says("At the largest step size no post-norm run of 12 blocks leaves 0.50")
    record = find_record(TABLE["arms"], layers=12, norm="post", warm_up=0, rate=0.003)
    assert np.abs(np.array(record["accuracy"]) - 0.5).max() < 0.005
    says("every pre-norm run learns")
    assert last(12, "pre", 0, 0.003).min() > 0.8
    says("At the smaller step sizes post-norm learns without any help")
    for rate in (0.0003, 0.001):
        assert last(12, "post", 0, rate).min() > 0.94
        assert abs(last(12, "pre", 0, rate).mean() - last(12, "post", 0, rate).mean()) < 0.03
    says("though one run falls back to guessing before the end")
    warm = find_record(TABLE["arms"], layers=12, norm="post", warm_up=200, rate=0.003)
    runs = np.array(warm["accuracy"])
    assert runs.max(axis=1).min() > 0.9
    assert sorted(runs[:, -1] > 0.8) == [False, True, True]
    assert runs[:, -1].min() == pytest.approx(0.5, abs=0.005)


def test_the_picture_is_as_its_alternative_text_says():
    CHAPTER.computes("At step size 0.001 all nine runs end above 0.95")
    ends = [last(12, norm, warm_up, 0.001) for norm, warm_up in depth.ARMS]
    assert np.min(ends) > 0.95
    CHAPTER.computes("pre-norm ends between 0.84 and 0.97, post-norm stays at 0.5")
    pre = last(12, "pre", 0, 0.003)
    assert (round(pre.min(), 2), round(pre.max(), 2)) == (0.84, 0.97)


def test_how_long_it_takes_at_the_smaller_step_sizes():
    says("it passes 0.9 after 250 to 400 steps, pre-norm after 100 to 200")
    found = {
        (norm, rate): steps_until(
            find_record(TABLE["arms"], layers=12, norm=norm, warm_up=0, rate=rate), 0.9
        )
        for norm in ("pre", "post")
        for rate in (0.0003, 0.001)
    }
    assert (min(found["post", 0.001]), max(found["post", 0.001])) == (250, 400)
    assert (min(found["pre", 0.001]), max(found["pre", 0.001])) == (100, 200)
    says("At 0.0003 neither is ahead")
    assert np.mean(found["pre", 0.0003]) == np.mean(found["post", 0.0003])
    says("at the smallest step size, all runs of both learn")
    for layers in depth.LAYERS:
        for norm, warm_up in depth.ARMS:
            assert last(layers, norm, warm_up, 0.0003).min() > 0.92


def test_the_protocol_is_as_told():
    says("16 tokens of size 32, a block has 4 heads", "batches of 32, three seeds")
    assert (depth.LENGTH, depth.D_MODEL, depth.HEADS) == (16, 32, 4)
    assert (depth.BATCH, len(depth.SEEDS), depth.WARM_UP, depth.STEPS) == (32, 3, 200, 400)
    says("for 200 steps", "on 500 new sequences")
    drawn = closed_set(depth.GROUPS, depth.LENGTH, torch.Generator().manual_seed(0))
    assert len(drawn[0]) == 500


def test_post_norm_s_first_gradients_are_larger_at_both_depths():
    says("Post-norm's gradient is 1.6 to 3.5 times as large", "with 2 blocks too, up to 2.5 times")
    ratios = []
    for layers in depth.LAYERS:
        pre, post = (
            np.array(find_record(TABLE["gradients"], layers=layers, norm=norm)["gradients"])[:, -1]
            for norm in ("pre", "post")
        )
        ratios.append(post / pre)
    assert (np.min(ratios).round(1), np.max(ratios).round(1)) == (1.6, 3.5)
    assert ratios[0].max().round(1) == 2.5


def test_torch_s_own_layer_is_post_norm_and_equal():
    says("Torch's default is post-norm")
    torch.manual_seed(0)
    theirs = torch.nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, dtype=torch.float64)
    ours = EncoderBlock.from_torch(theirs.eval())
    assert ours.norm == "post"
    Z = torch.randn(6, 16, dtype=torch.float64)
    with torch.no_grad():
        expected = theirs(Z[None])[0].numpy()
    found = encoder_block(Z.numpy(), ours.params(), heads=4, norm="post")
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_two_thirds_of_a_block_are_in_the_feed_forward():
    says("attention learns $4d^2$ numbers", "learns $8d^2$", "two thirds of a block")
    figure = BlockCost()
    assert figure.parameters["feed-forward"] == 2 * figure.parameters["projections"] == 8 * 512**2


@pytest.mark.parametrize(
    ("d", "n", "said"),
    [(512, 512, "14% of the work"), (512, 32768, "they take 91%"), (8192, 32768, "to only 40%")],
)
def test_the_share_of_scores_and_blend(d, n, said):
    says(said, "They pass half at $n = 6d$")
    says("which makes $12nd^2$ multiply-adds", "together $2n^2 d$")
    figure = BlockCost(d=d, n=n)
    assert sum(figure.work.values()) == 12 * n * d**2 + 2 * n**2 * d
    share = figure.work["scores and blend"] / sum(figure.work.values())
    assert f"{100 * share:.0f}%" in said
    assert figure.even == 6 * d
