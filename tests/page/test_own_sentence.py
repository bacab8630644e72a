"""A reader's own sentence, read by the real model in the page: what it costs, shows and says."""

import json
import re

import pytest
from browsers.page_functions import page_function
from browsers.site_server import shared_page
from page.held_downloads import HeldDownloads
from page.page_limits import violations
from page.page_loading import scroll_through
from playwright.sync_api import expect

from attn import minilm
from attn.data.make_minilm_quantised import encode_quantised, quantised_model
from web.builder.paths import SITE

CHAPTER = "book/12-real-attention.html"
NOUN, VERB = "the monitor flickers tonight", "nurses monitor the patients"
IT = "The animal did not cross the street because it was too tired."
OF_THE_MODEL = ("/_static/minilm/", "/_static/python/", "real_model.py")
CELLS = page_function(__file__, "cells")
COVERED_BY = page_function(__file__, "coveredBy")
TOO_WIDE = page_function(__file__, "tooWide")


class Part:
    """The part of the page as a reader meets it."""

    def __init__(self, page):
        self.page, self.root = page, page.locator(".attn-model")
        self.root.get_by_role("button", name="Encode").wait_for()
        self.first = self.root.get_by_label("Your sentence")
        self.second = self.root.get_by_label("A second sentence")
        self.status = self.root.locator(".attn-model-status")
        self.figure = self.root.locator('.attn-widget[data-widget="HeadBrowser"]')

    def press(self, name):
        self.root.get_by_role("button", name=name).click()

    def state(self, state):
        expect(self.root).not_to_have_attribute("aria-busy", "true")
        expect(self.root).to_have_attribute("data-state", state)

    def load(self):
        self.press("the model (")
        self.state("ready")
        return self

    def encode(self, text):
        self.first.fill(text)
        self.first.press("Enter")
        self.state("ready")

    @property
    def tokens(self):
        return self.root.get_attribute("data-tokens").split()

    def requests(self):
        return [u for u in self.page.record.requests if any(one in u for one in OF_THE_MODEL)]


@pytest.fixture(scope="module", autouse=True)
def _with_a_model(minilm_weights):
    assert (SITE / "_static/minilm/manifest.json").exists(), "`make book` adds the model"


@pytest.fixture(scope="module")
def loaded(browser, site):
    """One page with the model in it, for the tests that only read sentences."""
    with shared_page(browser, site, CHAPTER) as page:
        yield Part(page).load()


@pytest.fixture(scope="module")
def exact(minilm_weights):
    weights, content = quantised_model()
    return lambda text: encode_quantised(text, weights, content)


def test_nothing_of_the_model_or_of_python_comes_before_the_click(open_page):
    part = Part(open_page(CHAPTER))
    assert part.root.get_attribute("data-state") == "idle"
    part.root.scroll_into_view_if_needed()
    part.press("two monitors")
    part.first.fill("my sentence")
    part.press("Encode")
    expect(part.status).to_contain_text("Load the model first")
    assert part.requests() == []
    manifest = json.loads((SITE / "_static/minilm/manifest.json").read_text())
    price = sum(manifest["files"][name]["bytes"] for name in manifest["first"])
    button = part.root.get_by_role("button", name=re.compile("^Load the model"))
    assert f"({price / 1e6:.1f} MB, once)" in button.inner_text()


def test_two_sentences_are_what_the_same_weights_give_outside_of_a_page(loaded, exact):
    loaded.press("two monitors")
    loaded.state("ready")
    noun, verb = exact(NOUN), exact(VERB)
    assert loaded.tokens == list(noun.tokens)
    assert loaded.root.get_attribute("data-second-tokens").split() == list(verb.tokens)
    levels = loaded.root.locator(".attn-model-layers tr td:last-child").all_inner_texts()
    expected = minilm.cosines(noun.hidden[:, 2], verb.hidden[:, 2])
    assert [float(text) for text in levels] == pytest.approx(list(expected), abs=0.0051)
    near = loaded.root.locator(".attn-model-nearest ol").all_inner_texts()
    assert near[0].split()[:4:2] == ["screen", "display"]
    assert near[1].split()[0] == "watching"


def test_every_token_can_be_compared_with_every_other(loaded, exact):
    loaded.press("two monitors")
    loaded.state("ready")
    loaded.root.get_by_label("one token").select_option(label="the (token 2 of the first)")
    loaded.root.get_by_label("another token").select_option(label="the (token 4 of the second)")
    words = loaded.root.locator(".attn-model-words").inner_text()
    last = minilm.cosines(exact(NOUN).hidden[-1, 1], exact(VERB).hidden[-1, 3])
    assert words.startswith("Cosine of “the” and “the”: ")
    assert float(re.search(r"([\d.]+) after the last", words)[1]) == pytest.approx(last, abs=0.0051)


def test_any_head_shows_the_map_that_the_model_has(loaded, exact):
    if loaded.second.is_visible():
        loaded.press("Remove the second sentence")
    loaded.encode(IT)
    assert loaded.tokens == list(exact(IT).tokens)
    assert loaded.root.get_attribute("data-second-tokens") is None
    loaded.figure.get_by_role("button", name=re.compile("^layer 4, head 2:")).click()
    found = loaded.figure.locator(".attn-weight-cell title").evaluate_all(CELLS)
    expected = exact(IT).attention[3, 1].ravel()
    assert found == pytest.approx(list(expected), abs=0.0091)
    expect(loaded.figure.locator("output")).to_contain_text("Layer 4, head 2")
    loaded.encode(IT.replace("tired", "wide"))
    expect(loaded.figure.locator("output")).to_contain_text("Layer 4, head 2")


