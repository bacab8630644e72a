"""Every number in the prose of chapter 7, computed again."""

import re

import numpy as np
import pytest
from book.chapter_text import Chapter

import attn
from attn import sentence
from attn.data import find_record, load
from attn.nn.experiments.order import SLOW_SPEEDS
from attn.widgets import LayerExplorer, PositionExplorer

CHAPTER = Chapter("07-position")
says = CHAPTER.says
TABLE = load("order")
SHOWN = ("none", "alibi", "learned", "sinusoidal", "rotary", "none causal", "alibi causal")


def measured(part, arm, steps=300):
    return np.array(find_record(TABLE["arms"], arm=arm, steps=steps)[part])


def lengths(arm, steps=300):
    """Accuracies, (seeds, lengths 16, 32, 64)."""
    return measured("lengths", arm, steps)


def sides(arm):
    """Accuracies at 32 letters, (seeds, none, one or both beyond position 15)."""
    return measured("sides", arm)


def distances(arm):
    """Accuracies at 64 letters by distance, (seeds, 64); distance 0 is nan."""
    found = measured("distances", arm)
    return np.concatenate([np.full((len(found), 1), np.nan), found], axis=1)


def between(values):
    return round(float(np.min(values)), 2), round(float(np.max(values)), 2)


def outputs(order, PE=0, **options):
    """What the chapter's layer makes of the world's words in some order, (n, 8)."""
    W = (getattr(sentence, name) for name in ("W_q", "W_k", "W_v", "W_o"))
    return attn.multi_head_attention(sentence.X[order] + PE, *W, heads=4, **options)


@pytest.mark.parametrize(
    ("way", "gap"),
    [
        ({}, 0),
        ({"PE": attn.sinusoidal_positions(6, 8)}, 0.10),
        ({"rotary": True}, 0.62),
        ({"bias": attn.alibi_bias(6, 4)}, 0.07),
        ({"mask": attn.causal_mask(6)}, 0.94),
    ],
)
def test_a_bag_of_words_becomes_a_sentence_when_positions_count(way, gap):
    says("The same numbers, up to rounding", "All four tell the sentences apart")
    CHAPTER.computes("street_walks = [0, 5, 2, 3, 4, 1]")
    pair = [outputs(order, **way)[2] for order in ([0, 1, 2, 3, 4, 5], [0, 5, 2, 3, 4, 1])]
    found = np.abs(pair[0] - pair[1]).max()
    assert found == pytest.approx(gap, abs=5e-3 if gap else 1e-12)


def test_unmasked_alibi_cannot_tell_a_text_from_its_mirror_image():
    says("without a mask it cannot tell a text from its mirror image")
    bias = attn.alibi_bias(6, 4)
    here, there = (outputs(order, bias=bias) for order in (range(6), range(5, -1, -1)))
    np.testing.assert_allclose(here, there[::-1], atol=1e-12)


def test_the_dot_product_depends_on_the_offset_alone():
    says(
        "the dot product depends on nothing but the **offset**", "Every position has the same norm"
    )
    PE = attn.sinusoidal_positions(1051, 64)
    for start in (0, 1000):
        products = PE[start] @ PE[start : start + 51].T / 32
        np.testing.assert_allclose(products, PE[0] @ PE[:51].T / 32, atol=1e-9)


def test_the_figures_things_to_find_are_there():
    says("The dot product of their position vectors is 1.96")
    S = PositionExplorer().scores
    assert S[12, 15] == pytest.approx(1.96, abs=5e-3)
    assert S[20, 23] == pytest.approx(S[12, 15])
    says(
        "The dot product is 3.78 out of at most 4",
        "with clocks of many speeds it is 23.56 out of at most 32: 74% instead of 95%",
    )
    assert S[12, 18] == pytest.approx(3.78, abs=5e-3)
    assert S[12, 6] == pytest.approx(S[12, 18])
    many = PositionExplorer(size=64).scores[12, 18]
    assert many == pytest.approx(23.56, abs=5e-3)
    assert [round(100 * share) for share in (many / 32, S[12, 18] / 4)] == [74, 95]
    turned = PositionExplorer(kind="rotary").scores[12]
    says("all hands coincide, and the score is the largest possible, 4", "Compare 2: 2.27")
    assert turned.argmax() == 10
    assert (turned[10], turned[14]) == (pytest.approx(4), pytest.approx(2.27, abs=5e-3))
    says("The weight is the same")
    weights = PositionExplorer(kind="alibi").scores[12]
    assert weights[9] == pytest.approx(weights[15])


