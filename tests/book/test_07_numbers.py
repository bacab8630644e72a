"""Every number in the prose of chapter 7, computed again."""

import re

import numpy as np
import pytest
from chapter_text import Chapter

import attn
from attn.data import find_record, load
from attn.nn.experiments.order import SLOW_SPEEDS
from attn.widgets import LayerExplorer, PositionExplorer
from attn.widgets.kit import sentence

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


def outputs(sentence, PE=0, turn=np.asarray, **options):
    """What the chapter's first head makes of a sentence, (n, 8)."""
    rng = np.random.default_rng(7)
    vectors = {word: rng.normal(size=8) for word in ("the", "dog", "bites", "man")}
    W_q, W_k, W_v = rng.normal(size=(3, 8, 8))
    X = np.array([vectors[word] for word in sentence.split()]) + PE
    return attn.attention(turn(X @ W_q), turn(X @ W_k), X @ W_v, **options)


@pytest.mark.parametrize(
    ("way", "gap"),
    [
        ({}, 0),
        ({"PE": attn.sinusoidal_positions(5, 8)}, 4.40),
        ({"turn": attn.rotate}, 4.23),
        ({"bias": attn.alibi_bias(5, 8)[0]}, 0.0014),
        ({"mask": attn.causal_mask(5)}, 4.42),
    ],
)
def test_a_bag_of_words_becomes_a_sentence_when_positions_count(way, gap):
    says("how much it differs", "*dog* is 1 place away from *bites* in one, 2 in the other")
    pair = [outputs(s, **way)[2] for s in ("the dog bites the man", "the man bites the dog")]
    assert np.abs(pair[0] - pair[1]).max() == pytest.approx(gap, abs=5e-3 if gap > 1 else 5e-5)


def test_unmasked_alibi_cannot_tell_a_text_from_its_mirror_image():
    says("Without a mask it cannot tell a text from its mirror image")
    bias = attn.alibi_bias(3, 8)[0]
    here, there = (outputs(s, bias=bias) for s in ("dog bites man", "man bites dog"))
    np.testing.assert_allclose(here, there[::-1], atol=1e-12)


def test_the_dot_product_falls_to_0_49_within_50_places_but_not_steadily():
    says("falls from 1 to 0.49 of its largest value within 50 places", "does not fall steadily")
    PE = attn.sinusoidal_positions(1051, 64)
    for start in (0, 1000):
        products = PE[start] @ PE[start : start + 51].T / 32
        assert products[0] == pytest.approx(1)
        assert products[50] == pytest.approx(0.49, abs=0.005)
        assert (np.diff(products) > 0).any()


def test_the_figure_s_things_to_find_are_there():
    says("What happens to the dot product, 12.27?", "the product falls from 16 to 11.66 at 4")
    row = PositionExplorer().scores[12, 12:21]
    assert (row[3], row[4]) == (pytest.approx(12.27, abs=5e-3), pytest.approx(11.66, abs=5e-3))
    assert (np.sign(np.diff(row)) == [-1, -1, -1, -1, 1, 1, -1, -1]).all()
    assert PositionExplorer().scores[20, 23] == pytest.approx(row[3])
    says("even the slowest clock goes round by more than half a turn within the 32 positions")
    sine, cosine = PositionExplorer(base=10).table[:, -2:].T
    assert np.ptp(np.unwrap(np.arctan2(sine, cosine))) > np.pi
    says("the right half of the left picture hardly changes")
    right = PositionExplorer(base=10**6).table[:, 16:]
    assert np.ptp(right, axis=0).max() < 0.04
    S = PositionExplorer(kind="rotary").scores[12]
    says("Set the offset to −3 and all hands coincide; then compare 3 with −3")
    assert S.argmax() == 9
    assert (S[9], S[15]) == (pytest.approx(16), pytest.approx(11.89, abs=5e-3))


@pytest.mark.parametrize("offset", [1, 7, 100, -3])
def test_one_matrix_moves_every_position(offset):
    says(r"\mathrm{PE}_{i + \delta} = \mathrm{PE}_i\, R_\delta")
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
    says("25.7 BLEU", "25.8 for sinusoids", "newstest2013", "row (E)", "version 7 on arXiv")
    says("hypothesized it would allow the model to easily learn to attend by relative positions")
    says("may allow the model to extrapolate to sequence lengths longer than the ones encountered")
    says('"nearly identical" results')


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
    equal = [(attn.rotate(q, [10]) @ attn.rotate(q, [j]).T).item() for j in (17, 3)]
    assert equal[0] == pytest.approx(equal[1], abs=1e-9)
    assert np.linalg.norm(attn.rotate(q, [1010])) == pytest.approx(np.linalg.norm(q))


