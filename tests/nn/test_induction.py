"""Chapter 11's repeating rows: a run agrees with the table, and the baselines are counted right."""

import numpy as np
import pytest
import torch

from attn.data import load
from attn.nn.experiments import train_induction
from attn.nn.experiments.induction import (
    ARMS,
    FIXED,
    LENGTH,
    SEEDS,
    TESTED_PERIODS,
    accuracy,
    best_lag,
    experiment,
    guessing,
    head_shares,
    rows,
)

TABLE = load("induction")


def test_the_table_holds_every_arm_and_seed():
    expected = [(arm, seed) for arm in ARMS for seed in SEEDS]
    assert [(run["arm"], run["seed"]) for run in TABLE["runs"]] == expected
    assert TABLE["periods"] == list(TESTED_PERIODS)


@pytest.mark.parametrize("period", [3, 8, 12, 16])
def test_a_row_repeats_its_period_and_nothing_within_it(period):
    drawn = rows(20, period, torch.Generator().manual_seed(0))
    assert drawn.shape == (20, LENGTH)
    assert torch.equal(drawn[:, period:], drawn[:, :-period])
    assert all(len(set(row[:period])) == period for row in drawn.tolist())


def test_a_fixed_period_teaches_a_distance():
    model = train_induction(0, periods=FIXED, steps=250)
    assert accuracy(model, 12).mean() > 0.95
    assert accuracy(model, 8).mean() < 0.15


def test_a_distance_is_right_where_the_period_divides_it():
    assert best_lag((12, 12)) == 1
    assert best_lag((6, 6)) == 1
    assert best_lag() == pytest.approx(33 / 124)  # five places have one answer, fourteen two
    assert guessing((8, 8)) == 1 / 8
    assert TABLE["best_lag"] == pytest.approx(best_lag(), abs=1e-4)
    assert TABLE["guessing"] == pytest.approx(guessing(), abs=1e-4)


def test_shares_of_heads_are_weights_of_the_two_places():
    model = train_induction(0, steps=1)
    shares = head_shares(model, period=8, count=20)
    assert shares.shape == (2, LENGTH - 1, 2)
    assert (shares[:, 0, 0] == 0).all()
    assert (shares[:, :8, 1] == 0).all()
    assert ((shares >= 0) & (shares <= 1)).all()


def test_one_layer_ends_far_below_two_in_the_table():
    scores = {
        arm: [run["trained_periods"] for run in TABLE["runs"] if run["arm"] == arm] for arm in ARMS
    }
    assert min(scores["varied"]) > 0.95
    assert max(scores["varied, one layer"]) < 0.5
    assert np.mean(scores["varied, one layer"]) > TABLE["guessing"]


def test_a_small_experiment_gives_one_record_for_each_run():
    records = experiment(arms=("varied, one layer",), seeds=(0, 1), steps=2, progress=False)
    assert [(r["seed"], len(r["accuracy"]), np.shape(r["previous"])) for r in records] == [
        (0, 12, (1, 23)),
        (1, 12, (1, 23)),
    ]
