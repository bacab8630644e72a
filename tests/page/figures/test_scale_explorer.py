"""The fourth chapter's figure in a browser."""

from page.figure_text import CUT_WORDS, words

from attn.widgets import ScaleExplorer

AUTHORED = (
    "d_k = 64, raw: the scores have a spread of 7.99. "
    "Query 1 looks over 99% at key 14, and its sensitivity is 0.0049. "
)


def test_it_opens_with_64_entries_and_no_division(open_figure):
    figure = open_figure(ScaleExplorer())
    assert words(figure).startswith(AUTHORED)
    assert not figure.get_by_label("divide the scores").is_checked()


def test_an_arrow_key_doubles_d_k(open_figure):
    figure = open_figure(ScaleExplorer())
    slider = figure.get_by_label("key size d_k")
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "128"
    assert words(figure).startswith("d_k = 128, raw: the scores have a spread of 11.26.")


def test_at_1024_the_division_makes_the_mean_smaller_and_the_queries_alike(open_figure):
    figure = open_figure(ScaleExplorer())
    figure.get_by_label("key size d_k").press("End")
    assert "the sensitivity is 0.068 on average and 0.000007 in the median" in words(figure)
    assert "the most sensitive tenth holds 68% of the total" in words(figure)
    figure.get_by_label("divide the scores").press("Space")
    assert words(figure).startswith("d_k = 1024, divided by 32.00:")
    assert "the sensitivity is 0.0096 on average and 0.0095 in the median" in words(figure)
    assert (
        "0% of the queries have less than 0.001, and the most sensitive tenth holds 11%"
        in words(figure)
    )


def test_the_drawn_column_of_the_table_is_marked(open_figure):
    figure = open_figure(ScaleExplorer())
    heads = figure.locator("thead th")
    assert heads.all_inner_texts() == ["▸ raw", "÷ √d_k"]
    figure.get_by_label("divide the scores").check()
    assert heads.all_inner_texts() == ["raw", "▸ ÷ √d_k"]


def test_each_query_has_its_own_weights(open_figure):
    figure = open_figure(ScaleExplorer())
    figure.get_by_label("query to look at").press("ArrowRight")
    assert "Query 2 looks" in words(figure)
    assert "Weights of query 2" in figure.locator("svg").nth(1).get_attribute("aria-label")


def test_no_words_in_a_picture_leave_it(open_figure):
    figure = open_figure(ScaleExplorer())
    for exponent in range(11):
        figure.get_by_label("key size d_k").fill(str(exponent))
        assert figure.evaluate(CUT_WORDS) == [], f"d_k = {2**exponent}"


def test_a_plain_figure_shows_scores_and_weights_alone(open_figure):
    assert open_figure(ScaleExplorer()).locator("svg, table").count() == 4
    plain = open_figure(ScaleExplorer(plain=True))
    assert plain.locator("svg, table").count() == 2
    assert "sensitivity" not in plain.inner_text()
