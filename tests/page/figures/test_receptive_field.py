"""The eighth chapter's stack of convolutions in a browser."""

import pytest
from page.figure_text import expect_words, words

from attn.widgets import ReceptiveField


def test_more_layers_hear_more(open_figure):
    figure = open_figure(ReceptiveField())
    assert "output 17 hears 7 of 33 inputs" in words(figure)
    figure.get_by_label("layers", exact=True).press("ArrowRight")
    assert "output 17 hears 9 of 33 inputs" in words(figure)
    marked = figure.locator("svg").first.locator("circle[data-on]")
    assert marked.count() == 1 + 3 + 5 + 7 + 9


def test_the_slider_of_sizes_goes_by_two(open_figure):
    figure = open_figure(ReceptiveField())
    slider = figure.get_by_label("kernel size s")
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "5"
    expect_words(figure, "5 cells", "13")


def test_doubling_steps_hear_all_in_five_layers(open_figure):
    figure = open_figure(ReceptiveField(layers=5))
    figure.get_by_label("doubling steps").check()
    assert "output 17 hears 33 of 33 inputs, 100%" in words(figure)
    expect_words(figure, "33 of 33", "fewer")


@pytest.mark.parametrize("width", [1280, 360])
def test_it_keeps_its_height_while_its_sliders_move(open_figure, width):
    figure = open_figure(ReceptiveField(), width=width)
    high = figure.bounding_box()["height"]
    for label, key in (("layers", "End"), ("kernel size s", "End"), ("output", "Home")):
        figure.get_by_label(label, exact=True).press(key)
        assert figure.bounding_box()["height"] == high
    figure.get_by_label("doubling steps").check()
    assert figure.bounding_box()["height"] == high
