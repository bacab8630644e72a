"""What a drawing keeps glides to its new place; what it replaces fades in; or nothing moves."""

import pytest
from browsers.page_functions import page_function

from attn.widgets import CostTable, GradientPaths, LinearState, ReceptiveField

DURATIONS = page_function(__file__, "durationsAfterKey")
MOVED = [
    (GradientPaths, "output n"),
    (GradientPaths, "random draw"),
    (CostTable, "size d"),
    (CostTable, "tokens n"),
    (ReceptiveField, "layers"),
    (ReceptiveField, "output"),
    (LinearState, "words read"),
]


@pytest.mark.parametrize(("widget", "label"), MOVED)
def test_a_change_takes_200_to_400_milliseconds(open_figure, widget, label):
    figure = open_figure(widget())
    slider = figure.get_by_label(label, exact=True)
    durations = slider.evaluate(DURATIONS)
    assert durations
    assert min(durations) >= 200
    assert max(durations) <= 400


@pytest.mark.parametrize(("widget", "label"), MOVED)
def test_nothing_moves_for_whoever_asked_for_less_motion(open_figure, widget, label):
    figure = open_figure(widget(), reduced_motion="reduce")
    assert figure.get_by_label(label, exact=True).evaluate(DURATIONS) == []


@pytest.mark.parametrize("widget", [GradientPaths, CostTable])
def test_lines_stay_the_same_nodes(open_figure, widget):
    figure = open_figure(widget())
    lines = figure.locator("svg path.attn-glides")
    lines.evaluate_all("all => all.forEach((node, i) => { node.stood = i; })")
    before = lines.first.get_attribute("d")
    figure.locator("input[type=range]").nth(1).press("ArrowRight")
    assert lines.evaluate_all("all => all.every((node, i) => node.stood === i)")
    figure.get_by_role("button", name="Reset").click()
    assert lines.first.get_attribute("d") == before


def test_a_number_that_changed_is_a_new_cell_and_one_that_did_not_stays(open_figure):
    figure = open_figure(LinearState())
    cells = figure.locator('[data-card="state"] tbody td')
    cells.evaluate_all("all => all.forEach((cell) => { cell.stood = true; })")
    before = cells.all_inner_texts()
    figure.get_by_label("words read", exact=True).press("ArrowRight")
    after = cells.all_inner_texts()
    stood = cells.evaluate_all("all => all.map((cell) => cell.stood === true)")
    assert stood == [one == other for one, other in zip(before, after, strict=True)]
    assert not all(stood)
