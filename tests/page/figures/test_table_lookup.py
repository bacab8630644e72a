"""The first chapter's table in a browser: three lookups side by side, their rows and their SQL."""

import pytest
from page.figure_text import expect_words

from attn.widgets import TableLookup


def answers(figure):
    return figure.locator(".attn-answer").all_text_contents()


def shares(figure):
    return figure.locator(".attn-share").all_text_contents()


def ask(figure, kind):
    figure.get_by_role("button", name=kind).click()


def test_it_opens_where_all_three_agree(open_figure):
    figure = open_figure(TableLookup())
    assert answers(figure) == ["20", "20", "20.00"]
    expect_words(figure, "20")


def test_three_answers_to_one_query_stand_side_by_side(open_figure):
    figure = open_figure(TableLookup(query_angle=45))
    assert answers(figure) == ["no row", "10", "15.01"]


@pytest.mark.parametrize(
    ("kind", "lit", "weights"),
    [
        ("exact", 0, ["0", "0", "0"]),
        ("nearest", 1, ["0", "1", "0"]),
        ("soft", 3, ["0.169", "0.830", "0.001"]),
    ],
)
def test_each_lookup_lights_the_rows_that_count(open_figure, kind, lit, weights):
    figure = open_figure(TableLookup(query_angle=58))
    ask(figure, kind)
    assert figure.locator("tr[data-lit]").count() == lit
    assert shares(figure) == weights
    pressed = figure.locator(".attn-button[aria-pressed=true]")
    assert pressed.inner_text().startswith(kind)


def test_the_statement_follows_the_wind(open_figure):
    figure = open_figure(TableLookup())
    sql = figure.locator(".attn-sql")
    assert sql.inner_text() == "SELECT value\nFROM notebook\nWHERE key = 'north'"
    figure.get_by_label("wind from").fill("45")
    assert "WHERE key = 'north-east'" in sql.inner_text()
    ask(figure, "nearest")
    assert "ORDER BY x*0.71 + y*0.71 DESC" in sql.inner_text()
    ask(figure, "soft")
    assert "exp(5 * (\n  x*0.71 + y*0.71)) AS e" in sql.inner_text()


@pytest.mark.parametrize("width", [1280, 360])
def test_no_wind_and_no_lookup_changes_the_height(open_figure, width):
    figure = open_figure(TableLookup(), width=width, height=740)
    heights = set()
    for kind in ("exact", "nearest", "soft"):
        ask(figure, kind)
        for angle in ("-135", "-37", "0", "45", "90"):
            figure.get_by_label("wind from").fill(angle)
            heights.add(round(figure.bounding_box()["height"]))
    assert len(heights) == 1
    assert max(heights) <= 740, "its control and what it changes fit one phone screen"
