"""Every number in the prose of chapter 6, computed again."""

import numpy as np
import pytest
from chapter_text import Chapter

import attn
from attn import softmax
from attn.data import find_record, load
from attn.nn.experiments import next_word
from attn.widgets import LayerExplorer, MaskEditor, WhoLooks

CHAPTER = Chapter("06-masks")
says = CHAPTER.says
TABLE = load("next_word")
LEAKY = [record["arm"] for record in TABLE["arms"] if record["arm"] != "causal"]
S, LOOK = np.array([2.0, 1.0, 3.0]), np.array([True, True, False])


def arm(name):
    return find_record(TABLE["arms"], arm=name)


def naive_softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def test_the_best_possible_loss_is_0_396_and_the_constant_answer_pays_2_37():
    says(
        r"\frac{\ln 4 + \ln 2 + \ln 2}{7} \approx 0.396",
        "giving each word its frequency as its probability pays 2.37",
    )
    assert pytest.approx(0.396, abs=5e-4) == next_word.FLOOR
    assert next_word.constant_loss() == pytest.approx(2.37, abs=5e-3)
    assert (TABLE["floor"], TABLE["constant"]) == (0.3961, 2.3667)
    CHAPTER.computes("best possible 0.3961")


def test_the_floor_is_the_entropy_of_the_grammar():
    """Each of the 16 sentences is equally likely: ln 16 for seven words."""
    says("There are four subjects; each has two verbs, and each verb has two grounds")
    says("It may know all 16 sentences")
    assert len(set(next_word.SENTENCES)) == len(next_word.SENTENCES) == 16
    assert pytest.approx(np.log(16) / 7) == next_word.FLOOR


def test_four_ways_to_hide_the_third_of_three_keys():
    says("here it leaves the hidden key 9 %", "of the 1 only 0.335 is left")
    np.testing.assert_allclose(softmax(np.where(LOOK, S, -np.inf)), [0.731, 0.269, 0], atol=5e-4)
    np.testing.assert_array_equal(
        softmax(np.where(LOOK, S, -1e9)), softmax(np.where(LOOK, S, -np.inf))
    )
    assert softmax(np.where(LOOK, S, 0))[2] == pytest.approx(0.09, abs=5e-4)
    assert (softmax(S) * LOOK).sum() == pytest.approx(0.335, abs=5e-4)


def test_dividing_by_the_new_sum_repairs_a_zeroed_weight():
    says("On paper, dividing by the new sum repairs it")
    kept = softmax(S) * LOOK
    np.testing.assert_allclose(kept / kept.sum(), softmax(np.where(LOOK, S, -np.inf)))
    says("a hidden score far above the others leaves 0/0")
    assert (softmax(np.array([2.0, 1.0, 800.0])) * LOOK).sum() == 0


def test_the_first_word_gives_hidden_places_67_percent():
    says("gives the five hidden places 67 %")
    row = MaskEditor(way="score").weights[0]
    assert row[1:].sum() == pytest.approx(0.67, abs=5e-3)


def test_a_window_of_1_gives_each_word_its_own_value():
    says("Everyone sees itself alone")
    np.testing.assert_array_equal(MaskEditor(kind="window", window=1).weights, np.eye(6))


def test_nine_cells_are_seen_in_the_question():
    mask = attn.causal_mask(5) & attn.padding_mask(2, 5)
    assert mask.sum() == 9
    assert (mask[:2].sum(), attn.causal_mask(5).sum(), 5 * 2) == (3, 15, 10)


def test_the_words_of_the_chapter_are_those_of_the_figure():
    CHAPTER.computes(
        "[[-1, 0.5], [1, 1], [2, 0], [0.5, -1], [0.5, 1.5], [0.5, 1.5]]",
    )
    assert MaskEditor().constants["vectors"] == [
        [-1, 0.5],
        [1, 1],
        [2, 0],
        [0.5, -1],
        [0.5, 1.5],
        [0.5, 1.5],
    ]


def test_reading_and_writing_cost_the_same_with_the_mask():
    says("Reading and writing cost the same")
    np.testing.assert_allclose(arm("causal")["reading"], arm("causal")["writing"], atol=2e-4)
    assert max(arm("causal")["reading"]) < 0.41


def test_every_run_with_a_leak_reads_better_than_is_possible_and_writes_worse():
    says("All 20 runs with a leak read better than is possible")
    says("All 20 write worse than the masked model does")
    reading, writing = (np.array([arm(a)[k] for a in LEAKY]) for k in ("reading", "writing"))
    assert reading.shape == (4, 5)
    assert reading.max() < next_word.FLOOR
    assert writing.min() > max(arm("causal")["writing"])


def test_the_opening_run_is_the_middle_one_of_five():
    says("this is the middle one of five such runs")
    CHAPTER.computes('train_next_word("none", seed=4)')
    assert np.argsort(arm("none")["reading"])[2] == 4