def test_what_cannot_be_read_is_refused_in_words_and_the_model_stays(loaded):
    loaded.encode("  ")
    expect(loaded.status).to_contain_text("type a sentence")
    loaded.encode("cat " * 70)
    expect(loaded.status).to_contain_text("has 72 tokens; the figure draws 64 at most")
    loaded.encode("ᓀᐦᐃᔭᐍᐏᐣ")
    expect(loaded.status).to_contain_text("One of them is [UNK]")
    loaded.encode("cat " * 62)
    assert len(loaded.tokens) == 64
    loaded.encode("a cat")
    assert loaded.tokens == ["[CLS]", "a", "cat", "[SEP]"]


def test_an_address_brings_sentences_and_a_link_makes_one(open_page):
    page = open_page(f"{CHAPTER}#own-sentence?first=We+saw+her+duck.&second=50%25+of+ducks%3F")
    part = Part(page)
    expect(part.first).to_have_value("We saw her duck.")
    expect(part.second).to_have_value("50% of ducks?")
    assert part.requests() == []
    part.second.fill("the duck & I")
    part.root.get_by_role("link", name="Link to this").click()
    page.reload()
    expect(part.first).to_have_value("We saw her duck.")
    expect(part.second).to_have_value("the duck & I")


def test_the_next_visit_downloads_nothing_of_the_model(open_page):
    page = open_page(CHAPTER)
    Part(page).load()
    page.reload()
    page.record.requests.clear()
    part = Part(page)
    part.root.get_by_role("button", name="already in this browser").wait_for()
    part.load()
    assert part.tokens
    names = [url.rsplit("/", 1)[1] for url in part.requests() if "/minilm/" in url]
    assert names == ["manifest.json"]


def test_a_failed_download_is_told_and_can_be_tried_again(open_page):
    page = open_page(CHAPTER)
    part = Part(page)
    page.route("**/minilm/layers-*", lambda route: route.abort())
    part.press("Load the model")
    part.state("error")
    expect(part.status).to_contain_text("The download failed")
    page.unroute("**/minilm/layers-*")
    part.press("Try again")
    part.state("ready")
    assert part.tokens
    assert all("ERR_FAILED" in line for line in page.record.console)
    page.record.console.clear()  # the failure was made on purpose


@pytest.mark.parametrize("script", ["", "delete Crypto.prototype.subtle; delete window.caches;"])
def test_a_part_that_arrives_damaged_is_asked_for_again_then_refused_and_never_kept(
    open_page, script
):
    """Also at an address that is not https, where a page can compute no hash and keep no file."""
    page = open_page(CHAPTER, scripts=[script] if script else [])
    part, asked = Part(page), []

    def corrupt(route):
        asked.append(route.request.url)
        response = route.fetch()
        route.fulfill(response=response, body=response.body()[:-100] + bytes(100))

    page.route("**/minilm/nearest-*", corrupt)
    part.press("Load the model")
    part.state("error")
    words = "did not arrive whole" if script else "arrived damaged"
    expect(part.status).to_contain_text(words)
    assert len(asked) == 2
    page.unroute("**/minilm/nearest-*")
    part.press("Try again")
    part.state("ready")
    assert part.tokens
    assert all("integrity" in line for line in page.record.console)
    page.record.console.clear()  # the fault was made on purpose


def test_a_download_can_be_stopped_and_started_again(open_page):
    page = open_page(CHAPTER)
    part = Part(page)
    held = HeldDownloads(page, "**/minilm/layers-*")
    part.press("Load the model")
    expect(part.root).to_have_attribute("data-state", "loading")
    part.press("Stop")
    part.state("idle")
    expect(part.status).to_contain_text("Stopped")
    held.release()
    part.load()
    assert part.tokens


@pytest.mark.matrix
def test_a_python_that_was_replaced_has_the_model_again(open_page):
    """A reader who stops something on a page without shared memory gets a new Python."""
    page = open_page(CHAPTER)
    part = Part(page).load()
    page.evaluate(page_function(__file__, "replacePython"))
    part.encode("the cat sleeps")
    assert part.tokens == ["[CLS]", "the", "cat", "sleeps", "[SEP]"]


def test_it_works_by_keyboard_alone(open_page):
    page = open_page(CHAPTER)
    part = Part(page)
    part.root.get_by_role("button", name="Load the model").focus()
    page.keyboard.press("Enter")
    part.state("ready")
    part.first.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("We saw her duck.")
    page.keyboard.press("Enter")
    expect(part.status).to_contain_text("The model has read 7 tokens")
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(part.second).to_be_focused()
    page.keyboard.type("The duck saw us.")
    page.keyboard.press("Enter")
    expect(part.status).to_contain_text("7 tokens and 7 tokens")


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
def test_it_is_accessible_and_fits_before_and_after(open_page, axe, theme, width):
    page = scroll_through(open_page(CHAPTER, theme=theme, width=width, height=740), CHAPTER)
    part = Part(page)
    assert violations(page, axe, ".attn-model") == []
    part.press("it and animal")
    part.root.evaluate("root => root.scrollIntoView()")
    part.load()
    assert part.first.evaluate(COVERED_BY) is None  # the contents list has gone
    assert "Cosine of “it” and “it”" in part.root.inner_text()
    assert violations(page, axe, ".attn-model") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert part.root.evaluate(TOO_WIDE) == []
