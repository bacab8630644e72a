"""The two monitors in a browser: three kinds of asking, by keyboard, narrow."""

import pytest
from page.figure_text import expect_words, words

from attn.widgets import TwoContexts


def rows(figure):
    """The names on the rows of each heat map."""
    tables = figure.locator(".attn-heat").all()
    return [table.locator("tbody th").all_inner_texts() for table in tables]


def test_it_opens_with_one_word_leaving_as_two_vectors(open_figure):
    said = words(open_figure(TwoContexts()))
    assert "monitor enters both as (1.00, 1.00) and leaves as (2.02, 0.33) and (0.33, 2.02)" in said
    assert "cosine 0.32" in said


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (
            "self",
            [["the", "monitor", "flickers", "tonight"], ["nurses", "monitor", "the", "patients"]],
        ),
        ("cross", [["thing?", "act?"]] * 2),
        ("pooling", [["query"]] * 2),
    ],
)
def test_the_switch_changes_who_asks_and_rows_still_sum_to_1(open_figure, kind, expected):
    figure = open_figure(TwoContexts())
    figure.get_by_label("who asks").select_option("cross" if kind == "self" else "self")
    figure.get_by_label("who asks").select_option(kind)
    assert rows(figure) == expected
    sums = figure.locator("tbody .attn-sum").all_inner_texts()
    assert sums == ["1.00"] * sum(map(len, expected))


def test_the_learned_query_can_be_turned_only_where_there_is_one(open_figure):
    figure = open_figure(TwoContexts())
    slider = figure.get_by_label("learned query’s angle")
    assert not slider.is_visible()
    figure.get_by_label("who asks").select_option("pooling")
    before = words(figure)
    slider.press("PageDown")
    assert words(figure) != before


def test_arrow_keys_turn_the_word_and_sharpen(open_figure):
    figure = open_figure(TwoContexts())
    figure.get_by_label("monitor’s angle").press("Home")
    expect_words(figure, "monitor", "(1.41, 0.00)")
    figure.get_by_label("sharpness β").press("Home")
    expect_words(figure, "(0.60, 0.25)", "(0.60, 0.25)")


@pytest.mark.parametrize("kind", ["self", "cross", "pooling"])
def test_on_a_desk_both_heat_maps_show_all_their_columns(open_figure, kind):
    boxes = open_figure(TwoContexts(kind=kind), width=1280).locator(".attn-scroll")
    assert boxes.count() == 2
    assert boxes.evaluate_all("all => all.every((box) => box.scrollWidth <= box.clientWidth)")


def test_at_360_pixels_no_kind_of_asking_is_wider_than_the_page(open_figure):
    figure = open_figure(TwoContexts(), width=360)
    for kind in ("cross", "pooling", "self"):
        figure.get_by_label("who asks").select_option(kind)
        assert figure.page.evaluate("document.documentElement.scrollWidth") == 360, kind
        assert figure.evaluate("node => node.scrollWidth <= node.clientWidth"), kind
