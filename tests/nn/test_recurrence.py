"""Chapter 9's training: the committed table is what a run gives."""

import numpy as np
import pytest
import torch

from attn.data import find_record, load, runs_after
from attn.nn.experiments import recurrence, train_reader
from attn.nn.experiments.recurrence import ARMS, SEEDS, Reader, draw_first, draw_recall

TABLE = load("recurrence")


def test_the_table_holds_every_arm_seed_and_time():
    assert len(TABLE["arms"]) == len(ARMS)
    for arm, record in zip(ARMS, TABLE["arms"], strict=True):
        assert all(record[name] == part for name, part in arm.items() if name != "seeds")
        seeds = arm.get("seeds", SEEDS)
        assert record["seeds"] == list(seeds)
        assert record["measured_steps"] == list(range(0, arm["steps"] + 1, recurrence.EVERY))
        shape = (len(seeds), len(record["measured_steps"]))
        assert np.shape(record["accuracy"]) == np.shape(record["reach"]) == shape


@pytest.mark.parametrize(
    ("task", "kind", "size", "steps", "keep"),
    [
        ("first", "attention", 30, 100, 0.0),
        ("first", "gru", 10, 200, 0.0),
        ("first", "gru", 30, 100, 3.0),
        ("recall", "attention", 16, 100, 0.0),
        ("recall", "gru", 8, 300, 0.0),
    ],
)
def test_runs_agree_with_the_table_within_its_spread(task, kind, size, steps, keep):
    record = find_record(TABLE["arms"], task=task, kind=kind, size=size, keep=keep)
    again, gradient = train_reader(
        task, kind, size, 1, steps=steps, every=steps, keep=keep, gradients=True
    )
    recorded = runs_after(record, steps)
    assert again[-1] == pytest.approx(recorded[1], abs=2 * recorded.std() + 0.03)
    assert gradient[0] == pytest.approx(runs_after(record, 0, "reach")[1], rel=0.01)


def test_a_gru_at_30_starts_with_the_recorded_gradient_and_one_step_changes_it_little():
    record = find_record(TABLE["arms"], task="first", kind="gru", size=30, keep=0.0)
    _, gradient = train_reader("first", "gru", 30, 0, steps=1, every=1, gradients=True)
    assert gradient[0] == pytest.approx(runs_after(record, 0, "reach")[0], rel=0.01)
    assert 0.1 < gradient[1] / gradient[0] < 10


def test_the_first_token_s_gradient_is_that_of_a_nudge():
    torch.manual_seed(0)
    model = Reader("gru", (8, 6)).double()
    pairs, answer = draw_first(5, 1, torch.Generator().manual_seed(1))
    X = model.tokens(pairs).detach()

    def loss(x):
        moved = torch.cat([x[None, None], X[:, 1:]], dim=1)
        return torch.nn.functional.cross_entropy(model(moved), answer)

    slope = torch.autograd.functional.jacobian(loss, X[0, 0])
    step, way = 1e-6, slope / slope.norm()
    ends = [loss(X[0, 0] + sign * step * way).item() for sign in (1, -1)]
    measured = recurrence._measure(model, (pairs, answer), gradients=True)[1]
    assert (ends[0] - ends[1]) / (2 * step) == pytest.approx(measured, rel=1e-5)


def test_the_answer_is_the_first_symbol_and_places_are_told():
    pairs, answer = draw_first(7, 50, torch.Generator().manual_seed(2))
    assert pairs.shape == (50, 8, 2)
    assert (pairs[:, 0, 0] == answer).all()
    assert (pairs[..., 1] == torch.arange(8)).all()


def test_recall_asks_for_a_key_that_came_once_and_hides_its_value():
    pairs, answer = draw_recall(5, 200, torch.Generator().manual_seed(3))
    hits = pairs[:, :5, 0] == pairs[:, 5:, 0]
    assert (hits.sum(dim=1) == 1).all()
    assert (pairs[:, :5, 1][hits] == answer).all()
    assert (pairs[:, 5, 1] == 8).all()


def test_a_keep_bias_is_that_of_the_gate_that_keeps_the_state():
    torch.manual_seed(0)
    model = Reader("gru", (8, 4), keep=40.0)
    X = model.tokens(draw_first(3, 2, torch.Generator().manual_seed(1))[0])
    assert model.layer(X)[0].abs().max() < 1e-6, "a cell that keeps all takes in nothing"


def test_seeds_are_obeyed_and_an_unknown_kind_is_named_with_the_known_ones():
    one, same, other = (train_reader("recall", "rnn", 2, s, steps=2, every=1) for s in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)
    with pytest.raises(ValueError, match="attention, gru, rnn: got 'lstm'"):
        Reader("lstm", (8, 4))


def test_gradients_are_cut_to_a_norm_of_1(monkeypatch):
    assert recurrence.CLIP == 1
    runs = []
    for norm in (recurrence.CLIP, 1e-3):
        monkeypatch.setattr(recurrence, "CLIP", norm)
        runs.append(train_reader("recall", "gru", 2, 0, steps=40, every=40, gradients=True)[1])
    assert runs[0][0] == runs[1][0]
    assert runs[0][1] != runs[1][1]


def test_a_small_experiment_gives_one_record_for_each_arm():
    arms = [{"task": "first", "kind": "rnn", "size": 3, "steps": 50, "seeds": (5,)}]
    (record,) = recurrence.experiment(arms, progress=False)
    assert record["seeds"] == [5]
    assert np.shape(record["accuracy"]) == (1, 2)
    assert record["parameters"] == 32 * (8 + 4) + 2 * 32 * 33 + 8 * 33
