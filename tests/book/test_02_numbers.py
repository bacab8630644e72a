"""Every number that chapter 2 states in its prose, computed again."""

import numpy as np
import pytest
import torch
from chapter_text import BOOK, Chapter
from torch.nn.functional import binary_cross_entropy_with_logits

from attn import self_attention, soft_lookup, softmax
from attn.data import load
from attn.nn.experiments import train_embeddings
from attn.widgets import LayerExplorer, TokenPlane

CHAPTER = Chapter("02-self-attention")
says = CHAPTER.says
X = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
A = softmax(X @ X.T)
TABLE = TokenPlane().embedding
STREET, ROBOT = "the cat walks on the street", "the robot walks on the street"
RECORD = load("embeddings")


def vectors(sentence, table=TABLE):
    return np.array([table[word] for word in sentence.split()])


def trained(task):
    course = RECORD["courses"][task]
    return dict(zip(course["words"], np.array(course["vectors"][-1]), strict=True))


def weights(sentence, table):
    S = vectors(sentence, table)
    return softmax(S @ S.T)


def percent(p):
    return f"{round(100 * float(p))} %"


def test_the_weights_and_outputs_of_three_tokens():
    expected = [[0.422, 0.155, 0.422], [0.016, 0.867, 0.117], [0.155, 0.422, 0.422]]
    np.testing.assert_allclose(A, expected, atol=5e-4)
    expected = [[0.845, 0.733], [0.133, 1.851], [0.578, 1.267]]
    np.testing.assert_allclose(self_attention(X), expected, atol=5e-4)
    says("it gives both 0.4223, and leaves 0.1554 for *fa*", "≈ (0.845, 0.733)")


def test_hand_arithmetic_holds_as_printed():
    big, small = 0.4223, 0.1554
    assert (A[0].round(4) == [big, small, big]).all()
    assert (big * X[0] + small * X[1] + big * X[2]).round(3).tolist() == [0.845, 0.733]
    total = small * 0 + big * 2 + big * 1
    says(f"{small} · 0 + {big} · 2 + {big} · 1 ≈ {total:.3f}. The first entry is 0.578.")
    says("- 1.267 ± 0.02: ✓", "weights 0.1554, 0.4223 and 0.4223")


def test_the_weight_that_mi_gives_fa_is_one_over_two_e_plus_one():
    assert A[0, 1] == pytest.approx(1 / (2 * np.e + 1))
    says("dot products with *mi*, *fa* and *sol* are 1, 0 and 1", "1 / (2e + 1) ≈ 0.155")


def test_scores_are_symmetric_and_weights_are_not():
    np.testing.assert_array_equal(X @ X.T, (X @ X.T).T)
    assert (X @ X.T)[1].tolist() == [0, 4, 2]
    assert A[2, 1].round(3) == 0.422
    assert A[1, 2].round(3) == 0.117
    says("*fa* and *sol* score 2 with each other", "*fa* scores 4 with itself")
    says("*sol* is left with 0.117")


def test_mi_ties_with_sol_and_sol_with_fa():
    assert A[0, 0] == pytest.approx(A[0, 2])
    assert A[2, 1] == pytest.approx(A[2, 2])
    longer = np.array([[1, 0], [0, 2.1], [1, 1]])
    row = softmax(longer @ longer.T)[2]
    assert row[1] > row[2]


def test_dragging_sol_outwards_makes_mi_look_more_at_it_and_moves_every_output():
    moved = np.array([X[0], X[1], 1.1 * X[2]])
    assert softmax(moved @ moved.T)[0].argmax() == 2
    assert (np.abs(self_attention(moved) - self_attention(X)).max(axis=1) > 1e-3).all()


def test_placed_by_hand_the_cat_looks_at_walks_more_than_walks_at_the_cat():
    S, row = vectors(STREET), weights(STREET, TABLE)
    says(f"It looks {percent(row[2, 2])} at itself and {percent(row[2, 1])} at *cat*")
    says(f"it looks {percent(row[1, 2])} at *walks*, as much as at itself")
    assert row[1, 1] == pytest.approx(row[1, 2])
    says("score 2 with each other, whoever asks")
    assert S[1] @ S[2] == 2
    assert row[2, 2] > row[2, 1]


def test_dragging_the_cat_to_the_right_makes_walks_find_it_at_the_same_score_both_ways():
    table = TABLE | {"cat": [2.2, 1.0]}
    S, row = vectors(STREET, table), weights(STREET, table)
    assert row[2].argmax() == 1
    assert (S @ S.T)[1, 2] == (S @ S.T)[2, 1] > 2


