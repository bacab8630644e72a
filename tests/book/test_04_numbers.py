"""Every number in the prose of chapter 4, computed again."""

import functools
import re

import numpy as np
import pytest
from book.chapter_text import Chapter

import attn
from attn import softmax
from attn.data import find_record, load, runs_after
from attn.exercises.catalog import find
from attn.widgets import LayerExplorer, ScaleExplorer

CHAPTER = Chapter("04-scaling")
SIZES = 2 ** np.arange(11)
ARMS = load("scaling")["arms"]


def weights(d_k, *, divided=False):
    """Each query's weights in the chapter's sample, which is the figure's, (256, 16)."""
    return ScaleExplorer(d_k=int(d_k)).weights[int(divided)]


def entropy(A):
    return -(A * np.log(np.maximum(A, 1e-300))).sum(axis=-1)


def reaction(A):
    """The norm of diag(p) - p pᵀ for each row, by its closed form."""
    squares = (A**2).sum(axis=-1)
    return np.sqrt(np.maximum(0, squares - 2 * (A**3).sum(axis=-1) + squares**2))


def sensitivity(d_k, *, divided=False):
    """How far weights move with a raw score, (256,)."""
    return reaction(weights(d_k, divided=divided)) * (d_k**-0.5 if divided else 1)


def share_of_the_top_tenth(numbers):
    return np.sort(numbers)[-26:].sum() / numbers.sum()


def first(d, arm, name):
    return np.mean(find_record(ARMS, d=d, arm=arm)[f"gradient_{name}"])


def scores(d_k):
    Q, K = ScaleExplorer.sample(d_k)
    return Q @ K.swapaxes(-1, -2)


def accuracy(d, arm, step):
    return runs_after(find_record(ARMS, d=d, arm=arm), step)


def test_the_chapter_and_the_figure_have_one_sample():
    assert "ScaleExplorer.sample" in CHAPTER.code
    A = softmax(scores(16)).reshape(-1, 16)
    np.testing.assert_allclose(A, weights(16), atol=1e-12)


def test_one_more_point_changes_nothing_when_raw():
    assert softmax(np.array([112.0, 97.0]))[1] < 1e-6


@CHAPTER.number("above-20")
def share_of_scores_of_64_entries_above_20():
    share = (scores(64) > 20).mean()
    assert share > 0.003, "rare, and not unheard of"
    return share


@pytest.mark.parametrize("d_k", [1, 4, 16, 64, 256, 1024])
def test_the_variance_of_a_score_is_d_k(d_k):
    rng = np.random.default_rng(100 + d_k)
    s = (rng.normal(size=(20_000, d_k)) * rng.normal(size=(20_000, d_k))).sum(axis=-1)
    assert s.var() == pytest.approx(d_k, rel=0.08)
    assert s.mean() == pytest.approx(0, abs=0.04 * np.sqrt(d_k))


def test_spreads_2_and_a_half_give_scores_a_spread_of_8():
    rng = np.random.default_rng(0)
    q, k = rng.normal(0, 2, (20_000, 64)), rng.normal(0, 0.5, (20_000, 64))
    assert (q * k).sum(axis=-1).std() == pytest.approx(8, rel=0.02)


@CHAPTER.number("best-raw-64", "best-raw-1024")
def best_raw():
    return [weights(d_k).max(axis=-1).mean() for d_k in (64, 1024)]


@CHAPTER.number("best-divided-64", "best-divided-1024")
def best_divided():
    return [weights(d_k, divided=True).max(axis=-1).mean() for d_k in (64, 1024)]


@CHAPTER.number("least-sure-from-64")
def least_sure():
    return min(weights(d)[0].max() for d in SIZES[6:])


@CHAPTER.number("query-1-raw-2", "query-1-divided-2")
def largest_weights_of_query_1_at_the_size_of_the_who_head():
    assert ScaleExplorer().d_k == LayerExplorer(stage=4).queries.shape[-1] == 2
    return [way[0].max() for way in ScaleExplorer().weights]


@CHAPTER.number("query-1-raw-8")
def largest_raw_weight_of_query_1_at_8():
    return weights(8)[0].max()


def test_raw_query_1_is_decided_from_64_on_but_not_always_by_the_same_key():
    late = [weights(d)[0] for d in SIZES[6:]]
    assert len({int(row.argmax()) for row in late}) > 1


