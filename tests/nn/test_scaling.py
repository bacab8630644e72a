"""Chapter 4's training with and without the division: the committed table is what a run gives."""

import numpy as np
import pytest
import torch

from attn.data import find_record, load, runs_after
from attn.nn.experiments import scaling, train_retrieval
from attn.nn.experiments.scaling import ARMS, SEEDS, SIZES, Retriever, first_step, sequences

TABLE = load("scaling")


def test_the_table_holds_every_arm_size_seed_and_time():
    assert [(r["d"], r["arm"]) for r in TABLE["arms"]] == [(d, arm) for d in SIZES for arm in ARMS]
    steps = list(range(0, scaling.STEPS + 1, scaling.EVERY))
    for record in TABLE["arms"]:
        assert record["measured_steps"] == steps
        assert np.shape(record["accuracy"]) == (len(SEEDS), len(steps))


@pytest.mark.parametrize("arm", ARMS)
def test_a_run_at_64_agrees_with_the_table_within_its_spread(arm):
    again = train_retrieval(64, arm, 1, steps=150)[-1]
    recorded = runs_after(find_record(TABLE["arms"], d=64, arm=arm), 150)
    assert again == pytest.approx(recorded[1], abs=2 * recorded.std() + 0.02)


@pytest.mark.parametrize("arm", ARMS)
def test_the_first_step_gives_the_recorded_gradients(arm):
    row, first = find_record(TABLE["arms"], d=64, arm=arm), first_step(64, arm, 2)
    assert first["spread"] == pytest.approx(row["spread"][2], abs=2e-3)
    assert first["W_q"] == pytest.approx(row["gradient_W_q"][2], rel=0.01)
    assert np.median(first["queries"]) == pytest.approx(row["gradient_query_median"][2], rel=0.01)


def test_a_small_start_begins_with_the_divided_scores_and_a_gradient_8_times_larger():
    divided, small = (first_step(64, arm, 0) for arm in ("scaled", "small start"))
    assert small["spread"] == pytest.approx(divided["spread"], rel=1e-4)
    np.testing.assert_allclose(small["queries"], 8 * divided["queries"], rtol=1e-3, atol=1e-6)


def test_a_gradient_at_the_query_is_that_of_its_own_loss():
    torch.manual_seed(0)
    model = Retriever(16, "unscaled").double()
    keys, values, asked, answer = sequences(3, torch.Generator().manual_seed(1))
    q = model.queries(asked).detach().requires_grad_()
    torch.nn.functional.cross_entropy(model.answer(q, keys, values)[1:2], answer[1:2]).backward()
    assert q.grad[0].abs().max() == 0
    step, way = 1e-6, q.grad[1] / q.grad[1].norm()
    ends = []
    for sign in (1, -1):
        moved = q.detach().clone()
        moved[1] += sign * step * way
        logits = model.answer(moved, keys, values)[1:2]
        ends.append(torch.nn.functional.cross_entropy(logits, answer[1:2]).item())
    assert (ends[0] - ends[1]) / (2 * step) == pytest.approx(q.grad[1].norm().item(), rel=1e-5)


def test_a_sequence_asks_for_a_key_that_it_holds_once():
    keys, values, asked, answer = sequences(200, torch.Generator().manual_seed(3))
    hits = keys == asked[:, None]
    assert (hits.sum(dim=1) == 1).all()
    assert (values[hits] == answer).all()


def test_seeds_and_steps_are_obeyed():
    one, same, other = (train_retrieval(16, "scaled", s, steps=4, every=2) for s in (1, 1, 2))
    assert one.shape == (3,)
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_an_unknown_arm_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match="small start, model size: got 'half'"):
        Retriever(8, "half")


def test_a_small_experiment_gives_one_record_for_each_arm():
    records = scaling.experiment(
        sizes=(16,), arms=("scaled", "unscaled"), seeds=(0,), steps=30, progress=False
    )
    assert [(r["d"], r["arm"], np.shape(r["accuracy"])) for r in records] == [
        (16, "scaled", (1, 2)),
        (16, "unscaled", (1, 2)),
    ]
