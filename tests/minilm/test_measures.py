"""Measures of attention, by cases worked out by hand."""

import numpy as np
import pytest

from attn.minilm import cosines, entropy, weight_at_offset, weight_on

SHIFTED = np.array([[1.0, 0, 0], [1, 0, 0], [0, 1, 0]])  # each looks at the one before


def test_a_head_that_looks_back_by_one_has_all_its_weight_there_and_none_ahead():
    assert weight_at_offset(SHIFTED, -1) == 1
    assert weight_at_offset(SHIFTED, 1) == 0
    assert weight_at_offset(np.stack([SHIFTED, SHIFTED.T]), 1).tolist() == [0, 1]


def test_the_first_token_has_no_neighbour_before_it_and_does_not_count():
    assert weight_at_offset([[0.5, 0.5], [1.0, 0.0]], -1) == 1


def test_two_of_three_queries_look_at_the_first_key():
    np.testing.assert_allclose(weight_on(SHIFTED, 0), 2 / 3)


def test_equal_shares_of_eight_keys_are_three_bits_and_one_key_is_none():
    assert entropy(np.full((2, 5, 8), 1 / 8)).tolist() == [3, 3]
    assert str(entropy(SHIFTED)) == "0.0"  # and not -0.0


def test_opposite_vectors_have_a_cosine_of_minus_1_whatever_their_norms():
    np.testing.assert_allclose(cosines([[1, 2], [3, 0]], [[-2, -4], [0, 5]]), [-1, 0], atol=1e-15)


def test_whole_numbers_whose_squares_overflow_still_have_a_cosine():
    for kind in (np.int8, np.int32, np.float16):
        assert cosines(*2 * [np.full(384, 100, dtype=kind)]) == pytest.approx(1)


def test_an_offset_that_no_query_has_is_refused():
    with pytest.raises(ValueError, match="3 tokens have no neighbours at an offset of -3"):
        weight_at_offset(SHIFTED, -3)
