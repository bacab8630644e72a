"""TrainLive in a browser: it learns when asked, stops when asked, and lets the page breathe."""

import re

from browsers.page_functions import page_function
from browsers.polling import eventually
from page.figure_text import words
from playwright.sync_api import expect

from attn.widgets import TrainLive

STEPS_PER_FRAME = page_function(__file__, "stepsPerFrame")
WEIGHTS_OF = page_function(__file__, "weightsOf")
COUNT_DRAWINGS = page_function(__file__, "countDrawings")
DRAWINGS_AND_SECONDS = page_function(__file__, "drawingsAndSeconds")


def button(figure, name):
    return figure.get_by_role("button", name=name)


def step(figure):
    return int(figure.locator(".attn-readings b").first.inner_text())


def reach(figure, count):
    eventually(f"{count} steps", lambda: step(figure), until=lambda seen: seen >= count)


def saturate(figure):
    """Play until the figure says so; what it says."""
    button(figure, "Play").click()
    said = "Saturated: the weights are one-hot"
    return eventually("saturation", lambda: words(figure), until=lambda seen: said in seen)


def run_to(figure, count):
    """Play until so many steps are taken, then pause."""
    button(figure, "Play").click()
    reach(figure, count)
    button(figure, "Pause").click()


def test_play_learns_to_reverse_until_each_place_looks_at_its_mirror(open_figure):
    figure = open_figure(TrainLive(rate=0.003))
    assert "untrained" in words(figure)
    run_to(figure, 250)
    assert "Solved by step" in words(figure)
    assert figure.locator(".attn-answers [data-wrong]").count() == 0
    for i, row in enumerate(figure.locator(".attn-heat tr").all()):
        shares = row.evaluate(WEIGHTS_OF)
        assert shares.index(max(shares)) == 7 - i
        assert max(shares) > 0.5


def test_pause_stops_and_step_takes_one(open_figure):
    figure = open_figure(TrainLive())
    run_to(figure, 5)
    stopped = step(figure)
    figure.page.wait_for_timeout(300)
    assert step(figure) == stopped
    button(figure, "Step").click()
    assert step(figure) == stopped + 1
    assert words(figure).startswith(f"Step {stopped + 1}. ")


def test_step_while_it_plays_pauses_it(open_figure):
    figure = open_figure(TrainLive())
    button(figure, "Play").click()
    reach(figure, 3)
    button(figure, "Step").click()
    stopped = step(figure)
    expect(button(figure, "Play")).to_be_visible()
    figure.page.wait_for_timeout(200)
    assert step(figure) == stopped


def test_a_restart_with_the_same_seed_gives_the_same_numbers(open_figure):
    figure = open_figure(TrainLive())
    for _ in range(12):
        button(figure, "Step").click()
    first = words(figure), figure.locator(".attn-line").get_attribute("d")
    button(figure, "Restart").click()
    assert step(figure) == 0
    for _ in range(12):
        button(figure, "Step").click()
    assert (words(figure), figure.locator(".attn-line").get_attribute("d")) == first
    figure.get_by_label("seed").press("ArrowRight")
    assert step(figure) == 0
    for _ in range(12):
        button(figure, "Step").click()
    assert figure.locator(".attn-line").get_attribute("d") != first[1]


def test_the_page_s_numbers_are_python_s(open_figure):
    figure = open_figure(TrainLive(step=12))
    reach(figure, 12)
    assert f"loss {TrainLive(step=12).losses[-1]:.2f} on its last batch" in words(figure)


def test_without_positions_it_stays_at_its_ceiling(open_figure):
    figure = open_figure(TrainLive(positions=False, rate=0.003))
    run_to(figure, 400)
    assert "more often than 32%" in words(figure)
    right = int(re.search(r"(\d+)% of the digits", words(figure))[1])
    assert 20 <= right <= 35


def test_at_a_rate_of_0_1_it_learns_and_then_saturates_and_says_so(open_figure):
    said = saturate(open_figure(TrainLive(rate=0.1)))
    assert re.search(r"median norm over 50 steps: [\d.]+·10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+\)", said)
    assert "It had solved the task by step 20." in said


def test_two_heads_split_who_and_whom(open_figure):
    figure = open_figure(TrainLive(task="whom", rate=0.01, heads=2))
    run_to(figure, 120)
    assert "Solved by step" in words(figure)
    assert figure.locator(".attn-heat").count() == 2


def test_a_setting_that_is_changed_begins_anew_and_goes_on_playing(open_figure):
    figure = open_figure(TrainLive())
    button(figure, "Play").click()
    reach(figure, 60)
    figure.get_by_label("rate").press("ArrowRight")
    assert step(figure) < 40
    reach(figure, 60)
    assert "Rate 0.003" in words(figure)


def test_a_frame_takes_a_few_steps_and_the_page_answers_meanwhile(open_figure):
    figure = open_figure(TrainLive())
    button(figure, "Play").click()
    reach(figure, 3)
    assert 1 <= figure.evaluate(STEPS_PER_FRAME, 40) <= 24
    box = figure.get_by_label("positions")
    box.click()
    assert not box.is_checked()
    button(figure, "Pause").click()
    expect(button(figure, "Play")).to_be_visible()


def test_out_of_sight_it_waits(open_figure):
    figure = open_figure(TrainLive())
    figure.page.evaluate("document.body.style.paddingBottom = '3000px'")
    button(figure, "Play").click()
    reach(figure, 3)
    figure.page.evaluate("scrollTo(0, 2500)")
    figure.page.wait_for_timeout(300)
    stopped = step(figure)
    figure.page.wait_for_timeout(500)
    assert step(figure) == stopped
    figure.page.evaluate("scrollTo(0, 0)")
    reach(figure, stopped + 3)


def test_a_reader_who_wants_no_motion_sees_it_learn_in_few_drawings(open_figure):
    figure = open_figure(TrainLive(), reduced_motion="reduce")
    figure.evaluate(COUNT_DRAWINGS)
    button(figure, "Play").click()
    reach(figure, 40)
    drawings, seconds = figure.evaluate(DRAWINGS_AND_SECONDS)
    assert drawings <= 2 * seconds + 3


def test_its_box_keeps_its_height_while_it_learns(open_figure):
    figure = open_figure(TrainLive(rate=0.1))
    before = figure.bounding_box()
    saturate(figure)
    assert figure.bounding_box() == before


def test_a_setting_from_outside_begins_anew(open_figure):
    """As a link or a notebook makes it: the step stays, and it belongs to another run."""
    figure = open_figure(TrainLive(step=30))
    reach(figure, 30)
    figure.page.evaluate("location.hash = '#TrainLive?rate=0.01'")
    eventually("step 0", lambda: words(figure), until=lambda said: said.startswith("Step 0. "))
    assert "Rate 0.01, " in words(figure)
