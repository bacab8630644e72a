"""Chapter 9's third figure from Python: its costs and crossings, by hand."""

import pytest
from traitlets import TraitError

from attn.widgets import CostTable


def test_projections_cost_as_much_as_scores_and_blend_at_n_equal_2d():
    for d in (16, 512, 4096):
        parts = CostTable(n=2 * d, d=d).counts["attention"]
        assert parts["projections"] == parts["scores and blend"] == 4 * 2 * d * d * d


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_at_the_crossing_attention_and_recurrence_cost_the_same(cell):
    n = int(CostTable(d=256, cell=cell).crossings["recurrence"])
    counts = CostTable(n=n, d=256, cell=cell).counts
    assert sum(counts["attention"].values()) == counts["recurrence"]["gates"]


@pytest.mark.parametrize(("n", "s"), [(8, 2), (64, 3), (1024, 15)])
def test_so_many_layers_join_the_first_word_to_the_last_and_no_fewer(n, s):
    paths = CostTable(n=n, s=s).paths
    plain, dilated = paths["convolution"], paths["dilated convolution"]
    assert 1 + (plain - 1) * (s - 1) < n <= 1 + plain * (s - 1)
    assert s ** (dilated - 1) < n <= s**dilated


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"n": 48}, "n must be a power of 2, 8 to 65536, not 48"),
        ({"d": 8}, "d must be between 16 and 4096, not 8"),
        ({"s": 1}, "s must be between 2 and 15, not 1"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        CostTable(**traits)