@pytest.mark.parametrize("offset", [1, 7, 100, -3])
def test_one_matrix_moves_every_position(offset):
    says(r"$\mathrm{PE}_{i + \delta} = \mathrm{PE}_i\, R_\delta$")
    R = np.zeros((64, 64))
    for c in range(32):
        a = offset * 10000.0 ** (-2 * c / 64)
        block = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        R[2 * c : 2 * c + 2, 2 * c : 2 * c + 2] = block
    PE = attn.sinusoidal_positions(210, 64)
    np.testing.assert_allclose(PE[5:105] @ R, PE[5 + offset : 105 + offset], atol=5e-14)


def test_the_longest_wavelengths():
    slowest = [np.arctan2(*attn.sinusoidal_positions(2, d)[1, -2:]) for d in (512, 8)]
    turns, fewer = (f"{1 / speed:.0f} · 2π" for speed in slowest)
    says(f"At $d_\\text{{model}} = 512$ it is {turns}, and at 8 only {fewer}")


def test_the_learned_vectors_form_a_line_and_stop_at_position_15():
    W = np.array(TABLE["places"])
    gram = W @ W.T
    says("large and positive among early positions and among late ones, large and negative between")
    says("an untrained row, nearly zero, lies between positions 4 and 5 (in seed 0;")
    says("Compare positions 15 and 12, 1.69, with 11 and 3, −0.72")
    assert gram[15, 12].round(2) == 1.69
    assert gram[11, 3].round(2) == -0.72
    assert (gram[10:16, 10:16] > 0.8).all()
    assert (gram[:3, :3] > 0.5).all()
    assert (gram[:3, 10:16] < -0.6).all()
    spread = np.linalg.svd(W[:16], compute_uv=False) ** 2
    assert spread[0] / spread.sum() > 0.9
    norms = np.linalg.norm(W, axis=1)
    says("The untrained rows are nearly zero", "zero lies between positions 4 and 5")
    assert (np.sign(gram[0, :16]) == [1] * 5 + [-1] * 11).all()
    assert norms[16:].max() < 0.15 < norms[:16].min() / 1.9


def test_the_papers_numbers_and_words_are_those_that_were_read():
    says("25.7 against 25.8 BLEU", "newstest2013", "row (E)", "version 7 on arXiv")
    says("hypothesized it would allow the model to easily learn to attend by relative positions")
    says("may allow the model to extrapolate to sequence lengths longer than the ones encountered")


def test_turned_scores_see_the_offset_and_its_sign_and_keep_norms():
    q, k = np.random.default_rng(1).normal(size=(2, 1, 64))

    def score(i, j):
        return (attn.rotate(q, [i]) @ attn.rotate(k, [j]).T).item()

    assert score(1010, 1017) == pytest.approx(score(10, 17), abs=1e-9)
    says("the score is as symmetric as that of two sinusoids")
    assert (score(10, 17), score(10, 3)) == (
        pytest.approx(4.360, abs=5e-4),
        pytest.approx(5.039, abs=5e-4),
    )
    says("yes, unless $q$ and $k$ are parallel")
    for key in (q, 2 * q, -q):
        ahead, back = ((attn.rotate(q, [10]) @ attn.rotate(key, [j]).T).item() for j in (17, 3))
        assert ahead == pytest.approx(back, abs=1e-9)
    assert np.linalg.norm(attn.rotate(q, [1010])) == pytest.approx(np.linalg.norm(q))


def test_a_steep_head_sees_its_neighbours_and_a_flat_one_nearly_everything_alike():
    says("a steep head sees mostly its neighbours, and a flat one sees nearly everything equally")
    says("With 8 heads the slopes are ½, ¼, … down to 1/256")
    steep, flat = (PositionExplorer(kind="alibi", head=head).scores[12] for head in (1, 8))
    assert steep[8:17].sum() > 0.85
    assert flat.max() / flat.min() < 1.1
    slopes = -attn.alibi_bias(2, 8)[:, 0, 1]
    np.testing.assert_allclose(1 / slopes, 2.0 ** np.arange(1, 9))


