"""The number field of a question on the built site, under its security policy, in any locale."""

import pytest
from playwright.sync_api import expect

QUESTION = "02-weight-by-hand"  # its answer is e / (2e + 4), 0.288


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ar-EG"])
def test_right_answers_are_right_however_they_are_written(open_page, locale):
    page = open_page("book/02-self-attention.html", locale=locale)
    form = page.locator(f'[data-question="{QUESTION}"]')
    field, status = form.get_by_label("Your answer"), form.get_by_role("status")
    for typed in ["0.288", "0,288", "e/(2e+4)", "28.8%", "28,8 %", "e^1/(2*e+4)"]:
        field.fill("0")
        field.press("Enter")
        expect(form).to_have_attribute("data-state", "failed")
        field.fill("")
        field.press_sequentially(typed)
        field.press("Enter")
        expect(form).to_have_attribute("data-state", "passed")
    expect(form.locator(".attn-question-reading")).to_have_text("read as 0.288058")
    field.fill("a lot")
    field.press("Enter")
    expect(status).to_contain_text("cannot be read")
    assert form.get_attribute("data-state") is None
