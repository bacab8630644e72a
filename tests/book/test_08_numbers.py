"""Every number in the prose of chapter 8, computed again."""

import numpy as np
import pytest
import torch
from book.chapter_text import Chapter
from hypothesis import given
from hypothesis import strategies as st

import attn
from attn import softmax
from attn.data import digits, find_record, load, runs_after, tuned_runs
from attn.exercises.catalog import find
from attn.nn.experiments import pictures
from attn.widgets import ConvHeads, ReceptiveField

CHAPTER = Chapter("08-vs-cnn")
TABLE = load("pictures")
SIZES = (20, 100, 300, 1000)
ZERO = digits()[0][0] / 16
EDGES = np.array([[-1.0, 0.0, 1.0]] * 3)


def runs(model, size, rate, steps):
    record = find_record(TABLE["digits"], model=model, size=size, rate=rate)
    return runs_after(record, steps, "test")


def gap(size, rate, steps):
    """Mean of attention minus CNN over the paired seeds, and its standard error."""
    gaps = runs("attention", size, rate, steps) - runs("cnn", size, rate, steps)
    return gaps.mean(), gaps.std(ddof=1) / np.sqrt(len(gaps))


def tuned(model, size):
    return tuned_runs(TABLE["digits"], model=model, size=size)


def bars(model, anywhere, size):
    return tuned_runs(TABLE["bars"], model=model, anywhere=anywhere, size=size)


def in_errors(gaps):
    """The mean gap in standard errors."""
    return gaps.mean() / (gaps.std(ddof=1) / np.sqrt(len(gaps)))


