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
says, computes = CHAPTER.says, CHAPTER.computes
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


def between(low, high, values):
    """Whether the values run from one to the other, rounded as these are."""
    assert f"{min(values):.{digits_of(low)}f}" == low, min(values)
    assert f"{max(values):.{digits_of(high)}f}" == high, max(values)


def digits_of(text):
    return len(text.partition(".")[2])


def test_the_first_query_looks_at_the_last_place():
    says("- b: ✓ The digit to write at the first place stands at the last one")
    A = TrainLive(step=400).weights[0]
    assert A.argmax(axis=1).tolist() == list(range(8))[::-1]


def test_all_ten_seeds_learn_to_reverse_at_a_thousandth():
    says("The loss starts above 2.3, the loss of an even guess", "after 260 to 380 steps")
    says("(99% of unseen digits right)")
    assert TrainLive().constants["solved"] == 0.99
    solved = [run["solved_at"] for run in live("reverse", 0.001)]
    assert (min(solved), max(solved)) == (260, 380)
    for seed in range(1, 11):
        assert TrainLive(step=10, seed=seed).losses.mean() > math.log(10)


def test_at_a_tenth_all_ten_seeds_get_there_and_lose_it():
    says(
        "All ten seeds solve it within 40 steps",
        "In the runs we recorded all of them lose it again",
    )
    says("after 2000 steps, none has more than 56% right")
    runs = live("reverse", 0.1)
    assert max(run["solved_at"] for run in runs) == 40
    assert 0.55 < max(run["right"] for run in runs) < 0.56
    says("have made the rows of weights one-hot", "passes on almost no gradient")
    assert min(run["sharpness"] for run in runs) > 0.98
    assert np.median([run["gradient"] for run in runs]) < 1e-6


def test_a_larger_rate_learns_sooner_up_to_a_point():
    says("0.05 learns sooner than 0.001 and keeps it; 0.1 learns as soon")
    small, large, largest = (live("reverse", rate) for rate in (0.001, 0.05, 0.1))
    assert max(run["solved_at"] for run in large) < min(run["solved_at"] for run in small)
    assert {run["right"] for run in large} == {1}
    assert max(run["solved_at"] for run in largest) <= max(run["solved_at"] for run in large)


def test_who_saw_whom_takes_one_head_longer():
    says("seven of ten seeds solve it within 2000 steps, the fastest after 480")
    solved = [run["solved_at"] for run in live("whom", 0.01) if run["solved_at"]]
    assert (len(solved), min(solved)) == (7, 480)
    says("all ten do, within 260")
    solved = [run["solved_at"] for run in live("whom", 0.01, heads=2)]
    assert max(solved) == 260


def test_ten_even_answers_cost_ln_10():
    says("Ten digits at 0.1 each cost 2.303")
    assert math.log(10) == pytest.approx(2.303, abs=5e-4)


def test_the_loop_on_the_page_learns_from_a_loss_near_guessing():
    computes("range(1, 101)", "lr=0.003", "TinyTransformer(vocab=10, n_max=12)")
    torch.manual_seed(0)
    model = TinyTransformer(vocab=10, n_max=12)
    logits = model(torch.randint(10, (64, 12)))
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.randint(10, (768,)))
    assert loss.item() == pytest.approx(math.log(10), abs=0.3)


def test_without_positions_the_models_reach_what_counting_allows():
    says("Naming the most common of them is right 27% of the time")
    says("0.266 is the best that any answer can reach", "For eight digits it is 0.317")
    assert REVERSE["ceiling"] == pytest.approx(0.266, abs=5e-4)
    rows = np.random.default_rng(0).integers(10, size=(40_000, 11))
    drawn = np.mean([np.bincount(row).max() / 11 for row in rows])
    assert drawn == pytest.approx(REVERSE["ceiling"], abs=0.002)
    assert reverse.counting_ceiling(8) == pytest.approx(0.317, abs=5e-4)
    for run in arm(REVERSE, "none"):
        assert run["trained"]["digit"] == pytest.approx(REVERSE["ceiling"], abs=0.005)
    assert all(run["solved_at"] is None for run in live("reverse", 0.001, positions=False))


