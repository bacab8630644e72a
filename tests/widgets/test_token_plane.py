"""The second chapter's figure, from Python."""

import numpy as np
import pytest
from traitlets import TraitError

import attn
from attn.data import load
from attn.widgets import TokenPlane

COURSES = load("embeddings")["courses"]
STREET = "the cat walks on the street"


def test_three_tokens_answer_as_the_chapter_says():
    figure = TokenPlane(sentence="mi fa sol")
    assert figure.words == ["mi", "fa", "sol"]
    np.testing.assert_allclose(figure.weights[1], [0.016, 0.867, 0.117], atol=5e-4)
    np.testing.assert_allclose(figure.outputs[2], [0.578, 1.267], atol=5e-4)


def test_outputs_are_attn_s_own_self_attention_in_the_order_shown():
    figure = TokenPlane(order=[5, 0, 1, 4, 2, 3])
    assert " ".join(figure.words) == "street the cat the walks on"
    np.testing.assert_array_equal(figure.outputs, attn.self_attention(figure.X))
    assert figure.weights.sum(axis=1) == pytest.approx(1)


def test_a_word_has_one_vector_however_often_it_occurs():
    figure = TokenPlane()
    figure.embedding = {**figure.embedding, "the": [2.0, 0.0]}
    assert figure.X[0].tolist() == figure.X[4].tolist() == [2, 0]
    np.testing.assert_allclose(figure.outputs[0], figure.outputs[4], atol=1e-15)


def test_another_sentence_needs_an_order_and_a_query_that_it_has():
    figure = TokenPlane(order=[5, 4, 3, 2, 1, 0], query=5)
    with pytest.raises(TraitError, match="order must be empty or hold each of 0 to 2 once"):
        figure.sentence = "mi fa sol"
    assert figure.words[0] == "street"
    with figure.hold_trait_notifications():
        figure.sentence, figure.order, figure.query = "mi fa sol", [], 2
    assert figure.words == ["mi", "fa", "sol"]


def test_a_page_s_own_order_for_a_new_sentence_is_kept():
    figure = TokenPlane()
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
        ({"sentences": ["mi z"]}, "embedding has no vector for z"),
        ({"sentences": ["a"], "embedding": {"a": [1, 2, 3]}}, r"shape \(m, 2\) with m >= 1"),
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


def test_what_the_controls_change_is_synced():
    synced = set(TokenPlane().get_state())
    assert {"sentence", "embedding", "order", "query", "task", "moment", "tab"} <= synced
