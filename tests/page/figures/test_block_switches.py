"""BlockSwitches in a browser."""

from browsers.page_functions import page_function
from page.figure_text import CUT_WORDS, expect_words

from attn.widgets import BlockSwitches

TOO_WIDE = page_function(__file__, "tooWide")


def rows(figure):
    return [row.inner_text().split() for row in figure.locator(".attn-tokens tbody tr").all()]


def test_the_end_key_leads_to_six_equal_rows(open_figure):
    figure = open_figure(BlockSwitches())
    names = ["the", "cat", "walks", "on", "the", "street", "mean"]
    assert [row[0] for row in rows(figure)] == names
    assert len({tuple(row[1:]) for row in rows(figure)}) == 7
    figure.get_by_role("slider", name="layers passed").press("End")
    assert len({tuple(row[1:]) for row in rows(figure)}) == 1
    expect_words(figure, "10⁻¹⁴")


def test_the_switches_keep_the_rows_apart(open_figure):
    figure = open_figure(BlockSwitches(layer=12))
    figure.get_by_label("residual").check()
    expect_words(figure, "0.011")
    figure.get_by_label("layer norm").select_option("pre")
    figure.get_by_label("feed-forward").check()
    expect_words(figure, "0.60")
    assert len({tuple(row[1:]) for row in rows(figure)}) == 7


def test_the_chart_s_point_follows_the_layer_and_its_axis_the_menu(open_figure):
    figure = open_figure(BlockSwitches())
    point = figure.locator(".attn-chart circle")
    before = float(point.get_attribute("cy"))
    figure.get_by_role("slider", name="layers passed").press("End")
    assert float(point.get_attribute("cy")) > before + 150
    assert "10⁻¹⁶" in figure.locator(".attn-chart").text_content()
    figure.get_by_label("axis").select_option("linear")
    assert "0.75" in figure.locator(".attn-chart").text_content()


def test_no_line_runs_ahead_of_the_layers_passed(open_figure):
    figure = open_figure(BlockSwitches())
    slider = figure.get_by_role("slider", name="layers passed")
    chart = figure.locator(".attn-chart")

    def points():
        lines = chart.locator(".attn-line").all()
        return [line.get_attribute("d").count("L") + 1 for line in lines]

    assert points() == [1, 1, 1]
    assert "10⁻" not in chart.get_attribute("aria-label")
    slider.press("ArrowRight")
    assert points() == [2, 2, 2]
    assert "after 1 of 12 layers: this stack 0.091" in chart.get_attribute("aria-label")
    slider.press("End")
    assert points() == [13, 13, 13]


def test_no_control_moves_the_controls(open_figure):
    figure = open_figure(BlockSwitches())
    slider = figure.get_by_role("slider", name="draw")
    before = slider.bounding_box()
    figure.get_by_role("slider", name="layers passed").press("End")
    figure.get_by_label("residual").check()
    figure.get_by_label("layer norm").select_option("post")
    assert slider.bounding_box() == before
    assert figure.evaluate(CUT_WORDS) == []


def test_no_number_is_wider_than_its_cell_on_a_phone(open_figure):
    figure = open_figure(BlockSwitches(layer=12), width=360, height=740)
    assert figure.evaluate(TOO_WIDE) == 0
