"""The second chapter's figure, from Python."""

import numpy as np
import pytest
from traitlets import TraitError

import attn
from attn import sentence
from attn.data import load
from attn.widgets import LayerExplorer, TokenPlane

COURSES = load("embeddings")["courses"]
STREET = "the cat walks on the street"
NOTES = {
    "sentences": [STREET, "mi fa sol"],
    "embedding": {word: [0.0, 1.0] for word in STREET.split()}
    | {"mi": [1.0, 0.0], "fa": [0.0, 2.0], "sol": [1.0, 1.0]},
}


def test_three_tokens_with_vectors_of_their_own():
    figure = TokenPlane(**NOTES, sentence="mi fa sol")
    assert figure.words == ["mi", "fa", "sol"]
    assert (figure.entries, figure.axes) == ([], [0, 1])
    np.testing.assert_allclose(figure.weights[1], [0.016, 0.867, 0.117], atol=5e-4)
    np.testing.assert_allclose(figure.outputs[2], [0.578, 1.267], atol=5e-4)


def test_it_computes_with_all_entries_and_shows_two():
    figure = TokenPlane()
    np.testing.assert_array_equal(figure.X, sentence.X)
    np.testing.assert_array_equal(figure.weights, LayerExplorer(stage=2).weights[0])
    assert [figure.entries[axis] for axis in figure.axes] == ["moves", "living"]


def test_the_robot_is_a_cat_that_does_not_live():
    words = TokenPlane().embedding
    differ = np.array(words["cat"]) != np.array(words["robot"])
    assert np.array(sentence.ENTRIES)[differ].tolist() == ["living"]


def test_outputs_are_attn_s_own_self_attention_in_the_order_shown():
    figure = TokenPlane(order=[5, 0, 1, 4, 2, 3])
    assert " ".join(figure.words) == "street the cat the walks on"
    np.testing.assert_array_equal(figure.outputs, attn.self_attention(figure.X))
    assert figure.weights.sum(axis=1) == pytest.approx(1)


def test_a_word_has_one_vector_however_often_it_occurs():
    figure = TokenPlane()
    figure.embedding = {**figure.embedding, "the": [2.0] * 8}
    assert figure.X[0].tolist() == figure.X[4].tolist() == [2] * 8
    np.testing.assert_allclose(figure.outputs[0], figure.outputs[4], atol=1e-15)


def test_another_sentence_needs_an_order_and_a_query_that_it_has():
    figure = TokenPlane(**NOTES, order=[5, 4, 3, 2, 1, 0], query=5)
    with pytest.raises(TraitError, match="order must be empty or hold each of 0 to 2 once"):
        figure.sentence = "mi fa sol"
    assert figure.words[0] == "street"
    with figure.hold_trait_notifications():
        figure.sentence, figure.order, figure.query = "mi fa sol", [], 2
    assert figure.words == ["mi", "fa", "sol"]


def test_a_page_s_own_order_for_a_new_sentence_is_kept():
    figure = TokenPlane(**NOTES)
    figure.set_state({"sentence": "mi fa sol", "order": [2, 0, 1], "query": 1})
    assert figure.words == ["sol", "mi", "fa"]


def test_a_moment_of_training_places_the_words():
    figure = TokenPlane(sentences=[STREET], courses=COURSES, moment=14)
    assert figure.task == "who"
    assert figure.weights[2].argmax() == 1
    figure.task = "where"
    assert figure.weights[2].argmax() == 5
    figure.moment = 0
    assert figure.vectors["cat"] == COURSES["where"]["vectors"][0][1]


def test_a_word_that_was_put_somewhere_leaves_its_course():
    figure = TokenPlane(sentences=[STREET], courses=COURSES, moment=14, embedding={"cat": [1, 2]})
    assert figure.vectors["cat"] == [1, 2]
    assert figure.vectors["the"] == COURSES["who"]["vectors"][14][0]


def test_the_caller_s_table_is_left_alone():
    table = {"cat": [1.0, 0.0]}
    TokenPlane(sentences=[STREET], embedding=table, courses=COURSES)
    assert table == {"cat": [1.0, 0.0]}


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"sentence": "no such"}, "sentence must be one of .*, not 'no such'"),
        ({"sentences": []}, r"sentences must hold words: \[\]"),
        ({"sentences": [" "]}, "sentences must hold words"),
        ({"sentences": ["cat z"]}, "embedding has no vector for z"),
        (
            {"sentences": ["a b"], "embedding": {"a": [1, 2], "b": [1, 2, 3]}},
            r"embedding\['b'\] must have shape \(m, 2\) with m >= 1",
        ),
        ({"entries": ["verb"]}, "the number of entries must be between 8 and 8, not 1"),
        ({"axes": [6, 8]}, "each of axes must be between 0 and 7, not 8"),
        ({"sentences": ["a"], "embedding": {"a": [1, np.nan]}}, r"embedding\['a'\] must be finite"),
        ({"order": [0, 0]}, r"order must be empty or hold each of 0 to 5 once, not \[0, 0\]"),
        ({"query": 6}, "query must be between 0 and 5, not 6"),
        ({"tab": 3}, "tab must be between 0 and 2, not 3"),
        ({"moment": 1}, r"moment \(without courses\) must be between 0 and 0, not 1"),
        ({"task": "who"}, r"task must be one of \[\], not 'who'"),
        ({"courses": COURSES, "task": "when"}, "'who', 'where'.*, not 'when'"),
        ({"courses": COURSES, "moment": 15}, "moment must be between 0 and 14, not 15"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        TokenPlane(**traits)


def test_a_refused_task_leaves_the_figure_as_it_was():
    figure = TokenPlane(sentences=[STREET], courses=COURSES)
    with pytest.raises(TraitError, match="not 'when'"):
        figure.task = "when"
    assert figure.task == "who"
