"""HeadBrowser in a browser: its files, its gallery, its two views."""

from itertools import pairwise

import pytest
from page.figure_text import SMALL_WORDS, expect_words, words
from playwright.sync_api import expect

from attn.widgets import HeadBrowser


def data_requests(figure):
    return [url.rsplit("/", 1)[1] for url in figure.page.record.requests if url.endswith(".bin")]


def test_only_the_chosen_sentence_is_fetched_and_once(open_figure):
    figure = open_figure(HeadBrowser())
    assert data_requests(figure) == ["tired.bin"]
    for sentence in ("verb", "tired", "verb"):
        figure.get_by_label("sentence").select_option(sentence)
        expect(figure.locator(".attn-portrait .attn-of-key")).to_have_count(
            {"verb": 6, "tired": 15}[sentence]
        )
    assert data_requests(figure) == ["tired.bin", "verb.bin"]


def test_nothing_is_fetched_before_the_reader_comes_near(open_figure):
    figure = open_figure(HeadBrowser())
    page = figure.page
    page.add_init_script(
        "new MutationObserver(() => document.body?.style.setProperty('padding-top', '4000px'))"
        ".observe(document, { childList: true, subtree: true })"
    )
    page.record.requests.clear()
    page.reload()
    figure.locator("output").wait_for()
    expect(figure.locator("output")).to_contain_text("on their way")
    assert data_requests(figure) == []
    figure.scroll_into_view_if_needed()
    expect(figure.locator("output")).to_contain_text("looks most at")
    assert data_requests(figure) == ["tired.bin"]


def test_arrow_keys_go_from_head_to_head_and_the_gallery_is_one_stop(open_figure):
    figure = open_figure(HeadBrowser())
    gallery = figure.locator(".attn-gallery")
    assert gallery.locator('[tabindex="0"]').count() == 1
    gallery.locator('[tabindex="0"]').press("ArrowDown")
    assert words(figure).startswith("Layer 2, head 3")
    figure.page.keyboard.press("ArrowLeft")
    assert words(figure).startswith("Layer 2, head 2")
    assert (
        gallery.locator('[aria-pressed="true"]')
        .get_attribute("aria-label")
        .startswith("layer 2, head 2: ")
    )


def test_a_click_on_a_row_follows_its_query_in_both_views(open_figure):
    figure = open_figure(HeadBrowser(layer=4, head=2, query=1))
    figure.locator(".attn-weight-cell").nth(15 * 9 + 5).click()
    expect_words(figure, "“it”", "“animal”", "69%")
    figure.get_by_label("draw as").select_option("arcs")
    assert figure.locator(".attn-arc[data-on]").count() == 15
    figure.locator(".attn-row-hit").nth(2).click()
    expect_words(figure, "“animal”", "%")


def test_heads_that_do_not_pass_are_faded_and_counted(open_figure):
    figure = open_figure(HeadBrowser(sentence="verb", sinks="others"))
    assert figure.locator(".attn-small-head[data-back]").count() == 49
    expect_words(figure, "23 of 72")
    figure.get_by_label("weight on the first token").select_option("sinks")
    expect_words(figure, "49 of 72", "not")
    figure.get_by_label("times the norm of what is handed over").check()
    expect_words(figure, "2 of 72", "not")


def test_another_sentence_keeps_the_query_s_word(open_figure):
    figure = open_figure(HeadBrowser(layer=4, head=2))
    for sentence, token in (("passive-wide", 11), ("near", 10), ("passive-tired", 11)):
        figure.get_by_label("sentence").select_option(sentence)
        expect(figure.locator("output")).to_contain_text("“it” looks most at")
        assert figure.get_by_label("query").input_value() == str(token)
    figure.get_by_label("sentence").select_option("verb")  # which has no such word, nor a token 11
    assert figure.get_by_label("query").get_attribute("aria-valuetext") == "[SEP]"


def test_norms_turn_weights_into_shares(open_figure):
    figure = open_figure(HeadBrowser(layer=4, head=2, view="arcs"))
    assert figure.locator(".attn-portrait [data-heading]").all_text_contents()[-1] == "weight"
    figure.get_by_label("times the norm of what is handed over").check()
    assert figure.locator(".attn-portrait [data-heading]").all_text_contents()[-1] == "share"
    expect_words(figure, "“it”", "“animal”")


