"""Every number that chapter 2 states in its prose, computed again."""

import numpy as np
import pytest
import torch
from book.chapter_text import BOOK, Chapter
from torch.nn.functional import binary_cross_entropy_with_logits

from attn import self_attention, soft_lookup, softmax
from attn.data import load
from attn.nn.experiments import tiny_world, train_embeddings
from attn.sentence import ENTRIES, WORDS, X
from attn.widgets import LayerExplorer, TokenPlane

CHAPTER = Chapter("02-self-attention")
S, A = X @ X.T, softmax(X @ X.T)
THE, CAT, WALKS = range(3)
TABLE = TokenPlane().embedding
STREET, ROBOT = "the cat walks on the street", "the robot walks on the street"
RECORD = load("embeddings")


def vectors(sentence, table=TABLE):
    return np.array([table[word] for word in sentence.split()])


def trained(task):
    course = RECORD["courses"][task]
    return dict(zip(course["words"], np.array(course["vectors"][-1]), strict=True))


def weights(sentence, table):
    Z = vectors(sentence, table)
    return softmax(Z @ Z.T)


def test_the_layer_has_the_world_s_words_and_an_entry_is_0_or_1():
    np.testing.assert_array_equal(X, LayerExplorer(stage=2).X)
    assert set(X.ravel()) == {0, 1}


@CHAPTER.number("words", "pairs", "entries")
def sizes_of_the_sentence():
    return len(WORDS), len(WORDS) ** 2, X.shape[1]


def test_the_first_the_gives_the_second_e_over_two_e_plus_four():
    assert S[THE].tolist() == [1, 0, 0, 0, 1, 0]
    assert A[THE, 4] == pytest.approx(np.e / (2 * np.e + 4))


def test_walks_scores_2_with_itself_1_with_cat_and_0_with_the_others():
    assert S[WALKS].tolist() == [0, 1, 2, 0, 0, 0]
    assert [e for e, a in zip(ENTRIES, X[WALKS], strict=True) if a] == ["verb", "moves"]
    shared = [e for e, a, b in zip(ENTRIES, X[WALKS], X[CAT], strict=True) if a and b]
    assert shared == ["moves"]


@CHAPTER.number("walks-itself", "walks-cat", "walks-other", "cat-walks")
def weights_of_walks_and_cat():
    return A[WALKS, WALKS], A[WALKS, CAT], A[WALKS, THE], A[CAT, WALKS]


def test_scores_are_symmetric_and_weights_are_not():
    np.testing.assert_array_equal(S, S.T)
    assert S[CAT, WALKS] == 1
    assert S[CAT, CAT] == 3
    assert A[CAT, WALKS] < A[WALKS, CAT]


def test_walks_comes_in_at_1_0_and_three_words_sit_at_the_origin():
    axes = TokenPlane().axes
    assert X[WALKS, axes].tolist() == [1, 0]
    for word in ("the", "on", "street"):
        assert not any(np.array(TABLE[word])[axes])


@CHAPTER.number("output-moves", "output-living")
def walks_leaves_pulled_up_and_back():
    return self_attention(X)[WALKS, TokenPlane().axes]


def test_a_cat_that_moves_twice_as_much_ties_and_then_wins_at_one_score_both_ways():
    for moves, best in ((2.0, None), (2.1, CAT), (1.9, WALKS)):
        Z = X.copy()
        Z[CAT, ENTRIES.index("moves")] = moves
        row = softmax(Z @ Z.T)[WALKS]
        assert (Z @ Z.T)[WALKS, CAT] == (Z @ Z.T)[CAT, WALKS] == moves
        if best is None:
            assert row[CAT] == row[WALKS] == row.max()
        else:
            assert row.argmax() == best


def test_in_the_sentence_no_word_looks_more_at_another_than_at_itself():
    assert (A <= A.diagonal()[:, None] + 1e-15).all()


def random_tokens():
    return np.random.default_rng(0).normal(size=(2000, 6, 2))


def looks_most_at_itself(Z):
    return softmax(Z @ Z.swapaxes(1, 2)).argmax(-1) == np.arange(Z.shape[1])


@CHAPTER.number("own-share")
def share_of_random_tokens_that_look_most_at_themselves():
    share = looks_most_at_itself(random_tokens()).mean()
    assert share < 0.56, "a little over half"
    return share


def test_equal_norms_put_the_largest_weight_on_the_diagonal():
    Z = random_tokens()
    assert looks_most_at_itself(Z / np.linalg.norm(Z, axis=-1, keepdims=True)).all()


@pytest.mark.parametrize("d", [1, 2, 3, 16])
def test_the_token_with_the_largest_norm_always_looks_most_at_itself(d):
    Z = np.random.default_rng(d).normal(size=(2000, 6, d))
    longest = np.linalg.norm(Z, axis=-1).argmax(axis=-1)
    best = softmax(Z @ Z.swapaxes(1, 2)).argmax(axis=-1)
    assert (np.take_along_axis(best, longest[:, None], axis=-1)[:, 0] == longest).all()


