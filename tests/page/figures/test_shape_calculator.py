"""Shapes in a browser: sliders by keyboard, products that do not fit, narrow."""

import pytest
from page.figure_text import expect_words
from page.page_limits import MOST_PIXELS

from attn.widgets import ShapeCalculator

AUTHORED = ("3 queries", "5 keys", "(3, 5)", "(3, 6)", "112", "cross-attention")

# Page pixels of each rectangle without its stroke.
DRAWN = """all => all.map((r) => {
  const [box, scale] = [r.getBBox(), r.getScreenCTM().a];
  return { width: box.width * scale, height: box.height * scale };
})"""


def lines(figure):
    """The products as written, with plain spaces."""
    shown = figure.locator(".attn-card .attn-formula").all_inner_texts()
    return [text.replace("\u00a0", " ") for text in shown]


def test_five_products_open_and_all_fit(open_figure):
    figure = open_figure(ShapeCalculator())
    expect_words(figure, *AUTHORED)
    shown = lines(figure)
    assert shown[0] == "X (3, 8) · W_q (8, 4) = Q (3, 4) ✓"
    assert shown[3] == "softmax(Q (3, 4) · Kᵀ (4, 5) / √d_k) = A (3, 5) ✓"
    assert shown[4] == "A (3, 5) · V (5, 6) = Y (3, 6) ✓"
    assert len(shown) == 5


def test_a_product_without_the_transpose_fits_only_by_accident(open_figure):
    figure = open_figure(ShapeCalculator())
    figure.get_by_label("also try").select_option("q_k")
    expect_words(figure, "Q K", "(3, 4)", "(5, 4)", "4 ≠ 5")
    failing = figure.locator('.attn-card[data-mark="writes"] .attn-formula')
    assert failing.count() == 1
    assert lines(figure)[0] == "Q (3, 4) · K (5, 4) ✗ does not fit"
    figure.get_by_label("m keys").press("ArrowLeft")
    expect_words(figure, "Q K", "accident")
    assert failing.count() == 0


@pytest.mark.parametrize(
    ("label", "result"),
    [
        ("d_model", "X (3, 9) · W_q (9, 4) = Q (3, 4) ✓"),
        ("d_k", "X (3, 8) · W_q (8, 5) = Q (3, 5) ✓"),
        ("n queries", "X (4, 8) · W_q (8, 4) = Q (4, 4) ✓"),
    ],
)
def test_an_arrow_key_moves_a_size(open_figure, label, result):
    figure = open_figure(ShapeCalculator())
    figure.get_by_label(label).press("ArrowRight")
    assert lines(figure)[0] == result


def test_rectangles_are_to_scale(open_figure):
    figure = open_figure(ShapeCalculator())
    boxes = figure.locator(".attn-card rect").evaluate_all(DRAWN)
    sizes = [(3, 8), (8, 4), (3, 4), (5, 8), (8, 4), (5, 4), (5, 8), (8, 6), (5, 6)]
    sizes += [(3, 4), (4, 5), (3, 5), (3, 5), (5, 6), (3, 6)]
    unit = boxes[0]["width"] / 8
    for box, (rows, columns) in zip(boxes, sizes, strict=True):
        assert box["width"] == pytest.approx(columns * unit, rel=0.05)
        assert box["height"] == pytest.approx(rows * unit, rel=0.05)


def test_the_sizes_of_2017_are_one_button_away_and_reset_returns(open_figure):
    figure = open_figure(ShapeCalculator())
    figure.get_by_role("button", name="512 → 64, as in 2017").click()
    expect_words(figure, "98,304")
    assert figure.locator("svg").evaluate_all(
        "all => all.every((s) => s.getBBox().width <= 340 && s.getBBox().height <= 130)"
    )
    figure.get_by_role("button", name="Reset").click()
    expect_words(figure, *AUTHORED)


def test_at_360_pixels_the_largest_sizes_still_fit(open_figure):
    figure = open_figure(ShapeCalculator(), width=360)
    for label in ("d_model", "d_k", "d_v", "n queries", "m keys"):
        figure.get_by_label(label, exact=True).press("End")
    expect_words(figure, "64 queries", "64 keys")
    assert figure.evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize("product", ["q_k", "q_v", "at_v", "v_a", "residual"])
def test_on_a_desk_a_tried_product_still_fits_the_screen_at_any_size(open_figure, product):
    figure = open_figure(ShapeCalculator(product=product))
    opened = figure.bounding_box()["height"]
    for label in ("d_model", "d_k", "d_v", "n queries", "m keys"):
        figure.get_by_label(label, exact=True).press("End")
    assert figure.bounding_box()["height"] == pytest.approx(opened, abs=1)
    assert opened <= MOST_PIXELS - 1
