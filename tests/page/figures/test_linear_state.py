"""LinearState in a browser."""

from page.figure_text import words

from attn.widgets import LinearState


def test_the_key_size_can_be_moved_in_one_go(open_figure):
    figure = open_figure(LinearState())
    slider = figure.get_by_label("key size d_k")
    before = slider.bounding_box()
    for d_k in (3, 2, 1):
        slider.press("ArrowLeft")
        assert f"The state holds {d_k} × 3" in figure.locator("output").inner_text()
    assert slider.bounding_box() == before
    assert figure.locator('[data-card="state"] tbody tr:visible').count() == 1


def test_the_state_keeps_its_size_and_the_row_of_its_word_is_marked(open_figure):
    figure = open_figure(LinearState())
    assert figure.locator('[data-card="added"] td').all_inner_texts() != (
        figure.locator('[data-card="state"] td').all_inner_texts()
    )
    for step in range(1, 7):
        figure.get_by_label("words read").fill(str(step))
        assert words(figure).startswith(f"{step} of 6 words read")
        assert "4 × 3 = 12 numbers" in words(figure)
        read = figure.locator('[data-card="state"] tfoot tr').last.locator("td").all_inner_texts()
        assert f"reads ({', '.join(read[:3])}) from the state" in words(figure)
        marked = figure.locator(".attn-heat tr[data-on] th").all_inner_texts()
        assert [text.split()[0].lstrip("▸") for text in marked] == [str(step)]