def test_without_a_mask_or_one_too_far_all_ten_write_worse_than_a_guess():
    says("next to no text that comes out is possible")
    says("all ten write worse than the 2.37 of a guess that ignores the text")
    for name in ("none", "one too far"):
        assert min(arm(name)["writing"]) > 2.37
        assert max(arm(name)["possible"]) <= 1
    says("*One too far* reads best")
    best = max(arm("one too far")["reading"])
    assert all(best < np.mean(arm(name)["reading"]) for name in LEAKY if name != "one too far")


def test_what_a_score_of_0_and_a_weight_of_0_read_and_write():
    says("it reads at 0.09 to 0.19", "to read at 0.10 to 0.26")
    for name, ends in (("zeroed scores", (0.09, 0.19)), ("zeroed weights", (0.10, 0.26))):
        found = arm(name)["reading"]
        assert (round(min(found), 2), round(max(found), 2)) == ends
    says("in three of the five runs better than the guess")
    assert (np.array(arm("zeroed scores")["writing"]) < next_word.constant_loss()).sum() == 3
    says("Seeds 1 and 4 write 99 and 100 possible texts of 100", "the same ones, 2 and 24")
    says("a writing loss of 4.7 and of 1.3")
    zeroed = arm("zeroed weights")
    assert [zeroed["possible"][seed] for seed in (1, 4)] == [99, 100]
    assert [zeroed["different"][seed] for seed in (1, 4)] == [2, 24]
    assert [round(zeroed["writing"][seed], 1) for seed in (1, 4)] == [4.7, 1.3]


def test_100_fair_draws_from_256_texts_hold_83_different_ones():
    different = 256 * (1 - (255 / 256) ** 100)
    says(f"Of $16^2 = 256$ texts, 100 fair draws hold about {different:.0f} different ones")
    assert min(arm("causal")["different"]) >= 73


@pytest.mark.parametrize(
    ("kind", "filled", "added"),
    [
        (np.float64, [1 / 3] * 3, [0.245, 0.09, 0.665]),
        (np.float32, [1 / 3] * 3, [1 / 3] * 3),
    ],
)
def test_minus_1e9_on_a_whole_row_is_even_or_no_mask_at_all(kind, filled, added):
    says("the query looks evenly at everything that it must not see", "the mask is gone")
    big = kind(-1e9)
    np.testing.assert_allclose(naive_softmax(np.full(3, big)), filled, atol=1e-6)
    np.testing.assert_allclose(naive_softmax(S.astype(kind) + big), added, atol=5e-4)


def test_in_float32_numbers_near_1e9_are_64_apart_and_float16_ends_at_65504():
    says(f"rounded to the nearest {np.spacing(np.float32(1e9)):g}")
    says(f"the largest number is {np.finfo(np.float16).max:.0f}")
    with np.errstate(over="ignore"):
        assert np.isneginf(np.float16(-1e9))


def test_torch_gives_zeros_or_nan_to_a_query_that_sees_nothing():
    torch = pytest.importorskip("torch")
    says("gives NaN if you ask for its weights", "SDPA for short, gives zeros")
    says("it gives zeros plus the bias of its last projection", "In torch 2.13")
    assert torch.__version__.startswith("2.13")
    Q, K, V = torch.ones(2, 4), torch.ones(3, 4), torch.ones(3, 4)
    look = torch.tensor([[True, True, False], [False, False, False]])
    assert torch.softmax(torch.full((3,), -torch.inf), -1).isnan().all()
    sdpa = torch.nn.functional.scaled_dot_product_attention
    assert (sdpa(Q, K, V, attn_mask=look)[1] == 0).all()
    layer = torch.nn.MultiheadAttention(4, 1)
    assert (layer.out_proj.bias == 0).all(), "a new layer"
    torch.nn.init.normal_(layer.out_proj.bias)
    assert layer(Q, K, V, attn_mask=~look)[0][1].isnan().all()
    row = layer(Q, K, V, attn_mask=~look, need_weights=False)[0][1]
    np.testing.assert_allclose(row.detach(), layer.out_proj.bias.detach(), atol=1e-7)


@pytest.mark.parametrize(("need", "finite"), [(True, False), (False, True)])
def test_leaving_a_row_of_nan_out_of_the_loss_does_not_save_the_gradients(need, finite):
    torch = pytest.importorskip("torch")
    says("the gradients of the projections are NaN all the same")
    torch.manual_seed(0)
    layer, X = torch.nn.MultiheadAttention(4, 1), torch.randn(3, 4)
    mask = torch.tensor(attn.causal_mask(3))
    layer(X, X, X, attn_mask=mask, need_weights=need)[0][:2].sum().backward()
    assert bool(layer.in_proj_weight.grad.isfinite().all()) is finite


def test_a_short_window_and_padding_leave_the_last_places_with_nothing():
    says("a short window joined with a padding mask, for the last places of the padding")
    mask = attn.sliding_window_mask(6, 2) & attn.padding_mask(4, 6)[0]
    assert mask.any(axis=1).tolist() == [True] * 5 + [False]


