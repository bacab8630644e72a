"""Every number in the prose of chapter 4, computed again."""

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
says = CHAPTER.says
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
    CHAPTER.computes("sample = ScaleExplorer.sample")
    A = softmax(scores(16)).reshape(-1, 16)
    np.testing.assert_allclose(A, weights(16), atol=1e-12)


def test_14_and_12_leave_the_second_key_12_percent_and_112_and_96_a_nine_millionth():
    says("the second key has 12% of the weight", "it has one part in nine million")
    assert softmax(np.array([14.0, 12.0]))[1] == pytest.approx(0.12, abs=0.005)
    assert 1 / softmax(np.array([112.0, 96.0]))[1] == pytest.approx(9e6, rel=0.02)


def test_one_more_point_counts_when_divided_and_not_when_raw():
    says("one more point brings it to 27%", "one more point changes nothing you would notice")
    assert softmax(np.array([14.0, 13.0]))[1] == pytest.approx(0.27, abs=0.005)
    assert softmax(np.array([112.0, 97.0]))[1] < 1e-6


def test_a_score_of_64_entries_is_rarely_above_20():
    says("among our random ones, fewer than one in a hundred is above 20")
    assert 0.003 < (scores(64) > 20).mean() < 0.01


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


def test_at_2_the_largest_weight_of_query_1_is_42_percent_raw_and_28_divided():
    says("At $d_k = 2$, the size of our *who?* head, the largest weight of query 1 is")
    says("query 1 is 42% raw and 28% divided")
    raw, divided = ScaleExplorer().weights
    assert ScaleExplorer().d_k == LayerExplorer(stage=4).queries.shape[-1] == 2
    assert [round(100 * way[0].max()) for way in (raw, divided)] == [42, 28]


def test_query_1_wavers_at_8_and_is_decided_from_64_on_by_different_keys():
    says("the largest weight of query 1 is 21%", "it has dropped from 42%")
    says("but not always the same one")
    assert round(100 * weights(8)[0].max()) == 21
    late = [weights(d)[0] for d in SIZES[6:]]
    assert len({int(row.argmax()) for row in late}) > 1


def test_divided_query_1_stays_soft_while_its_best_key_changes():
    says("New entries change which key query 1 likes best, but its weights stay soft")
    rows = [weights(d, divided=True)[0] for d in SIZES]
    assert len({int(p.argmax()) for p in rows}) > 2
    assert max(p.max() for p in rows) < 0.5


def test_query_20_is_undecided_at_1024_since_its_two_best_scores_are_close():
    says("A few are still undecided, even raw. Query 20 is one")
    says("its two best keys happen to score almost the same")
    largest = weights(1024).max(axis=-1)
    assert largest[19] < 0.6
    assert (largest < 0.6).sum() < 20
    found = np.sort(scores(1024).reshape(256, 16)[19])
    assert found[-1] - found[-2] < 0.05 * found.std()


def test_divided_the_spread_is_close_to_1_from_8_on():
    says("From 8 on, its spread stays between 0.99 and 1.03")
    spreads = [scores(int(d)).std() / np.sqrt(d) for d in SIZES[3:]]
    assert (round(min(spreads), 2), round(max(spreads), 2)) == (0.99, 1.03)


@pytest.mark.parametrize(
    ("spread", "shares"),
    [(1, (0.25, 0.11, 0.016)), (8, (0.85, 0.79, 0.71)), (32, (0.96, 0.95, 0.93))],
)
def test_the_largest_weight_follows_from_the_spread_and_the_number_of_keys(spread, shares):
    says("the best of 16 takes a quarter, the best of 1000 a sixtieth")
    says("takes most of the weight, even among 1000")
    CHAPTER.computes("for spread in (1, 8, 32)", "for m in (16, 64, 1000)")
    rng = np.random.default_rng(5)
    for m, share in zip((16, 64, 1000), shares, strict=True):
        largest = softmax(spread * rng.normal(size=(3000, m))).max(axis=-1).mean()
        assert largest == pytest.approx(share, abs=0.001 if share < 0.02 else 0.015)


@pytest.mark.parametrize(("d_k", "share"), [(64, 0.33), (1024, 0.72)])
def test_the_division_makes_some_sensitivities_larger(d_k, share):
    says("at 1024 the division makes 72% of the sensitivities larger, at 64 only 33%")
    larger = sensitivity(d_k, divided=True) > sensitivity(d_k)
    assert larger.mean() == pytest.approx(share, abs=0.005)


def test_the_raw_median_grows_up_to_8_and_then_falls():
    medians = [np.median(sensitivity(d)) for d in SIZES]
    assert np.argmax(medians) == 3
    assert medians[:4] == sorted(medians[:4])
    assert medians[3:] == sorted(medians[3:], reverse=True)


