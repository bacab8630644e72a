"""TrainingScrubber in a browser."""

from page.figure_text import words

from attn.widgets import TrainingScrubber


def test_scrubbing_changes_maps_sentences_and_words_and_moves_nothing(open_figure):
    figure = open_figure(TrainingScrubber())
    slider = figure.get_by_label("steps of training")
    before, seen = slider.bounding_box(), set()
    for moment in (0, 6, 8, 15):
        slider.fill(str(moment))
        step = TrainingScrubber.constants["steps"][moment]
        assert words(figure).startswith(f"After {step} steps" if step else "Before training")
        shades = figure.locator(".attn-maps rect").evaluate_all("all => all.map(r => r.style.fill)")
        seen.add((*shades, *figure.locator(".attn-written li").all_inner_texts()))
        assert slider.bounding_box() == before
    assert len(seen) == 4


def test_what_it_writes_is_marked_right_or_wrong(open_figure):
    figure = open_figure(TrainingScrubber(moment=6))
    shot = TrainingScrubber.constants["arms"]["free"]["shots"][6]
    marks = [text[0] for text in figure.locator(".attn-written li").all_inner_texts()]
    assert marks == ["✓" if right else "✗" for right in shot["right"]]


def test_the_other_data_end_with_a_wrong_verb(open_figure):
    figure = open_figure(TrainingScrubber(moment=15))
    assert "no longer lets the nearest noun decide" in words(figure)
    figure.get_by_label("trained on sentences where").select_option("never")
    assert "lets the nearest noun decide" in words(figure)


def test_play_goes_on_from_the_moment_shown(open_figure):
    figure = open_figure(TrainingScrubber(moment=13))
    figure.get_by_role("button", name="Play").click()
    figure.locator("output", has_text="After 800 steps").wait_for()
