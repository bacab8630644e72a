"""Chapter 11's figure from Python: its model is autograd's, and its tasks are what they say."""

import json
from itertools import product
from math import factorial
from pathlib import Path

import numpy as np
import pytest
from traitlets import TraitError

from attn.data import find_record, load
from attn.widgets import TrainLive
from attn.widgets.train_live import LAST_STEP, RATES, SHAPES, model
from benchmarks.train_live import run

GOLDEN = Path(__file__).resolve().parents[1] / "golden/training.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))
TRAINED = [case for case in CASES if case["function"] == "training"]


@pytest.mark.parametrize("case", TRAINED, ids=lambda case: case["name"])
def test_loss_gradients_and_weights_are_autograd_s(case):
    given = case["arguments"]
    shape = model.Shape(**given["shape"])
    weights = model.first_weights(shape, given["seed"])
    moments = [{name: np.zeros_like(W) for name, W in weights.items()} for _ in range(2)]
    for t in range(given["steps"]):
        batch = model.examples(given["task"], shape, 5, given["seed"], skip=5 * t)
        loss, gradients = model.loss_and_gradients(weights, *batch, shape)
        model.adam_step(weights, gradients, moments, given["rate"], t + 1)
    parts = [loss, *(gradients[n] for n in model.NAMES), *(weights[n] for n in model.NAMES)]
    row = np.concatenate([np.ravel(part) for part in parts])
    np.testing.assert_allclose(row, case["result"], rtol=1e-11, atol=1e-13)


def test_the_tasks_are_what_they_say():
    digits, backwards = model.examples("reverse", SHAPES["reverse"], 50, 3)
    assert digits.shape == (50, 8)
    assert (digits[:, ::-1] == backwards).all()
    assert set(digits.ravel()) == set(range(10))
    sentences, answers = model.examples("whom", SHAPES["whom"], 50, 3)
    assert (sentences[:, [0, 2]] == answers).all()
    assert (sentences[:, [1, 3]] == [10, 11]).all()


def test_batches_follow_one_another_and_none_is_drawn_twice():
    shape = SHAPES["reverse"]
    first, second = (model.examples("reverse", shape, 4, 5, skip=skip)[0] for skip in (0, 4))
    np.testing.assert_array_equal(
        np.concatenate([first, second]), model.examples("reverse", shape, 8, 5)[0]
    )


def test_the_ceiling_without_positions_is_the_commonest_of_seven_digits():
    """The mean of the largest of ten counts that sum to 7, a seventh of it."""
    expected = 0.0
    for counts in product(range(8), repeat=7):  # how many digits occur 1, 2, … 7 times
        if sum(k * c for k, c in enumerate(counts, 1)) != 7:
            continue
        ways = factorial(7) * factorial(10) / factorial(10 - sum(counts))
        for k, c in enumerate(counts, 1):
            ways /= factorial(k) ** c * factorial(c)
        expected += ways / 10**7 * max(k for k, c in enumerate(counts, 1) if c) / 7
    assert round(expected, 3) == TrainLive.constants["ceiling"]


def test_without_positions_the_order_changes_no_answer():
    figure = TrainLive(positions=False, step=5)
    _, weights = figure._train()
    tokens = np.array([[3, 1, 4, 1, 5, 9, 2, 6]])
    order = [7, 2, 5, 0, 1, 6, 3, 4]
    plain, mixed = (
        model.forward(weights, sequence, figure.shape)["p"][0]
        for sequence in (tokens, tokens[:, order])
    )
    np.testing.assert_allclose(plain[order], mixed, rtol=1e-12)


def test_it_learns_and_a_seed_repeats():
    first, again, other = (TrainLive(rate=0.003, seed=s, step=200) for s in (1, 1, 2))
    assert first.losses[0] > 2.3
    assert first.losses[-1] < 1
    assert first.right > 0.9
    np.testing.assert_array_equal(first.losses, again.losses)
    assert first.losses[0] != other.losses[0]


def test_each_row_of_weights_sums_to_1():
    for task, q in (("reverse", 8), ("whom", 1)):
        weights = TrainLive(task=task, heads=2, step=2).weights
        assert weights.shape == (2, q, SHAPES[task].n)
        np.testing.assert_allclose(weights.sum(-1), 1)


def test_it_starts_untrained_and_paused():
    figure = TrainLive()
    assert (figure.rate, figure.step, figure.playing) == (0.001, 0, False)
    assert len(figure.losses) == 0
    assert abs(figure.right - 0.1) < 0.05


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"rate": 0.002}, "rate"),
        ({"heads": 3}, "heads must be between 1 and 2, not 3"),
        ({"seed": 0}, "seed must be between 1 and 10, not 0"),
        ({"step": 2001}, "step"),
        ({"task": "sort"}, "task"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        TrainLive(**traits)


def test_every_notch_of_the_rate_is_set_as_it_is_written():
    words = TrainLive()._spec["controls"]["rate"]
    assert [float(text) for _, text in words] == list(RATES)


@pytest.mark.parametrize(
    "choice",
    [
        {"rate": 0.003, "seed": 2},
        {"positions": False, "seed": 5},
        {"task": "whom", "rate": 0.01, "heads": 2, "seed": 3},
    ],
    ids=str,
)
def test_a_run_of_the_page_s_code_gives_its_record_of_the_table(choice):
    (again,) = run([{**choice, "step": LAST_STEP}])
    whole = {"task": "reverse", "rate": 0.001, "heads": 1, "positions": True} | choice
    committed = find_record(load("train_live")["runs"], **whole)
    assert again["record"] == pytest.approx(committed, rel=0.02, abs=1e-3)


def test_the_table_has_ten_seeds_of_every_notch_of_the_rate():
    runs = load("train_live")["runs"]
    for rate in RATES:
        seeds = [r["seed"] for r in runs if (r["task"], r["rate"]) == ("reverse", rate)]
        assert set(seeds) == set(range(1, 11))
