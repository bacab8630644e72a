"""Every number that chapter 2 states in its prose, computed again."""

import numpy as np
import pytest
import torch
from book.chapter_text import BOOK, Chapter
from torch.nn.functional import binary_cross_entropy_with_logits

from attn import self_attention, soft_lookup, softmax
from attn.data import load
from attn.exercises.catalog import catalog
from attn.nn.experiments import train_embeddings
from attn.sentence import ENTRIES, WORDS, X
from attn.widgets import LayerExplorer, TokenPlane

CHAPTER = Chapter("02-self-attention")
says = CHAPTER.says
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


def percent(p):
    """As figures write it: with a decimal below 10%."""
    return f"{100 * float(p):.{int(p < 0.0995)}f}".removesuffix(".0") + "%"


def test_the_chapter_computes_with_the_layer_s_words():
    CHAPTER.computes("from attn.sentence import ENTRIES, WORDS, X")
    np.testing.assert_array_equal(X, LayerExplorer(stage=2).X)
    assert X.shape == (6, 8)
    says("with eight named entries", "an entry is 1 if the word has that property, and 0 if not")
    assert set(X.ravel()) == {0, 1}


def test_the_by_hand_gives_the_e_over_two_e_plus_four():
    says("scores 1 with both copies of itself and 0 with the other four words")
    assert S[THE].tolist() == [1, 0, 0, 0, 1, 0]
    assert A[THE, 4] == pytest.approx(np.e / (2 * np.e + 4))
    assert A[THE, 4].round(3) == 0.288
    assert A[THE, 1].round(3) == 0.106
    says("- 0.288 ± 0.006: ✓", "e / (2e + 4) ≈ 0.288", "- 0.106: ✗", "- 0.167: ✗")


def test_walks_scores_2_with_itself_1_with_cat_and_0_with_the_others():
    assert S[WALKS].tolist() == [0, 1, 2, 0, 0, 0]
    assert [e for e, a in zip(ENTRIES, X[WALKS], strict=True) if a] == ["verb", "moves"]
    says("scores 2 with itself, because two of its entries are 1, *verb* and *moves*")
    shared = [e for e, a, b in zip(ENTRIES, X[WALKS], X[CAT], strict=True) if a and b]
    assert shared == ["moves"]
    says("It scores 1 with *cat*, because both move, and 0 with every other word")
    itself, cat, other = (percent(A[WALKS, j]) for j in (WALKS, CAT, THE))
    says(f"gives itself {itself}, *cat* {cat} and each of the others {other}")
    says(f"*walks* gives *cat* {cat} and keeps {itself} for itself")
    says(f"since it gets only {cat} of the weight")


def test_scores_are_symmetric_and_weights_are_not():
    np.testing.assert_array_equal(S, S.T)
    assert S[CAT, WALKS] == 1
    assert S[CAT, CAT] == 3
    says("*walks* and *cat* score 1 with each other")
    says("Three entries of *cat* are 1, so it scores 3")
    says(f"*walks* gives *cat* {percent(A[WALKS, CAT])}. What", "*walks* is left with 9.5%")
    assert percent(A[CAT, WALKS]) == "9.5%"


def test_walks_comes_in_at_1_0_and_leaves_pulled_up_and_back():
    axes = TokenPlane().axes
    assert X[WALKS, axes].tolist() == [1, 0]
    out = self_attention(X)[WALKS, axes]
    says(f"leaves at ({out[0]:.2f}, {out[1]:.2f}), the diamond *y*")
    for word in ("the", "on", "street"):
        assert not any(np.array(TABLE[word])[axes])
    says("so all three sit at the origin")


def test_a_cat_that_moves_twice_as_much_ties_and_then_wins_at_one_score_both_ways():
    says("Now *walks* looks as much at *cat* as at itself, and beyond that it looks most at *cat*")
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
    says("no number in a row of $A$ is larger than the one on the diagonal")
    assert (A <= A.diagonal()[:, None] + 1e-15).all()


def test_the_minutes_of_the_exercises_are_their_own():
    spent = sum(e.minutes for e in catalog() if e.id.startswith("02-"))
    says(f"plus {spent} for the exercises")


