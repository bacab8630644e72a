"""The sixth chapter's second figure, from Python: who asks, and what a row depends on."""

import numpy as np
import pytest

from attn import attention_weights
from attn.widgets import WhoLooks
from attn.widgets.who_looks import TEXTS, VECTORS, WISHES, rows


def test_the_writer_s_third_row_depends_on_the_second_word():
    third = [WhoLooks(step=3, second=second).weights[2] for second in TEXTS]
    assert np.abs(third[0] - third[1]).max() > 0.5
    first_two = [WhoLooks(step=2, second=second).weights for second in TEXTS]
    np.testing.assert_array_equal(*first_two)


def test_a_state_is_a_wish_and_a_quarter_of_what_the_last_row_fetched():
    one, two = rows(TEXTS["chat"], 2)
    state = WISHES["le"] + 0.25 * one @ VECTORS
    np.testing.assert_allclose(attention_weights(state[None], VECTORS)[0], two)


@pytest.mark.parametrize("second", TEXTS)
def test_at_each_step_the_word_written_is_among_those_looked_at(second):
    meant = {"le": "the", "chat": "cat", "noir": "black", "dort": "sleeps"}
    figure = WhoLooks(step=4, second=second)
    for word, row in zip(TEXTS[second], figure.weights, strict=True):
        assert row[figure.constants["source"].index(meant[word])] > 0.2


@pytest.mark.parametrize(("kind", "count"), [("decoder", 2), ("self", 4), ("pooling", 1)])
def test_each_kind_has_as_many_rows_as_queries(kind, count):
    A = WhoLooks(kind=kind).weights
    assert A.shape == (count, 4)
    np.testing.assert_allclose(A.sum(axis=1), 1)


def test_black_and_cat_look_at_each_other():
    A = WhoLooks(kind="self").weights
    assert A[1, 2] > 0.25
    assert A[2, 1] > 0.25
