"""The second chapter's figure in a browser: dragged, nudged, shuffled, trained."""

import pytest
from browsers.page_functions import page_function
from page.figure_text import expect_words, words

from attn.data import load
from attn.widgets import TokenPlane

FIRST = ("“walks”", "19% at “cat”", "52% at itself", "moves 0.72", "living 0.19")
STREET = "the cat walks on the street"
GRASS = "the cat walks on the grass"
REACH = page_function(__file__, "reach")
NAME_BOXES = page_function(__file__, "nameBoxes")
HANDLE_CENTRES = page_function(__file__, "handleCentres")
ASIDE = page_function(__file__, "standsAside")
ROUNDED_DRAWING = page_function(__file__, "roundedDrawing")


def words_of_the_layer():
    """The chapter's first figure."""
    return TokenPlane(query=2)


def training():
    """Its second: the same plane, scrubbed through a training."""
    return TokenPlane(sentences=[STREET, GRASS], courses=load("embeddings")["courses"], query=2)


def column(figure, index):
    """One column of the table that is shown, as texts; 0 holds the row labels."""
    rows = figure.locator('[role="tabpanel"]:not([hidden]) tbody tr')
    return [row.locator("th, td").nth(index).inner_text() for row in rows.all()]


def drawing(figure):
    """What the plane holds, to a thousandth of a pixel."""
    return figure.locator(".attn-plane").evaluate(ROUNDED_DRAWING)


def test_it_opens_in_the_author_s_state_and_says_so(open_figure):
    figure = open_figure(words_of_the_layer())
    assert figure.locator(".attn-title").inner_text() == "Every word asks every word"
    expect_words(figure, *FIRST)
    assert column(figure, 0) == ["the", "cat", "▸ walks", "on", "the", "street"]
    assert column(figure, 2) == ["0.11", "0.70", "0.19", "0.07", "0.11", "0.10"]
    axes = figure.locator(".attn-plane .attn-axis").all_text_contents()
    assert axes == ["moves →", "↑ living"]


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("ArrowUp", "(1.00, 0.05)"),
        ("ArrowLeft", "(0.95, 0.00)"),
        ("Shift+ArrowRight", "(1.50, 0.00)"),
        ("PageDown", "(1.00, −0.75)"),
    ],
)
def test_a_word_moves_by_keyboard_and_tells_its_place(open_figure, key, place):
    figure = open_figure(words_of_the_layer())
    handle = figure.get_by_role("slider", name="vector of walks", exact=True)
    before = words(figure)
    handle.press(key)
    assert handle.get_attribute("aria-valuetext") == place
    assert words(figure) != before


def drag(figure, name, across, down):
    knob = figure.get_by_role("slider", name=f"vector of {name}").locator(".attn-knob")
    box = knob.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = figure.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + across, y + down, steps=4)
    mouse.up()
    return x, y


def test_a_word_follows_the_mouse_and_the_others_look_elsewhere(open_figure):
    figure = open_figure(words_of_the_layer())
    x, y = drag(figure, "cat", 90, 0)
    expect_words(figure, "most at “cat”")
    figure.page.mouse.move(x, y)
    expect_words(figure, "most at “cat”")  # released, it stays


def test_equal_norms_end_the_looking_elsewhere(open_figure):
    figure = open_figure(words_of_the_layer())
    drag(figure, "cat", 90, 0)
    expect_words(figure, "most at “cat”")
    figure.get_by_role("button", name="Make all norms 1").click()
    assert "not at itself" not in words(figure)


def place_of(figure, name):
    handle = figure.get_by_role("slider", name=f"vector of {name}", exact=True)
    return handle.get_attribute("aria-valuetext")


def test_words_glide_to_new_places_and_do_not_without_motion(open_figure):
    figure = open_figure(words_of_the_layer())
    figure.get_by_role("button", name="Make all norms 1").click()
    on_the_way = place_of(figure, "cat")
    assert on_the_way != "(0.58, 0.58)"
    figure.page.wait_for_function(
        "() => document.querySelector('[aria-label=\"vector of cat\"]')"
        ".getAttribute('aria-valuetext') === '(0.58, 0.58)'"
    )
    still = open_figure(words_of_the_layer(), reduced_motion="reduce")
    still.get_by_role("button", name="Make all norms 1").click()
    assert place_of(still, "cat") == "(0.58, 0.58)"


def test_a_word_that_occurs_twice_has_one_handle_and_one_output(open_figure):
    figure = open_figure(words_of_the_layer())
    figure.get_by_label("the query is").fill("0")
    assert figure.locator("g[role=slider]:visible").count() == 5
    expect_words(figure, "Both “the”")
    figure.get_by_role("tab", name="outputs").click()
    out = column(figure, 2)
    assert out[0] == out[4] != out[1]


def test_a_shuffle_moves_rows_and_leaves_the_plane(open_figure):
    figure = open_figure(words_of_the_layer())
    figure.get_by_role("tab", name="outputs").click()
    plane = drawing(figure)
    rows = set(zip(column(figure, 0), column(figure, 2), strict=True))
    order = column(figure, 0)
    figure.get_by_role("button", name="Shuffle the order").click()
    expect_words(figure, "Shuffled")
    assert set(zip(column(figure, 0), column(figure, 2), strict=True)) == rows
    assert drawing(figure) == plane
    assert sorted(order) == sorted(column(figure, 0))