@CHAPTER.number("shortest-own-share")
def share_of_the_shortest_tokens_that_look_most_at_themselves():
    Z = random_tokens()
    shortest = np.linalg.norm(Z, axis=-1).argmin(axis=-1)
    return np.take_along_axis(looks_most_at_itself(Z), shortest[:, None], axis=-1).mean()


def test_self_attention_is_the_look_up_at_sharpness_1():
    np.testing.assert_allclose(self_attention(X), soft_lookup(X, X, X, beta=1.0))


def test_tripled_vectors_have_the_weights_of_sharpness_9():
    np.testing.assert_allclose(softmax(3 * X @ (3 * X).T), softmax(9 * (X @ X.T)))


def test_a_row_s_own_token_is_outscored_only_by_a_longer_one():
    Z = np.random.default_rng(7).normal(size=(2000, 6, 2))
    scores, norms = Z @ Z.swapaxes(1, 2), np.linalg.norm(Z, axis=-1)
    outscored = scores > np.diagonal(scores, axis1=1, axis2=2)[:, :, None] + 1e-12
    assert outscored.any()
    assert (norms[:, None, :] > norms[:, :, None])[outscored].all()


def test_the_loss_is_minus_ln_of_the_probability_of_the_right_answer():
    tags, right = torch.tensor([1.5, -0.3, 2.0]), torch.tensor([1.0, 0.0, 0.0])
    yes = 1 / (1 + np.exp(-tags.numpy()))
    by_hand = -np.log(np.where(right.numpy() == 1, yes, 1 - yes)).mean()
    assert binary_cross_entropy_with_logits(tags, right).item() == pytest.approx(by_hand, rel=1e-5)


def test_shuffling_commutes_and_both_the_s_have_one_output():
    order = np.array([3, 0, 5, 1, 4, 2])
    np.testing.assert_allclose(self_attention(X[order]), self_attention(X)[order], atol=1e-15)
    np.testing.assert_allclose(self_attention(X)[0], self_attention(X)[4], atol=1e-15)


def test_no_word_can_tell_that_it_changed_places():
    rng = np.random.default_rng(4)
    table = {word: rng.normal(size=2) for word in ("the", "dog", "bites", "man")}
    one, two = "the dog bites the man".split(), "the man bites the dog".split()
    first = dict(zip(one, self_attention(vectors(" ".join(one), table)), strict=False))
    second = dict(zip(two, self_attention(vectors(" ".join(two), table)), strict=False))
    for word in table:
        np.testing.assert_allclose(first[word], second[word], atol=1e-15)


def test_with_a_robot_the_weights_stay_and_no_output_has_living():
    living = ENTRIES.index("living")
    cat, robot = vectors(STREET), vectors(ROBOT)
    with_robot = X.copy()
    with_robot[CAT, living] = 0
    np.testing.assert_array_equal(robot, with_robot)
    assert (softmax(robot @ robot.T)[WALKS] == softmax(cat @ cat.T)[WALKS]).all()
    assert self_attention(robot)[WALKS, living] == 0
    assert self_attention(cat)[WALKS, living].round(3) == 0.193


@CHAPTER.number("sentences", "tiny-words", "numbers-per-word", "learned", "held-out", "trained-on")
def sizes_of_the_tiny_world():
    run = train_embeddings("who", steps=0)
    words, numbers = run["vectors"][0].shape
    trained_on = len(tiny_world("who")[1])
    sentences = len(run["looks"])
    return sentences, words, numbers, words * numbers, sentences - trained_on, trained_on


def test_before_training_every_weight_of_the_verb_is_near_one_sixth():
    for course in RECORD["courses"].values():
        first = dict(zip(course["words"], course["vectors"][0], strict=True))
        assert np.abs(weights(STREET, first)[2] - 1 / 6).max() < 0.04
        assert course["steps"][-1] == 200


@CHAPTER.number("who-cat", "who-robot", "who-street", "who-cat-walks")
def weights_after_who():
    cat, robot = (weights(sentence, trained("who")) for sentence in (STREET, ROBOT))
    return cat[WALKS, CAT], robot[WALKS, CAT], cat[WALKS, 5], cat[CAT, WALKS]


@CHAPTER.number("where-street", "where-cat")
def weights_after_where():
    return weights(STREET, trained("where"))[WALKS, [5, CAT]]


def test_the_words_that_do_not_matter_lie_on_the_other_side_of_the_verbs():
    table = trained("who")
    for word in ("the", "on", "street", "road", "grass", "sand"):
        assert table[word] @ table["walks"] < 0
    up = [np.sign(table[w][1]) for w in ("cat", "dog", "robot", "drone")]
    assert up == [1, 1, -1, -1]


