"""A line that the plots draw wears a look of the palette whole: colour, dash, marker."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from attn import plot
from attn.palette import ROLES, SERIES

LOOKS = ROLES | SERIES
RUNS = [[0.0, 1.0, 4.0], [2.0, 3.0, 4.0], [1.0, 5.0, 7.0]]


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_a_mean_has_the_look_s_colour_dash_and_marker_and_its_range_the_colour(look):
    _, ax = plot.axes()
    plot.mean_and_range(ax, [0, 1, 2], RUNS, look, label="three runs", markevery=2)
    (mean,), (band,) = ax.lines, ax.collections
    assert mean.get_color() == look.light
    assert mean.get_marker() == look.marker
    assert mean.get_linestyle() == ("--" if look.dash else "-")
    assert (mean.get_label(), mean.get_markevery()) == ("three runs", 2)
    np.testing.assert_array_equal(mean.get_ydata(), [1, 3, 5])
    assert to_hex(band.get_facecolor()[0]) == look.light
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
    assert {(0, 0), (0, 2), (1, 1), (1, 5), (2, 4), (2, 7)} <= corners


def test_each_run_is_a_line_of_its_own_named_once():
    fig, ax = plot.axes()
    plot.each_run(ax, [0, 1, 2], RUNS, SERIES["series-2"], label="three runs")
    assert [list(line.get_ydata()) for line in ax.lines] == RUNS
    assert {line.get_color() for line in ax.lines} == {SERIES["series-2"].light}
    plot.legend(fig, ncols=1)
    assert [text.get_text() for text in fig.legends[0].get_texts()] == ["three runs"]