def test_the_ceiling_of_the_exercise_is_the_experiment_s():
    for n in (2, 4, 6):
        lists = product(range(10), repeat=n - 1)
        share = np.mean([np.bincount(one).max() / (n - 1) for one in lists])
        assert reverse.counting_ceiling(n) == pytest.approx(share)


def test_with_positions_every_row_is_right_and_none_of_another_size():
    says("With positions every sequence is right", "**It gets none of them right.**")
    runs = arm(REVERSE, "learned")
    assert len(runs) == 10
    assert {run["trained"]["whole"] for run in runs} == {1.0}
    says("- c: ✓ It learned where to look, counted from the start")
    assert {run["shorter"]["whole"] for run in runs} == {0.0}
    A = np.array(REVERSE["weights"])
    assert A.argmax(axis=1).tolist() == list(range(12))[::-1]
    computes("places 5 to 8 look at 8 to 5, as for 12", "places 1 to 4 spread theirs")
    shorter = np.array(REVERSE["weights_shorter"])
    assert shorter[4:].argmax(axis=1).tolist() == [7, 6, 5, 4]
    assert shorter[4:].max(axis=1).min() > 0.95
    assert shorter[:4].max() < 0.6


def test_all_sizes_need_two_layers():
    says("another length, from 4 to 12", "One layer then gets no sequence of twelve right")
    assert (reverse.SHORTEST, reverse.LENGTH) == (4, 12)
    assert {run["trained"]["whole"] for run in arm(REVERSE, "all lengths")} == {0.0}
    says("Two layers get every sequence of eight, and 36.7%, 86.1% and 90.5% of those of twelve")
    two = arm(REVERSE, "all lengths, two layers")
    assert {run["shorter"]["whole"] for run in two} == {1.0}
    assert len(two) == 3
    assert sorted(run["trained"]["whole"] for run in two) == [0.367, 0.861, 0.905]


def at_period(name, period):
    return [run["accuracy"][REPEATS["periods"].index(period)] for run in arm(REPEATS, name)]


def test_a_fixed_period_teaches_a_distance():
    says("learns to predict every repeated token of new sequences")
    assert at_period("fixed", 12) == [1.0] * 3
    says("- b: ✓ “Copy from 12 places back” is all that a period of 12 demands")
    assert max(at_period("fixed", 8)) < 0.03
    assert min(at_period("fixed", 6)) > 12 / 18 - 1e-3


def test_a_varying_period_teaches_induction_to_two_layers():
    says("No single distance fits all periods from 5 to 12")
    assert induction.VARIED == (5, 12)
    assert {run["trained_periods"] for run in arm(REPEATS, "varied")} == {1.0}
    says("nearly always at 3 and 4, about nine times in ten at 14 and 16")
    assert min(at_period("varied", 3) + at_period("varied", 4)) > 0.98
    late = at_period("varied", 14) + at_period("varied", 16)
    assert 0.87 < min(late) < max(late) < 0.96
    says("it is right 28% of the time")
    for run in arm(REPEATS, "varied, one layer"):
        assert run["trained_periods"] == pytest.approx(0.28, abs=0.007)
    says("about what copying from fixed distances can reach (27%)")
    assert REPEATS["best_lag"] == pytest.approx(0.27, abs=0.005)


def test_the_grammar_and_its_model_are_as_told():
    says(f"A grammar of {len(WORDS)} words", f"reads {CORPUS} sentences")
    says("two causal layers of two heads")
    assert (len(WORDS), CORPUS, LAYERS, HEADS) == (39, 4000, 2, 2)
    computes("while tokens.shape[1] < 19")
    assert language_model(0).n_max == 19


def test_the_nearest_noun_is_learned_first():
    says("At step 150", "nearly all right", "most are *wrong*")
    none, one, _ = TrainingScrubber(moment=6).agreement
    assert none > 0.98
    assert one < 0.2
    says("the preference is still slight, 55% plural", "only 19% of the verbs are right")
    assert TrainingScrubber(moment=6).singular == pytest.approx(0.45, abs=0.005)
    assert one == pytest.approx(0.19, abs=0.006)
    says("Untrained, the model gets about half of the verbs right")
    assert TrainingScrubber().agreement[1] == pytest.approx(0.5, abs=0.05)
    says("At step 200", "all are right")
    assert TrainingScrubber(moment=8).agreement.tolist() == [1, 1, 1]
    steps = AGREE["measured_steps"]
    for run in arm(AGREE, "free"):
        curve = np.array(run["curve"])[:, 1]
        assert curve.min() < 0.4
        assert curve[steps.index(400) :].min() > 0.95