def test_divided_query_1_stays_soft_while_its_best_key_changes():
    rows = [weights(d, divided=True)[0] for d in SIZES]
    assert len({int(p.argmax()) for p in rows}) > 2
    assert max(p.max() for p in rows) < 0.5


def test_query_20_is_undecided_at_1024_since_its_two_best_scores_are_close():
    largest = weights(1024).max(axis=-1)
    assert largest[19] < 0.6
    assert (largest < 0.6).sum() < 20
    found = np.sort(scores(1024).reshape(256, 16)[19])
    assert found[-1] - found[-2] < 0.05 * found.std()


@CHAPTER.number("least-divided-spread", "most-divided-spread")
def divided_spreads_from_8_on():
    spreads = [scores(int(d)).std() / np.sqrt(d) for d in SIZES[3:]]
    return min(spreads), max(spreads)


@pytest.mark.parametrize(
    ("spread", "shares"),
    [(1, (0.25, 0.11, 0.016)), (8, (0.85, 0.79, 0.71)), (32, (0.96, 0.95, 0.93))],
)
def test_the_largest_weight_follows_from_the_spread_and_the_number_of_keys(spread, shares):
    rng = np.random.default_rng(5)
    for m, share in zip((16, 64, 1000), shares, strict=True):
        largest = softmax(spread * rng.normal(size=(3000, m))).max(axis=-1).mean()
        assert largest == pytest.approx(share, abs=0.001 if share < 0.02 else 0.015)


@CHAPTER.number("larger-64", "larger-1024")
def share_of_sensitivities_that_the_division_makes_larger():
    return [(sensitivity(d, divided=True) > sensitivity(d)).mean() for d in (64, 1024)]


def test_the_raw_median_grows_up_to_8_and_then_falls():
    medians = [np.median(sensitivity(d)) for d in SIZES]
    assert np.argmax(medians) == 3
    assert medians[:4] == sorted(medians[:4])
    assert medians[3:] == sorted(medians[3:], reverse=True)


@pytest.mark.parametrize("d_k", [64, 256, 1024])
def test_the_right_end_of_the_raw_hill_stays_near_a_half(d_k):
    assert sensitivity(d_k).max() == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize("d_k", SIZES[4:-1])
def test_the_divided_hill_is_narrow_and_moves_by_the_root_of_2(d_k):
    here, next_one = (sensitivity(d, divided=True) for d in (d_k, 2 * d_k))
    assert np.median(here) / np.median(next_one) == pytest.approx(np.sqrt(2), rel=0.03)
    assert np.quantile(here, 0.95) / np.quantile(here, 0.05) < 1.4


def test_two_keys_that_tie_react_more_than_16_alike_and_a_clear_winner_does_not():
    alike, tie, winner = (
        reaction(p) for p in (np.full(16, 1 / 16), np.full(2, 0.5), softmax(np.array([112.0, 96])))
    )
    assert (alike, tie) == (pytest.approx(np.sqrt(15) / 16), pytest.approx(0.5))
    assert winner < 1e-6


@CHAPTER.number("reaction-ratio")
def reaction_divided_by_8_against_raw():
    divided, raw = (reaction(softmax(np.array(pair))) for pair in ([14.0, 12], [112.0, 96]))
    return divided / 8 / raw


@CHAPTER.number("mean-raw-1024", "mean-divided-1024")
def mean_sensitivities_at_1024():
    return [sensitivity(1024, divided=divided).mean() for divided in (False, True)]


def test_the_division_makes_the_median_sensitivity_much_larger_at_1024():
    raw, divided = (np.median(sensitivity(1024, divided=way)) for way in (False, True))
    assert divided > 1000 * raw


@pytest.mark.parametrize("d_k", SIZES[1:])
def test_the_mean_sensitivity_is_larger_without_the_scale(d_k):
    assert sensitivity(d_k).mean() > sensitivity(d_k, divided=True).mean()


@CHAPTER.number("least-top-tenth-divided", "most-top-tenth-divided")
def what_the_top_tenth_holds_divided():
    divided = [sensitivity(d_k, divided=True) for d_k in (8, 64, 256, 1024)]
    assert min(map(np.min, divided)) > 0.001
    shares = [share_of_the_top_tenth(row) for row in divided]
    return min(shares), max(shares)


