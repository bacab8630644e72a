"""Every number in the prose of chapter 12, computed again or found in its table."""

import os
import subprocess
import sys

import numpy as np
import pytest
from book.chapter_text import Chapter

from attn import minilm
from attn.data import load
from attn.data import make_minilm_findings as findings
from attn.exercises.catalog import find
from attn.minilm.weights import HEADS, LAYERS, LONGEST, SIZE
from attn.widgets import HeadBrowser
from attn.widgets.head_browser import SENTENCES
from web.builder.paths import TOP
from web.builder.third_party import assets
from web.chapters import contents
from web.chapters.source import read_chapter

CHAPTER = Chapter("12-real-attention")
says, computes = CHAPTER.says, CHAPTER.computes
TABLE = load("minilm_findings")
TIRED = next(r for r in TABLE["keys"] if "tired" in r["sentence"])
KEYS = {name: TIRED["tokens"].index(name) for name in ("[CLS]", "animal", "street", ".", "it")}


def rounded(values, digits=2):
    return [f"{value:.{digits}f}" for value in values]


def ranks(x):
    """From 0, ties sharing the mean of their places."""
    x = np.array(x)
    return (x[:, None] > x).sum(axis=1) + ((x[:, None] == x).sum(axis=1) - 1) / 2


def test_cls_gets_nearly_half_of_all_weight_and_the_nouns_a_tenth():
    says("On this sentence it gets 47% of all weight", "Together they get about a tenth")
    assert rounded([TIRED["average"][KEYS["[CLS]"]]]) == ["0.47"]
    assert sum(TIRED["average"][KEYS[n]] for n in ("animal", "street")) == pytest.approx(
        0.1, abs=0.005
    )
    assert np.argmax(TIRED["average"]) == 0


def test_few_heads_look_at_themselves():
    says("Few of the small pictures have a dark diagonal")
    on_itself = np.diagonal(HeadBrowser().attention, axis1=-2, axis2=-1).mean(axis=-1)
    assert (on_itself > 0.5).sum() <= 3


def test_two_heads_count_places_in_all_eight_sentences():
    says("gives the previous token at least 0.99 of its weight, on average, in all eight sentences")
    says("head 2.9 gives the next one 0.43 to 0.65")
    assert min(r["previous"] for r in TABLE["sentences"]) > 0.99
    after = [r["next"] for r in TABLE["sentences"]]
    assert rounded([min(after), max(after)]) == ["0.43", "0.65"]
    assert len(TABLE["sentences"]) == 8
    figure = HeadBrowser()
    assert (figure.layer, figure.head, figure.sentence) == (1, 3, "tired")
    looks = figure.weights.argmax(axis=1)
    assert looks.tolist() == [0, *range(len(looks) - 1)]


def test_head_1_3_looks_back_in_all_sentences_and_2_9_ahead_in_all_but_one():
    says("most look at the one after. Choose other sentences: 1.3 does the same in all of them")
    says("2.9 in all but *the monitor flickers tonight*, where most look at [CLS]")
    for name in SENTENCES:
        back = HeadBrowser(sentence=name, layer=1, head=3).weights.argmax(axis=1)
        assert (back[1:] == np.arange(len(back) - 1)).all(), name
        ahead = HeadBrowser(sentence=name, layer=2, head=9).weights.argmax(axis=1)
        share = (ahead[:-1] == np.arange(1, len(ahead))).mean()
        assert (share > 0.5) is np.bool_(name != "noun"), name
        if name == "noun":
            assert (ahead == 0).mean() > 0.5


def test_six_heads_spread_over_at_most_1_bit():
    says("only six of 72 have a spread of at most 1 *bit*")
    assert HeadBrowser(widest=1).chosen.sum() == 6


