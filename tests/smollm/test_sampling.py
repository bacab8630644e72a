"""Temperature, top-k and top-p, by hand."""

import numpy as np
import pytest

from attn.smollm.sampling import choose, probabilities

FIVE = np.log([0.4, 0.3, 0.15, 0.1, 0.05])


def test_a_temperature_of_1_changes_nothing():
    np.testing.assert_allclose(probabilities(FIVE), np.exp(FIVE), atol=1e-15)


def test_half_the_temperature_squares_the_ratios():
    p = probabilities(FIVE, temperature=0.5)
    assert p[0] / p[1] == pytest.approx((4 / 3) ** 2)


def test_temperature_0_takes_the_likeliest_and_the_first_of_a_tie():
    np.testing.assert_array_equal(probabilities([1.0, 3.0, 3.0], temperature=0), [0, 1, 0])


def test_top_k_keeps_the_likeliest_and_shares_the_rest_among_them():
    np.testing.assert_allclose(probabilities(FIVE, top_k=2), [4 / 7, 3 / 7, 0, 0, 0])
    np.testing.assert_array_equal(probabilities([0.0, 0.0, 0.0], top_k=2), [0.5, 0.5, 0])


@pytest.mark.parametrize(("top_p", "kept"), [(0.39, 1), (0.41, 2), (0.71, 3), (1.0, 5)])
def test_top_p_keeps_the_fewest_that_reach_it(top_p, kept):
    p = probabilities(FIVE, top_p=top_p)
    assert np.count_nonzero(p) == kept
    np.testing.assert_allclose(p[:kept], np.exp(FIVE)[:kept] / np.exp(FIVE)[:kept].sum())


def test_top_p_counts_what_top_k_would_have_cut():
    np.testing.assert_allclose(probabilities(FIVE, top_k=1, top_p=0.9), [1, 0, 0, 0, 0])


def test_huge_scores_and_small_temperatures_overflow_nothing():
    with np.errstate(all="raise", under="ignore"):
        p = probabilities([1e4, -1e4, 9999.0], temperature=0.01)
    np.testing.assert_allclose(p, [1, 0, 0], atol=1e-30)


def test_tokens_are_drawn_by_their_chance():
    rng, p = np.random.default_rng(0), np.array([0.0, 0.7, 0.0, 0.3])
    counts = np.bincount([choose(p, rng) for _ in range(4000)], minlength=4) / 4000
    np.testing.assert_allclose(counts, p, atol=0.03)
    assert counts[0] == counts[2] == 0


def test_a_draw_at_the_very_end_is_a_token_that_is_left():
    class Last:
        def random(self):
            return 1 - 2**-53

    assert choose(np.array([0.1] * 10 + [0.0]), Last()) == 9


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"temperature": -1}, "temperature must be a number, at least 0 and finite: got -1"),
        ({"temperature": float("nan")}, "got nan"),
        ({"temperature": "hot"}, "got 'hot'"),
        ({"top_k": 0}, "top_k must be a whole number of at least 1, or None: got 0"),
        ({"top_k": 1.5}, "got 1.5"),
        ({"top_p": 0}, "top_p must be above 0 and at most 1, or None: got 0"),
        ({"top_p": 1.1}, "got 1.1"),
    ],
)
def test_settings_out_of_range_are_refused_by_name(settings, rule):
    with pytest.raises(ValueError, match=rule):
        probabilities(FIVE, **settings)
