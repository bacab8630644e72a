"""Chapter 9's translator: the committed table is what a run gives."""

import numpy as np
import pytest
import torch

from attn.data import load
from attn.nn.experiments import train_translator
from attn.nn.experiments.alignment import (
    ENGLISH,
    FRENCH,
    SEEDS,
    SHOWN,
    Translator,
    draw,
    encode,
    evaluate,
    look,
    translate,
)

TABLE = load("alignment")


def test_the_table_holds_every_seed_and_its_weights():
    assert [run["seed"] for run in TABLE["runs"]] == list(SEEDS)
    assert TABLE["sentences"] == list(SHOWN)
    for run in TABLE["runs"]:
        for sentence, written, A in zip(SHOWN, run["written"], run["weights"], strict=True):
            n = len(sentence.split())
            assert np.shape(A) == (n, n)
            np.testing.assert_allclose(np.sum(A, axis=1), 1, atol=0.01)
            assert written.split() == translate(sentence)[0]


def test_a_run_aligns_nouns_and_adjectives_as_the_table_says():
    model = train_translator(1)
    right, aligned = evaluate(model, 1)
    assert right > 0.97
    assert min(aligned["noun"], aligned["adjective"]) > 0.97
    written, A = look(model, SHOWN[0])
    assert " ".join(written) == TABLE["runs"][1]["written"][0]
    assert A[5].argmax() == 7, "la looks at street"


def test_an_adjective_follows_its_noun_and_agrees_with_it():
    assert translate("the white cow runs on the roof") == (
        ["la", "vache", "blanche", "court", "sur", "le", "toit"],
        [0, 2, 1, 3, 4, 5, 6],
    )


def test_every_word_of_a_sentence_is_known_and_translated_once():
    rng = np.random.default_rng(0)
    for _ in range(20):
        sentences = draw(rng, 5)
        english, french = encode(sentences)
        assert english.shape == french.shape
        for sentence in sentences:
            words, places = translate(sentence)
            assert sorted(places) == list(range(len(sentence.split())))
            assert set(words) <= set(FRENCH)
            assert set(sentence.split()) <= set(ENGLISH)


def test_with_the_french_given_no_step_sees_its_own_word():
    torch.manual_seed(0)
    model = Translator()
    english, french = encode(["the cat walks on the roof"])
    other = french.clone()
    other[:, 3] = (other[:, 3] + 1) % len(FRENCH)
    with torch.no_grad():
        one, two = (model(english, given)[0] for given in (french, other))
    assert torch.equal(one[:, :4], two[:, :4])
    assert one[:, 4:].numpy() != pytest.approx(two[:, 4:].numpy())
