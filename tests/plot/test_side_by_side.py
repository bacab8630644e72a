"""Pictures to compare: each with its name and its own words, and never fewer than two."""

import pytest

from attn import plot


def test_each_picture_keeps_its_name_and_its_words():
    left = plot.heatmap([[1.0]], ["a"], ["b"], alt="all of it")
    right = plot.heatmap([[0.5, 0.5]], ["a"], ["b", "c"], alt="one half each")
    html = plot.side_by_side({"raw < asked": left, "asked": right})._repr_html_()
    assert html.index("raw &lt; asked") < html.index('aria-label="all of it"')
    assert html.index("<strong>asked") < html.index('aria-label="one half each"')


def test_one_picture_has_nothing_beside_it():
    with pytest.raises(ValueError, match="two or more, got 1"):
        plot.side_by_side({"alone": plot.heatmap([[1.0]], ["a"], ["b"], alt="one")})
