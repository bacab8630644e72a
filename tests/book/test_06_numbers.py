"""Every number in the prose of chapter 6, computed again."""

import numpy as np
import pytest
from book.chapter_text import Chapter

import attn
from attn import sentence, softmax
from attn.data import find_record, load
from attn.nn.experiments import next_word
from attn.widgets import LayerExplorer, MaskEditor, mask_editor

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
        "gives each word its overall frequency pays 2.37",
    )
    assert pytest.approx(0.396, abs=5e-4) == next_word.FLOOR
    assert next_word.constant_loss() == pytest.approx(2.37, abs=5e-3)
    assert (TABLE["floor"], TABLE["constant"]) == (0.3961, 2.3667)
    CHAPTER.computes("best possible 0.3961")


def test_the_floor_is_the_entropy_of_the_grammar():
    """Each of the 16 sentences is equally likely: ln 16 for seven words."""
    says("four subjects, two verbs for each subject and two grounds for each verb")
    says("so 16 sentences of seven tokens, counting the full stop")
    assert {len(sentence) for sentence in next_word.SENTENCES} == {7}
    assert len(set(next_word.SENTENCES)) == len(next_word.SENTENCES) == 16
    assert pytest.approx(np.log(16) / 7) == next_word.FLOOR


def test_four_ways_to_hide_the_third_of_three_keys():
    says("here it leaves the hidden key 9%", "The last row no longer sums to 1")
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


def test_the_first_word_gives_hidden_places_83_percent():
    says("gives the five hidden places 83%")
    row = MaskEditor(way="score").weights[0]
    assert row[1:].sum() == pytest.approx(0.83, abs=5e-3)


def test_with_zeroed_weights_cat_keeps_0_05_and_walks_would_have_most_of_the_rest():
    says("the hidden *walks* still takes its share", "only 0.05 of *cat*'s 1 is left")
    kept = MaskEditor(way="weight", query=2).weights[1]
    assert kept.sum() == pytest.approx(0.05, abs=2e-3)
    assert MaskEditor(kind="all").weights[1].argmax() == 2


def test_in_the_figure_s_head_two_scores_are_not_0():
    says("*walks* asks for *cat*, *cat* asks for *walks*, and all other scores are 0")
    scores = mask_editor.Q @ mask_editor.K.T
    assert np.argwhere(scores != 0).tolist() == [[1, 2], [2, 1]]


def test_on_averages_over_everything_up_to_itself():
    says("It spreads its weight evenly over everything up to itself")
    np.testing.assert_allclose(MaskEditor().weights[3], [1 / 4] * 4 + [0] * 2)
    says("each row is a plain average over the past, the query itself included")
    rows = softmax(np.where(attn.causal_mask(6), 0.0, -np.inf))
    np.testing.assert_allclose(rows, np.tril(np.ones((6, 6))) / np.arange(1, 7)[:, None])


def test_the_prediction_is_not_answered_by_the_figure_s_first_state():
    """Nothing is hidden at first, so no way of hiding leaks."""
    CHAPTER.computes('MaskEditor(kind="all")')
    says("At first, nothing is hidden")
    assert MaskEditor(kind="all").mask.all()


def test_nine_cells_are_seen_in_the_question():
    mask = attn.causal_mask(5) & attn.padding_mask(2, 5)
    assert mask.sum() == 9
    assert (mask[:2].sum(), attn.causal_mask(5).sum(), 5 * 2) == (3, 15, 10)


def test_reading_and_writing_cost_the_same_with_the_mask():
    says("Reading and writing cost the same")
    np.testing.assert_allclose(arm("causal")["reading"], arm("causal")["writing"], atol=2e-4)
    assert max(arm("causal")["reading"]) < 0.41


def test_every_run_with_a_leak_reads_better_than_is_possible_and_writes_worse():
    says("All 20 runs with a leak read better than any honest model can")
    says("all 20 write worse than the masked model does")
    reading, writing = (np.array([arm(a)[k] for a in LEAKY]) for k in ("reading", "writing"))
    assert reading.shape == (4, 5)
    assert reading.max() < next_word.FLOOR
    assert writing.min() > max(arm("causal")["writing"])