def test_alibi_s_heads_reach_5_and_57_keys():
    says("90 % of its weight on 5 keys; head 8 on 57")
    bias = attn.alibi_bias(64, 8)[:, 63]
    for head, reach in ((0, 5), (7, 57)):
        near = np.cumsum(attn.softmax(bias[head])[::-1])
        assert near[reach - 2] < 0.9 <= near[reach - 1]


def test_what_is_blind_scores_exactly_a_half():
    says("0.500, nine times each")
    for arm in ("none", "alibi"):
        assert (lengths(arm) == 0.5).all()
        assert lengths(arm).size == 9


def test_the_others_solve_what_they_were_trained_on():
    says("0.95 or better at 16")
    for arm in SHOWN[2:]:
        assert lengths(arm)[:, 0].min() >= 0.95


def test_at_twice_the_length_rotary_holds_and_the_added_vectors_do_not():
    says("rotary holds, with 0.976 to 0.988", "Sinusoids fall to between 0.52 and 0.72")
    says("**At 64** rotary falls too, to between 0.56 and 0.72")
    assert between(lengths("rotary")[:, 2]) == (0.56, 0.72)
    says("learned vectors to between 0.42 and 0.52", "0.52 to 0.72 at twice the length")
    at_32 = lengths("rotary")[:, 1]
    assert (at_32.min(), at_32.max()) == (0.976, 0.988)
    assert between(lengths("sinusoidal")[:, 1]) == (0.52, 0.72)
    assert between(lengths("learned")[:, 1]) == (0.42, 0.52)


def test_a_causal_mask_alone_is_enough_and_alibi_adds_nothing_to_see():
    says("0.998 or better everywhere", "With ALiBi added it scores the same")
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
    says("The other two come out alike, with 0.30 and 0.29")
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
    says("62 should look like −1, and there both score one half")
    assert zero[62] == one[62] == 0.5
    assert two[2:].min() == pytest.approx(0.1, abs=0.05)
    assert np.ptp(two[2:40]) > 0.5


def test_the_second_pair_comes_round_after_63_positions():
    says("$d_k = 32/4 = 8$", "by 1, 0.1, 0.01 and 0.001 radians a position")
    says("comes round after 63 positions", "the offsets 41 to 61 look to it like −22 to −2")
    pairs = attn.rotate(np.tile([1.0, 0.0], (1, 4)), [1]).reshape(4, 2)
    speeds = np.arctan2(pairs[:, 1], pairs[:, 0])
    np.testing.assert_allclose(speeds, [1, 0.1, 0.01, 0.001])
    turn = 2 * np.pi / speeds[1]
    assert turn == pytest.approx(63, abs=0.5)
    assert [round(d - turn) for d in (41, 61)] == [-22, -2]


def test_a_slower_second_pair_reverses_nothing_and_costs_two_seeds_something_nearby():
    _, second, _, _ = SLOW_SPEEDS
    says(f"by {second} a position instead of 0.1", f"{2 * np.pi / second:.0f} positions to come")
    fast, slow = distances("rotary"), distances("rotary slow")
    says("From 24 on nothing is reversed any more: 1.000, 1.000 and 0.997")
    assert slow[:, 24:].mean(axis=1).round(3).tolist() == [1.0, 1.0, 0.997]
    says("0.785 instead of 1.000, and 0.878 instead of 0.944")
    near = [found[:, 1:10].mean(axis=1).round(3) for found in (slow, fast)]
    assert near[0][:2].tolist() == [0.785, 0.878]
    assert near[1][:2].tolist() == [1.0, 0.944]
    says("Seed 2, which had failed in its own way, improves further out and hardly changes nearby")
    assert abs(near[0][2] - near[1][2]) < 0.03
    assert (slow[2, 10:].mean(), fast[2, 10:].mean()) == (
        pytest.approx(0.97, abs=0.02),
        pytest.approx(0.44, abs=0.02),
    )
    says("at 16 letters all six are right at every distance", "at 16 letters it is always right")
    for arm in ("rotary", "rotary slow"):
        assert (measured("short_distances", arm) == 1).all()


def test_six_heads_have_the_slopes_of_four_and_two_of_eight():
    says("6 heads have ¼, 1/16, 1/64, 1/256, then ½ and ⅛")
    slopes = -attn.alibi_bias(2, 6)[:, 0, 1]
    np.testing.assert_allclose(1 / slopes, [4, 16, 64, 256, 2, 8])


def test_every_seed_of_every_shown_arm_is_in_the_table_that_the_page_prints():
    CHAPTER.computes('"none causal", "alibi causal"):')
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
