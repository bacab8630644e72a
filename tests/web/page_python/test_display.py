"""What a cell shows: text, plots and figures, as (kind, content) that the page takes."""

import json

import matplotlib as mpl
import pytest
from page_tasks import display

from attn import plot
from attn.widgets import HeadBrowser, SoftLookup


@pytest.fixture
def shown():
    def show(value):
        sent = []
        display.show(value, lambda *one: sent.append(one))
        return sent

    return show


@pytest.fixture
def pyplot():
    """pyplot with the page's backend; nothing stays open."""
    before = mpl.get_backend()
    from matplotlib import pyplot

    pyplot.switch_backend("svg")
    yield pyplot
    pyplot.close("all")
    pyplot.switch_backend(before)


@pytest.mark.parametrize(
    ("code", "packages"),
    [
        ("import numpy as np\nfrom attn import softmax", []),
        ("from attn.exercises import check", []),
        ("from attn.data import load", ["attn-book"]),
        ("from attn import sentence", ["attn-book"]),
        ("from attn.widgets import SoftLookup", ["attn-book"]),
        ("import attn.plot", ["matplotlib", "attn-book"]),
        ("from attn import plot", ["matplotlib", "attn-book"]),
        ("def f():\n    import matplotlib.pyplot as plt", ["matplotlib", "attn-book"]),
        ("from matplotlib.patches import Rectangle", ["matplotlib", "attn-book"]),
        ("import attn.datasets, matplotlibs", []),
        ("from . import plot", []),
        ("not python at all", []),
    ],
)
def test_the_packages_of_a_cell_follow_from_its_imports(code, packages):
    assert display.packages_for(code) == packages


def test_a_value_is_text_and_none_is_nothing(shown):
    assert shown({"a": 1}) == [("value", "{'a': 1}\n")]
    assert shown("words") == [("value", "'words'\n")]
    assert shown(None) == []


def test_a_picture_is_sent_for_desk_and_phone_in_the_colours_of_the_page(shown):
    picture = plot.curves([0, 1], {"a line": [0, 1]}, alt="A line.", xlabel="x", ylabel="y")
    ((kind, content),) = shown(picture)
    assert kind == "svg"
    assert content["alt"] == "A line."
    for part in ("svg", "narrow"):
        assert content[part].startswith("<svg")
        assert "var(--attn-ink" in content[part]
        assert "a line" in content[part]
    small = plot.heatmap([[1.0]], ["q"], ["k"], alt="One weight.")
    assert "narrow" not in shown(small)[0][1]


def test_pictures_side_by_side_are_one_output_with_their_names(shown):
    one = plot.heatmap([[1.0]], ["q"], ["k"], alt="One weight.")
    ((kind, content),) = shown(plot.side_by_side({"left": one, "right": one}))
    assert kind == "svg"
    assert [each["name"] for each in content["side_by_side"]] == ["left", "right"]
    assert all(each["svg"].startswith("<svg") for each in content["side_by_side"])


def test_a_plot_of_pyplot_is_shown_once_and_closed(shown, pyplot):
    fig, ax = pyplot.subplots()
    ax.set(title="Loss", xlabel="step", ylabel="nats")
    ((kind, content),) = shown(fig)
    assert (kind, content["alt"]) == ("svg", "A plot: Loss; nats over step")
    sent = []
    display.show_open_plots(lambda *one: sent.append(one))
    assert sent == []


def test_a_plot_of_pyplot_is_drawn_once_more_for_a_phone(shown, pyplot):
    fig, ax = pyplot.subplots()
    ax.set(xlabel="step", ylabel="nats")
    drawn = shown(fig)[0][1]
    assert "max-width: 328px" in drawn["narrow"]
    assert all(word in drawn["narrow"] for word in ("step", "nats"))
    sent = []
    display.show_open_plots(lambda *one: sent.append(one))
    assert sent == []


def test_a_plot_that_cannot_be_copied_is_drawn_for_a_desk_alone(shown, pyplot):
    fig, ax = pyplot.subplots()
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:.0f} steps")
    drawn = shown(fig)[0][1]
    assert "1 steps" in drawn["svg"]
    assert "narrow" not in drawn


def test_plots_that_a_cell_left_open_are_shown_in_their_order(pyplot):
    for title in ("first", "second"):
        pyplot.figure().suptitle(title)
    pyplot.figure()
    sent = []
    display.show_open_plots(lambda *one: sent.append(one))
    alts = [content["alt"] for _, content in sent]
    assert alts == ["A plot: first", "A plot: second", "A plot without a title or labels"]
    assert pyplot.get_fignums() == []


def test_the_ground_of_a_foreign_plot_follows_the_theme(shown, pyplot):
    fig, ax = pyplot.subplots()
    ax.plot([0, 1])
    svg = shown(fig)[0][1]["svg"]
    assert "#ffffff;" not in svg.replace("var(--attn-paper, #ffffff)", "")
    assert "var(--attn-paper" in svg


@pytest.mark.parametrize("figure", [SoftLookup(beta=3), HeadBrowser(layer=2)])
def test_a_figure_is_its_state_and_nothing_that_the_site_has(shown, figure):
    ((kind, content),) = shown(figure)
    assert kind == "figure"
    assert content["module"] == type(figure).__module__.split(".")[-1]
    assert not {"_esm", "_css", "_files"} & content["state"].keys()
    assert content["state"]["_spec"] == figure._spec
    assert json.loads(json.dumps(content))["state"]["_spec"]["traits"]


def test_a_figure_that_the_reader_wrote_is_text_since_nothing_draws_it(shown):
    class Mine(SoftLookup):
        _esm = "export default {}"

    assert [kind for kind, _ in shown(Mine())] == ["value"]
