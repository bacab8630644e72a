"""Chapter 11's digits backwards: a run agrees with the table, and the ceiling is counted right."""

from itertools import product

import numpy as np
import pytest

from attn.data import load
from attn.nn.experiments import train_reverse
from attn.nn.experiments.reverse import (
    ARMS,
    FEW,
    SEEDS,
    accuracy,
    counting_ceiling,
    experiment,
    mean_weights,
    mirror_share,
)

TABLE = load("reverse")


def test_the_table_holds_every_arm_and_seed():
    expected = [(arm, seed) for arm in ARMS for seed in (SEEDS if arm == "learned" else FEW)]
    assert [(run["arm"], run["seed"]) for run in TABLE["runs"]] == expected
    assert np.shape(TABLE["weights"]) == (12, 12)


def test_with_places_it_is_solved_by_a_mirror_that_fails_at_another_length():
    model = train_reverse(0)
    assert accuracy(model, count=500)[1] > 0.99
    assert accuracy(model, 8, count=500)[1] < 0.01
    A = mean_weights(model, count=200)
    assert mirror_share(A) > 0.95
    np.testing.assert_allclose(A, TABLE["weights"], atol=0.05)


def test_without_places_it_ends_at_what_counting_allows():
    model = train_reverse(0, positions="none", steps=250)
    assert accuracy(model)[0] == pytest.approx(TABLE["ceiling"], abs=0.02)


def test_the_ceiling_is_what_every_case_one_by_one_gives():
    rows = list(product(range(10), repeat=4))
    most = [max(map(row.count, row)) / 4 for row in rows]
    assert counting_ceiling(5) == pytest.approx(np.mean(most))
    assert counting_ceiling() == pytest.approx(TABLE["ceiling"], abs=1e-4)


def test_a_small_experiment_gives_one_record_for_each_run():
    records = experiment(arms=("none", "all lengths"), few=(0,), steps=2, progress=False)
    assert [(r["arm"], r["steps"], len(r["curve"])) for r in records] == [
        ("none", 2, 1),
        ("all lengths", 2, 1),
    ]
