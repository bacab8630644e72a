"""Two figures of one class on a page: a link says which."""

import json

import pytest
from browsers.site_server import watch
from ipywidgets.embed import dependency_state
from playwright.sync_api import expect

from attn.palette import css
from attn.widgets import SoftLookup
from web.builder.server import figure_page
from web.figures.live_figures import STATE, VIEW, strip_modules
from web.theme.security import with_policy

BUTTON = '<span class="attn-set" data-figure="{}" data-state="{}">{}</span>'


def view(widget):
    return f'{VIEW}{{"model_id": "{widget.model_id}"}}</script>'


@pytest.fixture
def page(browser, figure_site):
    """Two look-ups, the second in a fold, and three links below them."""
    folder, address = figure_site
    first, second = SoftLookup(beta=1), SoftLookup(beta=2)
    state = strip_modules({"state": dependency_state([first, second], drop_defaults=False)})
    links = [("SoftLookup", "the first"), ("SoftLookup-2", "the second"), ("SoftLookup-3", "third")]
    below = "".join(BUTTON.format(name, "beta=8", text) for name, text in links)
    head = figure_page.FIGURE.format(kind=STATE, state=json.dumps(state).replace("</", "<\\/"))
    body = f"{view(first)}<details><summary>More</summary>{view(second)}</details><p>{below}</p>"
    html = figure_page.PAGE.format(
        theme="light", title="Two figures", palette=css(), head=head, body=body
    )
    (folder / "two.html").write_text(with_policy(html), encoding="utf-8")
    context = browser.new_context(reduced_motion="reduce")
    page = watch(context.new_page(), address)
    page.goto(f"{address}two.html")
    expect(page.locator(".attn-widget")).to_have_count(2)
    yield page
    context.close()
    assert page.record.console == []


def sharpness(page):
    sliders = page.locator('.attn-control:has-text("sharpness") input').all()
    return [slider.input_value() for slider in sliders]


def test_a_link_without_a_number_sets_the_first(page):
    page.get_by_role("button", name="the first").click()
    assert sharpness(page) == ["8", "2"]


def test_a_link_with_a_number_sets_that_one_and_opens_its_fold(page):
    page.get_by_role("button", name="the second").click()
    expect(page.locator(".attn-widget").nth(1)).to_be_in_viewport()
    assert sharpness(page) == ["1", "8"]


def test_a_link_to_a_figure_that_is_not_there_stays_text(page):
    expect(page.get_by_role("button", name="second")).to_have_count(1)
    expect(page.get_by_role("button", name="third")).to_have_count(0)
