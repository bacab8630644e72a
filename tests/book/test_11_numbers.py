"""Every number in the prose of chapter 11, computed again or found in its tables."""

import math
import re
from itertools import product

import numpy as np
import pytest
import torch
from book.chapter_text import Chapter

from attn import KeyValueCache, layer_norm, merge_heads, softmax, split_heads
from attn.data import load
from attn.nn import TinyTransformer
from attn.nn.experiments import WORDS, agreement, dates, induction, reverse
from attn.nn.experiments.agreement import CORPUS, HEADS, LAYERS, TESTED, language_model
from attn.widgets import TrainingScrubber, TrainLive
from attn.widgets.train_live import LAST_STEP

CHAPTER = Chapter("11-train")
AGREE, DATES, REPEATS, REVERSE = map(load, ("agreement", "dates", "induction", "reverse"))


def arm(table, name):
    return [run for run in table["runs"] if run["arm"] == name]


def live(task, rate, heads=1, positions=True):
    """The ten runs of the page's own training with these settings."""
    wanted = {"task": task, "rate": rate, "heads": heads, "positions": positions}
    runs = [run for run in load("train_live")["runs"] if wanted.items() <= run.items()]
    assert [run["seed"] for run in runs] == list(range(1, 11))
    assert {run["steps"] for run in runs} == {LAST_STEP} == {2000}
    return runs


def test_the_first_query_looks_at_the_last_place():
    A = TrainLive(step=400).weights[0]
    assert A.argmax(axis=1).tolist() == list(range(8))[::-1]


@CHAPTER.number("seeds", "steps", "solved-at")
def settings_of_the_page_s_training():
    return len(live("reverse", 0.001)), LAST_STEP, TrainLive().constants["solved"]


@CHAPTER.number("first-loss")
def first_loss():
    """The smallest of ten seeds."""
    losses = [TrainLive(step=10, seed=seed).losses.mean() for seed in range(1, 11)]
    assert min(losses) > math.log(10)
    return min(losses)


@CHAPTER.number("first-reverse", "last-reverse")
def steps_to_reverse():
    solved = [run["solved_at"] for run in live("reverse", 0.001)]
    return min(solved), max(solved)


@CHAPTER.number("last-at-a-tenth", "best-at-a-tenth")
def at_a_tenth():
    """The step at which the last seed solves it, and the most that is right in the end."""
    runs = live("reverse", 0.1)
    return max(run["solved_at"] for run in runs), max(run["right"] for run in runs)


def test_at_a_tenth_rows_are_one_hot_and_pass_on_no_gradient():
    runs = live("reverse", 0.1)
    assert min(run["sharpness"] for run in runs) > 0.98
    assert np.median([run["gradient"] for run in runs]) < 1e-6


def test_a_larger_rate_learns_sooner_up_to_a_point():
    small, large, largest = (live("reverse", rate) for rate in (0.001, 0.05, 0.1))
    assert max(run["solved_at"] for run in large) < min(run["solved_at"] for run in small)
    assert {run["right"] for run in large} == {1}
    assert max(run["solved_at"] for run in largest) <= max(run["solved_at"] for run in large)


@CHAPTER.number("solved-one-head", "first-one-head")
def who_saw_whom_with_one_head():
    solved = [run["solved_at"] for run in live("whom", 0.01) if run["solved_at"]]
    return len(solved), min(solved)


@CHAPTER.number("solved-two-heads", "last-two-heads")
def who_saw_whom_with_two_heads():
    solved = [run["solved_at"] for run in live("whom", 0.01, heads=2) if run["solved_at"]]
    return len(solved), max(solved)


def test_the_loop_on_the_page_learns_from_a_loss_near_guessing():
    torch.manual_seed(0)
    model = TinyTransformer(vocab=10, n_max=12)
    logits = model(torch.randint(10, (64, 12)))
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.randint(10, (768,)))
    assert loss.item() == pytest.approx(math.log(10), abs=0.3)


@CHAPTER.number("ceiling", "ceiling-of-eight")
def ceilings():
    return REVERSE["ceiling"], reverse.counting_ceiling(8)


def test_without_positions_the_models_reach_what_counting_allows():
    rows = np.random.default_rng(0).integers(10, size=(40_000, 11))
    drawn = np.mean([np.bincount(row).max() / 11 for row in rows])
    assert drawn == pytest.approx(REVERSE["ceiling"], abs=0.002)
    for run in arm(REVERSE, "none"):
        assert run["trained"]["digit"] == pytest.approx(REVERSE["ceiling"], abs=0.005)
    assert all(run["solved_at"] is None for run in live("reverse", 0.001, positions=False))