@CHAPTER.number("top-tenth-raw-1024")
def what_the_top_tenth_holds_raw():
    return share_of_the_top_tenth(sensitivity(1024))


@CHAPTER.number("under-raw-64", "under-raw-1024")
def share_of_raw_queries_under_a_thousandth():
    return [(sensitivity(d) < 0.001).mean() for d in (64, 1024)]


@CHAPTER.number("last-raw-above")
def last_size_at_which_the_raw_median_is_above_the_divided_one():
    above = [np.median(sensitivity(d)) > np.median(sensitivity(d, divided=True)) for d in SIZES]
    last = int(np.flatnonzero(above)[-1])
    assert all(above[1 : last + 1]), "and before it always"
    return SIZES[last]


def test_the_gradient_at_a_query_is_J_times_K_and_J_holds_the_scale_twice():
    rng = np.random.default_rng(1)
    q, K, u = rng.normal(size=5), rng.normal(size=(3, 5)), rng.normal(size=3)
    scale, step = 0.3, 1e-6
    p = softmax(scale * K @ q)
    formula = u @ (scale * (np.diag(p) - np.outer(p, p))) @ K
    moved = [softmax(scale * (q + s * np.eye(5)) @ K.T) @ u for s in (step, -step)]
    np.testing.assert_allclose((moved[0] - moved[1]) / (2 * step), formula, atol=1e-8)


@CHAPTER.number("most-common")
def accuracy_of_always_naming_the_most_common_value():
    slots = np.random.default_rng(1).integers(8, size=(50_000, 16))
    counts = (slots[:, :, None] == np.arange(8)).sum(axis=1)
    return counts.max(axis=1).mean() / 16


@CHAPTER.number("raw-256-150", "raw-256-150-low", "raw-256-150-high", "raw-256-150-below")
def raw_runs_at_256_after_150_steps():
    runs = accuracy(256, "unscaled", 150)
    return runs.mean(), runs.min(), runs.max(), (runs < 0.26).sum()


@CHAPTER.number("raw-256-600", "raw-256-600-low", "raw-256-600-high")
def raw_runs_at_256_after_600_steps():
    runs = accuracy(256, "unscaled", 600)
    return runs.mean(), runs.min(), runs.max()


@CHAPTER.number("raw-64-reaches-1", "divided-256-reaches-1")
def first_steps_at_which_the_mean_rounds_to_1():
    found = []
    for d, arm in ((64, "unscaled"), (256, "scaled")):
        steps = find_record(ARMS, d=d, arm=arm)["measured_steps"]
        found.append(next(step for step in steps if accuracy(d, arm, step).mean() > 0.995))
    return found


def test_at_64_raw_is_behind_after_150_steps():
    assert accuracy(64, "unscaled", 150).mean() < 0.95 < accuracy(64, "scaled", 150).mean()


@CHAPTER.number("small-start-64-60", "divided-64-60", "raw-64-60")
def accuracies_at_64_after_60_steps():
    return [accuracy(64, arm, 60).mean() for arm in ("small start", "scaled", "unscaled")]


@pytest.mark.parametrize("step", [30, 60, 90])
def test_at_64_the_small_start_is_ahead_of_both(step):
    ahead = accuracy(64, "small start", step).mean()
    assert ahead > max(accuracy(64, arm, step).mean() for arm in ("scaled", "unscaled"))


def test_at_256_the_small_start_recovers_most_of_the_loss_but_not_all():
    raw, small, divided = (
        accuracy(256, arm, 150).mean() for arm in ("unscaled", "small start", "scaled")
    )
    assert 0.5 < (small - raw) / (divided - raw) < 0.95
    assert accuracy(256, "small start", 600).mean() < 0.99


for name, arm in {"scaled": "scaled", "small": "small start", "unscaled": "unscaled"}.items():
    for kind, place in {"gradient": "W_q", "median": "query_median", "mean": "query_mean"}.items():
        CHAPTER.number(f"{kind}-{name}")(functools.partial(first, 256, arm, place))


@CHAPTER.number("gradient-growth", "gradient-ratio")
def gradients_against_those_with_the_division():
    growth = first(256, "small start", "query_median") / first(256, "scaled", "query_median")
    return growth, first(256, "unscaled", "W_q") / first(256, "scaled", "W_q")


