"""Chapter 11's recording from Python: what the figure says is in the file, and is a training."""

import gzip
import json

import numpy as np
import pytest
from traitlets import TraitError

from attn.data import HERE, load
from attn.widgets import TrainingScrubber

LAST = 15


@pytest.mark.parametrize("data", ["free", "never"])
@pytest.mark.parametrize("moment", [0, 6, LAST])
def test_each_word_shares_its_attention_among_those_so_far(moment, data):
    A = TrainingScrubber(moment=moment, data=data).weights
    np.testing.assert_allclose(A.sum(axis=-1), 1, atol=0.013)  # whole numbers of 255
    assert not np.triu(A, 1).any()


def test_one_training_passes_through_the_nearest_noun_and_leaves_it():
    none, one, two = np.array(
        [TrainingScrubber(moment=moment).agreement for moment in range(LAST + 1)]
    ).T
    assert none[-1] > 0.99
    assert min(one) < 0.3
    assert min(two) < 0.3
    assert one[-1] > 0.99
    assert two[-1] > 0.99


def test_the_other_training_stays_there_and_writes_as_well():
    free, never = (TrainingScrubber(moment=LAST, data=data) for data in ("free", "never"))
    assert free.singular > 0.95
    assert never.singular < 0.2
    assert never.agreement[0] > 0.99
    assert max(never.agreement[1:]) < 0.05
    arms = TrainingScrubber.constants["arms"]
    accepted = [arms[data]["shots"][LAST]["accepted"] for data in ("free", "never")]
    assert min(accepted) > 0.95
    assert abs(accepted[0] - accepted[1]) < 0.02


def test_the_recording_is_the_table_s_first_run_and_light():
    training, table = load("training"), load("agreement")
    for arm, shown in training["arms"].items():
        first = next(run for run in table["runs"] if (run["arm"], run["seed"]) == (arm, 0))
        assert shown["curve"] == first["curve"]
        assert shown["shots"][-1]["accepted"] == first["accepted"]
    assert len(gzip.compress(json.dumps(training).encode())) < 10_000
    assert (HERE / "training.json").stat().st_size < 30_000


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"moment": 16}, "moment must be between 0 and 15, not 16"),
        ({"data": "some"}, "'some'"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        TrainingScrubber(**traits)