def test_the_ceiling_of_the_exercise_is_the_experiment_s():
    for n in (2, 4, 6):
        lists = product(range(10), repeat=n - 1)
        share = np.mean([np.bincount(one).max() / (n - 1) for one in lists])
        assert reverse.counting_ceiling(n) == pytest.approx(share)


def test_with_positions_every_row_is_right_and_none_of_another_size():
    runs = arm(REVERSE, "learned")
    assert len(runs) == 10
    assert {run["trained"]["whole"] for run in runs} == {1.0}
    assert {run["shorter"]["whole"] for run in runs} == {0.0}
    A = np.array(REVERSE["weights"])
    assert A.argmax(axis=1).tolist() == list(range(12))[::-1]
    shorter = np.array(REVERSE["weights_shorter"])
    assert shorter[4:].argmax(axis=1).tolist() == [7, 6, 5, 4]
    assert shorter[4:].max(axis=1).min() > 0.95
    assert shorter[:4].max() < 0.6


@CHAPTER.number("shortest", "longest")
def lengths():
    return reverse.SHORTEST, reverse.LENGTH


@CHAPTER.number("two-layers-worst", "two-layers-middle", "two-layers-best", "two-layers-runs")
def two_layers_on_all_lengths():
    runs = arm(REVERSE, "all lengths, two layers")
    return *sorted(run["trained"]["whole"] for run in runs), len(runs)


def test_one_layer_gets_no_whole_row_of_any_length_and_two_get_all_of_eight():
    assert {run["trained"]["whole"] for run in arm(REVERSE, "all lengths")} == {0.0}
    runs = arm(REVERSE, "all lengths, two layers")
    assert {run["shorter"]["whole"] for run in runs} == {1.0}


def at_period(name, period):
    return [run["accuracy"][REPEATS["periods"].index(period)] for run in arm(REPEATS, name)]


def test_a_fixed_period_teaches_a_distance():
    assert at_period("fixed", 12) == [1.0] * 3
    assert max(at_period("fixed", 8)) < 0.03
    assert min(at_period("fixed", 6)) > 12 / 18 - 1e-3


@CHAPTER.number("least-period", "most-period")
def varied_periods():
    return induction.VARIED


@CHAPTER.number("late-periods")
def late_periods():
    """Of ten."""
    late = at_period("varied", 14) + at_period("varied", 16)
    assert 0.87 < min(late) < max(late) < 0.96
    return 10 * np.mean(late)


@CHAPTER.number("one-layer", "best-distance")
def one_layer_on_varied_periods():
    runs = [run["trained_periods"] for run in arm(REPEATS, "varied, one layer")]
    assert np.ptp(runs) < 0.014
    return np.mean(runs), REPEATS["best_lag"]


def test_a_varying_period_teaches_induction_to_two_layers():
    assert {run["trained_periods"] for run in arm(REPEATS, "varied")} == {1.0}
    assert min(at_period("varied", 3) + at_period("varied", 4)) > 0.98


@CHAPTER.number("words", "corpus", "layers", "heads", "tested-verbs")
def grammar_and_model():
    return len(WORDS), CORPUS, LAYERS, HEADS, TESTED


def test_the_page_writes_as_many_words_as_the_model_has_places():
    (longest,) = re.findall(r"while tokens\.shape\[1\] < (\d+)", CHAPTER.code)
    assert language_model(0).n_max == int(longest)


@CHAPTER.number("plural-150", "right-150", "untrained")
def verbs_on_the_way():
    """At step 150 the plural after one sentence, and right verbs with an attractor; before."""
    figure = TrainingScrubber(moment=6)
    return 1 - figure.singular, figure.agreement[1], TrainingScrubber().agreement[1]


def test_the_nearest_noun_is_learned_first():
    none, one, _ = TrainingScrubber(moment=6).agreement
    assert none > 0.98
    assert one < 0.2
    assert TrainingScrubber(moment=8).agreement.tolist() == [1, 1, 1]
    steps = AGREE["measured_steps"]
    for run in arm(AGREE, "free"):
        curve = np.array(run["curve"])[:, 1]
        assert curve.min() < 0.4
        assert curve[steps.index(400) :].min() > 0.95


