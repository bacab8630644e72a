"""The parts of the kit, and still figures, in a browser."""

import pytest

from attn import palette, widgets

PAGE = "book/how-figures-look.html"
RGB = """(node, property) => {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = getComputedStyle(node)[property];
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}"""


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def near(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) <= 2


@pytest.fixture
def open_kit(open_page):
    def open_it(**options):
        root = open_page(PAGE, **options).locator('.attn-widget[data-widget="KitSampler"]')
        root.scroll_into_view_if_needed()
        return root

    return open_it


def test_a_heat_map_names_queries_and_keys_and_sums_its_rows(open_kit):
    table = open_kit().locator("table").first
    assert table.locator("tbody th").all_inner_texts() == ["the", "cat", "walks", "home"]
    assert table.locator("thead th").all_inner_texts() == ["the", "cat", "walks", "home", "sum"]
    assert table.locator("tbody .attn-sum").all_inner_texts() == ["1.00"] * 4


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_cell_is_the_colour_that_the_palette_computes(open_kit, theme):
    shades = palette.colours(theme)
    for cell in open_kit(theme=theme).locator("table").first.locator(".attn-cell").all():
        share = float(cell.evaluate("node => node.style.getPropertyValue('--w')"))
        expected = palette.mix(shades["weight"], shades["paper"], share)
        assert near(cell.evaluate(RGB, "backgroundColor"), rgb(expected))


def test_hidden_cells_say_so_and_rows_still_sum_to_1(open_kit):
    kit = open_kit()
    kit.get_by_label("hide what comes later").check()
    table = kit.locator("table").first
    assert table.locator("[data-hidden]").all_inner_texts() == ["hidden"] * 6
    assert table.locator("tbody .attn-sum").all_inner_texts() == ["1.00"] * 4


def test_a_large_matrix_is_redrawn_when_the_theme_changes(open_kit):
    kit = open_kit(theme="light")
    kit.get_by_role("tab", name="large matrix").click()
    canvas = kit.locator("canvas")
    assert "each with the sum 1.00" in canvas.get_attribute("aria-label")
    pixel = """node => {
      const context = new OffscreenCanvas(48, 48).getContext("2d");
      context.drawImage(node, 0, 0);
      return [...context.getImageData(0, 47, 1, 1).data.slice(0, 3)];
    }"""
    assert near(canvas.evaluate(pixel), rgb(palette.colours("light")["paper"]))
    kit.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert near(canvas.evaluate(pixel), rgb(palette.colours("dark")["paper"]))


def test_tabs_move_by_arrow_keys_and_show_one_panel(open_kit):
    kit = open_kit()
    tabs = kit.get_by_role("tab")
    tabs.first.press("ArrowRight")
    assert tabs.nth(1).evaluate("node => node === document.activeElement")
    assert kit.get_by_role("tabpanel").count() == 1
    tabs.nth(1).press("ArrowLeft")
    tabs.first.press("ArrowLeft")
    assert tabs.nth(3).get_attribute("aria-selected") == "true"


def test_a_stepper_ends_at_its_last_step(open_kit):
    kit = open_kit()
    kit.get_by_role("tab", name="steps").click()
    back, forth = (kit.get_by_role("button", name=name) for name in ("Back", "Next"))
    assert back.is_disabled()
    forth.click()
    forth.click()
    assert kit.locator(".attn-step").inner_text() == "Step 3 of 3: blend"
    assert forth.is_disabled()
    assert "step “blend”" in kit.locator("output").inner_text()


def test_a_vector_moves_both_ways_by_keyboard(open_kit):
    kit = open_kit()
    kit.get_by_role("tab", name="vector").click()
    handle = kit.get_by_role("slider", name="value vector")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp"):
        handle.press(key)
    assert handle.get_attribute("aria-valuetext") == "(0.90, 0.55)"
    assert "the vector is (0.90, 0.55)" in kit.locator("output").inner_text()


def test_focus_can_be_seen(open_kit):
    kit = open_kit()
    slider = kit.get_by_label("sharpness β")
    slider.press("ArrowRight")
    assert slider.evaluate("node => getComputedStyle(node).outlineWidth") == "3px"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(open_kit, theme):
    kit = open_kit(width=360, theme=theme)
    for tab in kit.get_by_role("tab").all():
        tab.click()
        assert kit.page.evaluate("document.documentElement.scrollWidth") == 360
        assert kit.evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_still_figure_s_words_are_in_the_page_s_ink_on_no_card(open_page, theme):
    page = open_page(PAGE, theme=theme)
    figures = page.locator(".attn-figure")
    assert figures.count() == 4
    label = figures.last.locator("text", has_text="sharpness β")
    assert near(label.evaluate(RGB, "fill"), rgb(palette.colours(theme)["ink"]))
    card = figures.last.evaluate("n => getComputedStyle(n.parentElement).backgroundColor")
    assert card == "rgba(0, 0, 0, 0)"


def test_every_picture_has_a_name(open_page):
    page = open_page(PAGE)
    names = page.locator("svg[role=img]").evaluate_all("all => all.map(n => n.ariaLabel)")
    assert len(names) == 5
    assert all(len(name) > 20 for name in names)


@pytest.mark.parametrize(
    ("letter", "role"), [(role.letter, name) for name, role in palette.ROLES.items()]
)
def test_a_role_has_one_colour_in_words_and_in_equations(open_page, letter, role):
    page = open_page(PAGE, theme="dark")
    word = page.locator(f"li strong.{letter}").first
    symbol = page.locator(f"mjx-math .{letter}").first
    expected = rgb(palette.ROLES[role].dark)
    assert word.evaluate(RGB, "color") == expected
    assert symbol.evaluate(RGB, "color") == expected


IN_A_NOTEBOOK = """async ([text, values]) => {
  const heard = {};
  const model = {
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; },
    on: (event, f) => { (heard[event] ??= []).push(f); },
    off: (event, f) => { heard[event] = heard[event].filter((g) => g !== f); },
    save_changes: () => {},
  };
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const stop = (await import(url)).default.render({ model, el: document.body });
  const said = document.querySelector("output").innerText;
  const listening = Object.keys(heard).length;
  stop();
  return [said, listening, Object.values(heard).flat().length, document.body.childElementCount];
}"""


@pytest.mark.parametrize("cls", [widgets.SoftLookup, widgets.KitSampler])
def test_in_a_notebook_the_text_alone_renders_and_leaves_nothing_behind(browser, cls):
    figure = cls()
    values = {name: getattr(figure, name) for name in cls.class_own_traits()}
    context = browser.new_context()
    page = context.new_page()
    page.add_style_tag(content=figure._css)
    said, listening, left, nodes = page.evaluate(IN_A_NOTEBOOK, [figure._esm, values])
    context.close()
    assert len(said) > 20
    assert listening > 0
    assert (left, nodes) == (0, 0)
