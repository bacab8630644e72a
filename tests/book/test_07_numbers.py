"""Every number in the prose of chapter 7, computed again."""

import numpy as np
import pytest
from book.chapter_text import Chapter

import attn
from attn import sentence
from attn.data import find_record, load
from attn.nn.experiments.order import SLOW_SPEEDS
from attn.widgets import LayerExplorer, PositionExplorer

CHAPTER = Chapter("07-position")
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
    pair = [outputs(order, **way)[2] for order in ([0, 1, 2, 3, 4, 5], [0, 5, 2, 3, 4, 1])]
    found = np.abs(pair[0] - pair[1]).max()
    assert found == pytest.approx(gap, abs=5e-3 if gap else 1e-12)


def test_unmasked_alibi_cannot_tell_a_text_from_its_mirror_image():
    bias = attn.alibi_bias(6, 4)
    here, there = (outputs(order, bias=bias) for order in (range(6), range(5, -1, -1)))
    np.testing.assert_allclose(here, there[::-1], atol=1e-12)


def test_the_dot_product_depends_on_the_offset_alone():
    PE = attn.sinusoidal_positions(1051, 64)
    for start in (0, 1000):
        products = PE[start] @ PE[start : start + 51].T / 32
        np.testing.assert_allclose(products, PE[0] @ PE[:51].T / 32, atol=1e-9)


@CHAPTER.number("product-3", "product-6", "clocks", "share-of-8")
def products_of_four_clocks():
    """At position 12: of the key three after it, and of the one six after it."""
    S = PositionExplorer().scores
    assert S[20, 23] == pytest.approx(S[12, 15])
    assert S[12, 6] == pytest.approx(S[12, 18])
    return S[12, 15], S[12, 18], S[12, 12], S[12, 18] / S[12, 12]


@CHAPTER.number("product-6-of-64", "clocks-of-64", "share-of-64")
def products_of_32_clocks():
    S = PositionExplorer(size=64).scores
    return S[12, 18], S[12, 12], S[12, 18] / S[12, 12]


@CHAPTER.number("rotary-back", "rotary-ahead")
def turned_scores():
    """Two places back, where the score is largest, and two ahead."""
    turned = PositionExplorer(kind="rotary").scores[12]
    assert turned.argmax() == 10
    return turned[10], turned[14]


def test_alibi_weighs_both_sides_alike():
    weights = PositionExplorer(kind="alibi").scores[12]
    assert weights[9] == pytest.approx(weights[15])


@pytest.mark.parametrize("offset", [1, 7, 100, -3])
def test_one_matrix_moves_every_position(offset):
    R = np.zeros((64, 64))
    for c in range(32):
        a = offset * 10000.0 ** (-2 * c / 64)
        block = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        R[2 * c : 2 * c + 2, 2 * c : 2 * c + 2] = block
    PE = attn.sinusoidal_positions(210, 64)
    np.testing.assert_allclose(PE[5:105] @ R, PE[5 + offset : 105 + offset], atol=5e-14)


@CHAPTER.number("longest-512", "longest-8")
def longest_wavelengths():
    """In turns of 2π."""
    return [1 / np.arctan2(*attn.sinusoidal_positions(2, d)[1, -2:]) for d in (512, 8)]


@CHAPTER.number("learned-15-12", "learned-11-3")
def products_of_learned_vectors():
    W = np.array(TABLE["places"])
    return W[15] @ W[12], W[11] @ W[3]


def test_the_learned_vectors_form_a_line_and_stop_at_position_15():
    W = np.array(TABLE["places"])
    gram = W @ W.T
    assert (gram[10:16, 10:16] > 0.8).all()
    assert (gram[:3, :3] > 0.5).all()
    assert (gram[:3, 10:16] < -0.6).all()
    spread = np.linalg.svd(W[:16], compute_uv=False) ** 2
    assert spread[0] / spread.sum() > 0.9
    norms = np.linalg.norm(W, axis=1)
    assert (np.sign(gram[0, :16]) == [1] * 5 + [-1] * 11).all()
    assert norms[16:].max() < 0.15 < norms[:16].min() / 1.9