def test_where_nouns_never_differ_it_writes_as_well_and_prefers_the_plural():
    assert TrainingScrubber(moment=15, data="never").singular < 0.1
    assert TrainingScrubber(moment=15).singular > 0.99


@CHAPTER.number("accepted-never", "accepted-free")
def accepted():
    """What the grammar accepts of what the models write."""
    return [np.mean([run["accepted"] for run in arm(AGREE, name)]) for name in ("never", "free")]


def right(name, nouns):
    return [run["agreement"][nouns] for run in arm(AGREE, name)]


@CHAPTER.number("never-differ")
def most_right_where_nouns_never_differ():
    return max(right("never", 1) + right("never", 2) + right("never", 3))


@CHAPTER.number("gave-up-2", "gave-up-10")
def runs_that_give_up_the_nearest_noun():
    """If 2% differ the third run keeps it."""
    assert sum(share < 0.7 for share in right("2%", 1)) == 1
    assert min(right("10%", 2)) > 0.99
    return sum(share > 0.9 for share in right("2%", 1)), sum(s > 0.99 for s in right("10%", 1))


def test_what_replaces_it_fails_after_a_phrase_in_front():
    assert max(run["fronted"] for run in arm(AGREE, "free")) < 0.38


def test_trained_on_phrases_in_front_two_layers_learn_the_subject():
    hardest = [run["fronted_between"][0] for run in arm(AGREE, "fronted")]
    assert min(hardest + [run["fronted"] for run in arm(AGREE, "fronted")]) > 0.99


@CHAPTER.number("one-layer-worst", "one-layer-best")
def one_layer_on_the_hardest():
    hardest = [run["fronted_between"][0] for run in arm(AGREE, "fronted, one layer")]
    return min(hardest), max(hardest)


def test_the_model_does_not_copy():
    new = np.mean([run["new"] for run in arm(AGREE, "free")])
    assert new == pytest.approx(AGREE["fresh_new"], abs=0.02)


def read_word(parameters, word, caches):
    """The chapter's own function, on given parameters."""

    def linear(X, name):
        return X @ parameters[f"{name}.weight"].T + parameters[f"{name}.bias"]

    def normed(X, name):
        return layer_norm(X, parameters[f"{name}.weight"], parameters[f"{name}.bias"])

    place = len(caches[0])
    X = (parameters["tokens.weight"][word] + parameters["places.weight"][place])[None]
    for i, cache in enumerate(caches):
        at, H = f"blocks.{i}", normed(X, f"blocks.{i}.norm_1")
        Q, K, V = (split_heads(linear(H, f"{at}.attention.{W}"), 2) for W in ("W_q", "W_k", "W_v"))
        X = X + linear(merge_heads(cache.step(Q, K, V)), f"{at}.attention.W_o")
        H = np.maximum(linear(normed(X, f"{at}.norm_2"), f"{at}.W_1"), 0)
        X = X + linear(H, f"{at}.W_2")
    return softmax(linear(normed(X, "norm"), "readout"))[0]


def test_a_model_run_with_caches_says_what_it_says_at_once():
    model = language_model(5)
    parameters = {name: p.detach().double().numpy() for name, p in model.named_parameters()}
    words = [0, 1, 7, 30, 1, 9]
    caches = [KeyValueCache() for _ in model.blocks]
    stepwise = np.array([read_word(parameters, word, caches) for word in words])
    whole = torch.softmax(model(torch.tensor([words]))[0], dim=-1).detach().numpy()
    np.testing.assert_allclose(stepwise, whole, atol=1e-5)


@CHAPTER.number("look-without-use")
def look_without_use():
    figure = TrainingScrubber(moment=15, data="never")
    words = figure.constants["words"]
    looks = figure.weights[2:, words.index("dogs"), words.index("cat")]
    assert figure.singular < 0.5
    return looks.max()


def test_in_the_model_that_is_right_both_heads_look_at_the_cat():
    words = TrainingScrubber().constants["words"]
    looks = TrainingScrubber(moment=15).weights[2:, words.index("dogs"), words.index("cat")]
    assert looks.min() > 0.95


@CHAPTER.number("one-head-decides", "deciding-swap", "other-swap")
def swaps():
    """In seeds 0 and 2 the two heads of layer 2 share the work."""
    swapped = {run["seed"]: np.array(run["swapped"]) for run in arm(AGREE, "free")}
    for shared in (swapped.pop(0), swapped.pop(2)):
        assert shared[1].min() > 0.1
        assert shared[0].max() <= 0.02
    assert all(one.argmax() >= 2 for one in swapped.values())
    ordered = np.sort([one.ravel() for one in swapped.values()])
    return len(ordered), ordered[:, -1].min(), ordered[:, -2].max()