@pytest.mark.parametrize("d_k", [64, 256, 1024])
def test_the_right_end_of_the_raw_hill_stays_near_a_half(d_k):
    says("A query with two keys that happen to tie reacts as strongly as ever")
    assert sensitivity(d_k).max() == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize("d_k", SIZES[4:-1])
def test_the_divided_hill_is_narrow_and_moves_by_the_root_of_2(d_k):
    says(r"each doubling of $d_k$ divides all of them by about $\sqrt 2$")
    here, next_one = (sensitivity(d, divided=True) for d in (d_k, 2 * d_k))
    assert np.median(here) / np.median(next_one) == pytest.approx(np.sqrt(2), rel=0.03)
    assert np.quantile(here, 0.95) / np.quantile(here, 0.05) < 1.4


def test_two_keys_that_tie_react_more_than_16_alike_and_a_clear_winner_does_not():
    alike, tie, winner = (
        reaction(p) for p in (np.full(16, 1 / 16), np.full(2, 0.5), softmax(np.array([112.0, 96])))
    )
    assert (alike, tie) == (pytest.approx(np.sqrt(15) / 16), pytest.approx(0.5))
    assert winner < 1e-6
    says("is still a hundred thousand times as large as the third")
    assert reaction(softmax(np.array([14.0, 12]))) / 8 / winner == pytest.approx(1e5, rel=0.2)


def test_the_division_makes_the_mean_smaller_and_the_median_larger_at_1024():
    says("their mean is 0.0096 divided and 0.068 raw", "the median is 0.000007")
    raw, divided = sensitivity(1024), sensitivity(1024, divided=True)
    assert divided.mean() == pytest.approx(0.0096, abs=5e-5)
    assert raw.mean() == pytest.approx(0.068, abs=5e-4)
    assert np.median(raw) == pytest.approx(7e-6, abs=5e-7)
    assert np.median(divided) > 1000 * np.median(raw)


@pytest.mark.parametrize("d_k", SIZES[1:])
def test_the_mean_sensitivity_is_larger_without_the_scale(d_k):
    says("On average the division makes sensitivities smaller")
    assert sensitivity(d_k).mean() > sensitivity(d_k, divided=True).mean()


def test_divided_the_top_tenth_holds_a_tenth_and_raw_two_thirds():
    says("holds 11 or 12% of the total", "Raw, at 1024, it holds 68%")
    says("two queries in three are under 0.001", "one raw query in seven is under 0.001")
    for d_k, percent in ((8, 12), (64, 11), (256, 11), (1024, 11)):
        divided = sensitivity(d_k, divided=True)
        assert round(100 * share_of_the_top_tenth(divided)) == percent
        assert (divided > 0.001).all()
    assert share_of_the_top_tenth(sensitivity(1024)) == pytest.approx(0.68, abs=0.005)
    assert (sensitivity(1024) < 0.001).mean() == pytest.approx(2 / 3, abs=0.03)
    assert (sensitivity(64) < 0.001).mean() == pytest.approx(1 / 7, abs=0.01)


def _above(medians):
    """The sizes at which the raw median is the larger one."""
    return [int(d) for d, (raw, divided) in zip(SIZES, medians, strict=True) if raw > divided]


def test_with_16_keys_the_raw_median_falls_below_the_divided_one_after_128():
    says("Beyond 128 it falls below")
    both = [(np.median(sensitivity(d)), np.median(sensitivity(d, divided=True))) for d in SIZES]
    assert _above(both) == [2, 4, 8, 16, 32, 64, 128]


def test_the_picture_of_the_sensitivities_is_described_as_it_is():
    CHAPTER.computes("mean and median rise until d_k = 4 and 8")
    CHAPTER.computes('straight line from 0.27 " "to 0.0095', "mean falls slowly to 0.07")
    CHAPTER.computes(
        "the median drops to 0.000007", "crossing the divided line between 128 and 256"
    )
    means, medians = zip(
        *((s.mean(), np.median(s)) for s in map(sensitivity, SIZES)),
        strict=True,
    )
    assert (SIZES[np.argmax(means)], SIZES[np.argmax(medians)]) == (4, 8)
    assert means[-1] == pytest.approx(0.07, abs=0.005)
    ends = [np.median(sensitivity(d, divided=True)) for d in (1, 1024)]
    assert ends == [pytest.approx(0.27, abs=0.005), pytest.approx(0.0095, abs=5e-5)]


def test_the_gradient_at_a_query_is_J_times_K_and_J_holds_the_scale_twice():
    says(r"\frac{\partial L}{\partial q} = \frac{\partial L}{\partial p}\, J\, K")
    rng = np.random.default_rng(1)
    q, K, u = rng.normal(size=5), rng.normal(size=(3, 5)), rng.normal(size=3)
    scale, step = 0.3, 1e-6
    p = softmax(scale * K @ q)
    formula = u @ (scale * (np.diag(p) - np.outer(p, p))) @ K
    moved = [softmax(scale * (q + s * np.eye(5)) @ K.T) @ u for s in (step, -step)]
    np.testing.assert_allclose((moved[0] - moved[1]) / (2 * step), formula, atol=1e-8)


