"""Chapter 7's "A before B": the committed table is what a run gives."""

import numpy as np
import pytest
import torch

from attn.data import find_record, load
from attn.nn.experiments import order, train_order
from attn.nn.experiments.order import ARMS, LONG_ARMS, SEEDS, TRAINED, build, closed_set, sequences

TABLE = load("order")


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def test_the_table_holds_every_arm_and_seed():
    long = {(arm, order.LONG_STEPS) for arm in LONG_ARMS}
    rows = {(record["arm"], record["steps"]) for record in TABLE["arms"]}
    assert rows == {(arm, order.STEPS) for arm in ARMS} | long
    for row in TABLE["arms"]:
        assert np.shape(row["lengths"]) == (len(SEEDS), 3)
        assert np.shape(row["distances"]) == (len(SEEDS), 63)
        assert np.shape(row["short_distances"]) == (len(SEEDS), 15)
        assert np.shape(row["sides"]) == (len(SEEDS), 3)
    assert np.shape(TABLE["places"]) == (32, 32)


def test_a_run_agrees_with_the_table():
    recorded = find_record(TABLE["arms"], arm="rotary", steps=order.STEPS)["lengths"][0]
    assert train_order("rotary", 0) == pytest.approx(recorded, abs=0.06)


def test_the_learned_vectors_are_those_of_the_first_seed_and_untrained_ones_are_the_start():
    start = build("learned", 0).places.weight.detach().numpy().copy()
    found = order.learned_places(steps=20)
    np.testing.assert_array_equal(found[TRAINED:], start[TRAINED:])
    assert (found[:TRAINED] != start[:TRAINED]).all()
    np.testing.assert_allclose(TABLE["places"][TRAINED:], start[TRAINED:32], atol=6e-4)


def test_to_learned_vectors_a_letter_beyond_the_training_seems_to_stand_near_position_5():
    """At 5 itself all, some or none are right, by the processor; elsewhere it never mattered."""
    (model,) = order.train("learned", 0, (order.STEPS,))
    drawn, right = generator(5), []
    for place in range(TRAINED):
        beyond = torch.randint(TRAINED, 2 * TRAINED, (12,), generator=drawn)
        places = torch.stack([torch.full((12,), place), beyond], dim=1)
        pairs = [sequences(12, 32, drawn, ends) for ends in (places, places.flip(1))]
        right.append(np.mean([order.accuracy(model, *pair) for pair in pairs]))
    assert min(right[:5]) > 0.9
    assert max(right[6:]) < 0.1


def test_a_sequence_has_one_a_and_one_b_and_says_which_leads():
    tokens, leads = sequences(300, 9, generator())
    assert ((tokens == order.A).sum(1) == 1).all()
    assert ((tokens == order.B).sum(1) == 1).all()
    first, second = ((tokens == letter).int().argmax(1) for letter in (order.A, order.B))
    assert (leads == (first < second)).all()
    assert 0.4 < leads.double().mean() < 0.6


def test_a_closed_set_holds_each_sequence_swapped_and_backwards_with_the_answer_turned():
    tokens, leads = closed_set(5, 8, generator())
    known = {tuple(row.tolist()): int(answer) for row, answer in zip(tokens, leads, strict=True)}
    for row, answer in known.items():
        swapped = tuple(1 - token if token < 2 else token for token in row)
        assert known[swapped] == known[row[::-1]] == 1 - answer
        assert (row.index(0) < row.index(1)) == answer


@pytest.mark.parametrize("arm", ARMS)
def test_only_what_is_blind_to_the_order_scores_a_half_before_and_after_training(arm):
    model = build(arm, 1).double()
    with torch.no_grad():
        for part in model.parameters():
            part.mul_(1.5)
    tokens, _ = closed_set(20, 12, generator(3))
    with torch.no_grad():
        said = order.answer(model, tokens).reshape(4, 20, 2)
    gaps = {"swapped": said[0] - said[1], "backwards": said[0] - said[2]}
    blind = {name for name, gap in gaps.items() if gap.abs().max() < 1e-10}
    assert blind == {"none": {"swapped", "backwards"}, "alibi": {"backwards"}}.get(arm, set())


class Knows(torch.nn.Module):
    """Right where `sure` says so of A's and B's places, wrong elsewhere."""

    def __init__(self, sure):
        super().__init__()
        self.sure = sure

    def forward(self, tokens):
        first, second = ((tokens == letter).int().argmax(1) for letter in (order.A, order.B))
        leads = torch.where(self.sure(first, second), first < second, first > second).double()
        return torch.stack([1 - leads, leads], dim=-1)[:, None]


def test_accuracy_is_split_by_distance():
    near = Knows(lambda first, second: (first - second).abs() < 20)
    np.testing.assert_array_equal(order.by_distance(near, 64), [1] * 19 + [0] * 44)


@pytest.mark.parametrize("side", [0, 1, 2])
def test_accuracy_is_split_by_how_many_letters_stand_beyond_position_15(side):
    one = Knows(lambda first, second: (first >= 16).int() + (second >= 16) == side)
    np.testing.assert_array_equal(order.by_side(one), np.eye(3)[side])


def test_an_unknown_arm_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match="alibi causal, rotary slow: got 'rope'"):
        build("rope", 0)


def test_a_small_experiment_gives_one_record_for_each_arm_and_time(monkeypatch):
    monkeypatch.setattr(order, "GROUPS", 5)
    monkeypatch.setattr(order, "GROUPS_PER_DISTANCE", 1)
    records = order.experiment(arms=("rotary",), seeds=(0,), steps=1, long=2, progress=False)
    assert [(r["arm"], r["steps"]) for r in records] == [("rotary", 1), ("rotary", 2)]
    assert np.shape(records[0]["distances"]) == (1, 63)


def test_in_the_slow_arm_the_second_pair_alone_is_slower():
    (speeds,) = {block.attention.rotary_speeds for block in build("rotary slow", 0).blocks}
    usual = 10000.0 ** (-np.arange(0, 8, 2) / 8)
    np.testing.assert_allclose(speeds, usual * [1, 0.3, 1, 1])
    assert {block.attention.rotary_speeds for block in build("rotary", 0).blocks} == {None}
