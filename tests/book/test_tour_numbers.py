"""Every number in the tour, computed again through its figures and the links that set them."""

import ast
import re
from collections import Counter

import numpy as np
import pytest
from book.chapter_text import Chapter

from attn import widgets
from web.figures.link_syntax import IN_MARKDOWN, read_link, set_figure

TOUR = Chapter("tour")
THE, CAT, WALKS, _, SECOND_THE, STREET = range(6)
WHO, WHERE, WHICH_NOUN = range(3)
MOST_WORDS = 15 * 80  # in 15 minutes, with no code to read


def figures():
    """The page's figures by the names that links use, built anew by its own cells."""
    built, counts, scope = {}, Counter(), {}
    for cell in TOUR.cells:
        *statements, figure = ast.parse(cell).body
        exec(compile(ast.Module(statements, []), "tour", "exec"), scope)
        made = eval(ast.unparse(figure), scope)
        kind = type(made).__name__
        counts[kind] += 1
        built[f"{kind}-{counts[kind]}" if counts[kind] > 1 else kind] = made
    return built


def press(name, count):
    """A figure as the first so many links that set it leave it, pressed in the page's order."""
    links = [read_link(link["target"]) for link in IN_MARKDOWN.finditer(TOUR.text)]
    figure = figures()[name]
    for link in [link for link in links if link.name == name][:count]:
        set_figure(figure, link.pairs)
    return figure


def reaction(p):
    """How far weights move with their scores: the norm of diag(p) - p pᵀ."""
    return np.linalg.norm(np.diag(p) - np.outer(p, p))


def test_eight_stops_with_a_figure_a_link_and_a_chapter_each():
    stops = re.split(r"^## \d\. ", TOUR.text, flags=re.MULTILINE)[1:]
    assert len(stops) == len(figures()) == 8
    for stop in stops:
        question, figure, answer = re.split(r"```{code-cell}(.*?)```", stop, flags=re.DOTALL)
        assert "?**" in question, "a stop asks before its figure"
        assert not IN_MARKDOWN.search(question)
        assert IN_MARKDOWN.search(answer), f"{figure} is set by no link"
        assert re.search(r"\]\(0\d-[\w-]+\.md\)", answer)


def test_the_page_is_short():
    prose = re.sub(r"\]\(\S*\)", "]", TOUR.text.split("---\n", 2)[2])
    prose = re.sub(r"```.*?```|\$\$.*?\$\$", "", prose, flags=re.DOTALL)
    words = [word for word in prose.split() if re.search(r"\w", word)]
    assert len(words) <= MOST_WORDS


@TOUR.number("east", "north", "west")
def temperatures_of_stop_1():
    assert figures()["SoftLookup"].output == pytest.approx(10, abs=1), "it opens without the answer"
    return figures()["SoftLookup"].values


@TOUR.number("blend", "half")
def stop_1_a_wind_between_east_and_north():
    lookup = press("SoftLookup", 1)
    east, north, west = lookup.weights
    assert east == pytest.approx(north)
    assert 0 < west < 0.01, "a trace"
    return lookup.output, east


def test_stop_2_cat_is_a_noun_is_living_and_moves():
    layer = figures()["LayerExplorer"]
    cat = dict(zip(layer.entries, layer.X[CAT], strict=True))
    assert {name for name, x in cat.items() if x} == {"noun", "living", "moves"}
    assert sum(cat.values()) == 3


@TOUR.number("entries", "score-itself", "score-cat", "walks-itself", "walks-cat", "walks-other")
def stop_2_walks_looks_at_itself():
    layer = press("LayerExplorer", 1)
    assert layer.word == WALKS
    scores, weights = layer.scores[0][WALKS], layer.weights[0][WALKS]
    assert np.flatnonzero(scores).tolist() == [CAT, WALKS]
    return len(layer.entries), scores[WALKS], scores[CAT], *weights[[WALKS, CAT, THE]]


@TOUR.number("moves-more", "walks-moving-cat")
def stop_2_until_the_cat_moves_more():
    before, moved = (press("LayerExplorer", count) for count in (1, 2))
    return moved.feature / before.feature, moved.weights[0][WALKS][CAT]


@TOUR.number("no-question", "who-cat")
def stop_3_a_verb_that_asks_who_finds_the_cat():
    layer = figures()["LayerExplorer-2"]
    assert layer.X[WALKS][layer.entries.index("living")] == 0
    assert not layer.queries[0][WALKS].any()
    asks = press("LayerExplorer-2", 1)
    return layer.weights[0][WALKS][CAT], asks.weights[0][WALKS][CAT]


