"""The model in int8: its format, its errors, and the shards that a sentence needs."""

import numpy as np
import pytest

from attn import data
from attn.data.make_minilm_quantised import encode_quantised, quantised_model, sentence_record
from attn.minilm import quantised
from attn.minilm.weights import SHA256, read_safetensors

TABLE = data.load("minilm_quantised")
TEXT = "nurses monitor the patients"


@pytest.fixture(scope="module")
def page_model(minilm_weights):
    return quantised_model()


def test_an_entry_is_off_by_half_a_step_at_most():
    W = np.random.default_rng(12).normal(size=(5, 384)).astype(np.float32)
    numbers, scales = quantised.quantise(W)
    assert numbers.dtype == np.int8
    assert scales.shape == (5, 3)
    away = np.abs(quantised.dequantise(numbers, scales) - W).reshape(5, 3, 128)
    assert (away.max(axis=-1) <= scales * 0.5001).all()
    largest = np.abs(numbers.reshape(5, 3, 128).astype(int)).max(axis=-1)
    assert (largest == 127).all()


def test_a_group_of_zeros_stays_one():
    numbers, scales = quantised.quantise(np.zeros((2, 128), dtype=np.float32))
    assert not quantised.dequantise(numbers, scales).any()


def test_what_is_written_is_read_again():
    arrays = {
        "a": np.arange(5, dtype=np.int8).reshape(1, 5),
        "b": np.arange(6, dtype=np.float32).reshape(2, 3),
    }
    found = read_safetensors(quantised.write_safetensors(arrays))
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_the_files_have_the_sizes_of_the_table(page_model):
    _, content = page_model
    assert {name: len(content[name]) for name in TABLE["bytes"]} == TABLE["bytes"]
    assert TABLE["bytes"]["layers.bin"] < 11.5e6
    assert len(content) == TABLE["shards"] + 2
    assert max(len(content[quantised.shard_name(k)]) for k in range(120)) == TABLE["shard_bytes"]


def test_a_sentence_needs_a_few_shards_and_says_which(page_model):
    _, content = page_model
    model = quantised.read(content["layers.bin"], content["words.txt"])
    shards = quantised.needed_shards(TEXT, model)
    assert shards == sorted(set(shards))
    with pytest.raises(KeyError, match=quantised.shard_name(shards[0])):
        model.words[[model.vocabulary["[CLS]"]]]
    encode_quantised(TEXT, model, content)
    assert quantised.needed_shards(TEXT, model) == []


def test_a_row_of_a_shard_is_the_word_s_own(page_model, minilm_weights):
    model, content = page_model
    row = minilm_weights.vocabulary["monitor"]
    model.words.add(row // 256, content[quantised.shard_name(row // 256)])
    assert model.vocabulary["monitor"] == row
    np.testing.assert_allclose(model.words[[row]][0], minilm_weights.words[row], atol=2e-3)


@pytest.mark.parametrize("record", TABLE["sentences"][:3], ids=lambda record: record["sentence"])
def test_errors_come_out_again(record, page_model):
    again = sentence_record(record["sentence"], *page_model)
    assert again["attention_worst"] == pytest.approx(record["attention_worst"], abs=2e-3)
    assert again["embedding_cosine"] == pytest.approx(record["embedding_cosine"], abs=2e-4)


def test_two_decimals_of_a_map_are_nearly_always_right_and_the_embedding_is():
    assert TABLE["sha256"] == SHA256
    records = TABLE["sentences"]
    assert max(r["attention_worst"] for r in records) < 0.03
    assert max(r["attention_mean"] for r in records) < 0.0015
    assert np.mean([r["same_strongest"] for r in records]) > 0.99
    assert min(r["embedding_cosine"] for r in records) > 0.9995
    exact = data.load("minilm_findings")["monitor"]["cosines"]
    np.testing.assert_allclose(TABLE["monitor"], exact, rtol=0, atol=0.002)
