"""LinearState in a browser."""

from attn.widgets import LinearState


def words(figure):
    return figure.locator("output").inner_text()


def test_the_state_keeps_its_size_and_the_row_of_its_word_is_marked(open_figure):
    figure = open_figure(LinearState())
    for step in range(1, 7):
        figure.get_by_label("words read").fill(str(step))
        assert words(figure).startswith(f"{step} of 6 words read")
        assert "4 × 3 = 12 numbers" in words(figure)
        marked = figure.locator(".attn-heat tr[data-on] th").all_inner_texts()
        assert [text.split()[0].lstrip("▸") for text in marked] == [str(step)]
