"""Every number that chapter 2 states in its prose, computed again."""

import numpy as np
import pytest
from prose import Chapter

from attn import self_attention, soft_lookup, softmax
from attn.data import load
from attn.nn.experiments import train_embeddings
from attn.widgets import TokenPlane

CHAPTER = Chapter("02-self-attention")
says = CHAPTER.says
X = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
A = softmax(X @ X.T)
TABLE = TokenPlane().embedding
STREET, GRASS = "the cat walks on the street", "the cat walks on the grass"
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
    says("it gives both 0.422, and keeps 0.155 for b", "= (0.845, 0.733)")


def test_the_weight_that_a_gives_b_is_one_over_two_e_plus_one():
    assert A[0, 1] == pytest.approx(1 / (2 * np.e + 1))
    says("dot products with a, b and c are 1, 0 and 1", "1 / (2e + 1) = 0.155")


def test_scores_are_symmetric_and_weights_are_not():
    np.testing.assert_array_equal(X @ X.T, (X @ X.T).T)
    assert (X @ X.T)[1].tolist() == [0, 4, 2]
    assert A[2, 1].round(3) == 0.422
    assert A[1, 2].round(3) == 0.117
    says("b and c score 2 with each other", "b scores 4 with itself", "c is left with 0.117")


def test_a_ties_with_c_and_c_with_b():
    assert A[0, 0] == pytest.approx(A[0, 2])
    assert A[2, 1] == pytest.approx(A[2, 2])
    longer = np.array([[1, 0], [0, 2.1], [1, 1]])
    row = softmax(longer @ longer.T)[2]
    assert row[1] > row[2]


def test_dragging_c_outwards_makes_a_look_more_at_it_and_moves_every_output():
    moved = np.array([X[0], X[1], 1.1 * X[2]])
    assert softmax(moved @ moved.T)[0].argmax() == 2
    assert (np.abs(self_attention(moved) - self_attention(X)).max(axis=1) > 1e-3).all()


def test_walks_looks_42_percent_at_cat_and_31_at_itself():
    row = weights(STREET, TABLE)[2]
    says(f"It looks {percent(row[1])} at *cat*, {percent(row[2])} at itself")


def test_equal_lengths_put_the_largest_weight_on_the_diagonal():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(2000, 6, 2))
    unit = Z / np.linalg.norm(Z, axis=-1, keepdims=True)
    share = [(softmax(T @ T.swapaxes(1, 2)).argmax(-1) == np.arange(6)).mean() for T in (Z, unit)]
    assert 0.5 < share[0] < 0.56
    assert share[1] == 1
    says("a little over half look most at themselves; made equally long, all do")


def test_self_attention_is_the_look_up_at_sharpness_1():
    np.testing.assert_allclose(self_attention(X), soft_lookup(X, X, X, beta=1.0))


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


def test_the_same_word_gets_another_vector_in_another_sentence():
    street, grass = (self_attention(vectors(s))[2] for s in (STREET, GRASS))
    assert np.abs(street - grass).max() > 0.1


def test_the_tiny_world_has_32_sentences_and_24_numbers():
    run = train_embeddings("who", steps=0)
    assert len(run["looks"]) == 32
    assert run["vectors"][0].size == 24
    says("Its 32 sentences", "twelve words' vectors, 24 numbers", "8 of the 32 sentences")


def test_before_training_every_weight_of_the_verb_is_near_one_sixth():
    for course in RECORD["courses"].values():
        first = dict(zip(course["words"], course["vectors"][0], strict=True))
        assert np.abs(weights(STREET, first)[2] - 1 / 6).max() < 0.04
        assert course["steps"][-1] == 200


def test_after_who_the_verb_looks_at_whoever_walks():
    table = trained("who")
    cat = weights(STREET, table)
    robot = weights(STREET.replace("cat", "robot"), table)
    says(f"looks {percent(cat[2, 1])} at *cat*, and {percent(robot[2, 1])} at *robot* too")
    assert cat[1, 1] > 0.99
    says("*cat* looks over 99 % at itself")


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
    assert table["the"] @ table["walks"] < -1
    assert table["the"] @ table["cat"] < -1
    assert 0 < table["the"] @ table["street"] < table["the"] @ table["on"] < 0.5


def test_the_curves_of_the_run_on_the_page_go_where_their_description_says():
    run = train_embeddings("who", seed=1)
    last = dict(zip(run["words"], run["vectors"][-1], strict=True))
    product = {word: last[word] @ last["walks"] for word in last}
    assert product["cat"] > 3
    assert product["robot"] > 3
    assert 1.8 < product["walks"] < 2
    assert product["street"] < 0
    assert product["the"] < product["street"]


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
        assert faint.mean() < 0.25, line


def test_the_figure_starts_from_the_chapter_s_table():
    code = CHAPTER.text.split("table = ", 1)[1].split("}", 1)[0] + "}"
    assert eval(code) == TABLE


def test_the_output_of_c_by_hand():
    says("- 1.267 ± 0.02: ✓", "The first entry is 0.578.")
    assert (A @ X)[2] == pytest.approx([0.578, 1.267], abs=1e-3)
