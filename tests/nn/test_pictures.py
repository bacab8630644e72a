"""Chapter 8's learning curves: the committed table is what a run gives."""

import numpy as np
import pytest
import torch

from attn.data import find_record, load, runs_after
from attn.nn.experiments import pictures
from attn.nn.experiments.pictures import (
    BAR_MODELS,
    BARS,
    LINEAR_RATES,
    LINEAR_TIMES,
    MODELS,
    RATES,
    SEEDS,
    SIZES,
    TIMES,
)

TABLE = load("pictures")


def test_the_table_holds_every_setting_seed_and_time():
    rates = {"linear": LINEAR_RATES}
    assert [(r["model"], r["size"], r["rate"]) for r in TABLE["digits"]] == [
        (m, n, r) for m in MODELS for n in SIZES for r in rates.get(m, RATES)
    ]
    for row in TABLE["digits"]:
        times = LINEAR_TIMES if row["model"] == "linear" else TIMES
        assert row["measured_steps"] == list(times)
        assert np.shape(row["test"]) == np.shape(row["check"]) == (len(SEEDS), len(times))
    assert TABLE["seeds"] == list(SEEDS)
    assert [(r["model"], r["anywhere"], r["size"], r["rate"]) for r in TABLE["bars"]] == [
        (m, w, n, r) for m, w in BAR_MODELS for n in BARS["sizes"] for r in BARS["rates"]
    ]
    assert {tuple(record["measured_steps"]) for record in TABLE["bars"]} == {BARS["times"]}


@pytest.mark.parametrize("model", MODELS)
def test_runs_agree_with_the_table_within_its_spread(model):
    rate = LINEAR_RATES[0] if model == "linear" else 0.003
    record = find_record(TABLE["digits"], model=model, size=100, rate=rate)
    recorded = np.stack([runs_after(record, steps, "test") for steps in TIMES[:2]], axis=1)
    again = pictures.train_digits(model, 100, rate, seeds=(0, 1), times=TIMES[:2])["test"]
    np.testing.assert_allclose(again, recorded[:2], atol=0.03)
    slack = 2 * recorded.std(axis=0) + 0.02
    assert (np.abs(again.mean(axis=0) - recorded[:2].mean(axis=0)) <= slack).all()


def test_bars_agree_with_the_table():
    record = find_record(TABLE["bars"], model="cnn", anywhere=True, size=30, rate=0.003)
    again = pictures.train_bars("cnn", True, 30, 0.003, seeds=(0, 1), times=(300,))["test"]
    np.testing.assert_allclose(again[:, 0], runs_after(record, 300, "test")[:2], atol=0.05)


def test_a_seed_s_run_does_not_depend_on_its_neighbours():
    """The runs are stacked for speed; alone, each gives the same."""
    together = pictures.train_digits("attention", 20, 0.01, seeds=(0, 1), times=(20,))["test"]
    alone = [
        pictures.train_digits("attention", 20, 0.01, seeds=(s,), times=(20,))["test"][0]
        for s in (0, 1)
    ]
    np.testing.assert_allclose(together, alone, atol=0.01)


def test_every_model_gets_the_same_pictures_for_a_seed(monkeypatch):
    seen = []
    monkeypatch.setattr(pictures, "_train", lambda make, sets, held, settings: seen.append(sets))
    for model in MODELS:
        pictures.train_digits(model, 50, 0.003, seeds=(0, 1))
    for sets in seen[1:]:
        for (x, y), (first_x, first_y) in zip(sets, seen[0], strict=True):
            assert torch.equal(x, first_x)
            assert torch.equal(y, first_y)
    assert not torch.equal(seen[0][0][0], seen[0][1][0])


def test_no_digit_is_trained_on_and_tested_on(monkeypatch):
    """Each picture is replaced by its number, so that the sets can be compared."""
    numbers = torch.arange(1797)
    monkeypatch.setattr(pictures, "shuffled_digits", lambda: (numbers, numbers))
    monkeypatch.setattr(pictures, "_train", lambda make, sets, held, settings: (sets, held))
    sets, held = pictures.train_digits("cnn", 1000, 0.003)
    trained = set().union(*(drawn.tolist() for drawn, _ in sets))
    check, test = (set(held[name][0].tolist()) for name in ("check", "test"))
    assert (len(check), len(test)) == (200, 500)
    assert not trained & check
    assert not trained & test
    assert not check & test


def test_without_attention_no_token_hears_another():
    torch.manual_seed(0)
    image = torch.zeros(1, 8, 8)
    other = image.clone()
    other[0, 0, 0] = 1
    for model, moved in (("attention", True), ("no attention", False)):
        built = pictures.build(model)
        tokens = []
        built.norm.register_forward_hook(lambda m, given, out, kept=tokens: kept.append(given[0]))
        built(image), built(other)
        change = (tokens[0] - tokens[1]).abs().amax(dim=-1)[0]
        assert change[0] > 0
        assert (change[1:].max() > 1e-6) == moved


def test_a_bar_is_three_pixels_that_stand_or_lie():
    generator = torch.Generator().manual_seed(0)
    drawn, labels = pictures.bars(400, generator)
    noise = torch.Generator().manual_seed(0)
    plain = 0.5 * torch.randn(400, 12, 12, generator=noise)
    marks = (drawn - plain) > 1
    assert (marks.sum(dim=(1, 2)) == 3).all()
    assert ((marks.any(dim=1).sum(dim=1) == 3) == (labels == 1)).all()
    assert 0.4 < labels.float().mean() < 0.6


def test_an_unknown_model_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match="no attention, linear: got 'rnn'"):
        pictures.build("rnn")


def test_a_small_experiment_gives_one_record_for_each_setting():
    records = pictures.experiment(
        models=("linear", "cnn"),
        sizes=(20,),
        rates=(0.003,),
        seeds=(0,),
        times=(2,),
        progress=False,
    )
    assert [(r["model"], r["size"], np.shape(r["test"])) for r in records] == [
        ("linear", 20, (1, 1)),
        ("cnn", 20, (1, 1)),
    ]
