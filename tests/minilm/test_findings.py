"""The committed findings: measured again, and saying what the chapter may say."""

import numpy as np
import pytest

from attn import data, minilm
from attn.data import make_minilm_findings as findings
from attn.minilm.weights import NUMBERS

TABLE = data.load("minilm_findings")
# A rounding in the fourth decimal, and what other processors make of float32.
CLOSE = {"rtol": 0, "atol": 2e-4}


def test_it_was_measured_with_the_weights_that_are_loaded():
    assert TABLE["sha256"] == NUMBERS.sha256


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
