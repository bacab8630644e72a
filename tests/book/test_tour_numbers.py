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
says = TOUR.says
THE, CAT, WALKS, _, SECOND_THE, STREET = range(6)
WHO, WHERE, WHICH_NOUN = range(3)
MOST_WORDS = 15 * 80  # in 15 minutes, with no code to read


@pytest.fixture(scope="module")
def figures():
    """The page's figures by the names that links use, built by its own cells."""
    built, counts, scope = {}, Counter(), {}
    for cell in TOUR.cells:
        *statements, figure = ast.parse(cell).body
        exec(compile(ast.Module(statements, []), "tour", "exec"), scope)
        made = eval(ast.unparse(figure), scope)
        kind = type(made).__name__
        counts[kind] += 1
        built[f"{kind}-{counts[kind]}" if counts[kind] > 1 else kind] = made
    return built


@pytest.fixture
def press(figures):
    """``press("Double *n*")`` gives the figure as that link leaves it."""
    changed = []

    def press_it(text):
        links = {link["text"]: link["target"] for link in IN_MARKDOWN.finditer(TOUR.text)}
        link = read_link(links[text])
        figure = figures[link.name]
        changed.append((figure, {name: getattr(figure, name) for name in figure._spec["traits"]}))
        set_figure(figure, link.pairs)
        return figure

    yield press_it
    for figure, traits in reversed(changed):
        with figure.hold_trait_notifications():
            for name, value in traits.items():
                setattr(figure, name, value)


def reaction(p):
    """How far weights move with their scores: the norm of diag(p) - p pᵀ."""
    return np.linalg.norm(np.diag(p) - np.outer(p, p))


def percent(weight):
    return round(100 * weight)


def test_eight_stops_with_a_figure_a_link_and_a_chapter_each(figures):
    stops = re.split(r"^## \d\. ", TOUR.text, flags=re.MULTILINE)[1:]
    assert len(stops) == len(figures) == 8
    for stop in stops:
        question, figure, answer = re.split(r"```{code-cell}(.*?)```", stop, flags=re.DOTALL)
        assert "?**" in question, "a stop asks before its figure"
        assert not IN_MARKDOWN.search(question)
        assert IN_MARKDOWN.search(answer), f"{figure} is set by no link"
        assert re.search(r"\*More: \[chapter \d, .*\]\(0\d-", answer)


def test_the_page_is_short():
    prose = re.sub(r"\]\(\S*\)", "]", TOUR.text.split("---\n", 2)[2])
    prose = re.sub(r"```.*?```|\$\$.*?\$\$", "", prose, flags=re.DOTALL)
    words = [word for word in prose.split() if re.search(r"\w", word)]
    assert 0.8 * MOST_WORDS < len(words) <= MOST_WORDS


def test_stop_1_a_wind_between_east_and_north(figures, press):
    says("wind from the east, 10 °C; from the north, 20; from the west, 30")
    assert figures["SoftLookup"].values == [10, 20, 30]
    assert figures["SoftLookup"].output == pytest.approx(10, abs=1), "it opens without the answer"
    says("The answer is 15.1 °C: half *east*, half *north*, and a trace of *west*")
    lookup = press("Turn the query to the north-east")
    assert lookup.output == pytest.approx(15.1, abs=0.05)
    np.testing.assert_allclose(lookup.weights, [0.5, 0.5, 0.01], atol=5e-3)


def test_stop_2_walks_looks_at_itself_until_the_cat_moves_more(figures, press):
    says("*cat* has a 1 for *noun*, *living* and *moves*, and 0 elsewhere")
    layer = figures["LayerExplorer"]
    named = dict(zip(layer.entries, layer.X[CAT], strict=True))
    assert len(named) == 8
    assert {name for name, x in named.items() if x == 1} == {"noun", "living", "moves"}
    assert sum(named.values()) == 3
    says("most at itself, 52%. Its score with itself is 2, for *verb* and *moves*; with *cat*")
    says("with *cat* it is 1, for *moves* alone, and *cat* gets 19%", "so each gets 7.1%")
    says("and *cat* gets 64%")
    assert layer.scores[0][WALKS].tolist() == [0, 1, 2, 0, 0, 0]
    assert [percent(p) for p in layer.weights[0][WALKS]] == [7, 19, 52, 7, 7, 7]
    assert round(100 * layer.weights[0][WALKS][0], 1) == 7.1
    before, asked = layer.feature, press("Choose *walks*")
    assert asked.word == WALKS
    moved = press("Make the cat move three times as much")
    assert moved.feature == 3 * before
    assert percent(moved.weights[0][WALKS][CAT]) == 64


def test_stop_3_a_verb_that_asks_who_finds_the_cat(figures, press):
    layer = figures["LayerExplorer-2"]
    assert layer.X[WALKS][layer.entries.index("living")] == 0
    says("*walks* asks for nothing yet, and gives every word 17%", "and *cat* gets 97%")
    assert not layer.queries[0][WALKS].any()
    assert {percent(p) for p in layer.weights[0][WALKS]} == {17}
    assert percent(press("Let verbs ask *who?*").weights[0][WALKS][CAT]) == 97


