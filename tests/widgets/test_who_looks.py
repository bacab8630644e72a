"""The sixth chapter's second figure, from Python: who asks, and what a row depends on."""

import numpy as np
import pytest

from attn.widgets import WhoLooks
from attn.widgets.who_looks import TEXTS, states


def test_the_writer_s_third_row_depends_on_the_second_word():
    rows = [WhoLooks(step=3, second=second).weights[2] for second in TEXTS]
    assert np.abs(rows[0] - rows[1]).max() > 0.5
    first_two = [WhoLooks(step=2, second=second).weights for second in TEXTS]
    np.testing.assert_array_equal(*first_two)


def test_a_state_keeps_a_quarter_of_the_last():
    np.testing.assert_allclose(states(TEXTS["chat"])[2], [0.25 * 2.0, 2 + 0.25 * -0.5])


@pytest.mark.parametrize(("kind", "rows"), [("decoder", 2), ("self", 4), ("pooling", 1)])
def test_each_kind_has_as_many_rows_as_queries(kind, rows):
    A = WhoLooks(kind=kind).weights
    assert A.shape == (rows, 4)
    np.testing.assert_allclose(A.sum(axis=1), 1)