def test_naming_the_most_common_value_is_right_26_percent_of_the_time():
    says("is right 26% of the time")
    CHAPTER.computes("with a dotted line at 0.26")
    slots = np.random.default_rng(1).integers(8, size=(50_000, 16))
    counts = (slots[:, :, None] == np.arange(8)).sum(axis=1)
    assert counts.max(axis=1).mean() / 16 == pytest.approx(0.262, abs=0.002)


def test_the_accuracies_are_those_of_the_table():
    says("divided is at 1.000 and raw at 0.40 on average", "from 0.17 to 0.64, two of five below")
    runs = accuracy(256, "unscaled", 150)
    assert (runs.min(), runs.max()) == (
        pytest.approx(0.17, abs=5e-3),
        pytest.approx(0.64, abs=5e-3),
    )
    assert (runs < 0.26).sum() == 2
    assert accuracy(256, "unscaled", 150).mean() == pytest.approx(0.40, abs=0.005)
    assert accuracy(256, "scaled", 150).mean() == pytest.approx(1.0, abs=5e-4)
    assert accuracy(256, "unscaled", 600).mean() == pytest.approx(0.77, abs=0.005)


def test_at_64_raw_is_behind_at_150_and_catches_up_and_the_small_start_leads():
    assert accuracy(64, "unscaled", 150).mean() < 0.95 < accuracy(64, "scaled", 150).mean()
    says("raw is behind after 150 steps and catches up by 210")
    says("at 64 our raw head caught up by step 210")
    CHAPTER.computes('small start " "reaches 1 by 90 steps, divided by about 150, raw by about 210')
    assert accuracy(64, "small start", 90).mean() > 0.999 > accuracy(64, "small start", 60).mean()
    assert accuracy(64, "unscaled", 180).mean() < 0.99 < accuracy(64, "unscaled", 210).mean()
    says("after 60 steps it is at 0.94, divided at 0.44, raw at 0.24")
    arms = ("small start", "scaled", "unscaled")
    assert [round(accuracy(64, arm, 60).mean(), 2) for arm in arms] == [0.94, 0.44, 0.24]
    for step in (30, 60, 90):
        ahead = accuracy(64, "small start", step).mean()
        assert ahead > max(accuracy(64, arm, step).mean() for arm in ("scaled", "unscaled"))


def test_at_256_the_small_start_recovers_most_of_the_loss_but_not_all():
    raw, small, divided = (
        accuracy(256, arm, 150).mean() for arm in ("unscaled", "small start", "scaled")
    )
    assert 0.5 < (small - raw) / (divided - raw) < 0.95
    CHAPTER.computes("small start is at 0.89 after 150 and 0.96", "raw climbs to 0.77")
    assert small == pytest.approx(0.89, abs=0.005)
    assert accuracy(256, "small start", 600).mean() == pytest.approx(0.96, abs=0.005)


def test_at_256_divided_is_done_by_60_steps_and_raw_is_not_by_600():
    says("the divided head has learned the task after 60 steps")
    says("the raw one is at 0.77 on average after 600")
    says("after 600 (0.54 to 0.88)")
    ends = accuracy(256, "unscaled", 600)
    assert (round(ends.min(), 2), round(ends.max(), 2)) == (0.54, 0.88)
    CHAPTER.computes("d_k = 256 divided reaches 1 by 60 steps")
    assert accuracy(256, "scaled", 60).mean() > 0.995


def test_the_table_of_first_gradients_is_that_of_the_data():
    places = ("W_q", "query_median", "query_mean")
    names = {"divided": "scaled", "raw, small start": "small start", "raw": "unscaled"}
    for name, arm in names.items():
        at_W_q, median, mean = (first(256, arm, place) for place in places)
        says(f"| {name} | {at_W_q:.3f} | {median:.2f} | {mean:.2f} |")


def test_the_first_gradients_are_as_told():
    says("grows 16-fold", "13 times as large as with the division")
    says("a norm of 0.077 with the scale and of 1.006 without it, 13 times as large")
    says("loses about three quarters of its gradient, the mean about half")
    says("raw, the median query has half of the mean; divided, nearly all of it")
    arms = ("scaled", "small start", "unscaled")
    divided, small, raw = (first(256, arm, "query_median") for arm in arms)
    assert small / divided == pytest.approx(16, rel=0.01)
    assert 1 - raw / small == pytest.approx(0.75, abs=0.05)
    mean_divided, mean_small, mean_raw = (first(256, arm, "query_mean") for arm in arms)
    assert 1 - mean_raw / mean_small == pytest.approx(0.5, abs=0.05)
    assert raw / mean_raw == pytest.approx(0.5, abs=0.05)
    assert divided / mean_divided > 0.94
    assert first(256, "unscaled", "W_q") / first(256, "scaled", "W_q") == pytest.approx(13, abs=0.5)


