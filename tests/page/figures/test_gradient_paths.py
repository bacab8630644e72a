"""GradientPaths in a browser."""

from page.figure_text import CUT_WORDS, expect_words, words

from attn.widgets import GradientPaths


def test_the_end_key_leads_to_the_last_output(open_figure):
    figure = open_figure(GradientPaths())
    figure.get_by_role("slider", name="output n").press("End")
    expect_words(figure, "200", "199")
    assert "8.6·10⁻⁷³ through the RNN" in words(figure)


def test_a_keep_bias_of_6_leaves_the_lstm_above_attention(open_figure):
    figure = open_figure(GradientPaths(n=200))
    figure.get_by_label("keep bias").press("End")
    assert "0.0081 through attention" in words(figure)
    assert "0.84 through the LSTM" in words(figure)


def test_the_top_of_the_axis_shows_attention_fall_and_cuts_off_the_rnn(open_figure):
    figure = open_figure(GradientPaths(n=200))
    assert figure.locator(".attn-chart circle[r='4']").count() == 4
    figure.get_by_label("axis").select_option("top")
    assert figure.locator(".attn-chart circle[r='4']").count() == 1
    assert figure.locator(".attn-limit").count() == 0


def test_no_words_in_a_picture_leave_it(open_figure):
    figure = open_figure(GradientPaths(n=200))
    assert figure.evaluate(CUT_WORDS) == []
