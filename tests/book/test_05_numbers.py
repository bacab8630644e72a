"""Every number in the prose of chapter 5, computed again."""

import ast
import re

import numpy as np
import pytest
import torch
from book.cell_outputs import printed_by_cells
from book.chapter_text import Chapter

import attn
from attn import softmax
from attn.data import find_record, load, runs_after
from attn.nn import MultiHeadAttention
from attn.nn.experiments import heads, train_two_keys
from attn.sentence import ASKS, ENTRIES, QUESTIONS, W_k, W_o, W_q, W_v, X
from attn.widgets import HeadSplitter, LayerExplorer

CHAPTER = Chapter("05-multi-head")
TABLE = load("heads")
WALKS = 2


def arm(heads, mlp):
    return find_record(TABLE["arms"], heads=heads, mlp=mlp)


def answers(heads, mlp, step):
    """The share of right first and second answers of each seed, (seeds, 2)."""
    return runs_after(arm(heads, mlp), step)[:, :2]


def share_right(heads, mlp, step):
    """The share of right answers of each seed, (seeds,)."""
    return answers(heads, mlp, step).mean(axis=-1)


def row(heads, i):
    return HeadSplitter(heads=heads).weights[i][WALKS]


def takes_home(*off, heads=4):
    """The row of walks in Y, by the names of its entries, without some heads."""
    on = [i not in off for i in range(4)]
    return dict(zip(ENTRIES, HeadSplitter(heads=heads, on=on).outputs[WALKS], strict=True))


WHO, WHERE = 5 * np.eye(6)[1], 5 * np.eye(6)[5]


@CHAPTER.number("half")
def one_query_that_asks_twice_gives_half_to_each():
    cat, street = softmax(WHO + WHERE)[[1, 5]]
    assert cat == street
    return cat


def test_each_question_has_a_clear_answer_on_its_own():
    assert softmax(WHO)[1] > 0.95


def test_the_score_of_a_large_head_is_the_sum_of_those_of_its_parts():
    Q, K = (attn.split_heads(X @ W, 4) for W in (W_q, W_k))
    parts = (Q @ K.swapaxes(-1, -2)).sum(axis=0)
    np.testing.assert_allclose(parts, (X @ W_q) @ (X @ W_k).T, atol=1e-12)


def test_walks_scores_5_with_cat_and_with_street_as_the_first_cell_says():
    Q, K = (attn.split_heads(X @ W, 4) for W in (W_q, W_k))
    scores = (Q @ K.swapaxes(-1, -2))[:2, WALKS]
    np.testing.assert_array_equal(scores, [WHO, WHERE])
    written = re.findall(r"wh\w+ = np\.array\((\[.*?\])\)", CHAPTER.code)
    np.testing.assert_array_equal(scores, [ast.literal_eval(row) for row in written])


@CHAPTER.number("both-one-head", "both-two-heads")
def a_head_that_holds_both_questions_gives_cat_and_street_the_same():
    found = [row(h, 0)[[1, 5]] for h in (1, 2)]
    assert all(cat == pytest.approx(street) for cat, street in found)
    return [cat for cat, _ in found]


@CHAPTER.number("who-cat", "where-street")
def what_walks_gives_with_four_heads():
    assert QUESTIONS[:2] == ("who?", "where?")
    return row(4, 0)[1], row(4, 1)[5]


