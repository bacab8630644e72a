"""Every number in the prose of chapter 12, computed again or found in its table."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from book.chapter_text import Chapter

from attn import minilm
from attn.data import load
from attn.data import make_minilm_findings as findings
from attn.exercises.catalog import find
from attn.minilm import weights
from attn.minilm.weights import HEADS, LAYERS, LONGEST, SIZE
from attn.widgets import HeadBrowser
from attn.widgets.head_browser import SENTENCES
from web.builder.paths import TOP
from web.builder.third_party import assets
from web.chapters import contents
from web.chapters.source import read_chapter
from web.real_model.model_files import FIRST, real_model
from web.real_model.own_sentence import read_try

CHAPTER = Chapter("12-real-attention")
TABLE, QUANTISED = load("minilm_findings"), load("minilm_quantised")
TIRED = next(r for r in TABLE["keys"] if "tired" in r["sentence"])
KEYS = {name: TIRED["tokens"].index(name) for name in ("[CLS]", "animal", "street", ".", "it")}


def rounded(values, digits=2):
    return [f"{value:.{digits}f}" for value in values]


def ranks(x):
    """From 0, ties sharing the mean of their places."""
    x = np.array(x)
    return (x[:, None] > x).sum(axis=1) + ((x[:, None] == x).sum(axis=1) - 1) / 2


@CHAPTER.number("share-of-cls", "share-of-the-nouns")
def average_weights():
    assert np.argmax(TIRED["average"]) == 0
    return TIRED["average"][0], sum(TIRED["average"][KEYS[n]] for n in ("animal", "street"))


def test_few_heads_look_at_themselves():
    on_itself = np.diagonal(HeadBrowser().attention, axis1=-2, axis2=-1).mean(axis=-1)
    assert (on_itself > 0.5).sum() <= 3


@CHAPTER.number("sentences", "least-back", "least-ahead", "most-ahead")
def heads_that_count_places():
    """What heads 1.3 and 2.9 give the token before and after."""
    back, ahead = ([r[name] for r in TABLE["sentences"]] for name in ("previous", "next"))
    return len(back), min(back), min(ahead), max(ahead)


def test_the_first_head_that_is_shown_looks_at_the_token_before():
    figure = HeadBrowser()
    assert (figure.layer, figure.head, figure.sentence) == (1, 3, "tired")
    looks = figure.weights.argmax(axis=1)
    assert looks.tolist() == [0, *range(len(looks) - 1)]


def test_head_1_3_looks_back_in_all_sentences_and_2_9_ahead_in_all_but_one():
    for name in SENTENCES:
        back = HeadBrowser(sentence=name, layer=1, head=3).weights.argmax(axis=1)
        assert (back[1:] == np.arange(len(back) - 1)).all(), name
        ahead = HeadBrowser(sentence=name, layer=2, head=9).weights.argmax(axis=1)
        share = (ahead[:-1] == np.arange(1, len(ahead))).mean()
        assert (share > 0.5) is np.bool_(name != "noun"), name
        if name == "noun":
            assert (ahead == 0).mean() > 0.5


@CHAPTER.number("heads", "narrow-heads", "sinks")
def chosen_heads():
    choices = ({}, {"widest": 1}, {"sinks": "sinks"})
    return [HeadBrowser(**choice).chosen.sum() for choice in choices]


@CHAPTER.number("other-sentences", "fewest-sinks", "most-sinks")
def sinks_of_other_sentences():
    others = [r["sinks"] for r in TABLE["sentences"] if r["sentence"] != TIRED["sentence"]]
    return len(others), min(others), max(others)


@CHAPTER.number("sinks-by-norms")
def sinks_by_norms():
    """The most on another sentence; none on this one."""
    assert HeadBrowser(sinks="sinks", weighted=True).chosen.sum() == 0
    left = {r["sentence"]: r["sinks_weighted"] for r in TABLE["sentences"]}
    assert left.pop(TIRED["sentence"]) == 0
    return max(left.values())


@CHAPTER.number("cls-in-2.10", "cls-in-3.12")
def weights_of_cls():
    return [HeadBrowser(layer=a, head=b).on_cls[a - 1, b - 1] for a, b in ((2, 10), (3, 12))]


@CHAPTER.number("one-before", "after-cls")
def tokens_that_hand_over_the_one_before():
    looks = np.array(
        [
            HeadBrowser(layer=layer, head=head, weighted=True).weights.argmax(axis=1)
            for layer, head in ((2, 10), (3, 12))
        ]
    )
    before = (looks[:, 1:] == np.arange(looks.shape[1] - 1)).sum(axis=1)
    assert before[0] == before[1]
    return before[0], looks.shape[1] - 1


@CHAPTER.number("it-on-animal")
def it_on_animal():
    """In head 4.2."""
    figure = HeadBrowser(layer=4, head=2)
    assert figure.tokens[figure.query - 1] == "it"
    return figure.weights[figure.query - 1][figure.tokens.index("animal")]


def test_in_the_passive_the_query_of_the_links_is_it():
    for sentence in ("passive-tired", "passive-wide"):
        assert HeadBrowser(sentence=sentence, query=11).tokens[10] == "it"


@CHAPTER.number("layers", "heads-of-a-layer", "d_model", "d_k")
def sizes():
    return LAYERS, HEADS, SIZE, SIZE // HEADS


@CHAPTER.number("hidden-units", "positions", "vocabulary")
def sizes_of_the_weights(minilm_weights):
    assert len(minilm_weights.positions) == LONGEST
    hidden = minilm_weights.layers[0]["W_1"].shape[1]
    return hidden, LONGEST, len(minilm_weights.vocabulary)


def test_flickers_is_two_tokens(minilm_weights):
    assert minilm.tokenize("flickers", minilm_weights.vocabulary)[1:-1] == ["flicker", "##s"]


def test_the_three_mistakes_do_what_the_chapter_says(minilm_weights):
    namespace = {"minilm": minilm}
    for part in ("def mine(", "mistakes = {"):
        exec(next(cell for cell in CHAPTER.cells if part in cell), namespace)
    texts = [namespace[name] for name in ("cat", "kitten", "bank")]

    def cosines(part):
        a, b, c = (minilm.encode(t, parts={"attention": part}).embedding for t in texts)
        return float(a @ b), float(a @ c), float(a @ minilm.encode(texts[0]).embedding)

    right = cosines(namespace["mine"])
    wrong = {name: cosines(part) for name, part in namespace["mistakes"].items()}
    assert all(0.6 < near < 0.75 for near, _, _ in (right, *wrong.values()))
    assert right[2] == pytest.approx(1, abs=1e-5)
    assert abs(right[1]) < 0.01
    assert min(wrong["√d_model"][1], wrong["wrong axis"][1]) > 0.15
    assert np.allclose(wrong["no scale"][:2], right[:2], atol=0.03)
    assert wrong["no scale"][2] < 0.85


SOLUTIONS = {
    exercise.id: exercise
    for path in contents.chapters()
    for exercise in read_chapter(path).exercises
}


@pytest.mark.parametrize(
    ("exercise", "part"),
    [
        ("01-softmax", "softmax"),
        ("05-split-heads", "split_heads"),
        ("05-multi-head", "multi_head_attention"),
        ("10-layer-norm", "layer_norm"),
    ],
)
def test_an_answer_to_an_exercise_runs_the_model_as_it_is(exercise, part, minilm_weights):
    namespace = {}
    exec(SOLUTIONS[exercise].solution, namespace)
    text = "the cat walks on the street"
    own = minilm.encode(text, parts={part: namespace[SOLUTIONS[exercise].function]})
    np.testing.assert_allclose(own.embedding, minilm.encode(text).embedding, rtol=0, atol=1e-5)


@CHAPTER.number("without-attention")
def cosine_without_attention():
    (cosine,) = set(TABLE["monitor"]["without"])
    return cosine


@CHAPTER.number("nouns", "verbs", "candidates")
def sizes_of_the_monitor_table():
    assert {text.split()[1] for text in findings.NOUNS + findings.VERBS} == {"monitor"}
    return len(findings.NOUNS), len(findings.VERBS), TABLE["candidates"]


@CHAPTER.number("two-nouns", "two-verbs", "noun-and-verb")
def cosines_at_the_end():
    return [kind["mean"][-1] for kind in TABLE["senses"]]


@CHAPTER.number("closest-noun-and-verb")
def closest_noun_and_verb():
    return TABLE["senses"][2]["most"][-1]


def test_from_layer_2_on_the_two_uses_of_monitor_are_apart():
    nouns, verbs, across = TABLE["senses"]
    assert (np.minimum(nouns["least"], verbs["least"]) > across["most"])[2:].all()


def test_a_noun_follows_an_article_or_the_like_and_a_verb_does_not():
    before = [text.split()[0] for text in findings.NOUNS]
    assert set(before) == {"the", "a", "my", "her", "that"}
    assert not {text.split()[0] for text in findings.VERBS} & set(before)


def test_another_order_does_not_confuse_the_heads_that_count_places(minilm_weights):
    for text in ("the cat walks on the street", "street the on walks cat the"):
        A = minilm.encode(text).attention
        assert minilm.weight_at_offset(A, -1)[0, 2] > 0.99
        assert minilm.weight_at_offset(A, 1)[1, 8] > 0.6


@CHAPTER.number("norm-of-cls", "norm-of-others")
def norms():
    """Of what a sink hands over, and of what its other tokens do."""
    found = [[r[f"value_norm_of_{who}"] for r in TABLE["sentences"]] for who in ("cls", "others")]
    assert np.ptp(found, axis=1)[1] < 1
    return np.mean(found, axis=1)


@CHAPTER.number("share-of-cls-by-norms")
def share_of_cls_by_norms():
    return TIRED["average_weighted"][0]


@CHAPTER.number("emptied-cls", "hidden-cls")
def what_becomes_of_the_embedding_without_cls():
    return TIRED["emptied"][0], TIRED["hidden"][0]


def test_emptying_cls_does_next_to_nothing_and_hiding_it_more_than_any_word():
    for record in TABLE["keys"]:
        assert record["hidden"][0] == max(record["hidden"])
        assert record["emptied"][0] < 0.006


@CHAPTER.number("average-ratio", "cosine-ratio", "distance-ratio")
def animal_and_full_stop():
    """Of their average weights, and of how far emptying moves the embedding (of norm 1)."""
    average, moved = (
        TIRED[name][KEYS["animal"]] / TIRED[name][KEYS["."]] for name in ("average", "emptied")
    )
    return average, moved, moved**0.5


@CHAPTER.number("least-correlation", "most-correlation")
def rank_correlations():
    found = [
        np.corrcoef(ranks(r["average"][1:]), ranks(r["emptied"][1:]))[0, 1] for r in TABLE["keys"]
    ]
    return min(found), max(found)


@CHAPTER.number(
    "least-range-average", "most-range-average", "least-range-distance", "most-range-distance"
)
def ranges():
    """The largest to the smallest, over the keys of a sentence."""
    average, cosine = (
        [max(r[name][1:]) / min(r[name][1:]) for r in TABLE["keys"]]
        for name in ("average", "emptied")
    )
    return min(average), max(average), min(cosine) ** 0.5, max(cosine) ** 0.5


@CHAPTER.number("back-of-1.3", "back-of-layer-1")
def back_in_layer_1():
    A = HeadBrowser().attention[0]
    return [np.diagonal(B, -1).mean() for B in (A[2], A.mean(axis=0))]


def on_nouns(record):
    other = "b" if record["subject"] == "a" else "a"
    return {record["subject"]: record["on_subject"], other: record["on_other"]}


@CHAPTER.number("animal-tired", "animal-wide", "street-tired", "street-wide")
def tired_and_wide():
    tired, wide = map(on_nouns, TABLE["it"][:2])
    return tired["a"], wide["a"], tired["b"], wide["b"]


@CHAPTER.number("crossings", "pairs-of-nouns", "forms", "twins")
def crossings():
    twins = len(TABLE["it"]) / 2
    return TABLE["heads_on_it"]["sentences"], len(findings.CROSSINGS), len(findings.FRAMES), twins


@CHAPTER.number("subject-4.1", "subject-4.2", "meant-4.2")
def what_the_heads_follow():
    assert TABLE["subject_head"] == [4, 2]
    counts = TABLE["heads_on_it"]
    return (*counts["subject_first"][3][:2], counts["meant_first"][3][1])


@CHAPTER.number("turned")
def twins_whose_lead_the_reason_changes():
    """Each time the right way."""
    twins = [TABLE["it"][i : i + 2] for i in range(0, 48, 2)]
    leads = [[on_nouns(r)["a"] > on_nouns(r)["b"] for r in pair] for pair in twins]
    assert not any(of_b and not of_a for of_a, of_b in leads)
    return sum(of_a and not of_b for of_a, of_b in leads)


def test_in_the_passive_it_looks_at_the_street_with_either_reason():
    assert [r["top"] for r in TABLE["it"][2:4]] == ["street", "street"]


@CHAPTER.number("near", "near-subject")
def near_sentences():
    near = [r["on_subject"] > r["on_other"] for r in TABLE["it"] if r["frame"] == "fronted"]
    return len(near), sum(near)


@CHAPTER.number("best-offset", "first-noun")
def rules_that_head_4_2_has_to_beat():
    offsets, first, meant = [], 0, {}
    for frame, text, nouns, subject, means in findings.crossings():
        words = text.replace(",", " ,").replace(".", " .").split()
        at = {name: words.index(noun) for name, noun in nouns.items()}
        offsets.append(at[subject] - words.index("it"))
        assert findings.FIRST[frame] == min(at, key=at.get)
        first += subject == findings.FIRST[frame]
        meant.setdefault((frame, *nouns.values()), set()).add(means)
    assert list(meant.values()) == [{"a", "b"}] * 24  # what ignores the reason is right in half
    return max(offsets.count(k) for k in offsets), first


@CHAPTER.number("swapped-4.2", "swapped-3.2")
def what_a_swap_takes_along():
    swapped = np.array(TABLE["swapped"])
    assert swapped.max() == swapped[2, 1]
    return swapped[3, 1], swapped[2, 1]


def test_in_head_3_2_it_looks_at_the_reason(minilm_weights):
    for _, text, *_ in findings.crossings():
        found = minilm.encode(text)
        row = found.attention[2, 1, found.tokens.index("it")]
        assert found.tokens[row.argmax()] == text.rstrip(".").split()[-1]


@CHAPTER.number("same-side", "shifted")
def twins_by_the_vector_of_it():
    """In how many it stays nearer to the same noun, in how many it moves to the noun meant."""
    found = TABLE["heads_on_it"]
    return crossings()[3] - found["vector_turns"], found["vector_moves"]


@CHAPTER.number("moved-4.2", "moved-median", "moved-most", "moved-more")
def what_switching_off_moves():
    moved = np.array(TABLE["heads_on_it"]["moved"])
    return moved[3, 1], np.median(moved), moved.max(), (moved > moved[3, 1]).sum()


def test_two_heads_are_best_at_what_is_meant():
    meant = np.array(TABLE["heads_on_it"]["meant_first"])
    assert (np.argwhere(meant == meant.max()) + 1).tolist() == [[4, 6], [5, 1]]


@CHAPTER.number("best-meant", "best-by-chance")
def the_best_of_72():
    """And the median of what chance makes of it, which is as good now and then."""
    meant = np.array(TABLE["heads_on_it"]["meant_first"])
    turns = np.array(TABLE["heads_on_it"]["turns"]).reshape(8, 72)
    ways = 2 * (np.arange(256)[:, None] >> np.arange(8) & 1) - 1
    best = 24 + (ways @ turns).max(axis=1)
    assert 0 < (best >= meant.max()).mean() < 0.05
    return meant.max(), np.median(best)


@CHAPTER.number("most-at-animal")
def heads_in_which_it_looks_most_at_animal():
    figure = HeadBrowser()
    looks = figure.attention[:, :, figure.query - 1].argmax(axis=-1)
    return (looks == figure.tokens.index("animal")).sum()


def test_the_table_of_it_has_the_figure_s_numbers(tmp_path):
    _, said = run_cells(tmp_path).split("means   animal  street")
    rows = [line.split() for line in said.splitlines()]
    for name in ("tired", "wide", "passive-tired", "passive-wide", "near"):
        figure = HeadBrowser(sentence=name, layer=4, head=2)
        row = figure.weights[figure.tokens.index("it")]
        shown = rounded(row[figure.tokens.index(noun)] for noun in ("animal", "street"))
        assert [name, "street" if "wide" in name else "animal", *shown] in rows
    assert ["subject", "37", "32"] in rows
    assert ["noun", "meant", "29", "24"] in rows


@CHAPTER.number("nouns-in-4.1")
def weight_of_both_nouns_in_head_4_1(minilm_weights):
    both = []
    for _, text, nouns, _, _ in findings.crossings():
        found = minilm.encode(text)
        row = found.attention[3, 0, found.tokens.index("it")]
        both.append(sum(row[found.tokens.index(noun)] for noun in nouns.values()))
    return np.mean(both)


def test_a_head_of_size_32_needs_34_tokens_for_other_weights_with_the_same_output(minilm_weights):
    layer = minilm_weights.layers[0]
    for text, unique in ((findings.SENTENCES[3], True), ("one two three four " * 12, False)):
        X = minilm.encode(text).hidden[0]
        V = X @ layer["W_v"][:, :32] + layer["b_v"][:32]
        noticed = np.column_stack([V, np.ones(len(V))])
        assert bool(np.linalg.matrix_rank(noticed) == len(V)) is unique


def bank_cell():
    namespace = {"np": np, "minilm": minilm}
    exec(next(cell for cell in CHAPTER.cells if 'word = "bank"' in cell), namespace)
    return namespace


@CHAPTER.number("banks")
def cosine_of_the_banks(minilm_weights):
    return minilm.cosines(*bank_cell()["uses"])


def test_the_word_nearest_to_each_bank_fits(minilm_weights):
    namespace = bank_cell()
    first, second = (minilm.cosines(namespace["alone"], use) for use in namespace["uses"])
    assert namespace["nearby"][first.argmax()] == "river"
    assert namespace["nearby"][second.argmax()] == "loan"


@CHAPTER.number("tokens")
def tokens_of_the_sentence():
    return len(TIRED["tokens"])


def test_the_last_exercise_is_the_model_after_its_embeddings(minilm_weights):
    found = minilm.encode("the cat walks on the street")
    embed = find("12-embed").task.reference
    (vector,) = embed(found.hidden[:1], np.array([len(found.tokens)]), minilm_weights.layers, 12)
    np.testing.assert_allclose(vector, found.embedding, rtol=0, atol=1e-5)


RUN = """
import sys
from book.chapter_text import Chapter
space = {}
for number, cell in enumerate(Chapter("12-real-attention").cells, 1):
    print(f"cell {number}", flush=True)
    exec(compile(cell, f"cell {number}", "exec"), space)
