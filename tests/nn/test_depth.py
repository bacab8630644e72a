"""Chapter 10's deep stacks: the committed table is what a run gives."""

import numpy as np
import pytest
import torch

from attn.data import find_record, load
from attn.nn.experiments import depth, train_deep
from attn.nn.experiments.depth import ARMS, LAYERS, RATES, SEEDS, build, start_gradients

TABLE = load("depth")
TIMES = 1 + depth.STEPS // depth.EVERY


def test_the_table_holds_every_arm_and_seed():
    arms = {(r["layers"], r["norm"], r["warm_up"], r["rate"]) for r in TABLE["arms"]}
    assert arms == {(d, *arm, rate) for d in LAYERS for arm in ARMS for rate in RATES}
    for record in TABLE["arms"]:
        assert np.shape(record["accuracy"]) == (len(SEEDS), TIMES)
        assert len(record["measured_steps"]) == TIMES
    for record in TABLE["gradients"]:
        assert np.shape(record["gradients"]) == (len(SEEDS), record["layers"])


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_shallow_run_agrees_with_the_table(norm):
    record = find_record(TABLE["arms"], layers=2, norm=norm, warm_up=0, rate=0.003)
    found = train_deep(norm, 2, 0, rate=0.003, steps=200)
    assert found == pytest.approx(record["accuracy"][0][: len(found)], abs=0.12)


def test_deep_post_norm_stands_still_at_the_largest_step_and_pre_norm_does_not():
    post = train_deep("post", 12, 0, rate=0.003, steps=150, every=150)
    assert post[-1] == pytest.approx(0.5, abs=0.05)
    record = find_record(TABLE["arms"], layers=12, norm="pre", warm_up=0, rate=0.003)
    assert np.array(record["accuracy"])[:, -1].min() > 0.8


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_first_gradients_are_the_table_s(norm):
    record = find_record(TABLE["gradients"], layers=12, norm=norm)
    np.testing.assert_allclose(start_gradients(norm, 12, 1), record["gradients"][1], rtol=1e-3)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_stack_is_made_of_blocks_and_ends_with_one_norm(norm):
    model = build(norm, 3, 0)
    assert [block.norm for block in model.blocks] == [norm] * 3
    assert isinstance(model.norm, torch.nn.LayerNorm) == (norm == "pre")


def test_warm_up_lets_the_step_size_grow_in_a_straight_line(monkeypatch):
    rates = []

    class Watched(torch.optim.Adam):
        def step(self, closure=None):
            rates.append(self.param_groups[0]["lr"])
            return super().step(closure)

    monkeypatch.setattr(torch.optim, "Adam", Watched)
    train_deep("post", 1, 0, rate=0.004, warm_up=4, steps=6, every=6)
    np.testing.assert_allclose(rates, [0.001, 0.002, 0.003, 0.004, 0.004, 0.004])


def test_a_small_experiment_gives_one_record_for_each_arm():
    records = depth.experiment(
        layers=(1,), rates=(0.001,), seeds=(0,), steps=2, every=1, progress=False
    )
    assert [(r["norm"], r["warm_up"]) for r in records] == list(ARMS)
    assert np.shape(records[0]["accuracy"]) == (1, 3)