@CHAPTER.number("cat-walks-two-heads", "cat-walks-four-heads")
def a_narrower_head_divides_the_same_score_by_a_smaller_root():
    for h in (2, 4):
        own = slice(0, 8 // h)
        assert ((X @ W_q)[1, own] * (X @ W_k)[WALKS, own]).sum() == 5
    return [HeadSplitter(heads=h).weights[0][1, WALKS] for h in (2, 4)]


@CHAPTER.number("moves-lost")
def without_who_walks_takes_home_no_living_and_less_of_moves():
    whole, no_who = takes_home(), takes_home(0)
    assert whole["living"] == pytest.approx(row(4, 0)[1])
    assert no_who["living"] == 0
    return 1 - no_who["moves"] / whole["moves"]


def test_without_where_walks_takes_home_no_place_and_no_ground():
    no_where = takes_home(1)
    assert no_where["place"] == no_where["ground"] == 0


@pytest.mark.parametrize("entry", ["article", "noun"])
def test_without_which_noun_walks_loses_a_third_of_what_it_asked_nothing_for(entry):
    assert takes_home()[entry] - takes_home(2)[entry] == pytest.approx(1 / 3)


def test_an_even_row_takes_the_average_of_all_words():
    figure = HeadSplitter(heads=4)
    np.testing.assert_allclose(figure.weights[2][WALKS], 1 / 6)
    np.testing.assert_allclose(
        figure.merged[WALKS, 4:6], (X @ W_v)[:, 4:6].mean(axis=0), atol=1e-12
    )


@pytest.mark.parametrize("heads", [2, 4])
def test_every_influence_is_exactly_0_when_the_sequence_is_cut(heads):
    assert not HeadSplitter(heads=heads, cut="sequence").influences.any()
    assert HeadSplitter(heads=heads).influences.min() > 0.5


def test_with_one_head_both_cuts_are_the_same():
    one, other = (HeadSplitter(heads=1, cut=c).outputs for c in ("columns", "sequence"))
    np.testing.assert_array_equal(one, other)


def felt(answer):
    """The entries of cat, counted from 1, that an answer to walks depends on."""
    nudges = 1e-6 * np.eye(48).reshape(48, 6, 8)[8:16]  # cat is the second word
    slopes = [np.linalg.norm(answer(X + e) - answer(X)) / 1e-6 for e in nudges]
    return [i + 1 for i, slope in enumerate(slopes) if slope > 0.001]


@CHAPTER.number("first-felt", "last-felt")
def living_and_moves_reach_who():
    found = felt(lambda X: attn.attention(*(X @ W[:, :2] for W in (W_q, W_k, W_v)))[2])
    assert [ENTRIES[i - 1] for i in found] == ["living", "moves"]
    return found


def test_article_and_noun_would_reach_who_if_X_were_cut():
    found = felt(lambda X: attn.attention(X[:, :2], X[:, :2], X[:, :2])[2])
    assert [ENTRIES[i - 1] for i in found] == ["article", "noun"]


def test_the_output_is_a_sum_of_heads_through_their_own_rows():
    Z = attn.attention(*(attn.split_heads(X @ W, 4) for W in (W_q, W_k, W_v)))
    parts = Z @ W_o.reshape(4, 2, 8)
    whole = attn.multi_head_attention(X, W_q, W_k, W_v, W_o, heads=4)
    np.testing.assert_allclose(parts.sum(axis=0), whole, atol=1e-12)
    np.testing.assert_allclose(parts, HeadSplitter(heads=4).contributions, atol=1e-12)


def test_a_head_s_values_and_outputs_are_one_matrix_of_rank_2():
    figure = HeadSplitter(heads=4)
    for i, A in enumerate(figure.weights):
        own = slice(2 * i, 2 * i + 2)
        one = W_v[:, own] @ W_o[own]
        assert one.shape == (8, 8)
        assert np.linalg.matrix_rank(one) == 2
        np.testing.assert_allclose(A @ X @ one, figure.contributions[i], atol=1e-12)


def test_a_plain_reshape_gives_head_1_the_whole_first_token():
    M = np.arange(1, 9).reshape(2, 4)
    assert M.reshape(2, 2, 2)[0].ravel().tolist() == M[0].tolist()
    assert attn.split_heads(M, heads=2)[0].tolist() == [[1, 2], [5, 6]]


@pytest.mark.parametrize("h", [1, 8, 32])
def test_the_count_is_4_d_squared_for_every_h(h):
    layer = MultiHeadAttention(512, h, bias=False)
    assert sum(part.numel() for part in layer.parameters()) == 4 * 512**2


@CHAPTER.number("parameters-linear", "parameters-mlp")
def parameters_whatever_the_heads():
    (linear,), (mlp,) = ({arm(h, mlp)["parameters"] for h in (1, 2, 4)} for mlp in (False, True))
    assert linear == 56 * 64 + 4 * 64**2 + 64 * 16 + 16
    return linear, mlp


def shares_of_the_most_common(values):
    counts = (values[:, :, None] == np.arange(8)).sum(axis=1)
    return counts.max(axis=1).mean() / values.shape[1]


@CHAPTER.number("most-common", "one-and-most-common")
def baselines():
    """Naming the most common value, and one right answer with that of the other slots."""
    slots = np.random.default_rng(1).integers(8, size=(100_000, 8))
    return shares_of_the_most_common(slots), (1 + shares_of_the_most_common(slots[:, 1:])) / 2


def test_the_other_answer_of_one_head_is_better_than_a_guess_and_worse_than_the_most_common():
    weaker = answers(1, False, 2000).min(axis=1)
    assert 1 / 8 < weaker.min() < weaker.max() < baselines()[0]


def reached(heads, mlp):
    """The first step at which over 99.9% are right in every seed."""
    steps = arm(heads, mlp)["measured_steps"]
    return next(step for step in steps if share_right(heads, mlp, step).min() > 0.999)


@CHAPTER.number("linear-reaches-1", "two-heads-mlp-reach-1", "mlp-reaches-1")
def steps_by_which_all_answers_are_right():
    return max(reached(h, False) for h in (2, 4)), reached(2, True), reached(1, True)


@CHAPTER.number("linear-2000")
def one_head_with_a_linear_read_out():
    return share_right(1, False, 2000).mean()


def test_one_head_chooses_a_question_and_the_seed_decides_which():
    last = answers(1, False, 2000)
    assert (last.max(axis=1) > 0.9).all()
    assert (last.min(axis=1) < 0.26).all()
    assert set(last.argmax(axis=1)) == {0, 1}


LONGER = TABLE["longer"]
CHAPTER.number("rate-1", "rate-2", "rate-3")(lambda: [run["rate"] for run in LONGER])


@CHAPTER.number("longer-steps")
def steps_of_the_longer_training():
    (steps,) = {run["measured_steps"][-1] for run in LONGER}
    return steps


@CHAPTER.number("weaker-1", "weaker-2", "weaker-3")
def weaker_answers_after_longer_training():
    return [min(run["accuracy"][-1][:2]) for run in LONGER]


@CHAPTER.number("stronger")
def least_of_the_stronger_answers_after_longer_training():
    return min(max(run["accuracy"][-1][:2]) for run in LONGER)


@CHAPTER.number("one-head-mlp-200", "one-head-mlp-500", "one-head-mlp-500-worst")
def one_head_with_an_mlp():
    at_200, at_500 = (share_right(1, True, step) for step in (200, 500))
    return at_200.mean(), at_500.mean(), at_500.min()


def test_with_an_mlp_one_head_does_not_climb_steadily():
    assert share_right(1, True, 150).mean() < share_right(1, True, 100).mean()


def test_with_two_heads_each_removal_takes_one_answer_and_leaves_the_other():
    ablated = np.array(arm(2, False)["ablated"])  # seed, head, answer
    assert (ablated.max(axis=-1) == 1).all()
    lost = ablated.min(axis=-1)
    assert 0.10 <= lost.min() <= lost.max() <= 0.15
    jobs = ablated.argmin(axis=-1)
    assert all(set(seed) == {0, 1} for seed in jobs)
    assert len({tuple(seed) for seed in jobs}) == 2


def test_with_four_heads_two_can_go_one_at_a_time_in_every_seed():
    ablated = np.array(arm(4, False)["ablated"])
    assert ((ablated == 1).all(axis=-1).sum(axis=-1) == 2).all()
    assert ((ablated < 1).sum(axis=-1) <= 1).all()
    jobs = [{int(pair.argmin()) for pair in seed if pair.min() < 1} for seed in ablated]
    assert jobs == [{0, 1}] * 4


BLEU = 24.9, 25.5, 25.8, 25.8, 25.4  # Vaswani et al. (2017), arXiv v7, Table 3, rows (A) and base
CHAPTER.number("bleu-1", "bleu-4", "bleu-8", "bleu-16", "bleu-32")(lambda: BLEU)
CHAPTER.number("bleu-lost")(lambda: max(BLEU) - BLEU[0])
# Voita et al. (2019): heads pruned of the encoder, and what it costs.
CHAPTER.number("voita-removed", "voita-heads", "voita-lost")(lambda: (38, 48, 0.15))


def test_one_hand_set_head_is_always_right_in_the_smallest_case():
    (written,) = re.findall(r"V = (\{.*?\}) for", re.sub(r"# \(key, value\)", "", CHAPTER.code))
    V = ast.literal_eval(written)
    for asked, sign in (((1, 2), 1), ((2, 1), -1)):
        for held in ("aa", "ab", "ba", "bb"):
            scores = np.array([3.0 * sign if value == "a" else -3.0 * sign for value in held])
            blend = softmax(scores) @ [V[1, held[0]], V[2, held[1]]]
            assert [x > 0 for x in blend] == [held[key - 1] == "a" for key in asked]


def test_heads_do_not_restore_the_order_of_words():
    W = W_q, W_k, W_v, W_o
    swapped = [0, 5, 2, 3, 4, 1]
    for h in (1, 2, 4):
        one, other = (attn.multi_head_attention(x, *W, heads=h) for x in (X, X[swapped]))
        np.testing.assert_allclose(other, one[swapped], atol=1e-12)


def test_each_pair_of_columns_asks_what_the_text_says():
    pairs = [set(ASKS[c : c + 2]) for c in (0, 2, 4, 6)]
    assert pairs == [
        {("verb", "living"), ("living", "verb")},
        {("verb", "place"), ("place", "preposition")},
        {("article", "noun"), ("noun", "noun")},
        {("preposition", "verb"), ("preposition", "place")},
    ]


@CHAPTER.number("slots", "keys", "values", "hidden", "d-model", "held-out")
def sizes_of_the_task():
    return heads.SLOTS, heads.KEYS, heads.VALUES, heads.HIDDEN, heads.D, heads.HELD_OUT


@CHAPTER.number("rate", "seeds", "steps")
def settings_of_the_training():
    return heads.RATE, len(heads.SEEDS), heads.STEPS


trains = pytest.mark.xdist_group("chapter 5 trains")  # one worker, once


@pytest.fixture(scope="module")
def live():
    """The chapter's three runs, on one thread as there."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    kinds = {"one": (1, False), "two": (2, False), "MLP": (1, True)}
    yield {n: train_two_keys(h, 0, mlp=m, steps=300) for n, (h, m) in kinds.items()}
    torch.set_num_threads(threads)


@CHAPTER.number("elsewhere")
def weight_that_the_linear_head_gives_to_slots_nobody_asked_for():
    """Of the run on the page, as it printed it."""
    said = "\n".join(printed_by_cells(CHAPTER.name))
    found = re.search(r"^1 head +head 1: +first (\S+), second (\S+)", said, re.MULTILINE)
    return 1 - sum(map(float, found.groups()))


@trains
def test_in_the_live_runs_two_heads_solve_it_and_an_mlp_nearly(live):
    assert live["two"]["accuracy"][-1].min() > 0.995
    # Still climbing, not steadily: the worse answer ends at 0.935 to 0.999, by the processor.
    assert live["MLP"]["accuracy"][-1][:2].min() > 0.85
    first, second, _ = live["one"]["accuracy"][-1]  # 0.23 and 0.91 on each of them
    assert second > 0.8
    assert first < 0.32


@trains
def test_two_heads_split_the_slots_and_an_mlp_makes_one_head_look_more_unequally(live):
    two = live["two"]["weights"]
    assert sorted(two.argmax(axis=1).tolist()) == [0, 1]
    assert two.max(axis=1).min() > 0.9
    one, mlp = (live[name]["weights"][0] for name in ("one", "MLP"))
    assert np.ptp(mlp) > np.ptp(one) + 0.1 > 0.2
    assert 1 - one.sum() == pytest.approx(0.2, abs=0.04)  # a fifth on each processor


def test_without_a_look_at_the_values_the_four_demands_contradict_each_other():
    rng = np.random.default_rng(0)
    a, b, a2, b2 = rng.uniform(size=(4, 200_000))
    F, G = rng.normal(size=(2, 2, 200_000))
    first = (a * F[0] > abs(b * G[0])) & (b * G[1] > abs(a * F[1]))
    second = (b2 * G[0] > abs(a2 * F[0])) & (a2 * F[1] > abs(b2 * G[1]))
    assert first.any()
    assert second.any()
    assert not (first & second).any()


def test_in_the_layer_walks_finds_who_and_where_with_different_heads():
    layer = LayerExplorer(stage=5)
    who, where = layer.weights[:2, 2]
    assert layer.questions[:2] == ["who?", "where?"]
    assert layer.heads == 4
    assert [layer.words[row.argmax()] for row in (who, where)] == ["cat", "street"]
    assert who.max() == pytest.approx(where.max())


test_number = CHAPTER.tests()
