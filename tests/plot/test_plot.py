"""Still figures: valid, named in words, in the page's own colours, safe beside each other."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure

from attn import plot
from attn.palette import colours
from attn.plot.phone import for_phone
from attn.plot.picture import PHONE, natural_width

SVG = "{http://www.w3.org/2000/svg}"
WEIGHTS = [[0.9, 0.1], [0.25, 0.75]]


def parsed(picture):
    html = picture._repr_html_()
    return ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])


def examples():
    x = np.linspace(0, 1, 5)
    return {
        "heatmap": plot.heatmap(WEIGHTS, ["a", "b"], ["c", "d"], alt="weights"),
        "scores": plot.heatmap([[2, -1]], ["a"], ["c", "d"], alt="scores", kind="score"),
        "curves": plot.curves(x, {"up": x, "down": 1 - x}, alt="curves", xlabel="x", ylabel="y"),
    }


@pytest.fixture(scope="module")
def pictures():
    return examples()


@pytest.mark.parametrize("kind", ["heatmap", "scores", "curves"])
def test_a_picture_is_an_image_with_its_words(pictures, kind):
    root = parsed(pictures[kind])
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label") == pictures[kind].alt


@pytest.mark.parametrize("kind", ["heatmap", "scores", "curves"])
def test_every_colour_follows_the_theme(pictures, kind):
    html = pictures[kind]._repr_html_()
    drawing = html[html.index("<svg") :]
    bare = re.findall(
        r"(?:fill|stroke|color)\s*[:=]\s*\"?(#[0-9a-fA-F]{3,6}|rgb|black|white)", drawing
    )
    assert bare == []
    assert "var(--attn-" in drawing


@pytest.mark.parametrize("kind", ["heatmap", "scores", "curves"])
def test_words_take_the_page_s_font_and_stay_words(pictures, kind):
    texts = list(parsed(pictures[kind]).iter(f"{SVG}text"))
    assert texts
    assert all("font-family" not in text.get("style") for text in texts)


def test_two_pictures_on_a_page_share_no_id_and_lose_no_reference():
    picture = plot.curves([0, 1], {"a": [0, 1]}, alt="one line", xlabel="x", ylabel="y")
    ids = []
    for html in (picture._repr_html_(), picture._repr_html_()):
        here = re.findall(r'\bid="([^"]+)"', html)
        used = re.findall(r'(?:url\(|href=")#([^")]+)', html)
        assert used, "a line is clipped, so something is referred to"
        assert set(used) <= set(here)
        ids += here
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("alt", ["", "  ", None])
def test_a_picture_without_words_is_refused(alt):
    with pytest.raises(ValueError, match="alt must say in words"):
        plot.heatmap([[1.0]], ["a"], ["b"], alt=alt)


def test_words_with_markup_are_escaped():
    picture = plot.heatmap([[1.0]], ["a"], ["b"], alt='q < k & "v"')
    assert parsed(picture).get("aria-label") == 'q < k & "v"'


def test_a_heat_map_writes_its_numbers_names_and_row_sums(pictures):
    words = [text.text for text in parsed(pictures["heatmap"]).iter(f"{SVG}text")]
    assert {"a", "b", "c", "d", "0.90", "0.10", "0.25", "0.75"} <= set(words)
    assert words.count("Σ 1.00") == 2


def test_a_weight_of_a_quarter_is_a_quarter_of_the_way_from_paper():
    light = colours("light")
    html = plot.heatmap([[0.25, 0.75]], ["a"], ["c", "d"], alt="two weights")._repr_html_()
    full, paper = (f"var(--attn-{name}, {light[name]})" for name in ("weight", "paper"))
    assert f"color-mix(in oklab, {full} 25%, {paper})" in html
    assert f"color-mix(in oklab, {full} 75%, {paper})" in html


def test_a_hidden_cell_is_hatched_and_has_no_number():
    picture = plot.heatmap([[1.0, np.nan]], ["a"], ["c", "d"], alt="one cell hidden")
    words = [text.text for text in parsed(picture).iter(f"{SVG}text")]
    assert words.count("1.00") == 1
    assert "nan" not in words
    assert "<pattern" in picture._repr_html_()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: plot.heatmap(WEIGHTS, ["a"], ["c", "d"], alt="x"), r"\(1, 2\): A is \(2, 2\)"),
        (lambda: plot.heatmap(np.zeros((1, 13)), ["a"], ["b"] * 13, alt="x"), "at most 12"),
        (lambda: plot.heatmap([[1.5]], ["a"], ["b"], alt="x"), r"weights lie in \[0, 1\].*1\.5"),
        (lambda: plot.heatmap([[1.0]], ["a"], ["b"], alt="x", kind="heat"), "not 'heat'"),
        (
            lambda: plot.curves(
                [0], {name: [0] for name in "abcdef"}, alt="x", xlabel="", ylabel=""
            ),
            "at most 5 lines",
        ),
    ],
)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_a_figure_drawn_by_hand_follows_the_theme_too():
    fig, ax = plot.axes(3, 2)
    ax.plot([0, 1], [0, 1], label="line")
    ax.axhline(0.5, color="black")
    ax.text(0.5, 0.5, "here")
    ax.legend()
    drawing = plot.show(fig, alt="a line")._repr_html_()
    drawing = drawing[drawing.index("<svg") :]
    assert re.findall(r"(?:fill|stroke):\s*#", drawing) == []


def wide_pictures():
    names = [f"t{i}" for i in range(12)]
    words = "the cat walks on the street".split()
    fig, panels = plot.axes(6.6, 3.2, columns=2)
    for ax in panels:
        for label in ("the mean of all seeds", "another mean", "a third one"):
            ax.plot([0, 1], [0, 1], label=label)
    plot.legend(fig, ncols=3)
    return {
        "heat map": plot.heatmap(np.eye(12), names, names, alt="each token looks at itself"),
        "words": plot.heatmap(np.full((6, 6), 1 / 6), words, words, alt="all the same"),
        "panels": plot.show(fig, alt="two panels"),
        "curves": plot.curves([0, 1], {"up": [0, 1]}, alt="up", xlabel="x", ylabel="y"),
    }


@pytest.mark.parametrize("kind", ["heat map", "words", "panels", "curves"])
def test_a_wide_picture_is_drawn_again_for_a_phone(kind):
    picture = wide_pictures()[kind]
    html = picture._repr_html_()
    phone = ElementTree.fromstring(picture.narrow[picture.narrow.index("<svg") :])
    assert natural_width(picture.svg) > PHONE >= natural_width(picture.narrow)
    assert html.count("<svg") == html.count('role="img"') == 2
    sizes = [float(size) for size in re.findall(r"font(?:-size)?: ([\d.]+)px", picture.narrow)]
    assert min(sizes) * 4 / 3 >= 11
    assert list(phone.iter(f"{SVG}text"))


def _inside(fig):
    """Whether all that is written around the panels is inside the figure."""
    fig.draw_without_rendering()
    boxes = [ax.get_tightbbox() for ax in fig.axes]
    return all(
        b.x0 >= 0 and b.y0 >= 0 and b.x1 <= fig.bbox.x1 and b.y1 <= fig.bbox.y1 for b in boxes
    )


def test_a_plot_without_a_layout_of_its_own_keeps_its_names_on_a_phone():
    fig = Figure(figsize=(6.4, 4.8))
    for ax in fig.subplots(1, 2):
        ax.plot([0, 1e5])
        ax.set(title="loss", xlabel="step", ylabel="nats, on average over the batch")
    narrow = for_phone(fig, PHONE)
    assert narrow.get_size_inches()[0] * 96 == pytest.approx(PHONE)
    assert _inside(narrow)
    upper, lower = (ax.get_position() for ax in narrow.axes)
    assert upper.y0 > lower.y1


def test_on_a_phone_a_colour_bar_stays_beside_its_panel():
    fig = Figure(figsize=(6.4, 4.8))
    ax = fig.subplots()
    fig.colorbar(ax.imshow([[0, 1], [2, 3]]), label="weight")
    narrow = for_phone(fig, PHONE)
    assert _inside(narrow)
    panel, bar = (ax.get_position() for ax in narrow.axes)
    assert bar.x0 > panel.x1
    assert panel.y0 < (bar.y0 + bar.y1) / 2 < panel.y1


def test_a_picture_that_fits_a_phone_is_drawn_once():
    html = plot.heatmap([[1.0]], ["a"], ["b"], alt="one cell")._repr_html_()
    assert html.count("<svg") == 1


def test_a_legend_stays_inside_the_picture_beside_wide_ticks(monkeypatch):
    monkeypatch.setattr("attn.plot.lines.show", lambda fig, alt: fig)
    lines = {"raw mean": [1.0, 0.1], "raw median": [1.0, 1e-6], "divided": [0.5, 0.01]}
    fig = plot.curves([1, 1024], lines, alt="x", xlabel="d_k", ylabel="y", logx=True, logy=True)
    fig.canvas.draw()
    shown = fig.legends[0] if fig.legends else fig.axes[0].get_legend()
    box = shown.get_window_extent()
    assert 0 <= box.x0 < box.x1 <= fig.bbox.x1