def test_the_plot_s_description_gives_the_ranges_of_the_runs():
    CHAPTER.computes("Learned: 0.95 to 1 at 16, 0.42 to 0.52 at 32, 0.43 to 0.49")
    CHAPTER.computes("Sinusoidal: 0.98 to 1, then 0.52 to 0.72, then 0.38 to 0.49.")
    CHAPTER.computes("RoPE: 1, then 0.98 to 0.99, then 0.56 to 0.72.")
    ends = {
        "learned": [(0.95, 1.0), (0.42, 0.52), (0.43, 0.49)],
        "sinusoidal": [(0.98, 1.0), (0.52, 0.72), (0.38, 0.49)],
        "rotary": [(1.0, 1.0), (0.98, 0.99), (0.56, 0.72)],
    }
    for arm, rows in ends.items():
        assert [between(found) for found in lengths(arm).T] == rows


def test_what_is_blind_scores_exactly_a_half():
    says("0.500, nine times each")
    for arm in ("none", "alibi"):
        assert (lengths(arm) == 0.5).all()
        assert lengths(arm).size == 9


def test_the_others_solve_what_they_were_trained_on():
    says("solve the task at the lengths they were trained on")
    for arm in SHOWN[2:]:
        assert lengths(arm)[:, 0].min() >= 0.95


def test_at_twice_the_length_rotary_holds_and_the_added_vectors_do_not():
    says("only RoPE holds up, with 0.98 to 0.99, and at 64 it falls too")
    assert between(lengths("rotary")[:, 2]) == (0.56, 0.72)
    says("0.42 to 0.52 for learned positions", "0.52 to 0.72 at twice the length")
    assert between(lengths("rotary")[:, 1]) == (0.98, 0.99)
    assert between(lengths("sinusoidal")[:, 1]) == (0.52, 0.72)
    assert between(lengths("learned")[:, 1]) == (0.42, 0.52)


def test_a_causal_mask_alone_is_enough_and_alibi_adds_nothing_to_see():
    says("0.998 or better everywhere", "adding ALiBi makes it no better")
    assert lengths("none causal").min() >= 0.998
    np.testing.assert_allclose(lengths("alibi causal"), lengths("none causal"), atol=0.0011)


def test_uniform_causal_attention_counts():
    says("Position $i$ receives $1/(i+1)$")
    nothing, first = np.zeros((8, 1)), np.eye(8)[:, :1]
    seen = attn.attention(nothing, nothing, first, mask=attn.causal_mask(8))
    np.testing.assert_allclose(seen[:, 0], 1 / np.arange(1, 9))


def test_the_averages_hide_three_crowds():
    says("all three encodings still work, with 0.93 or better")
    for arm in ("learned", "sinusoidal", "rotary"):
        assert sides(arm)[:, 0].min().round(2) >= 0.93
    says(
        "learned vectors are blind, at about one half", "sinusoids are wrong more often than right"
    )
    assert np.abs(sides("learned")[:, 2] - 0.5).max() < 0.04
    assert (sides("sinusoidal")[:, 2] < 0.5).all()
    says("learned vectors are right 3 times in 10")
    assert np.abs(sides("learned")[:, 1] - 0.3).max() < 0.015
    says("may differ: 0.93 and 1.00 in seed 2")
    assert sides("rotary")[2, [0, 2]].round(2).tolist() == [0.93, 1.0]
    says("The other two seeds come out much the same, with 0.30 and 0.29")
    assert sides("learned")[1:, 1].round(2).tolist() == [0.3, 0.29]
    says(f"5 of 16 positions, or {5 / 16:.2f}")


def test_longer_training_does_not_lengthen_the_reach():
    says("after 1200 steps the learned vectors are right in every sequence of 16 letters")
    says("still between 0.43 and 0.55 at 32; sinusoids are between 0.51 and 0.77")
    assert (lengths("learned", 1200)[:, 0] == 1).all()
    assert between(lengths("learned", 1200)[:, 1]) == (0.43, 0.55)
    assert between(lengths("sinusoidal", 1200)[:, 1]) == (0.51, 0.77)
    gains = lengths("learned", 1200)[:, 1] - lengths("learned")[:, 1]
    assert gains.max() < 0.05