def strongest(seed, part):
    (run,) = [run for run in arm(AGREE, "free") if run["seed"] == seed]
    return np.ravel(run[part])[np.argmax(run["swapped"])]


@CHAPTER.number("switched-off-5")
def switched_off_in_seed_5():
    return strongest(5, "ablated")


def test_a_head_can_decide_with_half_of_its_weight_on_the_subject():
    for seed in (1, 4, 6):
        assert strongest(seed, "weight_on_subject") == pytest.approx(0.5, abs=0.03)


ENCODER = arm(DATES, "encoder")


@CHAPTER.number("first-year", "last-year", "ways", "tested-dates", "dates-runs")
def settings_of_the_translator():
    years = dates.FIRST_YEAR, dates.LAST_YEAR
    return *years, len(dates.TEMPLATES), dates.TESTED, len(ENCODER)


def test_a_field_looks_at_its_own_words_and_guesses_without_them():
    for field, choices in {"year": 300, "month": 12, "day": 31}.items():
        alignment = [run["alignment"][field] for run in ENCODER]
        assert min(one["weight"] / one["even"] for one in alignment) > 1.9
        assert len({one["even"] for one in alignment}) == 1
        hidden = [run["own_words_hidden"][field] for run in ENCODER]
        assert max(hidden) < 1 / choices + 0.012


@CHAPTER.number("least-digit-1", "most-digit-1")
def looks_of_a_first_digit_of_1():
    firsts = [run["alignment"]["first_month_digit"] for run in ENCODER]
    assert max(first["zero"] for first in firsts) < 0.5
    return min(first["one"] for first in firsts), max(first["one"] for first in firsts)


@CHAPTER.number("unseen-dates", "unseen-years")
def unseen_dates():
    return [min(run[name] for run in ENCODER) for name in ("dates", "years")]


@CHAPTER.number("worst-first-order", "best-first-order", "best-other-order")
def unseen_orders():
    assert DATES["unseen_templates"][:2] == ["Y M O", "in M Y on the O"]
    other, first = zip(*(run["templates"][:2] for run in ENCODER), strict=True)
    return min(first), max(first), max(other)


def test_the_map_of_a_date_looks_as_its_text_says():
    A = np.array(ENCODER[0]["weights"][0])
    said, written = DATES["shown"][0].split(), ENCODER[0]["written"][0]
    assert written == "1819-03-03"
    looks = [said[j] for j in A.argmax(axis=1)]
    assert looks[:4] == ["eighteen", "eighteen", "nineteen", "nineteen"]
    assert (looks[6], looks[9]) == ("march", "third")
    assert max(A[5].max(), A[8].max()) < 0.5


@CHAPTER.number("size", "batch", "rate", "rate-dates")
def settings_of_all():
    modules = (reverse, induction, agreement, dates)
    ((size, batch),) = {(module.SIZE, module.BATCH) for module in modules}
    (rate,) = {module.RATE for module in modules[:3]}
    return size, batch, rate, dates.RATE


@CHAPTER.number("steps-reverse", "steps-lengths", "steps-fixed", "steps-varied")
def steps_of_one_head():
    varied = [induction.ARMS[name]["steps"] for name in ("fixed", "varied")]
    return reverse.STEPS, reverse.LONG_STEPS, *varied


@CHAPTER.number("steps-agreement", "steps-dates", "heads-dates")
def steps_of_two_heads():
    return agreement.STEPS, dates.STEPS, dates.HEADS


@CHAPTER.number("arms-runs")
def runs_of_the_other_arms():
    """Of all but the first, which has ten."""
    counts = [
        len(arm(table, name))
        for table in (REVERSE, AGREE)
        for name in {run["arm"] for run in table["runs"]}
    ]
    assert sorted(counts)[-2:] == [10, 10]
    (runs,) = set(sorted(counts)[:-2])
    return runs


@CHAPTER.number("marked-first-copy", "marked-later", "after-the-match")
def inside_the_induction_head():
    runs = arm(REPEATS, "varied")
    previous, matched = (np.array([run[n] for run in runs]) for n in ("previous", "after_match"))
    return previous[:, 0, 1:12].min(), previous[:, 0, 12:].max(), matched[:, 1, 12:].min()


test_number = CHAPTER.tests()