def test_the_model_s_scores_start_with_a_spread_of_0_48_roots():
    says(r"a spread of 0.48 $\sqrt{d_k}$")
    spreads = {d: np.mean(find_record(ARMS, d=d, arm="unscaled")["spread"]) for d in (64, 256)}
    for d, spread in spreads.items():
        assert spread / np.sqrt(d) == pytest.approx(0.48, abs=0.005)
    assert spreads[256] == pytest.approx(8, abs=0.5)
    assert (sensitivity(64) > 0.01).mean() > 0.7


def test_the_root_of_512_gives_a_spread_of_0_35_and_nearly_equal_weights():
    says(rf"$\sqrt{{512}} \approx {np.sqrt(512):.1f}$")
    says(f"the scores have a spread of {np.sqrt(64 / 512):.2f}")
    says("every query starts out looking almost evenly at all keys")
    A = softmax(scores(64) / np.sqrt(512))
    assert entropy(A).min() > 0.9 * np.log(16)


def test_a_root_of_512_is_slower_and_ends_at_the_same_place():
    says("it is at 0.945 after 150 steps, against 0.999")
    wrong, right = (accuracy(64, arm, 150).mean() for arm in ("model size", "scaled"))
    assert (wrong, right) == (pytest.approx(0.945, abs=5e-4), pytest.approx(0.999, abs=5e-4))
    assert accuracy(64, "model size", 600).mean() > 0.995


def test_no_row_reacts_by_more_than_a_half():
    says("no query's sensitivity exceeds ½")
    rows = np.random.default_rng(3).dirichlet(np.full(5, 0.2), size=20_000)
    assert 0.49 < reaction(rows).max() <= 0.5


def test_scaled_attention_is_a_soft_look_up_with_beta_1_over_root_d_k():
    (Q, K), V = ScaleExplorer.sample(64)[:, 0], np.eye(16)
    looked_up = attn.soft_lookup(Q, K, V, beta=1 / 8)
    np.testing.assert_allclose(attn.attention(Q, K, V), looked_up, atol=1e-12)


def test_a_key_equal_to_the_query_scores_about_d_k():
    q = np.random.default_rng(2).normal(size=(500, 256))
    assert (q * q).sum(axis=-1).mean() == pytest.approx(256, rel=0.02)


def test_a_ratio_of_8_becomes_2_when_warm_and_64_when_cold():
    says(r"A ratio of 8 between two weights becomes 2 at $T = 3$ and 64 at $T = \tfrac12$")
    change = find("04-temperature").task.reference
    for temperature, ratio in ((3.0, 2), (0.5, 64)):
        p = change(np.array([[8 / 9, 1 / 9]]), temperature)[0]
        assert p[0] / p[1] == pytest.approx(ratio)


def test_the_scale_can_be_predicted_from_the_entries():
    says("about 0.125 both ways")
    Q, K = ScaleExplorer.sample(64)
    assert find("04-predict-scale").task.reference(Q, K) == pytest.approx(0.125, abs=0.002)
    (measured,) = re.findall(r"compare with `(.*?)` on `Q, K = sample\(64\)`", CHAPTER.prose)
    assert eval(measured, {"Q": Q, "K": K}) == pytest.approx(0.125, abs=0.002)


def test_the_live_run_shows_raw_behind_divided_with_the_middle_seed():
    says("the seed whose raw run ranks third of five")
    CHAPTER.computes("train_retrieval(64, arm, seed=4, steps=150")
    raw = accuracy(64, "unscaled", 150)
    assert sorted(raw)[2] == raw[4] < 0.96 < 0.99 < accuracy(64, "scaled", 150)[4]


def test_every_exercise_of_the_chapter_is_asked():
    assert len(re.findall(r"^:label: ex-04-", CHAPTER.text, re.MULTILINE)) == 5


def test_the_layer_divides_and_a_louder_question_makes_up_for_it():
    raw, divided, loud = (
        f"{100 * LayerExplorer(**traits).weights[0, 2, 1]:.0f}%"
        for traits in ({"stage": 3}, {"stage": 4}, {"stage": 4, "strength": 8})
    )
    assert LayerExplorer(stage=4).scores[0, 2].tolist() == [0, 5, 0, 0, 0, 0]
    says("*walks* scored 5 with *cat* and 0 with every other word")
    says(f"the softmax gave *cat* {raw} of the weight", f"and *cat* gets {divided} instead")
    says(f"*cat* gets {loud} despite the division", f"strength 8, *cat* had {loud}")


test_number = CHAPTER.tests()