def test_31_heads_are_sinks_on_this_sentence_and_none_by_norms():
    says("31 of 72. On the other seven sentences it is 28 to 49.")
    says("No such head is left on this sentence, and at most three on the others.")
    assert HeadBrowser(sinks="sinks").chosen.sum() == 31
    assert HeadBrowser(sinks="sinks", weighted=True).chosen.sum() == 0
    others = [r["sinks"] for r in TABLE["sentences"] if r["sentence"] != TIRED["sentence"]]
    assert (len(others), min(others), max(others)) == (7, 28, 49)
    left = {r["sentence"]: r["sinks_weighted"] for r in TABLE["sentences"]}
    assert left.pop(TIRED["sentence"]) == 0
    assert max(left.values()) == 3


def test_two_sinks_hand_over_the_token_before():
    says("Heads 2.10 and 3.12 gave [CLS] 67% and 62%")
    says("now, in each, the top source of 13 of the 14 tokens after it is the one before")
    for layer, head, on_cls in ((2, 10, "67%"), (3, 12, "62%")):
        plain, weighted = (HeadBrowser(layer=layer, head=head, weighted=w) for w in (False, True))
        assert f"{plain.on_cls[layer - 1, head - 1]:.0%}" == on_cls
        looks = weighted.weights.argmax(axis=1)
        assert len(looks) == 15
        assert (looks[1:] == np.arange(14)).sum() == 13


def test_it_looks_at_animal_in_the_figure():
    says("goes to *animal*, with 69%")
    figure = HeadBrowser(layer=4, head=2)
    assert figure.tokens[figure.query - 1] == "it"
    row = figure.weights[figure.query - 1]
    assert f"{row[figure.tokens.index('animal')]:.0%}" == "69%"
    for sentence in ("passive-tired", "passive-wide"):
        assert HeadBrowser(sentence=sentence, query=11).tokens[10] == "it"