@TOUR.number("stop-3-size")
def size_of_a_query_in_stop_3():
    return figures()["LayerExplorer-2"].queries.shape[-1]


@TOUR.number("raw-4", "divided-4")
def stop_4_largest_weights_of_a_short_query():
    scale = figures()["ScaleExplorer"]
    assert (scale.d_k, scale.query) == (4, 1)
    return scale.weights[:, 0].max(axis=-1)


@TOUR.number("raw-64", "divided-64")
def stop_4_largest_weights_of_a_longer_query():
    return press("ScaleExplorer", 1).weights[:, 0].max(axis=-1)


@TOUR.number("divided-spread")
def stop_4_spread_of_divided_scores():
    raw, divided = press("ScaleExplorer", 1).spreads
    assert figures()["ScaleExplorer"].spreads[0] == pytest.approx(2, abs=0.2), "about the root of 4"
    assert raw == pytest.approx(8, abs=0.05), "about the root of 64"
    return divided


def test_stop_4_weights_close_to_1_hardly_move():
    before, after = (press("ScaleExplorer", count).weights[0][0] for count in (0, 1))
    assert reaction(after) < reaction(before) / 50


def test_stop_4_whether_a_longer_query_leads_by_more_is_chance():
    short, long = (widgets.ScaleExplorer(d_k=d_k).weights[1].max(-1) for d_k in (4, 64))
    assert (long > short).any()
    assert (long < short).any()


@TOUR.number("divided-who-cat")
def stop_5_opens_with_who():
    layer = figures()["LayerExplorer-3"]
    assert (layer.head, layer.questions[WHO]) == (WHO, "who?")
    return layer.weights[WHO][WALKS][CAT]


@TOUR.number("divided-where-street", "living", "place")
def stop_5_two_heads_find_two_answers():
    layer = press("LayerExplorer-3", 1)
    assert (layer.head, layer.questions[WHERE]) == (WHERE, "where?")
    leaves = dict(zip(layer.entries, layer.outputs[WALKS], strict=True))
    return layer.weights[WHERE][WALKS][STREET], leaves["living"], leaves["place"]


@TOUR.number("seen", "masked-where")
def stop_6_a_hidden_street_leaves_words_alike():
    layer = press("LayerExplorer-4", 1)
    assert (layer.word, layer.head) == (WALKS, WHERE)
    weights = layer.weights[WHERE][WALKS]
    seen = int((weights > 0).sum())
    assert not layer.scores[WHERE][WALKS][:seen].any()
    np.testing.assert_allclose(weights[:seen], weights[0])
    return seen, weights[0]


@TOUR.number("without-positions")
def stop_7_without_positions_both_the_look_alike():
    layers = [press("LayerExplorer-5", count) for count in (1, 2)]
    assert [layer.word for layer in layers] == [THE, SECOND_THE]
    assert layers[0].questions[WHICH_NOUN] == "which noun?"
    assert layers[0].head == WHICH_NOUN
    (cat, street), other = (
        layer.weights[WHICH_NOUN][layer.word, [CAT, STREET]] for layer in layers
    )
    assert (cat, street) == (street, cat) == tuple(other)
    return cat


@TOUR.number("first-cat", "first-street", "second-cat", "second-street")
def stop_7_positions_tell_one_the_from_the_other():
    layers = [press("LayerExplorer-5", count) for count in (3, 4)]
    assert [layer.word for layer in layers] == [THE, SECOND_THE]
    return [p for layer in layers for p in layer.weights[WHICH_NOUN][layer.word, [CAT, STREET]]]


@pytest.mark.parametrize("masked", [False, True])
def test_stop_7_without_positions_only_a_mask_tells_the_two_apart(masked):
    outputs = widgets.LayerExplorer(stage=6, masked=masked).outputs
    assert np.array_equal(outputs[THE], outputs[SECOND_THE]) is not masked


@TOUR.number("work", "double-work", "work-ratio", "projections-ratio", "pairs-ratio")
def stop_8_twice_the_words():
    before, after = (press("CostTable", count).counts["attention"] for count in (0, 1))
    work, double = sum(before.values()), sum(after.values())
    ratios = {part: after[part] / before[part] for part in before}
    return work, double, double / work, ratios["projections"], ratios["scores and blend"]


@TOUR.number("gru-steps")
def stop_8_any_word_reaches_any_other_in_one_layer_but_a_gru_in_many_steps():
    paths = press("CostTable", 1).paths
    assert paths["attention"] == 1
    return paths["recurrence"]


test_number = TOUR.tests()