def conv2d(image, kernel):
    pair = (torch.from_numpy(np.ascontiguousarray(a))[None, None] for a in (image, kernel))
    return torch.conv2d(*pair, padding=(len(kernel) - 1) // 2).numpy()[0, 0]


# --- a window, or everyone ---------------------------------------------------------------------


def test_in_the_window_the_stencil_travels_and_the_weights_change():
    looks = ConvHeads(view="window").look_alikes.reshape(8, 8, 8, 8)
    here, there = looks[3, 3], looks[3, 5]
    moved = np.roll(here, 2, axis=1)
    assert np.abs(moved - there).sum() > 0.5
    window = np.zeros((8, 8), bool)
    window[2:5, 2:5] = True
    assert here[~window].sum() == pytest.approx(0.72, abs=0.005)


def test_the_result_moves_with_the_picture():
    moved = np.roll(np.pad(ZERO, 2), 1, axis=1)
    after, before = (conv2d(picture, EDGES) for picture in (moved, np.pad(ZERO, 2)))
    np.testing.assert_allclose(after[:, 1:], before[:, :-1], atol=1e-12)
    cut = np.pad(ZERO, ((0, 0), (1, 0)))[:, :-1]
    assert np.abs(conv2d(cut, EDGES)[:, 1:] - conv2d(ZERO, EDGES)[:, :-1]).max() < 1e-12
    assert ZERO[:, -1].sum() == 0


# --- a convolution by heads ---------------------------------------------------------------------

floats = st.floats(-8, 8, width=32)


@given(
    st.sampled_from([1, 3, 5]).flatmap(
        lambda s: st.lists(floats, min_size=s * s, max_size=s * s).map(
            lambda flat: np.array(flat, dtype=np.float32).reshape(s, s)
        )
    ),
    st.integers(0, 2**32 - 1),
    st.integers(2, 7),
    st.integers(2, 7),
)
def test_any_kernel_is_made_by_heads_to_the_floor_of_float32(kernel, seed, height, width):
    image = np.random.default_rng(seed).normal(size=(height, width)).astype(np.float32)
    made = attn.conv_as_attention(image, kernel, alpha=20)
    assert made.dtype == np.float32
    # As many roundings as there are terms, each relative to the largest sum on the way.
    most = np.abs(kernel).sum() * np.abs(image).max()
    slack = 2 * kernel.size * np.finfo(np.float32).eps * most + 1e-30
    np.testing.assert_allclose(made, conv2d(image, kernel), rtol=0, atol=slack)


def errors(alphas):
    rng = np.random.default_rng(8)
    pictures = rng.normal(size=(30, 9, 7)).astype("float32")
    kernels = rng.normal(size=(30, 3, 3)).astype("float32")
    return [
        max(
            np.abs(attn.conv_as_attention(x, k, alpha=alpha) - conv2d(x, k)).max()
            for x, k in zip(pictures, kernels, strict=True)
        )
        for alpha in alphas
    ]


def test_the_printed_errors_fall_as_e_to_the_minus_alpha_and_reach_the_floor_at_20():
    four, eight, twelve, twenty, forty = errors((4, 8, 12, 20, 40))
    assert np.log(four / eight) == pytest.approx(4, abs=0.3)
    assert np.log(eight / twelve) == pytest.approx(4, abs=0.1)
    assert forty <= twenty < 3e-6


def test_whole_numbers_are_equal_bit_by_bit():
    assert np.exp(-800.0) == 0
    rng = np.random.default_rng(8)
    image, kernel = rng.integers(-9, 10, (9, 7)), rng.integers(-9, 10, (3, 3))
    made = attn.conv_as_attention(image, kernel, alpha=800)
    assert np.array_equal(made, conv2d(image.astype(float), kernel.astype(float)))


def test_the_kernel_finds_vertical_edges():
    row = conv2d(ZERO, EDGES)[3]
    assert row[0] > 0.4
    assert row[1] > 1
    assert row[3] < -2
    assert row[4] > 1
    assert row[7] < -1


@CHAPTER.number("target-share")
def target_share():
    """At a sharpness of 3, far from the border."""
    return ConvHeads(alpha=3.0).weights[5].reshape(8, 8, 10, 10)[3, 3].max()


def moved_head_6(column, alpha):
    """A figure whose head 6 looks that far along the row."""
    offsets = np.array(ConvHeads().offsets)
    offsets[5] = 0, column
    return ConvHeads(alpha=alpha, offsets=offsets)


@CHAPTER.number("halfway")
def halfway():
    shares = np.sort(moved_head_6(0.5, 12.0).weights[5, 1 * 8 + 1])
    np.testing.assert_allclose(shares[-2:], 0.5, atol=1e-4)
    return shares[-1]


def test_at_sharpness_0_a_kernel_that_sums_to_0_gives_0():
    assert np.abs(ConvHeads(alpha=0.0).output).max() < 1e-12


def test_without_padding_tokens_no_sharpness_mends_the_border():
    for alpha in (15.0, 30.0):
        rest = np.abs(ConvHeads(alpha=alpha, padding=False).output - ConvHeads().convolution)
        assert rest.max() > 0.5
        assert rest[1:-1, 1:-1].max() < 1e-5


def test_a_moved_head_hears_a_pixel_beyond_the_kernel():
    far = moved_head_6(2, 30.0).weights[5, 3 * 8 + 3].reshape(10, 10)
    assert far[3 + 1, 5 + 1] > 0.99


def test_without_padding_tokens_pixel_8_5_is_off_and_its_ninth_head_looks_beside_it():
    figure = ConvHeads(alpha=12.0, padding=False)
    apart = np.abs(figure.output - figure.convolution)
    assert apart[[0, -1]].max(axis=1).min() > 0.5
    assert apart[1:-1].max() < 0.01
    assert apart[7, 4] == pytest.approx(0.81, abs=0.005)
    assert figure.weights_of_the_kernel.ravel()[8] == 1
    assert figure.weights[8, 7 * 8 + 4].reshape(8, 8)[7, 5] > 0.999


def test_without_padding_the_border_is_repeated():
    made = attn.conv_as_attention(ZERO, EDGES, alpha=40, padding="none")
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(ZERO, 1, mode="edge"), (3, 3))
    np.testing.assert_allclose(made, (windows * EDGES).sum(axis=(-2, -1)), atol=1e-12)


@pytest.mark.parametrize("delta", [(0, 1), (-1, -1), (1, 0)])
def test_absolute_places_make_the_head_as_query_times_key(delta):
    places = np.stack(np.indices((8, 8)), axis=-1).reshape(-1, 2)
    Q = 1.7 * np.c_[2 * (places + np.array(delta)), -np.ones(64)]
    K = np.c_[places, (places**2).sum(axis=-1)]
    head = 3 * (delta[0] + 1) + delta[1] + 1
    expected = attn.conv_attention_weights((8, 8), 3, alpha=1.7)[head]
    np.testing.assert_allclose(attn.attention_weights(Q, K, scale=1), expected, atol=1e-12)