def test_after_who_the_ends_with_negative_or_small_products():
    table = trained("who")
    assert table["the"] @ table["walks"] < -1
    assert table["the"] @ table["cat"] < -1
    assert 0 < table["the"] @ table["street"] < table["the"] @ table["on"] < 0.5


@CHAPTER.number("where-the-street", "where-the-grass")
def products_of_the_after_where():
    table = trained("where")
    return [table["the"] @ table[word] for word in ("street", "grass")]


def loop():
    """The training loop as the page has it, run."""
    (cell,) = [source for source in CHAPTER.cells if "import torch" in source]
    names = {}
    exec(cell, names)
    return names


def test_the_loop_on_the_page_is_the_experiment_s_own():
    names, run = loop(), train_embeddings("who")
    assert tuple(names["names"]) == run["words"]
    np.testing.assert_allclose(names["vectors"], run["vectors"], atol=1e-6)


def test_the_figure_scrubs_through_the_run_of_the_loop():
    course, run = RECORD["courses"]["who"], train_embeddings("who")
    shown = run["vectors"][course["steps"]]
    np.testing.assert_allclose(course["vectors"], shown, atol=6e-4)


def test_the_curves_of_the_run_on_the_page_go_where_their_description_says():
    run = train_embeddings("who")
    V = dict(zip(run["words"], run["vectors"].swapaxes(0, 1), strict=True))
    product = {word: (V[word] * V["walks"]).sum(axis=1) for word in V}
    assert product["cat"][-1] > 3
    assert abs(product["cat"][0]) < 0.15
    assert (product["robot"][10:61:10] < product["cat"][10:61:10]).all(), "a little behind"
    assert abs(product["robot"][-1] - product["cat"][-1]) < 0.1
    assert 1.8 < product["walks"][-1] < 2
    for word in ("street", "the"):
        assert (product[word][20:] < 0).all()


@CHAPTER.number("cat-own-score", "cat-walks-score")
def products_of_the_cat_after_who():
    table = trained("who")
    return table["cat"] @ table["cat"], table["cat"] @ table["walks"]


def test_after_training_the_cat_escapes_walks_by_its_norm_alone():
    table = trained("who")
    same_norm = table | {"cat": table["cat"] * 1.37 / np.linalg.norm(table["cat"])}
    assert weights(STREET, same_norm)[1, 2] > 0.2, "with the norm of walks it would look at it"


@CHAPTER.number("another-way", "wide-runs")
def wide_starts_of_which_some_find_another_way():
    """All starts end right, and each small one looks at the answer."""
    small, wide = ([r for r in RECORD["runs"] if r["spread"] == s] for s in (0.2, 1.0))
    assert all(r["held_out"] == 1 for r in small + wide)
    assert all(r["looks_least"] > 0.5 for r in small)
    return sum(r["looks_least"] <= 0.5 for r in wide), len(wide)


def test_the_other_way_looks_hard_at_one_kind_and_hardly_at_the_other():
    lines = [r for r in RECORD["runs"] if r["spread"] == 1 and r["looks_least"] < 0.5]
    assert len(lines) == 8
    for line in lines:
        run = train_embeddings(line["task"], seed=line["seed"], spread=1.0)
        looks = run["looks"].reshape(4, 2, 4)
        words = looks.mean(axis=(1, 2) if line["task"] == "who" else (0, 1))
        faint, hard = sorted([words[:2], words[2:]], key=np.mean)
        assert hard.min() > 0.7, line
        assert faint.min() < 0.05, line
        assert faint.max() < 0.45, line


def test_self_attention_is_older_than_2017():
    entries = (BOOK / "references.bib").read_text(encoding="utf-8")
    for key in ("cheng2016long", "parikh2016decomposable"):
        assert f"references.md#{key})" in CHAPTER.text
        assert "2016" in entries.split(f"{{{key},", 1)[1].split("\n}", 1)[0], key
    lin = entries.split("{lin2017structured,", 1)[1].split("\n}", 1)[0].lower()
    assert "self-attentive" in lin.replace("{", "").replace("}", "")


@CHAPTER.number("rival-norm")
def norm_of_the_rival_of_walks_in_norms_of_cat():
    own, other = X[WALKS], X[CAT]
    cosine = own @ other / np.linalg.norm(own) / np.linalg.norm(other)
    rival = np.linalg.norm(own) / cosine
    assert rival == pytest.approx(np.sqrt(12))
    return rival / np.linalg.norm(other)


def test_in_the_layer_walks_looks_at_a_cat_that_moves_more():
    looks = [LayerExplorer(stage=2, feature=size).weights[0, 2].argmax() for size in (1, 3)]
    assert looks == [2, 1]


test_number = CHAPTER.tests()
