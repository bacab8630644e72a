"""Every number in the prose of chapter 6, computed again."""

import numpy as np
import pytest
from prose import Chapter

import attn
from attn import softmax
from attn.data import load
from attn.nn.experiments import next_word
from attn.widgets import MaskEditor, WhoLooks

CHAPTER = Chapter("06-masks")
says = CHAPTER.says
TABLE = load("next_word")
ARMS = {record["arm"]: record for record in TABLE["arms"]}
LEAKY = [arm for arm in ARMS if arm != "causal"]
S, LOOK = np.array([2.0, 1.0, 3.0]), np.array([True, True, False])


def plain(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def test_the_best_possible_loss_is_0_396_and_the_constant_answer_pays_2_37():
    says(r"\frac{\ln 4 + \ln 2 + \ln 2}{7} \approx 0.396", "whatever the text, pays 2.37")
    assert pytest.approx(0.396, abs=5e-4) == next_word.FLOOR
    assert next_word.constant_loss() == pytest.approx(2.37, abs=5e-3)
    assert (TABLE["floor"], TABLE["constant"]) == (0.3961, 2.3667)
    CHAPTER.computes("best possible 0.3961")


def test_the_floor_is_the_entropy_of_the_grammar():
    """Each of the 16 sentences is equally likely: ln 16 for seven words."""
    says("There are four subjects; each has two verbs, and each verb has two places")
    says("It may know all 16 sentences")
    assert len(set(next_word.SENTENCES)) == len(next_word.SENTENCES) == 16
    assert pytest.approx(np.log(16) / 7) == next_word.FLOOR


def test_four_ways_to_hide_the_third_of_three_keys():
    says("here it leaves the hidden key 9 %", "0.335 is left of the 1")
    np.testing.assert_allclose(softmax(np.where(LOOK, S, -np.inf)), [0.731, 0.269, 0], atol=5e-4)
    np.testing.assert_array_equal(
        softmax(np.where(LOOK, S, -1e9)), softmax(np.where(LOOK, S, -np.inf))
    )
    assert softmax(np.where(LOOK, S, 0))[2] == pytest.approx(0.09, abs=5e-4)
    assert (softmax(S) * LOOK).sum() == pytest.approx(0.335, abs=5e-4)


def test_dividing_by_the_new_sum_repairs_a_zeroed_weight():
    says("Dividing by the new sum repairs it")
    kept = softmax(S) * LOOK
    np.testing.assert_allclose(kept / kept.sum(), softmax(np.where(LOOK, S, -np.inf)))


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
    np.testing.assert_allclose(ARMS["causal"]["reading"], ARMS["causal"]["writing"], atol=2e-4)
    assert max(ARMS["causal"]["reading"]) < 0.41


def test_every_run_with_a_leak_reads_better_than_is_possible():
    says("Every run with a leak reads better than is possible, all 20 of them")
    reading = np.array([ARMS[arm]["reading"] for arm in LEAKY])
    assert reading.shape == (4, 5)
    assert reading.max() < next_word.FLOOR


def test_without_a_mask_or_one_too_far_all_ten_write_worse_than_a_constant():
    says("all ten runs write worse than the constant answer's 2.37")
    for arm in ("none", "one too far"):
        assert min(ARMS[arm]["writing"]) > 2.37
        assert max(ARMS[arm]["possible"]) <= 1


def test_what_a_score_of_0_and_a_weight_of_0_read_and_write():
    says("it reads at 0.14 on average", "to read at 0.10 to 0.26")
    says("one of them wrote 2 different ones, the other 24", "With the mask it is about 80")
    assert np.mean(ARMS["zeroed scores"]["reading"]) == pytest.approx(0.14, abs=5e-3)
    low, high = (f(ARMS["zeroed weights"]["reading"]) for f in (min, max))
    assert (low, high) == (pytest.approx(0.10, abs=5e-3), pytest.approx(0.26, abs=5e-3))
    zeroed = ARMS["zeroed weights"]
    sound = [d for p, d in zip(zeroed["possible"], zeroed["different"], strict=True) if p > 90]
    assert sorted(sound) == [2, 24]
    assert np.mean(ARMS["causal"]["different"]) == pytest.approx(80, abs=3)


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
    np.testing.assert_allclose(plain(np.full(3, big)), filled, atol=1e-6)
    np.testing.assert_allclose(plain(S.astype(kind) + big), added, atol=5e-4)


def test_in_float32_numbers_near_1e9_are_64_apart_and_float16_ends_at_65504():
    says("rounded to the nearest 64", "The largest number is 65504")
    assert np.spacing(np.float32(1e9)) == 64
    assert np.finfo(np.float16).max == 65504
    with np.errstate(over="ignore"):
        assert np.isneginf(np.float16(-1e9))


def test_torch_gives_zeros_or_nan_to_a_query_that_sees_nothing():
    torch = pytest.importorskip("torch")
    says("`nn.MultiheadAttention` gives NaN if you ask for its weights", "(SDPA) gives zeros")
    says("A softmax written by hand gives NaN", "In torch 2.13")
    assert torch.__version__.startswith("2.13")
    Q, K, V = torch.ones(2, 4), torch.ones(3, 4), torch.ones(3, 4)
    look = torch.tensor([[True, True, False], [False, False, False]])
    assert torch.softmax(torch.full((3,), -torch.inf), -1).isnan().all()
    sdpa = torch.nn.functional.scaled_dot_product_attention
    assert (sdpa(Q, K, V, attn_mask=look)[1] == 0).all()
    layer = torch.nn.MultiheadAttention(4, 1)
    assert layer(Q, K, V, attn_mask=~look)[0][1].isnan().all()
    assert (layer(Q, K, V, attn_mask=~look, need_weights=False)[0][1] == 0).all()


def test_the_two_functions_of_torch_take_true_for_opposites():
    torch = pytest.importorskip("torch")
    says('SDPA takes True as "may look"', 'takes True as "hide"')
    says("Each token sees its future alone, and the last one sees nothing")
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


@pytest.mark.parametrize(("step", "word"), [(1, "the"), (2, "cat"), (3, "black"), (4, "sleeps")])
def test_the_writer_looks_at_the_words_in_french_order(step, word):
    says("*chat* before *noir*, though *black* stands before *cat*")
    row = WhoLooks(step=step).weights[-1]
    assert WhoLooks().constants["source"][int(row.argmax())] == word
