"""A page of the site as it settles, and as it is read to its end."""

import json
import re

from browsers.page_functions import page_function
from playwright.sync_api import expect

from web.builder.paths import SITE
from web.figures.live_figures import STATE, VIEW

UNFOLD_AND_SCROLL = page_function(__file__, "unfoldAndScroll")


def wait_until_settled(page, path):
    """The page after its figures and fonts arrived, before a reader moves."""
    figures, _, _ = expected_counts(path)
    expect(page.locator(".attn-widget")).to_have_count(figures)
    page.evaluate("document.fonts.ready")
    return page


def scroll_through(page, path):
    """The page after a reader unfolded everything and scrolled to its end: editors are there."""
    page.evaluate(UNFOLD_AND_SCROLL)
    parts = (".attn-widget", ".attn-exercise", ".attn-exercise .cm-editor")
    for part, count in zip(parts, expected_counts(path), strict=True):
        expect(page.locator(part)).to_have_count(count)
    return page


def expected_counts(path) -> tuple[int, int, int]:
    """How many figures, exercises and editors the page's own HTML announces."""
    html = (SITE / path).read_text(encoding="utf-8")
    block = re.search(rf'<script type="{re.escape(STATE)}">(.*?)</script>', html, re.DOTALL)
    models = json.loads(block[1])["state"] if block else {}
    views = re.findall(re.escape(VIEW) + r"(.*?)</script>", html, re.DOTALL)
    shown = [one for view in views for one in _nested_states(models, json.loads(view)["model_id"])]
    figures = [one for one in shown if one.get("_anywidget_id", "").startswith("attn.widgets.")]
    return len(figures), html.count('class="attn-exercise"'), html.count('"needs": []')


def _nested_states(models, key):
    """The state of a widget and of the ones it holds: a box of figures is one view."""
    state = models[key]["state"]
    yield state
    for inner in state.get("children", []):
        yield from _nested_states(models, inner.removeprefix("IPY_MODEL_"))
