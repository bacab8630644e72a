"""CostTable in a browser."""

from page.figure_text import CUT_WORDS, expect_words

from attn.widgets import CostTable


def test_a_plain_rnn_has_no_crossing(open_figure):
    figure = open_figure(CostTable())
    assert figure.locator(".attn-crossing").count() == 2
    figure.get_by_label("recurrence", exact=True).select_option("rnn")
    expect_words(figure, "plain RNN", "every n")
    assert figure.locator(".attn-crossing").count() == 1


def test_no_words_in_a_picture_leave_it(open_figure):
    figure = open_figure(CostTable(n=65536, d=4096))
    assert figure.evaluate(CUT_WORDS) == []


def test_a_phone_keeps_what_was_printed_and_names_each_count(open_figure):
    figure = open_figure(CostTable(), width=360)
    (first, *_) = figure.locator(".attn-price tbody tr").all()
    assert "n²d = 2.1·10⁶" in first.inner_text()
    heads = first.locator("td").evaluate_all(
        "all => all.map((cell) => getComputedStyle(cell, '::before').content)"
    )
    assert [head.strip('"') for head in heads] == [
        "as printed: ",
        "counted in full: ",
        "steps in turn: ",
        "first to last: ",
    ]


def test_a_plain_figure_leaves_out_the_convolution_and_what_was_printed(open_figure):
    figure = open_figure(CostTable(plain=True), width=360)
    assert figure.get_by_label("kernel size s").count() == 0
    shown = figure.inner_text()
    assert "4nd² + 2n²d" in shown
    assert "convolution" not in shown
    assert "printed" not in shown.lower()