def test_scores_are_the_same_read_by_rows_or_columns(open_figure):
    figure = open_figure(words_of_the_layer())
    figure.get_by_role("tab", name="scores").click()
    rows = figure.locator('[role="tabpanel"]:not([hidden]) tbody tr').all()
    table = [[cell.inner_text() for cell in row.locator("td").all()] for row in rows]
    assert table == [list(column) for column in zip(*table, strict=True)]
    assert table[1][2] == "1.00"


def test_the_query_s_slider_keeps_the_keyboard_and_walks_through_the_words(open_figure):
    figure = open_figure(words_of_the_layer())
    query = figure.get_by_label("the query is")
    query.focus()
    query.press("ArrowRight")
    assert words(figure).startswith("“on” looks")
    assert query.get_attribute("aria-valuetext") == "4: on"
    assert query.evaluate("node => node === document.activeElement")


def test_training_draws_walks_to_the_word_that_holds_the_answer(open_figure):
    figure = open_figure(training())
    expect_words(figure, "Before training", "17% at “cat”")
    figure.get_by_label("training step").press("End")
    expect_words(figure, "200 steps", "77% at “cat”")
    expect_words(figure, "4.22: yes")
    figure.get_by_label("the task asks").select_option("where")
    assert "76% at “street”" in words(figure)
    figure.get_by_label("sentence").select_option(GRASS)
    expect_words(figure, "most at “grass”")
    figure.get_by_role("slider", name="vector of cat").press("ArrowUp")
    assert words(figure).startswith("Moved by hand: ")


@pytest.mark.parametrize(
    ("widget", "control", "changed"),
    [
        (words_of_the_layer, ".attn-ask", ".attn-words"),
        (words_of_the_layer, ".attn-controls .attn-control", ".attn-panel"),
        (words_of_the_layer, ".attn-plane", ".attn-words"),
        (training, ".attn-course", ".attn-panel"),
        (training, ".attn-ask", ".attn-panel"),
    ],
)
def test_on_a_phone_a_control_is_in_view_with_what_it_changes(
    open_figure, widget, control, changed
):
    figure = open_figure(widget(), width=360)
    assert 0 < figure.evaluate(REACH, [control, changed]) <= 740


def test_on_a_phone_six_columns_fit(open_figure):
    figure = open_figure(training(), width=360)
    box = figure.locator('[role="tabpanel"]:not([hidden]) .attn-scroll')
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_play_goes_through_the_training_to_its_end_and_stops(open_figure):
    figure = open_figure(training())
    figure.get_by_label("training step").fill("12")
    figure.get_by_role("button", name="Play").click()
    assert figure.get_by_role("button", name="Pause").is_visible()
    figure.locator(".attn-words", has_text="After 200 steps").wait_for()
    figure.get_by_role("button", name="Play").wait_for()
    assert figure.get_by_label("training step").input_value() == "14"


def test_a_hand_on_the_slider_stops_play(open_figure):
    figure = open_figure(training())
    figure.get_by_role("button", name="Play").click()
    figure.get_by_label("training step").fill("9")
    figure.get_by_role("button", name="Play").wait_for()
    assert figure.get_by_label("training step").input_value() == "9"


def test_the_height_of_the_training_s_plane_says_what_it_means(open_figure):
    figure = open_figure(training())
    axes = figure.locator(".attn-plane .attn-axis").all_text_contents()
    assert axes == ["↑ alive", "↓ not alive"]


def test_the_plane_is_as_wide_on_every_tab(open_figure):
    figure = open_figure(words_of_the_layer())
    wide = set()
    for tab in ("weights", "scores", "outputs"):
        figure.get_by_role("tab", name=tab).click()
        wide.add(figure.locator(".attn-plane").bounding_box()["width"])
    assert len(wide) == 1


@pytest.mark.parametrize("query", range(6))
def test_no_name_leaves_the_plane(open_figure, query):
    figure = open_figure(TokenPlane(sentences=[STREET], query=query))
    for left, wide in figure.evaluate(NAME_BOXES):
        assert left >= 0
        assert left + wide <= 340


@pytest.mark.parametrize("step", [0, 14])
def test_no_handle_hides_another_at_any_moment_of_training(open_figure, step):
    figure = open_figure(training(), reduced_motion="reduce")
    figure.get_by_label("training step").fill(str(step))
    knobs = figure.evaluate(HANDLE_CENTRES)
    for i, (x, y, width) in enumerate(knobs):
        for u, v, _ in knobs[i + 1 :]:
            assert ((x - u) ** 2 + (y - v) ** 2) ** 0.5 > 0.6 * width


def test_a_handle_stands_at_its_point_unless_it_would_hide_another(open_figure):
    figure = open_figure(words_of_the_layer())
    for name, moved in {"cat": False, "walks": False, "on": True}.items():
        handle = figure.get_by_role("slider", name=f"vector of {name}", exact=True)
        assert handle.evaluate(ASIDE) == moved


def test_a_handle_that_stands_aside_moves_its_word_by_as_much_as_it_is_dragged(open_figure):
    figure = open_figure(words_of_the_layer())
    handle = figure.get_by_role("slider", name="vector of on", exact=True)
    box = handle.locator(".attn-knob").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = figure.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y)
    assert handle.get_attribute("aria-valuetext") == "(0.00, 0.00)"
    mouse.up()


def test_the_query_s_slider_follows_a_shuffle_that_swaps_two_equal_words(open_figure):
    figure = open_figure(TokenPlane(sentences=["on on"]))
    query = figure.get_by_label("the query is")
    figure.get_by_role("button", name="Shuffle the order").click()
    assert column(figure, 0) == ["on", "▸ on"]
    query.fill("0")
    assert column(figure, 0) == ["▸ on", "on"]