def test_the_model_is_what_the_chapter_says(minilm_weights):
    says(
        "six layers of twelve heads", "$d_\\text{model} = 384$, so 32 per head", "1536 hidden units"
    )
    assert (LAYERS, HEADS, SIZE, SIZE // HEADS) == (6, 12, 384, 32)
    assert minilm_weights.layers[0]["W_1"].shape == (384, 1536)
    says("its positions are learned, 512 of them", "Its 30,522 tokens")
    assert minilm_weights.positions.shape == (LONGEST, 384) == (512, 384)
    assert len(minilm_weights.vocabulary) == 30_522
    says("*flickers* is *flicker* and *##s*")
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
    says(
        "All four run without error and find the kitten near the cat",
        "The last two put the bank nearer",
    )
    assert all(0.6 < near < 0.75 for near, _, _ in (right, *wrong.values()))
    assert right[2] == pytest.approx(1, abs=1e-5)
    assert abs(right[1]) < 0.01
    assert min(wrong["√d_model"][1], wrong["wrong axis"][1]) > 0.15
    says("Without the scale, both numbers look right, although the cat's embedding has moved")
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
    says("Your answers to earlier exercises fit as they are", f"#ex-{exercise})")
    namespace = {}
    exec(SOLUTIONS[exercise].solution, namespace)
    text = "the cat walks on the street"
    own = minilm.encode(text, parts={part: namespace[SOLUTIONS[exercise].function]})
    np.testing.assert_allclose(own.embedding, minilm.encode(text).embedding, rtol=0, atol=1e-5)


def test_without_attention_both_monitors_stay_one_vector():
    says("- 1: ✓ Exactly 1.")
    assert TABLE["monitor"]["without"] == [1.0] * 7


def test_the_two_uses_of_monitor_part():
    nouns, verbs, across = TABLE["senses"]
    says("six sentences that use the word as a noun and six that use it as a verb")
    says("always as the second word")
    assert len(findings.NOUNS) == len(findings.VERBS) == 6
    assert {text.split()[1] for text in findings.NOUNS + findings.VERBS} == {"monitor"}
    says("From layer 2 on, any two nouns and any two verbs are closer than any noun is to any verb")
    apart = np.minimum(nouns["least"], verbs["least"]) > across["most"]
    assert apart[2:].all()
    says("0.89 between two nouns, 0.85 between two verbs, and 0.49 between a noun and a verb")
    assert rounded(kind["mean"][-1] for kind in TABLE["senses"]) == ["0.89", "0.85", "0.49"]
    says("Of 5,000 common words")
    assert TABLE["candidates"] == 5000
    says("no noun and verb of *monitor* end above 0.59")
    assert rounded([across["most"][-1]]) == ["0.59"]


def test_a_noun_follows_an_article_or_the_like_and_a_verb_does_not():
    says("the noun follows a word like *the* or *my* and the verb follows its subject")
    before = [text.split()[0] for text in findings.NOUNS]
    assert set(before) == {"the", "a", "my", "her", "that"}
    assert not {text.split()[0] for text in findings.VERBS} & set(before)


def test_another_order_does_not_confuse_the_heads_that_count_places(minilm_weights):
    says("It does not: head 1.3 counts places, and so does 2.9, with part of its weight.")
    computes('"street the on walks cat the"')
    for text in ("the cat walks on the street", "street the on walks cat the"):
        A = minilm.encode(text).attention
        assert minilm.weight_at_offset(A, -1)[0, 2] > 0.99
        assert minilm.weight_at_offset(A, 1)[1, 8] > 0.6


def test_what_sinks_hand_over_is_short():
    says("this norm is about 0.16 for [CLS] and about 4 for other tokens")
    assert {f"{r['value_norm_of_cls']:.1f}" for r in TABLE["sentences"]} == {"0.2"}
    assert np.mean([r["value_norm_of_cls"] for r in TABLE["sentences"]]) == pytest.approx(
        0.16, abs=5e-3
    )
    assert {f"{r['value_norm_of_others']:.0f}" for r in TABLE["sentences"]} == {"4"}
    says("falls from 47% to 10% on our sentence")
    assert rounded([TIRED["average_weighted"][0]]) == ["0.10"]


def test_emptying_cls_does_next_to_nothing_and_hiding_it_more_than_any_word():
    says(
        "Emptying [CLS] moves the embedding by 0.004; hiding it, by 0.48, more than hiding any word"
    )
    assert rounded([TIRED["emptied"][0]], 3) == ["0.004"]
    assert rounded([TIRED["hidden"][0]]) == ["0.48"]
    for record in TABLE["keys"]:
        assert record["hidden"][0] == max(record["hidden"])
        assert record["emptied"][0] < 0.006


def test_the_average_orders_the_tokens_and_misjudges_sizes():
    says(
        "*animal* gets 1.3 times the average of the full stop", "3.8 times as far (14 in the table"
    )
    animal, stop = KEYS["animal"], KEYS["."]
    assert rounded([TIRED["average"][animal] / TIRED["average"][stop]], 1) == ["1.3"]
    moved = TIRED["emptied"][animal] / TIRED["emptied"][stop]  # by 1 minus the cosine
    assert rounded([moved], 0) == ["14"]
    assert rounded([moved**0.5], 1) == ["3.8"]  # a distance between vectors of norm 1
    says("rank correlation 0.60 to 0.88 in our eight sentences")
    found = [
        np.corrcoef(ranks(r["average"][1:]), ranks(r["emptied"][1:]))[0, 1] for r in TABLE["keys"]
    ]
    assert rounded([min(found), max(found)]) == ["0.60", "0.88"]
    says("largest average is 1.7 to 2.6 times the smallest, the largest distance 3 to 9 times")
    ratios = {
        name: [max(r[name][1:]) / min(r[name][1:]) for r in TABLE["keys"]]
        for name in ("average", "emptied")
    }
    assert rounded([min(ratios["average"]), max(ratios["average"])], 1) == ["1.7", "2.6"]
    distances = np.sqrt(ratios["emptied"])
    assert rounded([min(distances), max(distances)], 0) == ["3", "9"]


def test_averaged_over_its_layer_the_previous_token_head_is_gone():
    says("where head 1.3 gives the previous token 1.00, the average over its layer gives it 0.16")
    A = HeadBrowser().attention[0]
    assert rounded([np.diagonal(A[2], -1).mean()]) == ["1.00"]
    assert rounded([np.diagonal(A.mean(axis=0), -1).mean()]) == ["0.16"]


def on_nouns(record):
    other = "b" if record["subject"] == "a" else "a"
    return {record["subject"]: record["on_subject"], other: record["on_other"]}


def test_wide_moves_the_weights_and_not_the_lead():
    says("*animal* drops from 0.69 to 0.32, *street* rises from 0.05 to 0.15")
    tired, wide = map(on_nouns, TABLE["it"][:2])
    assert rounded([tired["a"], wide["a"], tired["b"], wide["b"]]) == [
        "0.69",
        "0.32",
        "0.05",
        "0.15",
    ]


def test_head_4_2_follows_the_subject():
    says("But what is 37 of 48 worth?", "Head 4.2 gets 29", "these three forms, two reasons each")
    counts = TABLE["heads_on_it"]
    layer, head = TABLE["subject_head"]
    assert (layer, head, counts["sentences"]) == (4, 2, 48)
    assert counts["subject_first"][3][1] == 37
    assert counts["meant_first"][3][1] == 29
    assert (len(findings.CROSSINGS), len(findings.FRAMES)) == (8, 3)
    twins = [TABLE["it"][i : i + 2] for i in range(0, 48, 2)]
    says("in 5 of 24 pairs the reason changes the lead, each time the right way")
    leads = [[on_nouns(r)["a"] > on_nouns(r)["b"] for r in pair] for pair in twins]
    assert len(leads) == 24
    assert sum(of_a and not of_b for of_a, of_b in leads) == 5
    assert sum(of_b and not of_a for of_a, of_b in leads) == 0
    says("In the passive, *it* looks at *street* with either reason.")
    assert [r["top"] for r in TABLE["it"][2:4]] == ["street", "street"]
    says("in the 16 *Near …* sentences, where subject and first noun differ, it prefers")
    says("the subject in just 11")
    near = [r["on_subject"] > r["on_other"] for r in TABLE["it"] if r["frame"] == "fronted"]
    assert (sum(near), len(near)) == (11, 16)


def test_the_rules_that_head_4_2_has_to_beat():
    says("The best fixed offset finds the subject in 16, a rule that always takes the first noun")
    says("in 32.", "a head that ignores the reason gets exactly 24")
    offsets, first, meant = [], 0, {}
    for frame, text, nouns, subject, means in findings.crossings():
        words = text.replace(",", " ,").replace(".", " .").split()
        at = {name: words.index(noun) for name, noun in nouns.items()}
        offsets.append(at[subject] - words.index("it"))
        assert findings.FIRST[frame] == min(at, key=at.get)
        first += subject == findings.FIRST[frame]
        meant.setdefault((frame, *nouns.values()), set()).add(means)
    assert max(offsets.count(k) for k in offsets) == 16
    assert first == 32
    assert list(meant.values()) == [{"a", "b"}] * 24


def test_what_a_swap_takes_along(minilm_weights):
    says("the last vector of *it* only 3% of the way to the twin's")
    says("Head 3.2 takes it 15%, more than any other of the 72")
    swapped = np.array(TABLE["swapped"])
    assert (f"{swapped[3, 1]:.0%}", f"{swapped[2, 1]:.0%}") == ("3%", "15%")
    assert swapped.max() == swapped[2, 1]
    says("in all 48 sentences")
    for _, text, *_ in findings.crossings():
        found = minilm.encode(text)
        row = found.attention[2, 1, found.tokens.index("it")]
        assert found.tokens[row.argmax()] == text.rstrip(".").split()[-1]


def test_the_vector_of_it_never_changes_sides_and_always_shifts():
    says("stays nearer to the same noun under both reasons, in all 24 pairs")
    says("yet in all 24 it shifts towards the noun that is meant")
    assert TABLE["heads_on_it"]["vector_turns"] == 0
    assert TABLE["heads_on_it"]["vector_moves"] == 24


def test_switching_head_4_2_off():
    says("head 4.2 moves the last vector of *it* by 0.004 on average")
    says("median head moves it by 0.002, the strongest by 0.08, and 22 of 72 more than 4.2")
    moved = np.array(TABLE["heads_on_it"]["moved"])
    assert rounded([moved[3, 1], np.median(moved)], 3) == ["0.004", "0.002"]
    assert rounded([moved.max()]) == ["0.08"]
    assert (moved > moved[3, 1]).sum() == 22


def test_the_best_of_72_heads_and_what_chance_makes_of_them():
    says("Heads 4.6 and 5.1 get 36.", "By chance the best of 72 gets about 29, not 24")
    meant = np.array(TABLE["heads_on_it"]["meant_first"])
    assert meant.max() == 36
    assert (np.argwhere(meant == 36) + 1).tolist() == [[4, 6], [5, 1]]
    turns = np.array(TABLE["heads_on_it"]["turns"]).reshape(8, 72)
    ways = 2 * (np.arange(256)[:, None] >> np.arange(8) & 1) - 1
    best = 24 + (ways @ turns).max(axis=1)
    assert np.median(best) == 29
    says("and now and then 36")
    assert (best >= 36).sum() == 7
    says("*it* looks most at *animal* in three")
    figure = HeadBrowser()
    looks = figure.attention[:, :, figure.query - 1].argmax(axis=-1)
    assert (looks == figure.tokens.index("animal")).sum() == 3


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


def test_head_4_1_prefers_the_subject_with_next_to_no_weight(minilm_weights):
    says("head 4.1 prefers it in 47 of 48, though both nouns together get 0.02 of its weight")
    assert TABLE["heads_on_it"]["subject_first"][3][0] == 47
    both = []
    for _, text, nouns, _, _ in findings.crossings():
        found = minilm.encode(text)
        row = found.attention[3, 0, found.tokens.index("it")]
        both.append(sum(row[found.tokens.index(noun)] for noun in nouns.values()))
    assert rounded([np.mean(both)]) == ["0.02"]


def test_a_head_of_size_32_needs_34_tokens_for_other_weights_with_the_same_output(minilm_weights):
    says("Our heads have $d_v = 32$, so this takes more than 33 tokens")
    layer = minilm_weights.layers[0]
    for text, unique in ((findings.SENTENCES[3], True), ("one two three four " * 12, False)):
        X = minilm.encode(text).hidden[0]
        V = X @ layer["W_v"][:, :32] + layer["b_v"][:32]
        noticed = np.column_stack([V, np.ones(len(V))])
        assert bool(np.linalg.matrix_rank(noticed) == len(V)) is unique


def test_the_word_that_hardly_splits(minilm_weights):
    says("the two *bank*s stay close: 0.76")
    namespace = {"np": np, "minilm": minilm}
    exec(next(cell for cell in CHAPTER.cells if 'word = "bank"' in cell), namespace)
    assert rounded([minilm.cosines(*namespace["uses"])]) == ["0.76"]
    says("Each nearest word fits")
    first, second = (minilm.cosines(namespace["alone"], use) for use in namespace["uses"])
    assert namespace["nearby"][first.argmax()] == "river"
    assert namespace["nearby"][second.argmax()] == "loan"


def test_the_tables_of_the_last_lines():
    says("Our sentence has 15 tokens, so each head holds a table of 225 weights.")
    assert len(TIRED["tokens"]) ** 2 == 225
    says("The model stops at 512 tokens, with tables of 262,144")
    assert LONGEST**2 == 262_144


def test_the_last_exercise_is_the_model_after_its_embeddings(minilm_weights):
    says("A model of the same form as MiniLM")
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
    says("Where its weights are missing, cells that run it say so")
    said = run_cells(tmp_path)
    needing = [cell for cell in CHAPTER.cells if "minilm.if_available()" in cell]
    assert len(needing) == 4
    assert said.count("not on this computer, so this part was not run") == len(needing)
    assert "of 48       head 4.2   always the" in said  # the table is there all the same


def test_with_the_weights_nothing_is_left_out(minilm_weights):
    said = run_cells(assets.ASSETS)
    assert "not on this computer" not in said
    assert "is what the model has after layer 1: True" in said