def test_where_nouns_never_differ_it_writes_as_well_and_prefers_the_plural():
    says("The model writes just as well, and after *the cat near the dogs* it prefers the plural")
    assert TrainingScrubber(moment=15, data="never").singular < 0.1
    assert TrainingScrubber(moment=15).singular > 0.99
    says("The grammar accepts 97% of what the first model writes", "98% of what the fourth writes")
    says("The grammar accepts 97% of the sentences of a model")
    written = {name: np.mean([run["accepted"] for run in arm(AGREE, name)]) for name in ARMS}
    assert written["never"] == pytest.approx(0.97, abs=0.005)
    assert written["free"] == pytest.approx(0.98, abs=0.005)


ARMS = ("never", "2%", "10%", "free", "fronted", "fronted, one layer")


def right(name, nouns):
    return [run["agreement"][nouns] for run in arm(AGREE, name)]


def test_the_data_decide_the_rule():
    says("with attractors, at most 4% of its verbs are right in any run")
    assert max(right("never", 1) + right("never", 2) + right("never", 3)) == 0.04
    says("If 2% of these nouns differ, two of three runs give that rule up; if 10% do, all three")
    assert sum(share > 0.9 for share in right("2%", 1)) == 2
    assert sum(share < 0.7 for share in right("2%", 1)) == 1
    assert min(right("10%", 1) + right("10%", 2)) > 0.99
    says("put a phrase first, and most verbs are wrong")
    assert max(run["fronted"] for run in arm(AGREE, "free")) < 0.38
    says("Trained on them, two layers learn *subject*")
    hardest = [run["fronted_between"][0] for run in arm(AGREE, "fronted")]
    assert min(hardest + [run["fronted"] for run in arm(AGREE, "fronted")]) > 0.99
    says("one layer gets 30% to 94% of the last kind right, depending on the run")
    hardest = [run["fronted_between"][0] for run in arm(AGREE, "fronted, one layer")]
    assert (min(hardest), max(hardest), len(hardest)) == (0.3, 0.94, 3)


def test_the_model_does_not_copy():
    says("About as many are new as when the grammar draws them")
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


def test_a_look_is_not_a_use():
    says("a head of layer 2 also gives *cat* 93% of its weight, and the verb is wrong")
    figure = TrainingScrubber(moment=15, data="never")
    words = figure.constants["words"]
    looks = figure.weights[2:, words.index("dogs"), words.index("cat")]
    assert looks.max() == pytest.approx(0.93, abs=0.005)
    assert figure.singular < 0.5
    looks = TrainingScrubber(moment=15).weights[2:, words.index("dogs"), words.index("cat")]
    assert looks.min() > 0.95, "both look at cat"


def test_one_head_carries_the_number_in_eight_of_ten_seeds():
    says("In eight of ten seeds, one head of layer 2 decides")
    says("at least 97% of the verbs change; swap any other, and at most 3% do")
    says("In seeds 0 and 2, the two heads of layer 2 share the work")
    says(f"the share of {TESTED} verbs that each swap changes")
    runs = arm(AGREE, "free")
    assert len(runs) == 10
    for run in runs:
        swapped = np.array(run["swapped"])
        ordered = np.sort(swapped.ravel())
        if run["seed"] in (0, 2):
            assert swapped[1].min() > 0.1
            assert swapped[0].max() <= 0.02
        else:
            assert swapped.argmax() >= 2
            assert ordered[-1] >= 0.97
            assert ordered[-2] <= 0.03


def strongest(seed, part):
    (run,) = [run for run in arm(AGREE, "free") if run["seed"] == seed]
    return np.ravel(run[part])[np.argmax(run["swapped"])]


def test_the_other_measures_answer_other_questions():
    says("In seed 5 it can: 99% of the verbs stay right")
    assert strongest(5, "ablated") == 0.99
    says("in seeds 1, 4 and 6 it gives the subject only about half of its weight")
    for seed in (1, 4, 6):
        assert strongest(seed, "weight_on_subject") == pytest.approx(0.5, abs=0.03)


