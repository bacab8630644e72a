"""Every number in the prose of chapter 6, computed again."""

import numpy as np
import pytest
import torch
from book.chapter_text import Chapter

import attn
from attn import sentence, softmax
from attn.data import find_record, load
from attn.nn.experiments import next_word
from attn.widgets import LayerExplorer, MaskEditor, mask_editor

CHAPTER = Chapter("06-masks")
TABLE = load("next_word")
LEAKY = [record["arm"] for record in TABLE["arms"] if record["arm"] != "causal"]
S, LOOK = np.array([2.0, 1.0, 3.0]), np.array([True, True, False])


def arm(name):
    return find_record(TABLE["arms"], arm=name)


def naive_softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


@CHAPTER.number("floor", "constant")
def the_best_possible_loss_and_that_of_a_guess_that_ignores_the_text():
    found = next_word.FLOOR, next_word.constant_loss()
    assert (TABLE["floor"], TABLE["constant"]) == pytest.approx(found, abs=5e-5)
    return found


@CHAPTER.number("sentences", "tokens", "text")
def sizes_of_the_grammar():
    (tokens,) = {len(sentence) for sentence in next_word.SENTENCES}
    return len(set(next_word.SENTENCES)), tokens, 2 * tokens


def test_the_floor_is_the_entropy_of_the_grammar():
    """Each of the sentences is equally likely."""
    sentences, tokens, _ = sizes_of_the_grammar()
    assert len(next_word.SENTENCES) == sentences
    assert pytest.approx(np.log(sentences) / tokens) == next_word.FLOOR


def test_four_ways_to_hide_the_third_of_three_keys():
    hidden = softmax(np.where(LOOK, S, -np.inf))
    np.testing.assert_allclose(hidden, [*softmax(S[:2]), 0])
    np.testing.assert_array_equal(softmax(np.where(LOOK, S, -1e9)), hidden)
    assert softmax(np.where(LOOK, S, 0))[2] > 0
    assert (softmax(S) * LOOK).sum() < 1


def test_dividing_by_the_new_sum_repairs_a_zeroed_weight():
    kept = softmax(S) * LOOK
    np.testing.assert_allclose(kept / kept.sum(), softmax(np.where(LOOK, S, -np.inf)))
    assert (softmax(np.array([2.0, 1.0, 800.0])) * LOOK).sum() == 0


@CHAPTER.number("hidden-share")
def what_the_first_word_gives_hidden_places_with_scores_of_0():
    return MaskEditor(way="score").weights[0][1:].sum()


@CHAPTER.number("cat-left")
def what_cat_keeps_with_zeroed_weights():
    return MaskEditor(way="weight", query=2).weights[1].sum()


def test_without_a_mask_walks_has_most_of_the_attention_of_cat():
    assert MaskEditor(kind="all").weights[1].argmax() == 2


def test_in_the_figure_s_head_two_scores_are_not_0():
    scores = mask_editor.Q @ mask_editor.K.T
    assert np.argwhere(scores != 0).tolist() == [[1, 2], [2, 1]]


def test_on_averages_over_everything_up_to_itself():
    np.testing.assert_allclose(MaskEditor().weights[3], [1 / 4] * 4 + [0] * 2)
    rows = softmax(np.where(attn.causal_mask(6), 0.0, -np.inf))
    np.testing.assert_allclose(rows, np.tril(np.ones((6, 6))) / np.arange(1, 7)[:, None])


def test_the_prediction_is_not_answered_by_the_figure_s_first_state():
    """Nothing is hidden at first, so no way of hiding leaks."""
    (opened,) = (cell for cell in CHAPTER.cells if "import MaskEditor" in cell)
    assert eval(opened.splitlines()[-1], {"MaskEditor": MaskEditor}).mask.all()


@CHAPTER.number("seen-cells")
def cells_that_are_seen_in_the_question():
    mask = attn.causal_mask(5) & attn.padding_mask(2, 5)
    assert (mask[:2].sum(), attn.causal_mask(5).sum(), 5 * 2) == (3, 15, 10)
    return mask.sum()


def test_reading_and_writing_cost_the_same_with_the_mask():
    np.testing.assert_allclose(arm("causal")["reading"], arm("causal")["writing"], atol=2e-4)
    assert max(arm("causal")["reading"]) < 0.41


@CHAPTER.number("leaky-runs")
def every_run_with_a_leak_reads_better_than_is_possible_and_writes_worse():
    reading, writing = (np.array([arm(a)[k] for a in LEAKY]) for k in ("reading", "writing"))
    assert reading.max() < next_word.FLOOR
    assert writing.min() > max(arm("causal")["writing"])
    return reading.size


def test_the_opening_run_is_the_middle_one_of_five():
    seed = CHAPTER.arguments("train_next_word")[0]["seed"]
    reading = arm("none")["reading"]
    assert len(reading) == 5
    assert np.argsort(reading)[2] == seed


@CHAPTER.number("worse-than-constant")
def without_a_mask_or_one_too_far_all_write_worse_than_a_guess():
    runs = [run for name in ("none", "one too far") for run in arm(name)["writing"]]
    assert min(runs) > next_word.constant_loss()
    return len(runs)


