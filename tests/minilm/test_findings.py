"""The committed findings: measured again, and saying what the chapter may say."""

import numpy as np
import pytest

from attn import data, minilm
from attn.data import make_minilm_findings as findings
from attn.minilm.weights import SHA256

TABLE = data.load("minilm_findings")
# A rounding in the fourth decimal, and what other processors make of float32.
CLOSE = {"rtol": 0, "atol": 2e-4}


def test_it_was_measured_with_the_weights_that_are_loaded():
    assert TABLE["sha256"] == SHA256


def test_monitor_level_by_level_comes_out_again(minilm_weights):
    again = findings.monitor_by_level()
    for name in ("cosines", "without"):
        np.testing.assert_allclose(again[name], TABLE["monitor"][name], **CLOSE)


def test_without_attention_the_noun_and_the_verb_never_part():
    assert TABLE["monitor"]["without"] == [1.0] * 7
    assert max(TABLE["monitor"]["cosines"][1:]) < 0.85


def test_senses_come_out_again_and_are_apart_from_level_2_on(minilm_weights):
    for found, record in zip(findings.senses_by_level(), TABLE["senses"], strict=True):
        for name in ("mean", "least", "most"):
            np.testing.assert_allclose(found[name], record[name], **CLOSE)
    nouns, verbs, across = TABLE["senses"]
    apart = np.minimum(nouns["least"], verbs["least"]) > across["most"]
    assert apart.tolist() == [False, False, True, True, True, True, True]


def test_nearest_words_come_out_again(minilm_weights):
    for record in TABLE["words"]:
        vector = minilm.encode(record["sentence"]).hidden[-1, findings.PLACE]
        for word, cosine in record["nearest"][:4]:
            alone = minilm.encode(word).hidden[-1, 1]
            assert minilm.cosines(alone, vector) == pytest.approx(cosine, abs=1e-3)


def test_positional_heads_and_sinks_come_out_again(minilm_weights):
    for found, record in zip(findings.looks_by_sentence(), TABLE["sentences"], strict=True):
        assert found.keys() == record.keys()
        for name, value in record.items():
            if isinstance(value, float):
                assert found[name] == pytest.approx(value, abs=2e-4), name
            else:
                assert found[name] == value, name


def test_1_3_is_the_previous_token_head_and_2_9_the_next_in_every_sentence():
    for record in TABLE["sentences"]:
        assert record["best_previous"] == {"layer": 1, "head": 3}
        assert record["best_next"] == {"layer": 2, "head": 9}
        assert record["previous"] > 0.99


def test_where_it_looks_comes_out_again(minilm_weights):
    for found, record in zip(findings.reads_of_it(), TABLE["it"], strict=True):
        for name in ("on_subject", "on_other"):
            assert found[name] == pytest.approx(record[name], abs=2e-4)
        assert found["top"] == record["top"]


def test_what_each_key_gets_and_does_comes_out_again(minilm_weights, monkeypatch):
    monkeypatch.setattr(findings, "SENTENCES", findings.SENTENCES[:4])
    for found, record in zip(findings.keys_by_sentence(), TABLE["keys"], strict=False):
        assert found["tokens"] == record["tokens"]
        for name in ("average", "average_weighted", "emptied", "hidden"):
            np.testing.assert_allclose(found[name], record[name], **CLOSE, err_msg=name)


def test_emptying_a_key_leaves_the_weights_of_the_others_and_hiding_does_not(minilm_weights):
    text = findings.SENTENCES[0]
    plain, empty, hidden = (
        minilm.encode(text, parts=parts).attention[0]
        for parts in (
            None,
            {"attention": findings.emptying(0)},
            {"attention": findings.hiding(0)},
        )
    )
    np.testing.assert_allclose(empty[..., 1:], plain[..., 1:], rtol=0, atol=1e-5)
    assert (empty[..., 0] == 0).all()
    np.testing.assert_allclose(hidden[..., 1:].sum(axis=-1), 1, rtol=0, atol=1e-5)


@pytest.mark.matrix  # hundreds of sentences read
def test_heads_on_it_come_out_again_on_a_few_sentences(minilm_weights, monkeypatch):
    """With one crossing: six sentences, whose counts are part of the table's."""
    monkeypatch.setattr(findings, "CROSSINGS", findings.CROSSINGS[:1])
    found, whole = findings.heads_on_it(), TABLE["heads_on_it"]
    assert (found["sentences"], whole["sentences"]) == (6, len(TABLE["it"]))
    for name in ("subject_first", "first_first", "meant_first"):
        assert (np.array(found[name]) <= np.array(whole[name])).all()
    assert found["turns"] == whole["turns"][:1]
    layer, head = findings.SUBJECT_HEAD
    of_animal = [r for r in TABLE["it"] if "animal" in r["sentence"]]
    more = sum(r["on_subject"] > r["on_other"] for r in of_animal)
    assert found["subject_first"][layer - 1][head - 1] == more
    # One head without which little changes, and one that is *it*'s own most of all.
    assert found["moved"][layer - 1][head - 1] == pytest.approx(0.006, abs=0.004)
    assert np.unravel_index(np.argmax(found["moved"]), (6, 12)) == (5, 11)


def test_both_tables_of_it_count_the_same():
    layer, head = TABLE["subject_head"]
    more = sum(r["on_subject"] > r["on_other"] for r in TABLE["it"])
    meant = sum(
        (r["on_subject"] > r["on_other"]) == (r["meant"] == r["subject"]) for r in TABLE["it"]
    )
    counts = TABLE["heads_on_it"]
    assert counts["subject_first"][layer - 1][head - 1] == more
    assert counts["meant_first"][layer - 1][head - 1] == meant
    # Preferring the noun that is meant is preferring it under one reason, or turning with it.
    assert np.array_equal(np.sum(counts["turns"], axis=0) + 24, counts["meant_first"])


def test_a_swap_of_every_head_takes_it_all_the_way(minilm_weights):
    """The ends of the scale: no output replaced, and in each layer all twelve at every token."""
    tired, wide = (text for _, text, *_ in list(findings.crossings())[:2])
    own, other = findings.HeadOutputs(), findings.HeadOutputs()
    found = minilm.encode(tired, parts={"attention": own})
    twin = minilm.encode(wide, parts={"attention": other})
    assert len(own.outputs) == len(other.outputs) == 72
    np.testing.assert_allclose(found.hidden, minilm.encode(tired).hidden, rtol=0, atol=1e-4)
    everything = findings.HeadOutputs(dict(enumerate(other.outputs)))
    it = found.tokens.index("it")
    last = minilm.encode(tired, parts={"attention": everything}).hidden[-1, it]
    np.testing.assert_allclose(last, twin.hidden[-1, it], rtol=0, atol=1e-4)


@pytest.mark.matrix  # hundreds of sentences read
def test_swaps_come_out_again_on_one_crossing(minilm_weights, monkeypatch):
    """3.2 carries most in these six sentences too; 4.2 carries some."""
    monkeypatch.setattr(findings, "CROSSINGS", findings.CROSSINGS[:1])
    found, whole = np.array(findings.swapped_heads()), np.array(TABLE["swapped"])
    assert np.unravel_index(whole[:5].argmax(), (5, 12)) == (2, 1)
    assert np.unravel_index(found[:5].argmax(), (5, 12)) == (2, 1)
    np.testing.assert_allclose(found, whole, rtol=0, atol=0.1)