def test_minus_1e9_in_half_precision_is_minus_infinity_or_an_error():
    torch = pytest.importorskip("torch")
    says("torch's `masked_fill` refuses it with an error", "Added, it becomes")
    half = torch.zeros(3, dtype=torch.float16)
    assert (half + -1e9).isneginf().all()
    with pytest.raises(RuntimeError, match="without overflow"):
        half.masked_fill(torch.ones(3, dtype=torch.bool), -1e9)


def test_the_two_functions_of_torch_take_true_for_opposites():
    torch = pytest.importorskip("torch")
    says('SDPA takes True as "may look"', 'takes True as "hide"')
    says("Each token sees its future alone, and the last one sees nothing")
    says("With the weights asked for, that row is NaN", "Without, not even that")
    torch.manual_seed(0)
    X, layer = torch.randn(3, 4), torch.nn.MultiheadAttention(4, 1)
    look = torch.tensor(attn.causal_mask(3))
    A = layer(X, X, X, attn_mask=look)[1].detach()
    assert (A[0, 0] == 0, A[1, 2] == pytest.approx(1), A[2].isnan().all()) == (True, True, True)
    padded = layer(X, X, X, key_padding_mask=torch.tensor([False, False, True]))[1]
    assert (padded[:, 2] == 0).all()
    sdpa = torch.nn.functional.scaled_dot_product_attention
    ours = attn.attention(*[X.numpy()] * 3, mask=look.numpy())
    np.testing.assert_allclose(sdpa(X, X, X, attn_mask=look).numpy(), ours, atol=1e-6)


def test_a_mask_of_numbers_is_added_by_torch():
    torch = pytest.importorskip("torch")
    says("a mask of *numbers* is added to the scores", "then hides nothing at all")
    torch.manual_seed(1)
    X, ones = torch.randn(3, 4), torch.ones(3, 3).tril()
    sdpa = torch.nn.functional.scaled_dot_product_attention
    shifted = torch.softmax(X @ X.T / 2 + ones, -1) @ X
    np.testing.assert_allclose(sdpa(X, X, X, attn_mask=ones).numpy(), shifted.numpy(), atol=1e-6)
    layer = torch.nn.MultiheadAttention(4, 1)
    A, B = (layer(X, X, X, attn_mask=mask)[1] for mask in (ones, None))
    expected = torch.softmax(B.log() + ones, -1).detach().numpy()
    np.testing.assert_allclose(A.detach().numpy(), expected, atol=1e-6)


def test_torch_s_is_causal_stands_at_the_top_left():
    torch = pytest.importorskip("torch")
    says("it takes the queries for the *first* $n$ places")
    says("would see the very first word of the text and nothing else")
    torch.manual_seed(2)
    Q, K = torch.randn(1, 4), torch.randn(5, 4)
    sdpa = torch.nn.functional.scaled_dot_product_attention
    np.testing.assert_allclose(sdpa(Q, K, K, is_causal=True).numpy(), K[:1].numpy(), atol=1e-6)


def test_the_writer_looks_at_the_words_in_french_order():
    says("The writer looks most at *the*, *cat*, *black* and *sleeps*")
    names = WhoLooks().constants["source"]
    looked = [names[int(row.argmax())] for row in WhoLooks(step=4).weights]
    assert looked == ["the", "cat", "black", "sleeps"]


def test_after_noir_the_third_row_moves_from_black_to_cat():
    says("At step 2 it looks at *black* too, 22 %", "moves from *black* to *cat*")
    rows = {second: WhoLooks(step=3, second=second).weights for second in ("chat", "noir")}
    assert rows["chat"][1][1] == pytest.approx(0.22, abs=5e-3)
    assert [int(rows[second][2].argmax()) for second in rows] == [1, 2]


def test_the_test_for_leaks_finds_a_leak_anywhere():
    """The chapter's loop, on a mask that shows the first three words to each other."""
    CHAPTER.computes("changed[t:] = 7.0", "for t in range(1, 6)")
    X = np.array(MaskEditor().constants["vectors"])
    leaky = attn.causal_mask(6)
    leaky[:3, :3] = True
    for mask, clean in ((attn.causal_mask(6), True), (leaky, False)):
        Y, same = attn.attention(X, X, X, mask=mask), []
        for t in range(1, 6):
            changed = X.copy()
            changed[t:] = 7.0
            same.append((attn.attention(*[changed] * 3, mask=mask)[:t] == Y[:t]).all())
        assert all(same) is clean


def test_in_the_layer_a_mask_hides_where_walks_goes():
    masked, free = (LayerExplorer(stage=6, masked=on).weights[1, 2] for on in (True, False))
    np.testing.assert_allclose(masked, [1 / 3, 1 / 3, 1 / 3, 0, 0, 0])
    says("the three words that may be seen share the weight")
    says(f"Take the mask off and *street* gets {100 * free[5]:.0f} %")
