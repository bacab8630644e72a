"""The first chapter's figure in a browser: by mouse, by keyboard, by finger."""

import pytest
from page.figure_text import expect_words, words

from attn.palette import ROLES
from attn.widgets import SoftLookup

AUTHORED = ("67% at key 1", "24% at key 2", "9% at key 3", "14.25", "0.832", "1.099")


def place(figure):
    """Centre of the query's handle on the screen."""
    box = figure.locator(".attn-knob").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_it_opens_in_the_author_s_state_and_says_so(open_figure):
    figure = open_figure(SoftLookup())
    assert figure.locator(".attn-title").inner_text() == "Soft lookup: one query, every key"
    expect_words(figure, *AUTHORED)


@pytest.mark.parametrize(("beta", "answer"), [("0", "20.00"), ("2", "11.49"), ("5", "10.07")])
def test_sharpness_moves_the_answer_from_the_mean_to_the_best_key(open_figure, beta, answer):
    figure = open_figure(SoftLookup())
    figure.get_by_label("sharpness β").fill(beta)
    expect_words(figure, answer)


@pytest.mark.parametrize(
    ("key", "angle"),
    [("ArrowUp", "1°"), ("ArrowLeft", "−1°"), ("PageUp", "15°"), ("PageDown", "−15°")],
)
def test_the_handle_turns_by_keyboard_and_tells_its_angle(open_figure, key, angle):
    figure = open_figure(SoftLookup())
    handle = figure.locator('g[role="slider"]')
    handle.press(key)
    assert handle.get_attribute("aria-valuetext") == angle
    assert figure.locator(".attn-reading").first.inner_text() == angle


def test_the_query_follows_the_mouse_to_the_second_key(open_figure):
    figure = open_figure(SoftLookup())
    mouse = figure.page.mouse
    plane = figure.locator(".attn-plane").bounding_box()
    mouse.move(*place(figure))
    mouse.down()
    mouse.move(plane["x"] + plane["width"] / 2 + 40, plane["y"] + plane["height"] / 2 - 40, steps=4)
    assert figure.locator(".attn-reading").first.inner_text() == "45°"
    mouse.move(plane["x"] + plane["width"] / 2, plane["y"] + 5, steps=4)
    mouse.up()
    expect_words(figure, "58% at key 2")
    mouse.move(plane["x"] + 5, plane["y"] + plane["height"] / 2)
    assert figure.locator(".attn-reading").first.inner_text() == "90°", "released, it stays"


def test_the_query_follows_a_finger(open_figure):
    figure = open_figure(SoftLookup(), has_touch=True)
    x, y = place(figure)
    session = figure.page.context.new_cdp_session(figure.page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x, "y": y - 60}]),
        ("touchMove", [{"x": x - 30, "y": y - 90}]),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert figure.locator(".attn-reading").first.inner_text() != "0°"
    assert figure.page.evaluate("document.querySelector('.attn-handle').matches(':focus')")


def test_sparsemax_leaves_far_keys_exactly_nothing(open_figure):
    figure = open_figure(SoftLookup())
    figure.get_by_label("scores to weights").select_option("sparsemax")
    assert "100% at key 1, 0% at key 2 and 0% at key 3" in words(figure)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_role_wears_its_theme_s_colour(open_figure, theme):
    figure = open_figure(SoftLookup(), theme=theme)
    expected = getattr(ROLES["key"], theme)
    rgb = tuple(int(expected[i : i + 2], 16) for i in (1, 3, 5))
    colour = figure.locator(".attn-bar-label").first.evaluate("n => getComputedStyle(n).color")
    assert colour == f"rgb{rgb}"


def test_each_key_s_score_times_beta_stands_before_its_weight(open_figure):
    figure = open_figure(SoftLookup())
    scores = figure.locator(".attn-score")
    assert scores.all_text_contents() == ["β·score 1.00", "β·score 0.00", "β·score −1.00"]
    figure.get_by_label("sharpness β").fill("5")
    assert scores.all_text_contents() == ["β·score 5.00", "β·score 0.00", "β·score −5.00"]


def test_a_plain_figure_has_no_menu_of_rules(open_figure):
    assert open_figure(SoftLookup()).get_by_label("scores to weights").count() == 1
    assert open_figure(SoftLookup(plain=True)).get_by_label("scores to weights").count() == 0