def test_turned_scores_see_the_offset_and_its_sign_and_keep_norms():
    q, k = np.random.default_rng(1).normal(size=(2, 1, 64))

    def score(i, j):
        return (attn.rotate(q, [i]) @ attn.rotate(k, [j]).T).item()

    assert score(1010, 1017) == pytest.approx(score(10, 17), abs=1e-9)
    assert abs(score(10, 17) - score(10, 3)) > 0.5
    for key in (q, 2 * q, -q):
        ahead, back = ((attn.rotate(q, [10]) @ attn.rotate(key, [j]).T).item() for j in (17, 3))
        assert ahead == pytest.approx(back, abs=1e-9)
    assert np.linalg.norm(attn.rotate(q, [1010])) == pytest.approx(np.linalg.norm(q))


def test_a_steep_head_sees_its_neighbours_and_a_flat_one_nearly_everything_alike():
    steep, flat = (PositionExplorer(kind="alibi", head=head).scores[12] for head in (1, 8))
    assert steep[8:17].sum() > 0.85
    assert flat.max() / flat.min() < 1.1


@CHAPTER.number("steepest")
def steepest_slope():
    slopes = -attn.alibi_bias(2, 8)[:, 0, 1]
    np.testing.assert_allclose(1 / slopes, 2.0 ** np.arange(1, 9))
    return slopes[0]


@CHAPTER.number("blind")
def blind():
    """What sees no order scores exactly this, at all lengths and with all seeds."""
    (score,) = {*lengths("none").ravel(), *lengths("alibi").ravel()}
    return score


def test_the_others_solve_what_they_were_trained_on():
    for arm in SHOWN[2:]:
        assert lengths(arm)[:, 0].min() >= 0.95


REACH = [(arm, end) for arm in ("learned", "sinusoidal", "rotary") for end in ("least", "most")]


@CHAPTER.number(*(f"{arm}-32-{end}" for arm, end in REACH))
def reach():
    """The runs with the fewest and the most right answers at twice the length."""
    return [{"least": min, "most": max}[end](lengths(arm)[:, 1]) for arm, end in REACH]


def test_at_four_times_the_length_rotary_falls_too():
    assert lengths("rotary")[:, 2].max() < 0.75


@CHAPTER.number("causal-least")
def least_of_the_causal_models():
    np.testing.assert_allclose(lengths("alibi causal"), lengths("none causal"), atol=0.0011)
    return min(lengths(arm).min() for arm in ("none causal", "alibi causal"))


def test_uniform_causal_attention_counts():
    nothing, first = np.zeros((8, 1)), np.eye(8)[:, :1]
    seen = attn.attention(nothing, nothing, first, mask=attn.causal_mask(8))
    np.testing.assert_allclose(seen[:, 0], 1 / np.arange(1, 9))


@CHAPTER.number("seen-least", "one-beyond", "one-beyond-1", "one-beyond-2", "neither-2", "both-2")
def three_crowds():
    """By how many of A and B are beyond position 15: none, one or both."""
    assert np.abs(sides("learned")[:, 2] - 0.5).max() < 0.04
    assert (sides("sinusoidal")[:, 2] < 0.5).all()
    seen = min(sides(arm)[:, 0].min() for arm in ("learned", "sinusoidal", "rotary"))
    one = sides("learned")[:, 1]
    return round(seen, 2), 10 * one.mean(), *one[1:], *sides("rotary")[2, [0, 2]]


@CHAPTER.number(
    "learned-1200-least", "learned-1200-most", "sinusoidal-1200-least", "sinusoidal-1200-most"
)
def after_1200_steps():
    assert (lengths("learned", 1200)[:, 0] == 1).all()
    assert (lengths("learned", 1200)[:, 1] - lengths("learned")[:, 1]).max() < 0.05
    ends = [lengths(arm, 1200)[:, 1] for arm in ("learned", "sinusoidal")]
    return [end(runs) for runs in ends for end in (np.min, np.max)]