def test_the_relative_encoding_gives_the_same_weights():
    places = np.stack(np.indices((5, 4)), axis=-1).reshape(-1, 2)
    offset = places - places[:, None]
    r = np.concatenate([(offset**2).sum(-1, keepdims=True), offset], axis=-1)
    heads = attn.conv_attention_weights((5, 4), 3, alpha=1.7)
    for h, delta in enumerate(np.ndindex(3, 3)):
        down, right = np.array(delta) - 1
        u = -1.7 * np.array([1, -2 * down, -2 * right])
        np.testing.assert_allclose(softmax(r @ u), heads[h], atol=1e-12)


def test_the_difference_is_straight_beyond_4_and_bent_before():
    falls = [
        np.log(ConvHeads(alpha=a).error / ConvHeads(alpha=a + 1).error)
        for a in (0.0, 1.0, 4.0, 9.0)
    ]
    assert max(falls[:2]) < 0.8
    np.testing.assert_allclose(falls[2:], 1, atol=0.04)


# --- receptive fields ---------------------------------------------------------------------------


def layers_needed(position, *, dilated=False):
    """How many layers it takes before this output hears all 33 positions."""
    stack = {"position": position, "dilated": dilated, "size": 3}
    return next(n for n in range(1, 40) if ReceptiveField(layers=n, **stack).reached.all())


@CHAPTER.number("layers-from-the-middle", "layers-from-the-end")
def layers():
    return layers_needed(17), layers_needed(33)


@CHAPTER.number("doubling-from-the-middle", "doubling-from-the-end")
def doubling_layers():
    return layers_needed(17, dilated=True), layers_needed(33, dilated=True)


@CHAPTER.number("five-layers")
def five_layers():
    return find("08-receptive-field").task.reference(np.full(5, 3), np.ones(5, int))


# --- learning curves ----------------------------------------------------------------------------


MODELS = ("cnn", "attention", "no attention", "linear")


@CHAPTER.number(*(f"parameters-{model.replace(' ', '-')}" for model in MODELS))
def parameters():
    return [TABLE["parameters"][model] for model in MODELS]


def test_attention_has_fewer_parameters_than_the_cnn():
    assert TABLE["parameters"]["attention"] < TABLE["parameters"]["cnn"]


@CHAPTER.number("lead-20-early")
def lead_of_the_cnn():
    """In points."""
    return -100 * gap(20, 0.003, 300)[0]


def test_after_300_steps_the_curves_seem_to_cross():
    means, slacks = zip(*(gap(n, 0.003, 300) for n in SIZES), strict=True)
    assert means[0] < -2 * slacks[0]
    assert means[1] < 0 < means[2]
    assert means[3] > 2 * slacks[3] > 0


def test_after_1500_steps_the_cnn_is_ahead_but_for_100_digits():
    for size in SIZES:
        mean, slack = gap(size, 0.003, 1500)
        assert mean < 0
        assert (mean < -2 * slack) == (size != 100)
    assert 2 < -500 * gap(1000, 0.003, 1500)[0] < 3  # in test digits


def test_on_300_and_1000_digits_the_cnn_gains_after_300_steps():
    for size in SIZES:
        gain = runs("cnn", size, 0.003, 1500).mean() - runs("cnn", size, 0.003, 300).mean()
        assert (gain > 0.01) == (size >= 300)


ENDS = [(model, steps) for model in ("cnn", "attention") for steps in (300, 1500)]


@CHAPTER.number(*(f"wrong-{model}-{steps}" for model, steps in ENDS))
def wrong_answers():
    return [1 - runs(model, 1000, 0.003, steps).mean() for model, steps in ENDS]


@CHAPTER.number("lost-cnn", "lost-attention")
def lost():
    """The share of its wrong answers that a model loses."""
    early, late = np.reshape(wrong_answers(), (2, 2)).T
    return 1 - late / early


@CHAPTER.number("lead-0.001", "lead-0.003")
def leads():
    """In points, after 300 steps."""
    return [100 * gap(1000, rate, 300)[0] for rate in (0.001, 0.003)]


def test_the_lead_after_300_steps_is_gone_at_the_largest_step_size():
    gaps = [gap(1000, rate, 300) for rate in (0.001, 0.003, 0.01)]
    assert [mean > 2 * slack for mean, slack in gaps] == [True, True, False]
    assert abs(gaps[2][0]) < 2 * gaps[2][1]