def test_the_opening_run_is_the_middle_one_of_five():
    says("this run is the middle one of five")
    CHAPTER.computes('train_next_word("none", seed=4)')
    assert np.argsort(arm("none")["reading"])[2] == 4


def test_without_a_mask_or_one_too_far_all_ten_write_worse_than_a_guess():
    says("hardly any text that comes out is possible")
    says("all ten runs write worse than the 2.37 of a guess that ignores the text")
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
    says("Seeds 1 and 4 write 99 and 100 possible texts of 100")
    says("the same few over and over, 2 and 24 different ones")
    says("a writing loss of 4.7 and of 1.3")
    says("one run writes 100 possible texts, but only 24 different ones")
    zeroed = arm("zeroed weights")
    assert [zeroed["possible"][seed] for seed in (1, 4)] == [99, 100]
    assert [zeroed["different"][seed] for seed in (1, 4)] == [2, 24]
    assert [round(zeroed["writing"][seed], 1) for seed in (1, 4)] == [4.7, 1.3]


def test_100_fair_draws_from_256_texts_hold_83_different_ones():
    different = 256 * (1 - (255 / 256) ** 100)
    says(f"100 fair draws from the $16^2 = 256$ texts hold about {different:.0f} different ones")
    assert min(arm("causal")["different"]) >= 73


@pytest.mark.parametrize(
    ("kind", "filled", "added"),
    [
        (np.float64, [1 / 3] * 3, [0.245, 0.09, 0.665]),
        (np.float32, [1 / 3] * 3, [1 / 3] * 3),
    ],
)
def test_minus_1e9_on_a_whole_row_is_even_or_no_mask_at_all(kind, filled, added):
    says("the query looks evenly at everything it must not see", "the mask is gone")
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
    says("otherwise zeros plus the bias of its last projection", "In torch 2.13")
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
    says("each token sees only its future, and the last one sees nothing")
    says("Asked for its weights, the layer at least gives NaN there")
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
    says("both SDPA and the layer add it to the scores", "then hides nothing at all")
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
    says("It takes the queries to be the *first* $n$ places")
    says("For a single new word, $n = 1$, the right mask is a row of True")
    assert attn.causal_mask(1, 5).all()
    says("would see the very first word of the text and nothing else")
    torch.manual_seed(2)
    Q, K = torch.randn(1, 4), torch.randn(5, 4)
    sdpa = torch.nn.functional.scaled_dot_product_attention
    np.testing.assert_allclose(sdpa(Q, K, K, is_causal=True).numpy(), K[:1].numpy(), atol=1e-6)


def masked_heads(X, mask):
    W_q, W_k, W_v, W_o = (getattr(sentence, name) for name in ("W_q", "W_k", "W_v", "W_o"))
    return attn.multi_head_attention(X, W_q, W_k, W_v, W_o, heads=4, mask=mask)


def test_the_test_for_leaks_finds_a_leak_anywhere():
    """The chapter's loop, on a mask that shows the first three words to each other."""
    CHAPTER.computes("changed[t:] = 7.0", "for t in range(1, 6)", "np.tri(6, k=1, dtype=bool)")
    X = sentence.X
    leaky = attn.causal_mask(6)
    leaky[:3, :3] = True
    one_too_far = np.tri(6, k=1, dtype=bool)
    for mask, clean in ((attn.causal_mask(6), True), (leaky, False), (one_too_far, False)):
        Y, same = masked_heads(X, mask), []
        for t in range(1, 6):
            changed = X.copy()
            changed[t:] = 7.0
            same.append((masked_heads(changed, mask)[:t] == Y[:t]).all())
        assert all(same) is clean


def test_in_the_layer_a_mask_hides_where_walks_goes():
    masked, free = (LayerExplorer(stage=6, masked=on).weights[1, 2] for on in (True, False))
    np.testing.assert_allclose(masked, [1 / 3, 1 / 3, 1 / 3, 0, 0, 0])
    says("the three words it may see share the weight")
    says(f"Take the mask off and *street* gets {100 * free[5]:.0f}%")
