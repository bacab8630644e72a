"""Numbers are read from prose as they are printed, and compared as exactly as they claim."""

import pytest
from book.printed_numbers import number_before


@pytest.mark.parametrize(
    ("text", "value", "half_unit"),
    [
        ("it takes 83%", 0.83, 0.005),
        ("**0.0096**", 0.0096, 0.00005),
        ("moves by −30", -30, 0.5),
        ("in 1,024", 1024, 0.5),
        (r"$\sqrt 2 \approx 1.41$", 1.41, 0.005),
        (r"$2 \cdot 10^{-5}$", 2e-5, 5e-6),
        ("7 · 10⁻⁶", 7e-6, 5e-7),
        ("3e-5", 3e-5, 5e-6),
        ("9.8 million", 9.8e6, 5e4),
        ("$16{,}384$", 16384, 0.5),
        ("almost nine million", 9e6, 5e5),
        ("twenty-one", 21, 0.5),
        ("a sixtieth", 1 / 60, 1 / 1200),
        ("two thirds", 2 / 3, 1 / 30),
        ("by ½", 0.5, 0.025),
        ("twice", 2, 0.5),
        ("the shortest only one time in eight", 1 / 8, 1 / 160),
        ("fewer than one in a hundred", 0.01, 0.0005),
        ("still a hundred thousand", 1e5, 5e4),
        ("one part in nine million", 1 / 9e6, 1 / 180e6),
    ],
)
def test_a_number_is_read_with_its_exactness(text, value, half_unit):
    printed = number_before(text)
    assert printed.value == pytest.approx(value)
    assert printed.half_unit == pytest.approx(half_unit)


def test_a_rounded_number_agrees_with_what_rounds_to_it_and_with_nothing_else():
    printed = number_before("83%")
    assert printed.agrees(0.8349)
    assert printed.agrees(0.8251)
    assert not printed.agrees(0.836)


def test_relations_are_more_less_and_about():
    printed = number_before("97%")
    assert printed.agrees(0.98, ">")
    assert not printed.agrees(0.96, ">")
    assert printed.agrees(0.96, "<")
    assert printed.agrees(0.9, "~")
    assert not printed.agrees(0.8, "~")


@pytest.mark.parametrize("text", ["", "the division", "16-fold"])
def test_a_mark_without_a_number_is_refused(text):
    with pytest.raises(ValueError, match="right after a number"):
        number_before(text)
