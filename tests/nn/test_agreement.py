"""Chapter 11's language model: the grammar, the measures, and a run that agrees with the table."""

import numpy as np
import pytest
import torch

from attn.data import load
from attn.nn.experiments import train_language_model
from attn.nn.experiments.agreement import (
    ARMS,
    FEW,
    INDEX,
    KINDS,
    LONGEST,
    MEASURED_STEPS,
    PLURAL,
    SEEDS,
    SINGULAR,
    WORDS,
    NGrams,
    ablate_heads,
    accepted,
    agreement,
    corpus,
    encode,
    experiment,
    fresh_share,
    language_model,
    next_words,
    prefers_plural,
    prefixes,
    sentence,
    shares_written,
    subject_place,
    subject_weights,
    swap_heads,
    swap_layers,
    twins,
    write,
)

TABLE = load("agreement")


def runs(arm):
    return [run for run in TABLE["runs"] if run["arm"] == arm]


@pytest.fixture(scope="module")
def trained():
    return train_language_model(1)


def test_the_table_holds_every_arm_and_seed():
    expected = [(arm, seed) for arm in ARMS for seed in (SEEDS if arm == "free" else FEW)]
    assert [(run["arm"], run["seed"]) for run in TABLE["runs"]] == expected
    for run in TABLE["runs"]:
        assert np.shape(run["curve"]) == (len(MEASURED_STEPS), 3)


def test_a_run_agrees_with_the_table(trained):
    found = [agreement(trained, k) for k in range(3)]
    np.testing.assert_allclose(found, runs("free")[1]["agreement"][:3], atol=0.03)
    right, new = shares_written(write(trained), corpus(1))
    assert right > 0.93
    assert 0.6 < new < 0.9


def test_where_attractors_never_differ_the_nearest_noun_decides():
    model = train_language_model(0, differ=0.0, steps=300)
    assert agreement(model, 0) > 0.97
    assert agreement(model, 1) < 0.1
    assert agreement(model, 0, fronted=True) > 0.9, "there the nearest noun is the subject"


def test_the_table_s_models_pass_through_the_nearest_noun():
    for run in runs("free"):
        assert min(one for _, one, _ in run["curve"]) < 0.45, "below chance"
        assert run["curve"][-1][1] > 0.95


def test_there_are_39_words_and_as_many_singular_verbs_as_plural_ones():
    assert len(WORDS) == 39
    assert len(SINGULAR) == len(PLURAL) == 5
    assert WORDS[0] == "."


@pytest.mark.parametrize("fronted", [False, True])
@pytest.mark.parametrize("attractors", [0, 1, 2])
def test_the_grammar_accepts_what_it_writes_and_no_verb_of_the_other_number(attractors, fronted):
    rng = np.random.default_rng(0)
    other = dict(zip(SINGULAR + PLURAL, PLURAL + SINGULAR, strict=True))
    for _ in range(50):
        words = sentence(rng, attractors, fronted=fronted)
        assert accepted(words)
        wrong = [WORDS[other.get(INDEX[word], INDEX[word])] for word in words]
        assert not accepted(wrong)
        assert not accepted(words[:-1])


def test_attractors_differ_always_never_or_half_of_the_time():
    def share(differ):
        rng, same = np.random.default_rng(1), []
        for _ in range(300):
            kinds = [KINDS[word] for word in sentence(rng, 1, differ=differ)]
            first, second = (kind for kind in kinds if kind in "nN")
            same.append(first == second)
        return 1 - np.mean(same)

    assert share(0.0) == 0
    assert share(1.0) == 1
    assert 0.4 < share(0.5) < 0.6


def test_the_longest_sentence_with_three_attractors_fits():
    rng = np.random.default_rng(2)
    assert max(len(sentence(rng, 3)) for _ in range(500)) + 1 == LONGEST


def test_a_beginning_stops_before_the_verb_and_knows_its_number():
    starts, plural = prefixes(2, count=50)
    for words, many in zip(starts, plural, strict=True):
        nouns = [KINDS[word] for word in words if KINDS[word] in "nN"]
        assert (nouns[0] == "N") == many
        assert set(nouns[1:]) == {"n" if many else "N"}
        assert not {KINDS[word] for word in words} & set("vV")


def test_shorter_sentences_are_filled_up_without_a_change():
    model = language_model(0)
    short, long = "the cat".split(), "the old cat near the dogs".split()
    together = next_words(model, [short, long])
    torch.testing.assert_close(together[:1], next_words(model, [short]))
    assert encode([short, long]).shape == (2, 7)
    torch.testing.assert_close(together.sum(dim=1), torch.ones(2))


def test_an_untrained_model_prefers_neither_number():
    assert 0.2 < agreement(language_model(0), 1) < 0.8


def test_bigrams_know_the_nearest_noun_and_nothing_else():
    pairs = NGrams(corpus(0), 2)
    assert pairs.agreement(0) == 1
    assert pairs.agreement(1) == 0
    assert pairs.verbs(["the", "nothing"])[0] > 0, "backs off to all verbs"
    right, _ = shares_written(pairs.write(count=200), corpus(0))
    assert 0.4 < right < 0.7


def test_what_is_written_counts_as_new_unless_it_was_trained_on():
    known = [["the", "cat", "sleeps", "."]]
    other = ["the", "cats", "sleep", "."]
    assert shares_written([*known, other, ["the"], ["cat"]], known) == (0.5, 0.5)
    assert shares_written([["the"]], known) == (0.0, 0.0)
    assert fresh_share((0,)) == pytest.approx(TABLE["fresh_new"], abs=0.05)


def test_twins_differ_in_their_subject_alone():
    starts, changed, plural = twins(count=40)
    for one, two, many in zip(starts, changed, plural, strict=True):
        at = subject_place(one)
        assert [i for i, pair in enumerate(zip(one, two, strict=True)) if len(set(pair)) == 2] == [
            at
        ]
        assert KINDS[one[at]] == ("N" if many else "n")
        assert KINDS[two[at]] == ("n" if many else "N")


def test_swapping_and_ablating_leave_the_model_as_it_was(trained):
    starts, _, right = twins(count=60)
    before = prefers_plural(trained, starts)
    swapped, ablated = swap_heads(trained, count=60), ablate_heads(trained, count=60)
    assert swapped.shape == ablated.shape == subject_weights(trained, count=60).shape == (2, 2)
    assert (prefers_plural(trained, starts) == before).all()
    assert not any(block.attention.W_o._forward_pre_hooks for block in trained.blocks)
    assert np.mean(before == right) > 0.95
    assert swapped.max() > 0.2, "some head of this model carries some of the number"
    assert swap_layers(trained, count=60)[1] > 0.9, "the second layer carries it all"


def test_a_model_writes_the_same_again_and_stops_at_its_full_stop():
    model = language_model(0)
    one, again, other = (write(model, seed, count=5) for seed in (1, 1, 2))
    assert one == again != other
    assert all("." not in words[:-1] for words in one)
    assert max(map(len, one)) <= LONGEST - 1


def test_a_small_experiment_gives_one_record_for_each_run():
    records, shots = experiment(arms=("never",), few=(0,), steps=2, progress=False)
    assert [(r["arm"], r["seed"], len(r["curve"])) for r in records] == [("never", 0, 1)]
    assert [shot["step"] for shot in shots["never"]["shots"]] == [0]
