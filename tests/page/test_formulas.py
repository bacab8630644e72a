"""Formulas in a page: a matrix is centred, brackets stand free, and what is copied is TeX."""

import pytest
from browsers.page_functions import page_function

CHAPTER = "book/04-scaling.html"
COPY = page_function(__file__, "copy")
OFF_CENTRE = page_function(__file__, "offCentre")
BRACKET_GAPS = page_function(__file__, "bracketGaps")


@pytest.fixture
def copied(open_page):
    """``copied(selector, start, end)``: what is copied from one child of an element to another."""
    page = open_page(CHAPTER)

    def copy(selector, start=None, end=None):
        return page.evaluate(COPY, [selector, start, end])

    return copy


def test_a_sentence_keeps_its_words_and_its_formulas(copied):
    text = copied("p:has(math)")
    assert "$" in text
    assert "\n" not in text.strip()
    assert "\\" in copied("p:has(math msqrt)")


def test_an_equation_is_set_off_as_tex_does_it(copied):
    assert copied(".equation").strip().startswith("$$s = q \\cdot k = ")


def test_the_parts_of_an_equation_are_copied_as_one(copied):
    text = copied(".equation:has(math + math)")
    assert text.strip() == r"$$\operatorname{Var}(s) = d_k \qquad \text{spread} = \sqrt{d_k}$$"


def test_on_a_phone_the_parts_of_an_equation_stand_below_each_other(open_page):
    page = open_page(CHAPTER, width=360)
    parts = page.locator(".equation:has-text('softmax') math + math")
    assert parts.count() == 1
    equation = parts.locator("..")
    first, second = (part.bounding_box() for part in equation.locator("math").all())
    assert second["y"] >= first["y"] + first["height"]
    assert equation.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_a_formula_that_is_cut_through_is_copied_whole(copied):
    whole = copied(".equation").strip()
    assert copied(".equation math mi", 0, 1).strip() == whole


def test_words_without_a_formula_are_left_to_the_browser(copied):
    assert copied("h1") is None


def test_the_entries_of_a_matrix_stand_in_the_middle_of_their_columns(open_page):
    cells = open_page("book/07-position.html").locator("mtd.center")
    assert cells.count() >= 4
    assert max(map(abs, cells.evaluate_all(OFF_CENTRE))) < 1


def test_no_bracket_touches_a_fraction(open_page):
    gaps = open_page(CHAPTER).locator("mfrac").evaluate_all(BRACKET_GAPS)
    assert gaps
    assert min(gaps) >= 2
