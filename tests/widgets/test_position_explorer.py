"""The seventh chapter's figure, from Python."""

import numpy as np
import pytest
from traitlets import TraitError

from attn.data import load
from attn.widgets import PositionExplorer


@pytest.mark.parametrize("kind", ["sinusoidal", "rotary"])
def test_what_turns_depends_on_the_offset_only(kind):
    S = PositionExplorer(kind=kind, size=16, base=100).scores
    for offset in (-8, -3, 1, 8):
        assert np.ptp(np.diagonal(S, offset)) < 1e-10


def test_sinusoids_cannot_tell_before_from_after_and_the_turned_query_can():
    row = PositionExplorer(kind="sinusoidal").scores[12]
    np.testing.assert_allclose(row[12:24], row[12:0:-1], atol=1e-10)
    turned = PositionExplorer(kind="rotary").scores[12]
    assert turned.argmax() == 10
    assert turned[10] - turned[14] > 1.5


def test_a_row_of_the_table_is_a_norm_of_half_d():
    for kind in ("sinusoidal", "rotary"):
        table = PositionExplorer(kind=kind, size=8).table
        np.testing.assert_allclose((table**2).sum(axis=1), 4)


def test_the_learned_vectors_are_the_experiment_s_and_the_later_half_is_untrained():
    table = PositionExplorer(kind="learned").table
    np.testing.assert_array_equal(table, load("order")["places"])
    norms = np.linalg.norm(table, axis=1)
    assert norms[16:].max() < 0.2 < norms[:16].min()


def test_alibi_gives_weights_that_sum_to_1_and_fall_with_distance():
    A = PositionExplorer(kind="alibi", head=2).scores
    np.testing.assert_allclose(A.sum(axis=1), 1)
    assert (np.diff(A[12, 12:]) < 0).all()


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"offset": 9}, "offset must be between -8 and 8, not 9"),
        ({"position": 7}, "position must be between 8 and 23, not 7"),
        ({"size": 128}, "size must be between 4 and 64, not 128"),
        ({"size": 12}, "size must be a power of 2, 4 to 64, not 12"),
        ({"base": 500}, "base must be a power of 10, 10 to 1000000, not 500"),
        ({"head": 9}, "head must be between 1 and 8, not 9"),
        ({"kind": "relative"}, "kind"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        PositionExplorer(**traits)