def test_equal_norms_put_the_largest_weight_on_the_diagonal():
    Z = np.random.default_rng(0).normal(size=(2000, 6, 2))
    unit = Z / np.linalg.norm(Z, axis=-1, keepdims=True)
    share = [(softmax(T @ T.swapaxes(1, 2)).argmax(-1) == np.arange(6)).mean() for T in (Z, unit)]
    assert 0.5 < share[0] < 0.56
    assert share[1] == 1
    says("a little over half look most at themselves", "Scaled to the same norm, all of them do.")


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
    says("the longest of its sequence always does, the shortest only one time in eight")


def test_self_attention_is_the_look_up_at_sharpness_1():
    np.testing.assert_allclose(self_attention(X), soft_lookup(X, X, X, beta=1.0))


def test_tripled_vectors_have_the_weights_of_sharpness_9():
    np.testing.assert_allclose(softmax(3 * X @ (3 * X).T), softmax(9 * (X @ X.T)))
    says("if you triple all the vectors, every score is nine times as large", "$\\beta = 9$")


def test_a_row_s_own_token_is_outscored_only_by_a_longer_one():
    says("in its own row $x_i$ can be outscored only by a token with a larger norm than its own")
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
    says("- 0: ✓ The two sentences are the same bag", "- 0 ± 0.006: ✓ An output is an average")
    n = len(WORDS)
    says(f"a word and $n = {n}$", f"positions, {n * n} of them")


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
    says("*walks* scores 1 with it, as it did with *cat*", "so the weights stay what they were")
    assert self_attention(robot)[WALKS, living] == 0
    assert self_attention(cat)[WALKS, living].round(3) == 0.193
    says("- 0.193: ✗ That is the weight of *robot*, and it was the answer with *cat*")


def test_the_tiny_world_has_32_sentences_and_24_numbers():
    run = train_embeddings("who", steps=0)
    assert len(run["looks"]) == 32
    assert run["vectors"][0].size == 24
    says(
        "the 32 sentences",
        "Each of the twelve words has two numbers.",
        "We hold out eight of the 32",
    )
    says("train the 24 numbers on the other 24 sentences")


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


def test_the_vectors_of_one_question_do_not_serve_the_other():
    who, where = (weights(STREET, trained(task))[2] for task in ("who", "where"))
    says(f"The vectors that answer *who?* leave *street* {percent(who[5])} of the attention")
    says(f"and those that answer *where?* leave *cat* {percent(where[1])}")


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
    table = trained("where")
    street, grass = (table["the"] @ table[word] for word in ("street", "grass"))
    says(f"after *where?*, it is −{-street:.1f} with *street*, but {grass:.1f} with *grass*")


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
    says("The figure's *who?* is this run")


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
    says(f"it scores {own:.1f} with itself, so it gives *walks* under 0.01%")
    says(f"although their score is {score:.1f} both ways")
    assert weights(STREET, table)[1, 2] < 1e-4
    same_norm = table | {"cat": table["cat"] * 1.37 / np.linalg.norm(table["cat"])}
    assert weights(STREET, same_norm)[1, 2] > 0.2, "with the norm of walks it would look at it"


def test_twenty_small_starts_agree_and_eight_wide_ones_do_not():
    for spread, agree in ((0.2, 20), (1.0, 12)):
        runs = [r for r in RECORD["runs"] if r["spread"] == spread]
        assert len(runs) == 20
        assert all(r["held_out"] == 1 for r in runs)
        assert sum(r["looks_least"] > 0.5 for r in runs) == agree
    says("five times as wide, 8 of 20 runs find another way")
    says("from wider random starts, 8 of 20 answered just as well with other weights")


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
    assert CHAPTER.text.index("The **loss** says") < CHAPTER.text.index("loss = binary")
    assert CHAPTER.text.index("We hold out eight") < CHAPTER.text.index("import torch")
    assert CHAPTER.text.index("**tokens**, the items") < CHAPTER.text.index("Let token $i$")


def test_the_rival_of_walks_is_a_cat_of_twice_its_norm():
    own, other = X[WALKS], X[CAT]
    cosine = own @ other / np.linalg.norm(own) / np.linalg.norm(other)
    assert np.linalg.norm(own) / cosine == pytest.approx(np.sqrt(12))
    assert np.linalg.norm(other) == pytest.approx(np.sqrt(12) / 2)
    says("$\\sqrt 2 \\cdot \\sqrt 6 = \\sqrt{12}$, twice the norm that *cat* has")


def test_in_the_layer_walks_looks_at_a_cat_that_moves_more():
    looks = [LayerExplorer(stage=2, feature=size).weights[0, 2].argmax() for size in (1, 3)]
    assert looks == [2, 1]
