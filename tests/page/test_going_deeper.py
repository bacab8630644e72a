"""What may be left out is folded, opens by keyboard, and holds what its cells computed."""

QKV = "book/03-qkv.html"


def test_a_part_that_goes_deeper_is_closed_until_its_heading_is_pressed(open_page):
    page = open_page(QKV)
    folds = page.locator("details.attn-deeper")
    assert folds.count() == 3
    assert folds.evaluate_all("all => all.map((fold) => fold.open)") == [False] * 3
    fold = page.locator("#sec-03-exact ~ details, #sec-03-exact details").first
    summary = fold.locator("summary")
    assert "Going deeper: attention can be a dictionary" in summary.inner_text()
    assert not fold.locator(".cell_output").is_visible()
    summary.focus()
    page.keyboard.press("Enter")
    assert "[30. ,  3.5]" in fold.locator(".cell_output").inner_text()


def test_the_map_shows_its_words_beside_it_or_below_it(open_page):
    wide, narrow = (open_page(QKV, width=width).locator(".attn-map") for width in (1280, 360))
    assert wide.locator("svg:visible").count() == narrow.locator("svg:visible").count() == 1
    assert "what it hands over" in wide.locator("svg:visible").text_content()
    assert "what it hands over" not in narrow.locator("svg:visible").text_content()
    assert "values, what it hands over" in narrow.inner_text()
    assert narrow.evaluate("it => it.scrollWidth <= it.clientWidth")
