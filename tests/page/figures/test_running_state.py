"""RunningState in a browser."""

from page.figure_text import words
from playwright.sync_api import expect

from attn.widgets import RunningState


def test_play_reads_the_sentence_to_its_end_and_the_first_word_fades(open_figure):
    figure = open_figure(RunningState())
    first = figure.locator(".attn-bar[data-first] .attn-number")
    assert first.inner_text() == "50%"
    figure.get_by_role("button", name="Play").click()
    expect(first).to_have_text("1.6%", timeout=15_000)
    assert words(figure).startswith("6 of 6 words read")
    expect(figure.get_by_role("button", name="Play")).to_be_visible()


def test_words_to_come_have_empty_columns_and_nothing_moves(open_figure):
    figure = open_figure(RunningState())
    assert figure.locator(".attn-heat-cell[data-later]").count() == 8 * 5
    slider = figure.get_by_label("keep g")
    before = slider.bounding_box()
    figure.get_by_label("words read").press("End")
    assert figure.locator(".attn-heat-cell[data-later]").count() == 0
    slider.press("End")
    assert slider.bounding_box() == before