@CHAPTER.number("tuned-lead-20", "tuned-lead-1000")
def tuned_leads():
    """Of the CNN, in points."""
    return [100 * (tuned("cnn", n) - tuned("attention", n)).mean() for n in (20, 1000)]


def tuned_ratio(size):
    """Wrong answers of attention to those of the CNN."""
    return (1 - tuned("attention", size).mean()) / (1 - tuned("cnn", size).mean())


@CHAPTER.number("tuned-ratio-20", "tuned-ratio-1000")
def tuned_ratios():
    return tuned_ratio(20), tuned_ratio(1000)


def test_tuned_the_gap_shrinks_in_points_and_grows_as_a_ratio():
    gaps = [tuned("attention", n).mean() - tuned("cnn", n).mean() for n in SIZES]
    assert gaps == sorted(gaps)
    assert max(gaps) < 0
    ratios = [tuned_ratio(n) for n in SIZES]
    assert ratios == sorted(ratios)


def test_no_size_tells_the_model_from_the_one_without_its_attention():
    for size in SIZES:
        assert abs(in_errors(tuned("no attention", size) - tuned("attention", size))) < 2


@CHAPTER.number("linear-1000", "attention-1000")
def tuned_ends():
    return [tuned(model, 1000).mean() for model in ("linear", "attention")]


def test_the_linear_model_is_level_with_the_cnn_on_few_digits():
    for size in (20, 100):
        assert abs(in_errors(tuned("linear", size) - tuned("cnn", size))) < 2
        assert in_errors(tuned("linear", size) - tuned("attention", size)) > 2


@CHAPTER.number("steps-linear", "rate-linear")
def training_of_the_linear_model():
    steps, rates = zip(
        *(
            (record["measured_steps"][-1], record["rate"])
            for record in TABLE["digits"]
            if record["model"] == "linear"
        ),
        strict=True,
    )
    (rate,) = set(rates)
    return min(steps), rate


@CHAPTER.number("drift-of-the-mean", "drift-of-a-run")
def drifts():
    """How far the linear model moves in its last 3000 steps, at most."""
    drifts = [runs("linear", n, 0.01, 6000) - runs("linear", n, 0.01, 3000) for n in SIZES]
    return max(abs(d.mean()) for d in drifts), max(np.abs(d).max() for d in drifts)


ARMS = {
    f"bars-{model.split()[0].replace('no', 'none')}-{readout}-{size}": (model, anywhere, size)
    for model in ("cnn", "attention", "no attention")
    for readout, anywhere in (("anywhere", True), ("each", False))
    for size in (30, 2000)
}


@CHAPTER.number(*ARMS)
def bars_table():
    return [bars(*arm).mean() for arm in ARMS.values()]


@CHAPTER.number("least-of-five-rows")
def least_of_five_rows():
    """With 2000 pictures, all but the model without attention and with weights for each place."""
    return sorted(bars(*arm).mean() for arm in ARMS.values() if arm[2] == 2000)[1]


def test_always_the_same_answer_is_right_about_half_of_the_time():
    _, labels = pictures.bars(1000, torch.Generator().manual_seed(2))
    assert 0.45 < labels.double().mean() < 0.55


@CHAPTER.number("best-without")
def best_without_attention():
    return bars("no attention", False, 2000).max()


def test_on_2000_bars_one_run_of_three_does_without_attention_as_well_as_with_it():
    with_it = bars("attention", False, 2000)
    assert (bars("no attention", False, 2000) >= min(with_it) - 0.005).sum() == 1


def test_attention_earns_most_on_2000_bars_with_weights_for_each_place():
    earned = {
        (anywhere, size): bars("attention", anywhere, size) - bars("no attention", anywhere, size)
        for anywhere in (True, False)
        for size in (30, 2000)
    }
    assert max(earned, key=lambda arm: earned[arm].mean()) == (False, 2000)
    assert abs(in_errors(earned[True, 2000])) < 2


def test_on_bars_the_models_with_and_without_attention_were_still_gaining():
    for model, rate in (("attention", 0.003), ("no attention", 0.01)):
        row = find_record(TABLE["bars"], model=model, anywhere=False, size=2000, rate=rate)
        early, late = np.mean(row["test"], axis=0)
        assert late - early > 0.03


def test_three_pixels_in_a_row_always_fill_a_side_of_a_patch():
    for first in range(10):
        halves = [cell // 2 for cell in range(first, first + 3)]
        assert max(map(halves.count, halves)) == 2


test_number = CHAPTER.tests()
