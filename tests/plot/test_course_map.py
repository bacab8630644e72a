"""The map grows by a part a chapter, says so in words, and fits its frame."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from attn.plot import course_map
from attn.plot.course_map import CHAPTERS, LANE, PARTS, WORDS_AT, WORDS_WIDTH

SVG = "{http://www.w3.org/2000/svg}"
EVERY = pytest.mark.parametrize("chapter", CHAPTERS)


def drawings(chapter, **options):
    """The wide and the narrow drawing as they stand in a page."""
    html = course_map(chapter, **options)._repr_html_()
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]


def labels(root):
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def boxes(root):
    return [r for r in root.iter(f"{SVG}rect") if r.get("rx") == "5"]


def flow(chapter):
    return course_map(chapter).alt.split(": ", 1)[1].split(".")[0].split(" → ")


def test_chapter_2_is_the_look_up_between_words_and_outputs():
    assert flow(2) == [
        "words",
        "vectors X",
        "scores X Xᵀ",
        "weights A = softmax",
        "blend A X",
        "outputs Y",
    ]


def test_chapter_3_gains_three_matrices_and_the_formulas_follow():
    steps = flow(3)
    assert steps[2] == "queries Q = X W_q and keys K = X W_k and values V = X W_v"
    assert "scores Q Kᵀ" in steps
    assert "blend A V" in steps


def test_chapter_4_divides_between_scores_and_softmax():
    steps = flow(4)
    assert steps.index("scores Q Kᵀ") + 1 == steps.index("scale ÷ √d_k")
    assert steps.index("scale ÷ √d_k") + 1 == steps.index("weights A = softmax")


def test_no_part_is_lost_from_chapter_to_chapter():
    for before, after in pairwise(len(boxes(drawings(c)[0])) for c in CHAPTERS):
        assert before <= after
    assert len(boxes(drawings(13)[0])) == len(PARTS) - 1, "all but the frame of the heads"


@EVERY
def test_what_the_chapter_adds_is_bold_and_named_in_words(chapter):
    new = [part for part in PARTS if part.since == chapter]
    picture = course_map(chapter)
    for root in drawings(chapter):
        assert root.get("role") == "img"
        assert root.get("aria-label") == picture.alt
        thick = [box for box in boxes(root) if box.get("stroke-width") != "1"]
        assert len(thick) == len([part for part in new if part.name != "heads"])
    for part in new:
        assert f"{part.name}, {part.words}" in picture.alt
        assert f"<strong>{part.name.replace('&', '&amp;')}</strong>, {part.words}" in (
            picture._repr_html_()
        )


def test_a_chapter_that_adds_nothing_marks_what_it_is_told_to():
    assert "You are here: all of it." in course_map(13).alt
    assert "You are here" not in re.sub("<svg.*?</svg>", "", course_map(13)._repr_html_())
    marked = course_map(13, here=["scores", "weights"])
    assert "You are here: scores, how well a key fits a query; weights, " in marked.alt


def test_arrows_divide_where_a_vector_is_query_key_and_value_at_once():
    _, two = drawings(2)
    lines = [path for path in two.iter(f"{SVG}path") if path.get("fill") == "none"]
    assert len(lines) == 7
    assert {"as query", "as key", "as value"} <= set(labels(two))
    _, three = drawings(3)
    assert "as query" not in labels(three)
    roles = [path.get("stroke") for path in three.iter(f"{SVG}path") if path.get("fill") == "none"]
    for role in ("query", "key", "value"):
        into_and_out_of = [stroke for stroke in roles if f"--attn-{role}" in stroke]
        assert len(into_and_out_of) == 2


@EVERY
def test_every_colour_follows_the_theme(chapter):
    html = course_map(chapter)._repr_html_()
    drawing = html[html.index("<svg") :]
    assert re.findall(r"(?:fill|stroke)\s*[:=]\s*\"?(#[0-9a-f]{3,6}|black|white)", drawing) == []


@EVERY
def test_no_label_is_wider_than_its_box(chapter):
    """Measured in DejaVu Sans, wider than what a page uses."""
    wide, narrow = drawings(chapter)
    left, _, right, _ = (float(n) for n in narrow.get("viewBox").split())
    for text in wide.iter(f"{SVG}text"):
        words, style = "".join(text.itertext()), text.get("style")
        font = FontProperties(weight=re.search(r"font-weight: (\d+)", style)[1])
        size = float(re.search(r"font-size: ([\d.]+)", style)[1])
        width = TextPath((0, 0), words.replace("_", ""), size, prop=font).get_extents().width
        if float(text.get("x")) >= WORDS_AT:
            assert width <= WORDS_WIDTH, words
        elif text.get("text-anchor") == "middle":
            assert width <= LANE * (1 if "W" in words and "=" in words else 2) - 6, words
        else:
            assert float(text.get("x")) + width <= right - left, words


def test_the_narrow_drawing_fits_a_phone():
    for chapter in CHAPTERS:
        _, narrow = drawings(chapter)
        assert float(narrow.get("viewBox").split()[2]) * 4 / 3 <= 328


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: course_map(1), "from chapter 2 to 13: chapter is 1"),
        (lambda: course_map(3, here=["mask"]), "chapter 3 knows words, .*, not mask"),
    ],
)
def test_a_part_that_is_not_there_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()