def test_equal_norms_put_the_largest_weight_on_the_diagonal():
    Z = np.random.default_rng(0).normal(size=(2000, 6, 2))
    unit = Z / np.linalg.norm(Z, axis=-1, keepdims=True)
    share = [(softmax(T @ T.swapaxes(1, 2)).argmax(-1) == np.arange(6)).mean() for T in (Z, unit)]
    assert 0.5 < share[0] < 0.56
    assert share[1] == 1
    says("a little over half look most at themselves", "Scaled to one norm, all do.")


@pytest.mark.parametrize("d", [1, 2, 3, 16])
def test_the_token_with_the_largest_norm_always_looks_most_at_itself(d):
    says("**The token with the largest norm always looks most at itself.**")
    Z = np.random.default_rng(d).normal(size=(2000, 6, d))
    longest = np.linalg.norm(Z, axis=-1).argmax(axis=-1)
    best = softmax(Z @ Z.swapaxes(1, 2)).argmax(axis=-1)
    assert (np.take_along_axis(best, longest[:, None], axis=-1)[:, 0] == longest).all()


def test_of_the_shortest_tokens_one_in_eight_looks_most_at_itself():
    Z = np.random.default_rng(0).normal(size=(2000, 6, 2))
    shortest = np.linalg.norm(Z, axis=-1).argmin(axis=-1)
    best = softmax(Z @ Z.swapaxes(1, 2)).argmax(axis=-1)
    own = np.take_along_axis(best, shortest[:, None], axis=-1)[:, 0] == shortest
    assert own.mean() == pytest.approx(1 / 8, abs=0.01)
    says("of the shortest only one in eight")


def test_self_attention_is_the_look_up_at_sharpness_1():
    np.testing.assert_allclose(self_attention(X), soft_lookup(X, X, X, beta=1.0))


def test_tripled_vectors_have_the_weights_of_sharpness_9():
    np.testing.assert_allclose(softmax(3 * X @ (3 * X).T), softmax(9 * (X @ X.T)))
    says("tripling all the vectors multiplies every score by nine", "chapter 1's $\\beta = 9$")


def test_a_row_s_own_token_is_outscored_only_by_a_longer_one():
    says("in its own row $x_i$ can be outscored only by a token whose norm is larger than its own")
    Z = np.random.default_rng(7).normal(size=(2000, 6, 2))
    scores, norms = Z @ Z.swapaxes(1, 2), np.linalg.norm(Z, axis=-1)
    outscored = scores > np.diagonal(scores, axis1=1, axis2=2)[:, :, None] + 1e-12
    assert outscored.any()
    assert (norms[:, None, :] > norms[:, :, None])[outscored].all()


def test_the_loss_is_minus_ln_of_the_probability_of_the_right_answer():
    says("the loss is −ln of the probability of the right answer, averaged over the sentences")
    tags, right = torch.tensor([1.5, -0.3, 2.0]), torch.tensor([1.0, 0.0, 0.0])
    yes = 1 / (1 + np.exp(-tags.numpy()))
    by_hand = -np.log(np.where(right.numpy() == 1, yes, 1 - yes)).mean()
    assert binary_cross_entropy_with_logits(tags, right).item() == pytest.approx(by_hand, rel=1e-5)


def test_the_keys_of_the_questions_are_the_computed_answers():
    assert A[0, 1].round(3) == 0.155
    says("- 0.155 ± 0.006: ✓", "0.4223 *mi* + 0.1554 *fa* + 0.4223 *sol*")
    says("*sol* gives *fa* a weight of 0.422. What", "- 0: ✓ The two sentences are the same set")
    n = len(STREET.split())
    says(f"a word and $n = {n}$", f"places, {n * n} of them")


def test_shuffling_commutes_and_both_the_s_have_one_output():
    S, order = vectors(STREET), np.array([3, 0, 5, 1, 4, 2])
    np.testing.assert_allclose(self_attention(S[order]), self_attention(S)[order], atol=1e-15)
    np.testing.assert_allclose(self_attention(S)[0], self_attention(S)[4], atol=1e-15)


def test_no_word_can_tell_that_it_changed_places():
    rng = np.random.default_rng(4)
    table = {word: rng.normal(size=2) for word in ("the", "dog", "bites", "man")}
    one, two = "the dog bites the man".split(), "the man bites the dog".split()
    first = dict(zip(one, self_attention(vectors(" ".join(one), table)), strict=False))
    second = dict(zip(two, self_attention(vectors(" ".join(two), table)), strict=False))
    for word in table:
        np.testing.assert_allclose(first[word], second[word], atol=1e-15)


def test_the_second_coordinate_of_walks_tells_who_walks():
    cat, robot = (self_attention(vectors(s))[2] for s in (STREET, ROBOT))
    assert TABLE["walks"][1] == 0
    assert robot[1] < -0.05 < 0.05 < cat[1]
    says("whoever walks gets only 12 % of the weight")
    assert percent(weights(STREET, TABLE)[2, 1]) == percent(weights(ROBOT, TABLE)[2, 1]) == "12 %"