@CHAPTER.number("rotary-64-0", "rotary-64-1")
def rotary_at_64():
    return lengths("rotary")[:2, 2]


@CHAPTER.number("right-up-to", "wrong-from", "wrong-to")
def where_seed_0_is_right_and_wrong():
    zero = distances("rotary")[0, 1:]
    wrong = np.flatnonzero(zero == 0) + 1
    assert (np.diff(wrong) == 1).all()
    return np.argmax(zero < 1), wrong[0], wrong[-1]


def test_two_rotary_seeds_are_right_then_undecided_then_wrong():
    zero, one, two = distances("rotary")
    assert (np.abs(np.stack([zero, one])[:, 1:] - 0.7) > 0.1).all()
    assert (zero[1:23] == 1).all()
    assert (zero[24:41] == 0.5).all()
    assert (zero[41:62] == 0).all()
    assert (one[2:24] == 1).all()
    assert one[1] == 0.5
    assert (one[28:36] == 0.5).all()
    assert one[37:62].max() < 0.07
    assert (zero[1], zero[62]) == (1, 0.5)
    assert two[2:].min() == pytest.approx(0.1, abs=0.05)
    assert np.ptp(two[2:40]) > 0.5


SPEEDS = [f"speed-{pair}" for pair in range(4)]


@CHAPTER.number(*SPEEDS, "turn", "looks-like-first", "looks-like-last")
def clocks_of_a_head():
    """How fast its four pairs turn, and what two offsets are to the second."""
    pairs = attn.rotate(np.tile([1.0, 0.0], (1, 4)), [1]).reshape(4, 2)
    speeds = np.arctan2(pairs[:, 1], pairs[:, 0])
    turn = 2 * np.pi / speeds[1]
    return *speeds, turn, 41 - turn, 61 - turn


@CHAPTER.number("slow-speed", "slow-turn")
def a_slower_second_pair():
    return SLOW_SPEEDS[1], 2 * np.pi / SLOW_SPEEDS[1]


@CHAPTER.number("near-0", "near-1", "slow-near-0", "slow-near-1")
def near_pairs_of_two_seeds():
    return [
        distances(arm)[seed, 1:10].mean() for arm in ("rotary", "rotary slow") for seed in (0, 1)
    ]


@CHAPTER.number("slow-far")
def far_pairs_with_a_slower_second_pair():
    """The least of the seeds, to three decimals."""
    return distances("rotary slow")[:, 24:].mean(axis=1).min().round(3)


def test_a_slower_second_pair_helps_the_third_seed_further_out_and_hardly_changes_it_nearby():
    fast, slow = distances("rotary")[2], distances("rotary slow")[2]
    assert abs(slow[1:10].mean() - fast[1:10].mean()) < 0.03
    assert slow[10:].mean() > 0.9 > 0.5 > fast[10:].mean()


def test_at_16_letters_rotary_is_right_at_every_distance_with_either_pair():
    for arm in ("rotary", "rotary slow"):
        assert (measured("short_distances", arm) == 1).all()


def test_every_arm_is_shown():
    trained = {record["arm"] for record in TABLE["arms"] if record["steps"] == 300}
    assert trained - {"rotary slow"} == set(SHOWN)


def test_in_the_layer_the_two_the_s_differ_by_their_positions_alone():
    placed, bare = (LayerExplorer(stage=stage, masked=False).outputs for stage in (7, 6))
    np.testing.assert_allclose(bare[0], bare[4])
    assert np.abs(placed[0] - placed[4]).max() > 0.05


@CHAPTER.number("scale", "leans-to-cat", "others")
def the_second_the():
    shares = LayerExplorer(stage=7, word=4, head=0).weights[0, 4]
    rest = np.delete(shares, 1)
    assert np.ptp(rest.round(2)) == 0
    return sentence.POSITION_SCALE, shares[1], rest.mean()


test_number = CHAPTER.tests()
