"""BlockCost in a browser."""

from page.figure_text import expect_words

from attn.widgets import BlockCost


def test_more_tokens_move_work_to_scores_and_leave_the_parameters(open_figure):
    figure = open_figure(BlockCost())
    bars = figure.locator(".attn-bar")
    before = bars.all_inner_texts()
    figure.get_by_role("slider", name="tokens n").press("End")
    after = bars.all_inner_texts()
    assert before[:3] == after[:3]
    assert before[3:] != after[3:]
    expect_words(figure, "3,072")


def test_the_bars_of_a_group_fill_one_track(open_figure):
    figure = open_figure(BlockCost(n=2048))
    widths = [
        float(bar.get_attribute("style").split(":")[1].rstrip("%; "))
        for bar in figure.locator(".attn-fill").all()
    ]
    assert abs(sum(widths[:3]) - 100) < 0.01
    assert abs(sum(widths[3:]) - 100) < 0.01
