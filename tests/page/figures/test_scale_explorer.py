"""The fourth chapter's figure in a browser."""

from page.figure_text import expect_words

from attn.widgets import ScaleExplorer

PLOTS = ".attn-plot[role=img]"


def test_it_opens_with_the_two_entries_of_the_layer_s_head(open_figure):
    figure = open_figure(ScaleExplorer())
    expect_words(figure, "1.48", "42% to key 14", "1.41", "1.04", "28% to key 14")


def test_an_arrow_key_doubles_d_k(open_figure):
    figure = open_figure(ScaleExplorer(d_k=64))
    slider = figure.get_by_label("key size d_k")
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "128"
    expect_words(figure, "128", "11.26")


def test_raw_and_divided_stand_side_by_side_on_a_desk_and_on_a_phone(open_figure):
    for width in (1280, 360):
        figure = open_figure(ScaleExplorer(d_k=64), width=width, height=740)
        raw, divided = (one.bounding_box() for one in figure.locator(".attn-way").all())
        assert raw["y"] == divided["y"]
        assert raw["x"] + raw["width"] <= divided["x"]
        labels = [one.get_attribute("aria-label") for one in figure.locator(PLOTS).all()]
        assert ["spread 7.99" in labels[0], "spread 1.00" in labels[2]] == [True, True]


def test_what_lies_off_the_chart_is_told(open_figure):
    figure = open_figure(ScaleExplorer(d_k=64))
    assert "off the chart" not in figure.inner_text()
    figure.get_by_label("key size d_k").press("End")
    raw, divided = figure.locator(".attn-way").all()
    assert "31% off the chart" in raw.inner_text()
    assert "off the chart" not in divided.inner_text()


def test_each_query_has_its_own_weights(open_figure):
    figure = open_figure(ScaleExplorer())
    figure.get_by_label("query to look at").press("ArrowRight")
    expect_words(figure, "query 2")
    assert "Weights of query 2, raw" in figure.locator(PLOTS).nth(1).get_attribute("aria-label")


def test_its_height_stays_while_d_k_moves(open_figure):
    for width in (1280, 360):
        figure = open_figure(ScaleExplorer(), width=width, height=740)
        places = set()
        for exponent in range(11):
            figure.get_by_label("key size d_k").fill(str(exponent))
            places.add(figure.locator(PLOTS).last.bounding_box()["y"])
        assert len(places) == 1
