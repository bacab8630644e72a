"""The parts of the kit in a browser."""

import pytest
from browsers.page_functions import page_function
from page.colours import RGB, hex_to_rgb, nearly_equal

from attn import palette
from attn.widgets import KitSampler, SoftLookup
from attn.widgets.kit.figure import WIDGETS

# The rest of the kit is arithmetic and the writing of numbers.
DRAWING = [p for p in WIDGETS.glob("kit/*.js") if p.stem not in ("arithmetic", "format")]
EXPORTS = page_function(__file__, "exportedNames")
REFUSAL = page_function(__file__, "refusalOfSlider")
# What each part of the kit leaves in a figure.
SHOWN = {
    **{"slider": "input[type=range]", "select": "select", "checkbox": "input[type=checkbox]"},
    **{"button": ".attn-button", "tabs": "[role=tab]", "stepper": ".attn-stepper"},
    **{"figure": ".attn-words", "titled": ".attn-titled", "formula": ".attn-formula"},
    **{"scrollBox": ".attn-scroll", "html": "p", "svg": "svg"},
    **{"weightBars": ".attn-bars", "signedBars": ".attn-signed", "lineChart": ".attn-line"},
    **{"balance": ".attn-hull", "swatch": "p > svg"},
    "axisNames": ".attn-axis",
    **{"level": ".attn-rule", "words": ".attn-chart > text", "seriesLine": ".attn-line[style]"},
    **{"seriesColour": ".attn-line[style]", "histogram": "[aria-label^='All scores']"},
    **{"columns": "[aria-label^='Weights of']", "heatmap": ".attn-heat", "heads": ".attn-corner"},
    **{"shade": ".attn-chart > rect", "rowTable": ".attn-rows", "card": ".attn-card"},
    **{"table": ".attn-table", "roving": "[role=group] > [tabindex='-1']"},
    **{"plane": ".attn-plane", "grid": ".attn-grid", "arrow": ".attn-arrow"},
    **{"handle": ".attn-handle", "places": ".attn-plane .attn-arrow text"},
    **{"separate": ".attn-plane .attn-halo"},
}
# Steps on the way to these parts, and numbers.
DRAWN_BY_NONE = {
    *("add", "uniqueId", "span", "cell", "ceiling", "shares", "RING", "WAYS"),
    *("head", "beyond", "degrees", "direction", "fold", "face", "player", "isCalm", "redraw"),
    *("swipe", "wayOf"),
    *("read", "update", "watch", "entry", "withEntry", "counting", "dataFiles"),
}


def test_a_heat_map_names_queries_and_keys_and_sums_its_rows(open_figure):
    table = open_figure(KitSampler()).locator("table").first
    assert table.locator("tbody th").all_inner_texts() == ["the", "cat", "walks", "home"]
    assert table.locator("thead th").all_inner_texts() == ["the", "cat", "walks", "home", "sum"]
    assert table.locator("tbody .attn-sum").all_inner_texts() == ["1.00"] * 4


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_cell_is_the_colour_that_the_palette_computes(open_figure, theme):
    shades = palette.colours(theme)
    cells = open_figure(KitSampler(), theme=theme).locator("table").first.locator(".attn-heat-cell")
    shown = cells.evaluate_all(
        f"all => all.map((n) => [n.style.getPropertyValue('--w'), ({RGB})(n, 'backgroundColor')])"
    )
    assert len(shown) == 16
    for share, colour in shown:
        expected = palette.mix(shades["weight"], shades["paper"], float(share))
        assert nearly_equal(colour, hex_to_rgb(expected))


def test_hidden_cells_say_so_and_rows_still_sum_to_1(open_figure):
    kit = open_figure(KitSampler())
    kit.get_by_label("hide what comes later").check()
    table = kit.locator("table").first
    assert table.locator("[data-hidden]").all_inner_texts() == ["hidden"] * 6
    assert table.locator("tbody .attn-sum").all_inner_texts() == ["1.00"] * 4


def test_tabs_move_by_arrow_keys_and_show_one_panel(open_figure):
    kit = open_figure(KitSampler())
    tabs = kit.get_by_role("tab")
    tabs.first.press("ArrowRight")
    assert tabs.nth(1).evaluate("node => node === document.activeElement")
    assert kit.get_by_role("tabpanel").count() == 1
    tabs.nth(1).press("ArrowLeft")
    tabs.first.press("ArrowLeft")
    assert tabs.last.get_attribute("aria-selected") == "true"


def test_a_stepper_ends_at_its_last_step(open_figure):
    kit = open_figure(KitSampler())
    kit.get_by_role("tab", name="steps").click()
    back, forth = (kit.get_by_role("button", name=name) for name in ("Back", "Next"))
    assert back.is_disabled()
    forth.click()
    forth.click()
    assert kit.locator(".attn-step").inner_text() == "Step 3 of 3: blend"
    assert forth.is_disabled()
    assert "step “blend”" in kit.locator("output").inner_text()


def test_a_vector_moves_both_ways_by_keyboard(open_figure):
    kit = open_figure(KitSampler())
    kit.get_by_role("tab", name="vector").click()
    handle = kit.get_by_role("slider", name="value vector")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp"):
        handle.press(key)
    assert handle.get_attribute("aria-valuetext") == "(0.90, 0.55)"
    assert float(handle.get_attribute("aria-valuenow")) == pytest.approx(0.9)
    assert "the vector is (0.90, 0.55)" in kit.locator("output").inner_text()


def test_focus_can_be_seen(open_figure):
    kit = open_figure(KitSampler())
    slider = kit.get_by_label("sharpness β")
    slider.press("ArrowRight")
    assert slider.evaluate("node => getComputedStyle(node).outlineWidth") == "3px"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(open_figure, theme):
    kit = open_figure(KitSampler(), width=360, theme=theme)
    for tab in kit.get_by_role("tab").all():
        tab.click()
        assert kit.page.evaluate("document.documentElement.scrollWidth") == 360
        assert kit.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_every_part_of_the_kit_is_shown(open_figure):
    kit = open_figure(KitSampler())
    exported = kit.page.evaluate(EXPORTS, [path.name for path in DRAWING])
    assert set(exported) == set(SHOWN) | DRAWN_BY_NONE
    missing = [part for part, selector in SHOWN.items() if not kit.locator(selector).count()]
    assert missing == []


def test_a_dragged_handle_wears_no_ring_and_no_square_until_a_key_is_pressed(open_figure):
    handle = open_figure(SoftLookup()).locator(".attn-handle").first
    ring = handle.locator(".attn-ring")
    box = handle.locator(".attn-knob").bounding_box()
    mouse = handle.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(box["x"] + 30, box["y"] - 20, steps=3)
    mouse.up()
    assert handle.evaluate("el => el === document.activeElement")
    assert handle.evaluate("el => getComputedStyle(el).outlineStyle") == "none"
    assert ring.evaluate("el => getComputedStyle(el).strokeWidth") == "2px"
    handle.press("ArrowRight")
    assert ring.evaluate("el => getComputedStyle(el).strokeWidth") == "6px"


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("tempo", "no trait is called tempo; there are first, words"),
        ("words", "the trait words has no range"),
    ],
)
def test_a_slider_for_a_trait_that_is_none_says_which_there_are(open_figure, name, rule):
    assert open_figure(KitSampler()).page.evaluate(REFUSAL, name) == rule
