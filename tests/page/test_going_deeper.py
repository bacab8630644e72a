"""What may be left out is folded, opens by keyboard, and holds what its cells computed."""

QKV = "book/03-qkv.html"


def test_a_part_that_goes_deeper_is_closed_until_its_heading_is_pressed(open_page):
    page = open_page(QKV)
    folds = page.locator("details.attn-deeper")
    assert folds.count() == 6
    assert folds.evaluate_all("all => all.map((fold) => fold.open)") == [False] * 6
    fold = page.locator("#sec-03-other-rules ~ details, #sec-03-other-rules details").first
    summary = fold.locator("summary")
    assert "Going deeper: functions other than softmax" in summary.inner_text()
    assert not fold.locator(".cell_output").is_visible()
    summary.focus()
    page.keyboard.press("Enter")
    assert "((1000, 1000), (64, 64))" in fold.locator(".cell_output").inner_text()
