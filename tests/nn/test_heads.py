"""Chapter 5's two questions: the committed table is what a run gives."""

import numpy as np
import pytest
import torch

from attn.data import find_record, load, runs_after
from attn.nn.experiments import heads, train_two_keys
from attn.nn.experiments.heads import ARMS, MEASURED_STEPS, SEEDS, TwoKeys, sequences

TABLE = load("heads")


def arm(h, mlp):
    return find_record(TABLE["arms"], heads=h, mlp=mlp)


def test_the_table_holds_every_arm_seed_and_time():
    assert [(record["heads"], record["mlp"]) for record in TABLE["arms"]] == list(ARMS)
    for record in TABLE["arms"]:
        assert record["measured_steps"] == list(MEASURED_STEPS)
        assert np.shape(record["accuracy"]) == (len(SEEDS), len(MEASURED_STEPS), 3)
        assert np.shape(record["ablated"]) == (len(SEEDS), record["heads"], 2)
    assert np.shape([run["accuracy"] for run in TABLE["longer"]]) == (3, 3, 3)


@pytest.mark.parametrize(("h", "mlp"), [(1, False), (2, False), (1, True)])
def test_a_run_agrees_with_the_table_within_its_spread(h, mlp):
    again = train_two_keys(h, 1, mlp=mlp, steps=100)["accuracy"]
    recorded = runs_after(arm(h, mlp), 100)[:, :2].mean(axis=-1)
    assert np.shape(again) == (6, 3)
    assert recorded.min() - 0.1 <= again[-1, :2].mean() <= recorded.max() + 0.1
    assert again[0] == pytest.approx(runs_after(arm(h, mlp), 0)[1], abs=0.003)


@pytest.mark.parametrize("mlp", [False, True])
def test_the_number_of_parameters_does_not_depend_on_the_number_of_heads(mlp):
    counts = {sum(p.numel() for p in TwoKeys(h, mlp).parameters()) for h in (1, 2, 4, 8)}
    assert counts == {arm(1, mlp)["parameters"]}


def test_a_sequence_asks_for_two_different_keys_that_it_holds_once():
    keys, values, asked, answers = sequences(200, torch.Generator().manual_seed(3))
    assert (asked[:, 0] != asked[:, 1]).all()
    for role in range(2):
        hits = keys == asked[:, role, None]
        assert (hits.sum(dim=1) == 1).all()
        assert (values[hits] == answers[:, role]).all()


def test_the_order_of_the_two_keys_reaches_the_model():
    torch.manual_seed(0)
    keys, values, asked, _ = sequences(5, torch.Generator().manual_seed(4))
    model = TwoKeys(2)
    assert not torch.allclose(model(keys, values, asked), model(keys, values, asked.flip(1)))


def test_weights_are_shared_among_the_slots():
    torch.manual_seed(0)
    keys, values, asked, _ = sequences(5, torch.Generator().manual_seed(4))
    A = TwoKeys(4).weights(keys, values, asked)
    assert A.shape == (5, 4, 8)
    torch.testing.assert_close(A.sum(dim=-1), torch.ones(5, 4))


def test_with_one_head_a_linear_read_out_averages_what_the_slots_say():
    """The chapter's argument: the logits are linear in the values, by one set of weights."""
    torch.manual_seed(1)
    model = TwoKeys(1).double()
    keys, values, asked, _ = sequences(3, torch.Generator().manual_seed(5))
    with torch.no_grad():
        A = model.weights(keys, values, asked)[:, 0]
        _, slots = model._tokens(keys, values, asked)
        said = model.readout(model.attention.W_o(model.attention.W_v(slots)))  # b, slot, 16
        mixed = torch.einsum("bs,bsc->bc", A, said).unflatten(-1, (2, 8))
        torch.testing.assert_close(mixed, model(keys, values, asked))


def test_shares_are_the_mean_weights_on_the_slots_asked_first_and_second():
    keys, values, asked, answers = sequences(50, torch.Generator().manual_seed(8))

    class Looks:
        """Head 1 has 3/4 on the slot asked first, head 2 all on the one asked second."""

        def weights(self, *given):
            first, second = ((keys == asked[:, role, None]).float() for role in range(2))
            return torch.stack([0.75 * first + 0.25 / 8, second], dim=1)

    found = heads._weights_on_asked(Looks(), (keys, values, asked, answers))
    np.testing.assert_allclose(found, [[0.75 + 0.25 / 8, 0.25 / 8], [0, 1]], atol=1e-6)


def test_a_removed_head_is_back_afterwards():
    torch.manual_seed(2)
    model = TwoKeys(2)
    before = model.attention.W_o.weight.detach().clone()
    held_out = sequences(20, torch.Generator().manual_seed(6))
    heads._accuracy_without(model, 1, held_out)
    assert torch.equal(model.attention.W_o.weight, before)


def test_removing_the_only_head_leaves_what_the_read_out_s_bias_says():
    torch.manual_seed(3)
    model = TwoKeys(1)
    *_, answers = held_out = sequences(50, torch.Generator().manual_seed(7))
    favourite = model.readout[-1].bias.detach().view(2, 8).argmax(dim=-1)
    expected = (favourite == answers).double().mean(dim=0).tolist()
    assert heads._accuracy_without(model, 0, held_out)[:2] == pytest.approx(expected)


def test_seeds_steps_and_measured_steps_are_obeyed():
    runs = [train_two_keys(2, s, steps=4, measured_steps=(0, 2, 4, 6)) for s in (1, 1, 2)]
    one, same, other = (run["accuracy"] for run in runs)
    assert one.shape == (3, 3)
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_small_experiments_give_one_record_for_each_arm_and_rate():
    records = heads.experiment(arms=((1, False), (2, True)), seeds=(0,), steps=20, progress=False)
    assert [(r["heads"], r["mlp"], np.shape(r["accuracy"])) for r in records] == [
        (1, False, (1, 2, 3)),
        (2, True, (1, 2, 3)),
    ]
    longer = heads.train_longer(rates=(1e-3,), measured_steps=(1, 2))
    assert [(r["rate"], np.shape(r["accuracy"])) for r in longer] == [(1e-3, (2, 3))]
