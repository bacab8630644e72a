"""TileStepper in a browser."""

from page.figure_text import expect_words
from playwright.sync_api import expect

from attn.widgets import TileStepper


def bars(figure):
    return figure.locator(".attn-key-row[data-state] .attn-number").all_inner_texts()


def test_a_larger_score_shrinks_what_was_added_before(open_figure):
    figure = open_figure(TileStepper())
    assert bars(figure)[:4] == ["0.37", "0.14", "1.00", "0.37"]
    figure.get_by_label("scores read").press("ArrowRight")
    assert bars(figure)[:5] == ["0.05", "0.02", "0.14", "0.05", "1.00"]
    expect_words(figure, "0.135")


def test_play_reads_to_the_end_and_the_answer_is_the_ordinary_one(open_figure):
    figure = open_figure(TileStepper(step=6))
    figure.get_by_role("button", name="Play").click()
    answer = f"{TileStepper().answer:.2f}"
    expect(figure.locator(".attn-now")).to_have_text(f"y = u ÷ ℓ = {answer}", timeout=15_000)
    expect_words(figure, "8 of 8", "all 8")


def test_a_block_is_held_until_it_is_full_and_nothing_moves(open_figure):
    figure = open_figure(TileStepper(step=3, block=4))
    assert figure.locator('[data-state="held"]').count() == 3
    assert figure.locator("[data-starts]").count() == 1
    reader = figure.get_by_label("scores read")
    before = reader.bounding_box()
    reader.press("ArrowRight")
    assert figure.locator('[data-state="held"]').count() == 0
    assert figure.locator('[data-state="added"]').count() == 4
    assert reader.bounding_box() == before


def test_a_reader_s_own_score_changes_the_running_numbers(open_figure):
    figure = open_figure(TileStepper(step=8))
    figure.get_by_label("s₁", exact=True).press("End")
    assert bars(figure)[0] == "1.00"
    expected = TileStepper(step=8, scores=[5.0, 0.0, 2.0, 1.0, 4.0, 0.0, 3.0, 2.0]).answer
    expect_words(figure, f"{expected:.2f}")