@pytest.mark.parametrize("name", ["none", "one too far"])
def test_without_a_mask_or_one_too_far_hardly_any_text_is_possible(name):
    assert max(arm(name)["possible"]) <= 1


def test_one_too_far_reads_best():
    best = max(arm("one too far")["reading"])
    assert all(best < np.mean(arm(name)["reading"]) for name in LEAKY if name != "one too far")


for way in ("scores", "weights"):
    for end, which in {"low": min, "high": max}.items():
        CHAPTER.number(f"zeroed-{way}-{end}")(
            lambda way=way, which=which: which(arm(f"zeroed {way}")["reading"])
        )


@CHAPTER.number("better-than-constant")
def runs_with_zeroed_scores_that_write_better_than_the_guess():
    return (np.array(arm("zeroed scores")["writing"]) < next_word.constant_loss()).sum()


for seed in (1, 4):
    for kind in ("possible", "different", "writing"):
        CHAPTER.number(f"{kind}-{seed}")(
            lambda kind=kind, seed=seed: arm("zeroed weights")[kind][seed]
        )


@CHAPTER.number("fair-different")
def different_texts_of_100_fair_draws():
    return 256 * (1 - (255 / 256) ** 100)


def test_the_masked_model_draws_almost_fairly():
    assert min(arm("causal")["different"]) >= 73


@pytest.mark.parametrize(
    ("kind", "filled", "added"),
    [
        (np.float64, [1 / 3] * 3, [0.245, 0.09, 0.665]),
        (np.float32, [1 / 3] * 3, [1 / 3] * 3),
    ],
)
def test_minus_1e9_on_a_whole_row_is_even_or_no_mask_at_all(kind, filled, added):
    big = kind(-1e9)
    np.testing.assert_allclose(naive_softmax(np.full(3, big)), filled, atol=1e-6)
    np.testing.assert_allclose(naive_softmax(S.astype(kind) + big), added, atol=5e-4)


@CHAPTER.number("float32-step", "float16-largest")
def steps_and_ends_of_short_numbers():
    with np.errstate(over="ignore"):
        assert np.isneginf(np.float16(-1e9))
    return np.spacing(np.float32(1e9)), np.finfo(np.float16).max


@CHAPTER.number("torch")
def version_of_torch():
    return float(".".join(torch.__version__.split(".")[:2]))


def test_torch_gives_zeros_or_nan_to_a_query_that_sees_nothing():
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
    torch.manual_seed(0)
    layer, X = torch.nn.MultiheadAttention(4, 1), torch.randn(3, 4)
    mask = torch.tensor(attn.causal_mask(3))
    layer(X, X, X, attn_mask=mask, need_weights=need)[0][:2].sum().backward()
    assert bool(layer.in_proj_weight.grad.isfinite().all()) is finite


def test_a_short_window_and_padding_leave_the_last_places_with_nothing():
    mask = attn.sliding_window_mask(6, 2) & attn.padding_mask(4, 6)[0]
    assert mask.any(axis=1).tolist() == [True] * 5 + [False]


def test_minus_1e9_in_half_precision_is_minus_infinity_or_an_error():
    half = torch.zeros(3, dtype=torch.float16)
    assert (half + -1e9).isneginf().all()
    with pytest.raises(RuntimeError, match="without overflow"):
        half.masked_fill(torch.ones(3, dtype=torch.bool), -1e9)


def test_the_two_functions_of_torch_take_true_for_opposites():
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
    assert attn.causal_mask(1, 5).all()
    torch.manual_seed(2)
    Q, K = torch.randn(1, 4), torch.randn(5, 4)
    sdpa = torch.nn.functional.scaled_dot_product_attention
    np.testing.assert_allclose(sdpa(Q, K, K, is_causal=True).numpy(), K[:1].numpy(), atol=1e-6)


def masked_heads(X, mask):
    W_q, W_k, W_v, W_o = (getattr(sentence, name) for name in ("W_q", "W_k", "W_v", "W_o"))
    return attn.multi_head_attention(X, W_q, W_k, W_v, W_o, heads=4, mask=mask)


def test_the_test_for_leaks_finds_a_leak_anywhere():
    """The chapter's own, on a mask that shows the first three words to each other too."""
    (cell,) = (cell for cell in CHAPTER.cells if "def unmoved" in cell)
    names = {"X": sentence.X, "masked_heads": masked_heads, "np": np}
    names["causal"] = causal = attn.causal_mask(6)
    exec(cell, names)
    leaky = causal.copy()
    leaky[:3, :3] = True
    for mask, clean in ((causal, True), (leaky, False), (np.tri(6, k=1, dtype=bool), False)):
        assert all(names["unmoved"](mask)) is clean


@CHAPTER.number("layer-free")
def in_the_layer_a_mask_hides_where_walks_goes():
    masked, free = (LayerExplorer(stage=6, masked=on).weights[1, 2] for on in (True, False))
    np.testing.assert_allclose(masked, [1 / 3, 1 / 3, 1 / 3, 0, 0, 0])
    return free[5]


test_number = CHAPTER.tests()