def test_a_file_that_does_not_come_is_told_and_tried_again(open_figure):
    figure = open_figure(HeadBrowser())
    page = figure.page
    page.route("**/verb.bin", lambda route: route.abort())
    figure.get_by_label("sentence").select_option("verb")
    expect(figure.locator("output")).to_contain_text("could not be loaded")
    page.unroute("**/verb.bin")
    figure.get_by_label("sentence").select_option("cat")
    figure.get_by_label("sentence").select_option("verb")
    expect(figure.locator("output")).to_contain_text("looks most at")
    assert any("ERR_FAILED" in line or "fetch" in line for line in page.record.console)
    page.record.console.clear()  # the failure was made on purpose


def test_a_short_sentence_ends_its_query_slider(open_figure):
    figure = open_figure(HeadBrowser(sentence="verb"))
    slider = figure.get_by_label("query")
    assert slider.get_attribute("max") == "6"
    assert slider.get_attribute("aria-valuetext") == "[SEP]"
    slider.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "patients"


def test_a_long_sentence_names_the_followed_query_and_its_strongest_key_alone(
    open_figure, minilm_weights
):
    text = "One dog, two dogs, three dogs and a cat " * 5
    figure = open_figure(HeadBrowser.of(text, weights=minilm_weights, query=3))
    labels = figure.locator(".attn-portrait text:visible").all_text_contents()
    assert labels[1:] == ["sum", "dog", "1.00"]
    figure.get_by_label("draw as").select_option("arcs")
    headings = ["query", "key", "weight"]
    labels = figure.locator(".attn-portrait text:visible").all_text_contents()
    assert labels[:4] == [*headings, "dog"]
    assert len(labels) <= 6


PHONE = {"width": 360, "height": 740}
SCREEN = 640  # of a phone, between the page's header and the browser's bar
OWN = "Yesterday the old monitor in our office flickered again, so nurses asked for a new one."


@pytest.mark.parametrize(
    ("control", "changed"),
    [
        (".attn-gallery", ".attn-words"),
        ('select:has([value="map"])', ".attn-portrait"),
        ('input[max="15"]', ".attn-words"),
        ('select:has([value="sinks"])', ".attn-gallery"),
        ('input[max="4"]', ".attn-gallery"),
        ('input[type="checkbox"]', ".attn-portrait"),
    ],
    ids=["head", "view", "query", "sinks", "widest", "weighted"],
)
def test_on_a_phone_a_control_is_in_view_with_what_it_changes(open_figure, control, changed):
    figure = open_figure(HeadBrowser(), **PHONE)
    above, below = (figure.locator(part).bounding_box() for part in (control, changed))
    assert above["y"] < below["y"]
    assert below["y"] + below["height"] - above["y"] <= SCREEN


def test_how_many_heads_pass_is_told_where_the_filters_are(open_figure):
    figure = open_figure(HeadBrowser(sentence="verb"), **PHONE)
    told = figure.locator(".attn-choices .attn-titled > p")
    assert told.inner_text() == "all 72 heads: rows are layers"
    figure.get_by_label("weight on the first token").select_option("others")
    assert told.inner_text() == "23 of 72 heads pass: rows are layers"


@pytest.mark.parametrize("view", ["map", "arcs"])
def test_on_a_phone_twenty_tokens_are_all_named_and_apart(open_figure, minilm_weights, view):
    figure = open_figure(HeadBrowser.of(OWN, weights=minilm_weights, view=view), **PHONE)
    assert figure.evaluate(SMALL_WORDS, 12) == []
    apart = {"x": 9.5, "y": 11}  # pixels; columns have upright labels, which need less
    along = {"query": "y", "key": "x" if view == "map" else "y"}
    for role, axis in along.items():
        labels = figure.locator(f".attn-of-{role}:not([data-heading]):visible").all()
        starts = [label.bounding_box()[axis] for label in labels]
        assert len(starts) == 20
        assert min(b - a for a, b in pairwise(starts)) > apart[axis]


def test_on_a_phone_keys_too_close_are_named_one_at_a_time(open_figure, minilm_weights):
    own = OWN.replace("nurses", "all the nurses")
    figure = open_figure(HeadBrowser.of(own, weights=minilm_weights), **PHONE)
    keys, queries = (figure.locator(f".attn-of-{role}:visible") for role in ("key", "query"))
    assert (keys.count(), queries.count()) == (1, 22)
    figure.page.set_viewport_size({"width": 1280, "height": 800})
    assert keys.count() == 22