def test_two_rotary_seeds_are_right_then_undecided_then_wrong():
    says(
        "Up to a distance of 22 they are right (seed 1 fails at distance 1)",
        "a stretch at one half",
    )
    says("from 41 to 61 they are wrong, almost every time", "score 0.72 and 0.67 at this length")
    assert lengths("rotary")[:2, 2].round(2).tolist() == [0.72, 0.67]
    CHAPTER.computes(
        "Seed 0 is at 1 up to distance 22, at", "0.5 from 24 to 40, at 0 from 41 to 61"
    )
    CHAPTER.computes("1 from 2 to", "23, 0.5 from 28 to 35, near 0 from 37 to 61")
    CHAPTER.computes("Seed 2 wanders between", "0.1 and 1 from distance 2 on")
    zero, one, two = distances("rotary")
    says("0.7 is not their accuracy at any distance")
    assert (np.abs(np.stack([zero, one])[:, 1:] - 0.7) > 0.1).all()
    assert (zero[1:23] == 1).all()
    assert (zero[24:41] == 0.5).all()
    assert (zero[41:62] == 0).all()
    assert (one[2:24] == 1).all()
    assert one[1] == 0.5
    assert (one[28:36] == 0.5).all()
    assert one[37:62].max() < 0.07
    says("62 looks like −1, where seed 0 is right, yet it scores one half at 62")
    assert (zero[1], zero[62]) == (1, 0.5)
    assert two[2:].min() == pytest.approx(0.1, abs=0.05)
    assert np.ptp(two[2:40]) > 0.5


def test_the_second_pair_comes_round_after_63_positions():
    says("$d_k = 32/4 = 8$", "by 1, 0.1, 0.01 and 0.001 radians per position")
    says("comes round after 63 positions", "the offsets 41 to 61 look to it like −22 to −2")
    pairs = attn.rotate(np.tile([1.0, 0.0], (1, 4)), [1]).reshape(4, 2)
    speeds = np.arctan2(pairs[:, 1], pairs[:, 0])
    np.testing.assert_allclose(speeds, [1, 0.1, 0.01, 0.001])
    turn = 2 * np.pi / speeds[1]
    assert turn == pytest.approx(63, abs=0.5)
    assert [round(d - turn) for d in (41, 61)] == [-22, -2]


def test_a_slower_second_pair_reverses_nothing_and_costs_two_seeds_something_nearby():
    _, second, _, _ = SLOW_SPEEDS
    says(f"by {second} per position instead of 0.1", f"{2 * np.pi / second:.0f} positions to come")
    fast, slow = distances("rotary"), distances("rotary slow")
    says("From 24 on nothing is reversed any more: all three score 0.997 or better")
    assert slow[:, 24:].mean(axis=1).round(3).tolist() == [1.0, 1.0, 0.997]
    says("0.78 instead of 1.00, and 0.88 instead of 0.94")
    near = [found[:, 1:10].mean(axis=1).round(2) for found in (slow, fast)]
    assert near[0][:2].tolist() == [0.78, 0.88]
    assert near[1][:2].tolist() == [1.0, 0.94]
    says("Seed 2, which had failed in its own way, improves further out and hardly changes nearby")
    assert abs(near[0][2] - near[1][2]) < 0.03
    assert (slow[2, 10:].mean(), fast[2, 10:].mean()) == (
        pytest.approx(0.97, abs=0.02),
        pytest.approx(0.44, abs=0.02),
    )
    says("at 16 letters all six are right at every distance", "at 16 letters it is always right")
    for arm in ("rotary", "rotary slow"):
        assert (measured("short_distances", arm) == 1).all()


def test_every_seed_of_every_shown_arm_is_in_the_table_that_the_page_prints():
    for arm in SHOWN:
        CHAPTER.computes(f'"{arm}":')
    trained = {record["arm"] for record in TABLE["arms"] if record["steps"] == 300}
    assert trained - {"rotary slow"} == set(SHOWN)


def test_the_chapter_names_the_works_it_rests_on():
    cited = set(re.findall(r"references\.md#(\w+)", CHAPTER.text))
    works = {"vaswani2017attention", "su2021roformer", "press2022train", "haviv2022transformer"}
    assert works <= cited


def test_in_the_layer_the_two_the_s_differ_by_their_positions_alone():
    placed, bare = (LayerExplorer(stage=stage, masked=False).outputs for stage in (7, 6))
    np.testing.assert_allclose(bare[0], bare[4])
    assert np.abs(placed[0] - placed[4]).max() > 0.05
    says("With neither positions nor a mask, both would leave the layer with the same numbers")
    assert sentence.POSITION_SCALE == 1 / 5
    says("a fifth of their usual size")
    says("leans towards *cat*, 21% to 16%, for no reason but its position")
    shares = LayerExplorer(stage=7, word=4, head=0).weights[0, 4].round(2)
    assert shares.tolist() == [0.16, 0.21, 0.16, 0.16, 0.16, 0.16]