def test_stop_4_longer_sums_shut_out_all_keys_but_one(figures, press):
    says("In stop 3, $d_k$ was 2; 64 is common")
    assert figures["LayerExplorer-2"].queries.shape[-1] == 2
    says("With 4 entries, the largest raw weight of query 1 is 25%")
    scale = figures["ScaleExplorer"]
    assert (scale.d_k, scale.query) == (4, 1)
    assert scale.weights[0][0].max() == pytest.approx(0.249, abs=5e-4)
    says("their spread, grows from about √4 to √64", "the same scores have a spread of 1")
    assert scale.spreads[0] == pytest.approx(2, abs=0.2)
    before = reaction(scale.weights[0][0])
    says("One key now gets more than 99%", "hardly moves when the scores change a little")
    raw, divided = (longer := press("Take 64")).weights[:, 0]
    assert longer.spreads == pytest.approx([8, 1], abs=0.05)
    assert raw.max() > 0.99
    assert reaction(raw) < before / 50
    says("the largest weight is 38%. (With 4 entries it was 15%; that difference is chance.)")
    assert percent(divided.max()) == 38


def test_stop_4_whether_a_longer_query_leads_by_more_is_chance():
    scales = [widgets.ScaleExplorer(d_k=d_k) for d_k in (4, 64)]
    short, long = (scale.weights[1].max(-1) for scale in scales)
    assert percent(short[0]) == 15
    assert (long > short).any()
    assert (long < short).any()


def test_stop_5_two_heads_find_two_answers(figures, press):
    says("*cat* gets 87% (97% in stop 3; now the scores are divided by √2)", "*street* gets 87%")
    layer = figures["LayerExplorer-3"]
    assert (layer.head, layer.questions[WHO]) == (WHO, "who?")
    assert percent(layer.weights[WHO][WALKS][CAT]) == 87
    layer = press("Bring *where?* to the front")
    assert (layer.head, layer.questions[WHERE]) == (WHERE, "where?")
    assert percent(layer.weights[WHERE][WALKS][STREET]) == 87
    says("*walks* gets 0.87 of *living* from *cat* and 0.87 of *place* from *street*")
    leaves = dict(zip(layer.entries, layer.outputs[WALKS].round(2).tolist(), strict=True))
    assert (leaves["living"], leaves["place"]) == (0.87, 0.87)


def test_stop_6_a_hidden_street_leaves_three_words_alike(figures, press):
    assert percent(figures["LayerExplorer-4"].weights[WHERE][WALKS][STREET]) == 87
    says("their scores are all 0, so *walks* gives each of the three it sees 33%")
    layer = press("Hide what comes later")
    assert not layer.scores[WHERE][WALKS][:3].any()
    assert (layer.word, layer.head) == (WALKS, WHERE)
    np.testing.assert_allclose(layer.weights[WHERE][WALKS], [1 / 3] * 3 + [0] * 3)


def test_stop_7_positions_tell_one_the_from_the_other(figures, press):
    says("the first *the* gives *cat* 54% and *street* 44%, the other one 47% and 42%")
    layer = figures["LayerExplorer-5"]
    assert (layer.word, layer.questions[layer.head]) == (THE, "which noun?")
    says("the first *the* gives *cat* and *street* 47% each, and so does the second")
    layer = press("Remove the positions")
    assert (layer.word, layer.masked) == (THE, False)
    rows = layer.weights[WHICH_NOUN][[THE, SECOND_THE]]
    np.testing.assert_array_equal(rows[0], rows[1])
    assert press("the second").word == SECOND_THE
    assert {percent(p) for p in rows[0][[CAT, STREET]]} == {47}
    layer = press("Put them back")
    assert layer.word == THE
    both = layer.weights[WHICH_NOUN][:, [CAT, STREET]]
    assert [percent(p) for p in both[THE]] == [54, 44]
    assert press("the other one").word == SECOND_THE
    assert [percent(p) for p in both[SECOND_THE]] == [47, 42]


@pytest.mark.parametrize("masked", [False, True])
def test_stop_7_without_positions_only_a_mask_tells_the_two_apart(masked):
    says("Under a mask they would differ, since the first sees only itself.")
    outputs = widgets.LayerExplorer(stage=6, masked=masked).outputs
    assert np.array_equal(outputs[THE], outputs[SECOND_THE]) is not masked


def test_stop_8_twice_the_words_cost_three_times_the_work(figures, press):
    before = figures["CostTable"].counts["attention"]
    assert sum(before.values()) == pytest.approx(2.1e9, abs=5e7)
    says("double *n*, and 2.1 · 10⁹ multiply-adds become 6.4 · 10⁹, here three times as many")
    cost = press("double *n*")
    after = cost.counts["attention"]
    assert sum(after.values()) == 3 * sum(before.values()) == pytest.approx(6.4e9, abs=5e7)
    assert after["projections"] == 2 * before["projections"]
    assert after["scores and blend"] == 4 * before["scores and blend"]
    says("any word reaches any other in one layer", "takes 2,048 steps, one after another")
    assert (cost.paths["attention"], cost.paths["recurrence"]) == (1, 2048)
