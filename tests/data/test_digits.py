"""The digits that the course carries: what their text says of them holds."""

import numpy as np
import pytest

from attn.data import HERE, digits, make_digits


def test_there_are_1797_pictures_of_8_by_8_whole_numbers_up_to_16():
    images, labels = digits()
    assert images.shape == (1797, 8, 8)
    assert (images.dtype, labels.dtype) == (np.uint8, np.uint8)
    assert (images.min(), images.max()) == (0, 16)
    assert np.bincount(labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_the_file_is_small_and_its_maker_would_write_the_same_numbers(tmp_path):
    images, labels = digits()
    again = tmp_path / "digits.npz"
    again.write_bytes(make_digits.npz_bytes({"images": images, "labels": labels}))
    with np.load(again) as stored:
        np.testing.assert_array_equal(stored["images"], images)
        np.testing.assert_array_equal(stored["labels"], labels)
    assert (HERE / "digits.npz").stat().st_size < 50_000


def test_nobody_can_change_them_for_the_others():
    with pytest.raises(ValueError, match="read-only"):
        digits()[0][0] = 0


def test_their_origin_is_told_beside_them():
    text = " ".join((HERE / "digits.txt").read_text(encoding="utf-8").split())
    assert "names no licence for the pictures" in text
    assert "Redistribution and use in source and binary forms" in text