def test_the_tiny_world_has_32_sentences_and_24_numbers():
    run = train_embeddings("who", steps=0)
    assert len(run["looks"]) == 32
    assert run["vectors"][0].size == 24
    says("Its 32 sentences", "vectors of the twelve words, 24 numbers", "Eight of the 32 sentences")


def test_before_training_every_weight_of_the_verb_is_near_one_sixth():
    for course in RECORD["courses"].values():
        first = dict(zip(course["words"], course["vectors"][0], strict=True))
        assert np.abs(weights(STREET, first)[2] - 1 / 6).max() < 0.04
        assert course["steps"][-1] == 200


def test_after_who_the_verb_looks_at_whoever_walks():
    table = trained("who")
    cat = weights(STREET, table)
    robot = weights(STREET.replace("cat", "robot"), table)
    says(f"looks {percent(cat[2, 1])} at *cat*, and {percent(robot[2, 1])} at *robot* when")


def test_after_where_the_verb_looks_at_the_ground():
    row = weights(STREET, trained("where"))[2]
    says(f"After *where?*, it looks {percent(row[5])} at *street*")
    assert row[1] < 0.05


def test_the_words_that_do_not_matter_lie_on_the_other_side_of_the_verbs():
    table = trained("who")
    for word in ("the", "on", "street", "road", "grass", "sand"):
        assert table[word] @ table["walks"] < 0
    up = [np.sign(table[w][1]) for w in ("cat", "dog", "robot", "drone")]
    assert up == [1, 1, -1, -1]


def test_the_ends_with_a_low_or_negative_product():
    table = trained("who")
    says("it is negative with *walks* and *cat*, and small but positive with *on* and *street*")
    assert table["the"] @ table["walks"] < -1
    assert table["the"] @ table["cat"] < -1
    assert 0 < table["the"] @ table["street"] < table["the"] @ table["on"] < 0.5


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
    says("the figure's *who?* is the same run")


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


def test_after_training_the_cat_escapes_walks_by_its_norm_alone():
    table = trained("who")
    score, own = table["cat"] @ table["walks"], table["cat"] @ table["cat"]
    says(f"their score is {score:.1f}", f"is the same {score:.1f}")
    says(f"it scores {own:.1f} with itself")
    row = weights(STREET, table)[1]
    assert row[2] < 1e-4
    says("rightly gives *walks* almost nothing, under 0.01 %")
    same_norm = table | {"cat": table["cat"] * 1.37 / np.linalg.norm(table["cat"])}
    assert weights(STREET, same_norm)[1, 2] > 0.2, "with the norm of walks it would look at it"


def test_twenty_small_starts_agree_and_eight_wide_ones_do_not():
    for spread, agree in ((0.2, 20), (1.0, 12)):
        runs = [r for r in RECORD["runs"] if r["spread"] == spread]
        assert len(runs) == 20
        assert all(r["held_out"] == 1 for r in runs)
        assert sum(r["looks_least"] > 0.5 for r in runs) == agree
    says("five times as wide, 8 of 20 runs find another way")


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
    says("hardly at one or both words of the other kind")


def test_the_figure_starts_from_the_chapter_s_table():
    code = CHAPTER.text.split("table = ", 1)[1].split("}", 1)[0] + "}"
    assert eval(code) == TABLE


def test_self_attention_is_older_than_2017():
    says("[Cheng et al. (2016)](references.md#cheng2016long)")
    says("[Parikh et al. (2016)](references.md#parikh2016decomposable)")
    entries = (BOOK / "references.bib").read_text(encoding="utf-8")
    for key, year in (("cheng2016long", 2016), ("parikh2016decomposable", 2016)):
        entry = entries.split(f"{{{key},", 1)[1].split("\n}", 1)[0]
        assert str(year) in entry, key
    lin = entries.split("{lin2017structured,", 1)[1].split("\n}", 1)[0].lower()
    assert "self-attentive" in lin.replace("{", "").replace("}", "")
    says("call a sentence's embedding *self-attentive*")


def test_what_a_loss_is_comes_before_the_loop_that_needs_it():
    assert CHAPTER.text.index("The **loss** is") < CHAPTER.text.index("loss = binary")
    assert CHAPTER.text.index("Eight of the 32 sentences") < CHAPTER.text.index("import torch")
    assert CHAPTER.text.index("**tokens**, the entries") < CHAPTER.text.index("Let token $i$")


def test_in_the_layer_walks_looks_at_a_cat_that_moves_more():
    says("with eight named entries", "With two entries instead of eight, they can be drawn.")
    assert len(LayerExplorer(stage=2).entries) == 8
    looks = [LayerExplorer(stage=2, feature=size).weights[0, 2].argmax() for size in (1, 3)]
    assert looks == [2, 1]