"""


def run_cells(folder):
    """What the chapter's cells print where the weights are looked for in this folder alone."""
    paths = os.pathsep.join([str(TOP / "tests"), str(TOP)])
    variables = os.environ | {"ATTN_MINILM": str(folder), "PYTHONPATH": paths}
    run = [sys.executable, "-c", RUN]
    done = subprocess.run(run, capture_output=True, text=True, env=variables, cwd=TOP, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_without_the_weights_every_cell_runs_and_says_what_it_left_out(tmp_path):
    said = run_cells(tmp_path)
    needing = [cell for cell in CHAPTER.cells if "minilm.if_available()" in cell]
    assert len(needing) == 4
    assert said.count("not on this computer, so this part was not run") == len(needing)
    assert "of 48       head 4.2   always the" in said  # the table is there all the same


def test_with_the_weights_nothing_is_left_out(minilm_weights):
    said = run_cells(assets.MODELS / "minilm")
    assert "not on this computer" not in said
    assert "is what the model has after layer 1: True" in said


# --- the quantised model that reads a reader's own sentence ---------------------------------------


@CHAPTER.number("monitors-first", "monitors-last")
def monitors():
    """The cosine before the first layer and after the last, quantised or not."""
    quantised, exact = QUANTISED["monitor"], TABLE["monitor"]["cosines"]
    np.testing.assert_allclose(quantised, exact, rtol=0, atol=0.002)
    return quantised[0], quantised[-1]


def test_the_monitors_end_near_screen_and_watching():
    assert [record["nearest"][0][0] for record in TABLE["words"]] == ["screen", "watching"]


@CHAPTER.number("quantised-sentences", "weight-moved", "mean-change", "same-strongest")
def cost_of_quantising():
    records = QUANTISED["sentences"]
    worst = max(r["attention_worst"] for r in records)
    means = [np.mean([r[name] for r in records]) for name in ("attention_mean", "same_strongest")]
    return len(records), worst, *means


@CHAPTER.number("other-lead")
def sentences_in_which_the_other_noun_leads():
    pairs = list(zip(TABLE["it"], QUANTISED["it"], strict=True))
    assert max(abs(a["on_subject"] - b["on_subject"]) for a, b in pairs) <= 0.03
    sides = [[r["on_subject"] > r["on_other"] for r in pair] for pair in pairs]
    return sum(exact != quantised for exact, quantised in sides)


def test_the_banks_stay_as_close_in_the_quantised_model():
    assert f"{QUANTISED['bank'][-1]:.2f}" == "0.76"


@CHAPTER.number("small-megabytes", "megabytes", "first-megabytes")
def megabytes(minilm_weights, tmp_path_factory):
    """Of the quantised weights, of the exact ones, and of what a page loads first."""
    model, folder = real_model(), tmp_path_factory.mktemp("minilm")
    model.write(folder)
    files = model.manifest["files"]
    first = sum((folder / files[part]["name"]).stat().st_size for part in FIRST)
    small = sum(files[part]["bytes"] for part in set(files) - {"minilm.zip", "nearest.bin"})
    return small / 1e6, weights.find()[0].stat().st_size / 1e6, first / 1e6


def test_the_suggested_sentences_are_those_of_the_tables():
    (block,) = re.findall(r":class: real-model\n\n(.*?)\n```", CHAPTER.text, re.DOTALL)
    monitors, it, _ = (read_try(line.removeprefix("- "))["texts"] for line in block.splitlines())
    assert monitors == [TABLE["monitor"]["noun"], TABLE["monitor"]["verb"]]
    assert it == [record["sentence"] for record in TABLE["it"][:2]]


test_number = CHAPTER.tests()
