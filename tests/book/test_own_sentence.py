"""What chapter 12 says of the rounded model that reads a reader's own sentence."""

import re

import numpy as np
from book.chapter_text import Chapter

from attn.data import load
from attn.minilm.weights import find
from web.real_model.model_files import FIRST, real_model
from web.real_model.own_sentence import read_try

CHAPTER = Chapter("12-real-attention")
says = CHAPTER.says
EXACT, ROUNDED = load("minilm_findings"), load("minilm_rounded")


def test_the_two_monitors_part_as_far_with_rounded_weights():
    says("*monitor*s falls from 1.00 to 0.45", "nearest to *screen*, the other to *watching*")
    for table in (ROUNDED["monitor"], EXACT["monitor"]["cosines"]):
        assert [f"{table[level]:.2f}" for level in (0, -1)] == ["1.00", "0.45"]
    assert [record["nearest"][0][0] for record in EXACT["words"]] == ["screen", "watching"]


def test_what_rounding_costs():
    says("In 61 sentences no attention weight moved by more than 0.03")
    says("the mean change was below 0.001")
    says("the strongest key stayed the same for 99% of queries")
    records = ROUNDED["sentences"]
    assert len(records) == 61
    assert max(r["attention_worst"] for r in records) <= 0.03
    assert np.mean([r["attention_mean"] for r in records]) < 0.001
    assert f"{np.mean([r['same_strongest'] for r in records]):.0%}" == "99%"


def test_the_findings_of_the_chapter_hold_with_rounded_weights():
    """What a reader repeats in the page is what the chapter says, but for one sentence."""
    says("In one of the 48 sentences with *it*, the other noun took the lead.")
    assert f"{ROUNDED['bank'][-1]:.2f}" == "0.76"
    pairs = list(zip(EXACT["it"], ROUNDED["it"], strict=True))
    sides = [[r["on_subject"] > r["on_other"] for r in pair] for pair in pairs]
    assert len(sides) == 48
    assert sum(exact != close for exact, close in sides) == 1
    away = [abs(exact["on_subject"] - close["on_subject"]) for exact, close in pairs]
    assert max(away) <= 0.03
    np.testing.assert_allclose(ROUNDED["monitor"], EXACT["monitor"]["cosines"], rtol=0, atol=0.002)


def test_the_bytes_are_those_of_the_files_that_the_site_gets(minilm_weights, tmp_path):
    said = re.search(
        r"8 bits, the model takes (\d+) MB, not (\d+); a page loads ([\d.]+) MB first",
        CHAPTER.prose,
    )
    model = real_model()
    model.write(tmp_path / "minilm")
    first = [model.manifest["files"][part]["name"] for part in FIRST]
    downloaded = sum((tmp_path / "minilm" / name).stat().st_size for name in first)
    weights = set(model.manifest["files"]) - {"minilm.zip", "nearest.bin"}
    small = sum(model.manifest["files"][part]["bytes"] for part in weights)
    exact = find()[0].stat().st_size
    sizes = (f"{small / 1e6:.0f}", f"{exact / 1e6:.0f}", f"{downloaded / 1e6:.1f}")
    assert said.groups() == sizes
    assert ROUNDED["group"] == 128


def test_the_suggested_sentences_are_those_of_the_tables():
    (block,) = re.findall(r":class: real-model\n\n(.*?)\n```", CHAPTER.text, re.DOTALL)
    monitors, it, _ = (read_try(line.removeprefix("- "))["texts"] for line in block.splitlines())
    assert monitors == [EXACT["monitor"]["noun"], EXACT["monitor"]["verb"]]
    assert it == [record["sentence"] for record in EXACT["it"][:2]]