@CHAPTER.number("median-lost", "mean-lost")
def what_a_certain_softmax_loses_of_the_gradient():
    raw, small = (
        np.array([first(256, arm, f"query_{kind}") for kind in ("median", "mean")])
        for arm in ("unscaled", "small start")
    )
    return 1 - raw / small


@CHAPTER.number("raw-median-to-mean")
def raw_the_median_query_has_less_than_the_mean_and_divided_nearly_as_much():
    raw, divided = (
        first(256, arm, "query_median") / first(256, arm, "query_mean")
        for arm in ("unscaled", "scaled")
    )
    assert divided > 0.94
    return raw


@CHAPTER.number("initial-spread")
def initial_spread_of_the_model_s_scores_in_roots_of_their_size():
    found = [
        np.mean(find_record(ARMS, d=d, arm="unscaled")["spread"]) / np.sqrt(d) for d in (64, 256)
    ]
    assert found[0] == pytest.approx(found[1], abs=0.005)
    return np.mean(found)


def test_at_64_most_queries_of_the_figure_still_react():
    assert (sensitivity(64) > 0.01).mean() > 0.7


def test_divided_by_the_root_of_512_every_query_looks_almost_evenly_at_all_keys():
    A = softmax(scores(64) / np.sqrt(512))
    assert entropy(A).min() > 0.9 * np.log(16)


@CHAPTER.number("model-size-64-150", "divided-64-150")
def a_root_of_512_is_slower_and_ends_at_the_same_place():
    assert accuracy(64, "model size", 600).mean() > 0.995
    return [accuracy(64, arm, 150).mean() for arm in ("model size", "scaled")]


@CHAPTER.number("largest-reaction")
def largest_reaction_of_random_rows():
    rows = np.random.default_rng(3).dirichlet(np.full(5, 0.2), size=20_000)
    largest = reaction(rows).max()
    assert 0.49 < largest <= 0.5
    return largest


def test_scaled_attention_is_a_soft_look_up_with_beta_1_over_root_d_k():
    (Q, K), V = ScaleExplorer.sample(64)[:, 0], np.eye(16)
    looked_up = attn.soft_lookup(Q, K, V, beta=1 / 8)
    np.testing.assert_allclose(attn.attention(Q, K, V), looked_up, atol=1e-12)


def test_a_key_equal_to_the_query_scores_about_d_k():
    q = np.random.default_rng(2).normal(size=(500, 256))
    assert (q * q).sum(axis=-1).mean() == pytest.approx(256, rel=0.02)


def test_a_ratio_of_8_becomes_2_when_warm_and_64_when_cold():
    change = find("04-temperature").task.reference
    for temperature, ratio in ((3.0, 2), (0.5, 64)):
        p = change(np.array([[8 / 9, 1 / 9]]), temperature)[0]
        assert p[0] / p[1] == pytest.approx(ratio)


@CHAPTER.number("predicted-scale")
def the_scale_can_be_predicted_from_the_entries():
    """And measured: by what the exercise gives to compare with."""
    Q, K = ScaleExplorer.sample(64)
    predicted = find("04-predict-scale").task.reference(Q, K)
    (measured,) = re.findall(r"`([^`]*\.std\(\))` on `Q, K = sample\(64\)`", CHAPTER.prose)
    assert eval(measured, {"Q": Q, "K": K}) == pytest.approx(predicted, abs=0.002)
    return predicted


def test_the_live_run_has_the_seed_whose_raw_run_ranks_third_and_shows_raw_behind():
    (seed,) = (given["seed"] for given in CHAPTER.arguments("train_retrieval"))
    raw = accuracy(64, "unscaled", 150)
    assert sorted(raw)[2] == raw[seed] < 0.96 < 0.99 < accuracy(64, "scaled", 150)[seed]


@CHAPTER.number("layer-raw", "layer-divided", "layer-loud")
def the_layer_divides_and_a_louder_question_makes_up_for_it():
    assert LayerExplorer(stage=4).scores[0, 2].tolist() == [0, 5, 0, 0, 0, 0]
    states = {"stage": 3}, {"stage": 4}, {"stage": 4, "strength": 8}
    return [LayerExplorer(**traits).weights[0, 2, 1] for traits in states]


test_number = CHAPTER.tests()