def test_the_translator_draws_the_alignment():
    says("dates from 1800 to 2099, said in eight ways", "Over 1000 unseen dates and three runs")
    assert (dates.FIRST_YEAR, dates.LAST_YEAR, len(dates.TEMPLATES)) == (1800, 2099, 8)
    assert dates.TESTED == 1000
    runs = arm(DATES, "encoder")
    assert len(runs) == 3
    says("it is right about as often as a blind guess")
    for field, choices in {"year": 300, "month": 12, "day": 31}.items():
        computes(f'("{field}", 1 / {choices})')
        alignment = [run["alignment"][field] for run in runs]
        assert min(one["weight"] / one["even"] for one in alignment) > 1.9
        assert len({one["even"] for one in alignment}) == 1
        hidden = [run["own_words_hidden"][field] for run in runs]
        assert max(hidden) < 1 / choices + 0.012


def test_a_leading_zero_needs_less_of_a_look():
    says("less than half of its weight where it is 0, but 0.69 to 0.83 where it is 1")
    firsts = [run["alignment"]["first_month_digit"] for run in arm(DATES, "encoder")]
    assert max(first["zero"] for first in firsts) < 0.5
    between("0.69", "0.83", [first["one"] + 1e-9 for first in firsts])


def test_new_dates_are_right_and_new_orders_are_not():
    runs = arm(DATES, "encoder")
    says("At least 99.8% of unseen dates", "at least 97% of those in years it never met")
    says("of *eighteen nineteen march third*, at most 8%")
    assert min(run["dates"] for run in runs) == 0.998
    assert min(run["years"] for run in runs) >= 0.97
    assert DATES["unseen_templates"][0] == "Y M O"
    assert max(run["templates"][0] for run in runs) <= 0.08
    says("Of *in march eighteen nineteen on the third*, 58% to 98% come out right")
    assert DATES["unseen_templates"][1] == "in M Y on the O"
    between("0.58", "0.98", [run["templates"][1] for run in runs])
    computes("The first two digits of the year look most at", "eighteen, the last two at nineteen")
    A = np.array(runs[0]["weights"][0])
    said, written = DATES["shown"][0].split(), runs[0]["written"][0]
    assert written == "1819-03-03"
    looks = [said[j] for j in A.argmax(axis=1)]
    assert looks[:4] == ["eighteen", "eighteen", "nineteen", "nineteen"]
    assert (looks[6], looks[9]) == ("march", "third")
    assert max(A[5].max(), A[8].max()) < 0.5


def test_the_protocol_is_the_modules_own():
    says("$d_\\text{model} = 48$", "on batches of 64", "to 0.004 (0.003 for dates)")
    modules = (reverse, induction, agreement, dates)
    assert {module.SIZE for module in modules} == {48}
    assert {module.BATCH for module in modules} == {64}
    assert [module.RATE for module in modules] == [0.004, 0.004, 0.004, 0.003]
    says("| `reverse` | 1 | 400; all lengths 1500 |", "period 12: 400; 5 to 12: 600 | 3 |")
    assert (reverse.STEPS, reverse.LONG_STEPS) == (400, 1500)
    assert [induction.ARMS[name]["steps"] for name in ("fixed", "varied")] == [400, 600]
    says("| `agreement` | 2 | 800 | 10; other arms 3 |", "| `dates` | 2 | 700 | 3 |")
    assert (agreement.STEPS, agreement.HEADS, dates.STEPS, dates.HEADS) == (800, 2, 700, 2)
    for table in (REVERSE, AGREE):
        counts = {name: len(arm(table, name)) for name in {run["arm"] for run in table["runs"]}}
        assert sorted(counts.values())[-1] == 10
        assert set(sorted(counts.values())[:-1]) == {3}


def test_only_the_first_copy_is_marked():
    says("at least 0.66 of its weight at places 1 to 11, but at most 0.12 from place 12 on")
    says("The second layer gives at least 0.98 of its weight to the token after the last match")
    for run in arm(REPEATS, "varied"):
        previous, matched = np.array(run["previous"]), np.array(run["after_match"])
        assert previous[0, 1:12].min() >= 0.66
        assert previous[0, 12:].max() <= 0.12
        assert matched[1, 12:].min() >= 0.98


def test_every_exercise_of_the_chapter_is_asked():
    assert len(re.findall(r"^:label: ex-11-", CHAPTER.text, re.MULTILINE)) == 5
