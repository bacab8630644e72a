"""The forward pass: equal to the reference, with a cache and without, with the reader's parts."""

import numpy as np
import pytest

import attn
from attn import smollm
from attn.smollm import decoder

TEXT = "The cat walks on the street because"


@pytest.fixture(scope="module")
def ids(model):
    return model.tokenizer.tokenize(TEXT)


@pytest.fixture(scope="module")
def logits(model, ids):
    return smollm.read(ids, model).logits


def test_scores_are_those_of_transformers(model, reference):
    for prompt in reference["scores"]:
        ours = smollm.read(prompt["ids"], model).logits
        for row, expected in zip(ours, prompt["rows"], strict=True):
            tokens, scores = zip(*expected, strict=True)
            np.testing.assert_allclose(row[list(tokens)], scores, atol=5e-4)
            assert row.argmax() == tokens[0]


def test_token_by_token_with_a_cache_gives_the_rows_of_one_pass(model, ids, logits):
    cache = smollm.Cache()
    first = smollm.read(ids[:3], model, cache=cache).logits
    rest = [smollm.read([token], model, cache=cache).logits for token in ids[3:]]
    np.testing.assert_allclose(np.concatenate([first, *rest]), logits, atol=2e-4)
    assert cache.length == len(ids)
    assert cache.bytes == len(ids) * 30 * 2 * 3 * 64 * 4


def test_a_cache_grows_past_its_room(model, ids):
    cache, long = smollm.Cache(), ids * 12
    rows = [
        smollm.read(long[k : k + 42], model, cache=cache).logits for k in range(0, len(long), 42)
    ]
    whole = smollm.read(long, model).logits
    np.testing.assert_allclose(np.concatenate(rows), whole, atol=5e-4)


def test_the_future_changes_nothing_that_was_read(model, ids, logits):
    np.testing.assert_allclose(smollm.read(ids[:4], model).logits, logits[:4], atol=2e-4)


def test_only_the_last_row_is_scored_if_only_that_is_asked_for(model, ids, logits):
    last = smollm.read(ids, model, last=True).logits
    np.testing.assert_allclose(last, logits[-1:], atol=2e-4)


def test_weights_of_heads_are_causal_and_sum_to_1(model, ids):
    A = smollm.read(ids, model, attention=True).attention
    assert A.shape == (30, 9, len(ids), len(ids))
    np.testing.assert_allclose(A.sum(axis=-1), 1, atol=1e-5)
    assert (np.triu(A, 1) == 0).all()


def own_softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def own_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    return np.apply_along_axis(own_softmax, -1, scores) @ V


OWN = {
    "softmax": own_softmax,
    "attention": own_attention,
    "grouped_attention": attn.grouped_attention,
    "causal_mask": lambda n, m: np.tril(np.ones((n, m), bool), m - n),
    "split_heads": lambda X, h: X.reshape(len(X), h, -1).swapaxes(0, 1),
    "merge_heads": lambda Y: Y.swapaxes(0, 1).reshape(Y.shape[1], -1),
    "rotate": attn.rotate,
    "rms_norm": lambda X, gain, *, eps: X / np.sqrt((X**2).mean(-1, keepdims=True) + eps) * gain,
    "gated_feed_forward": attn.gated_feed_forward,
}


@pytest.mark.parametrize("name", decoder.Parts.defaults)
def test_a_reader_s_part_takes_the_place_of_ours(name, model, ids, logits):
    calls = []

    def mine(*arguments, **options):
        calls.append(name)
        return OWN[name](*arguments, **options)

    found = smollm.read(ids, model, parts={name: mine}).logits
    np.testing.assert_allclose(found, logits, atol=1e-3)
    assert calls


def test_a_part_with_a_mistake_in_it_changes_what_is_read(model, ids, logits):
    wrong = {"rms_norm": lambda X, gain, *, eps: attn.layer_norm(X, gain, eps=eps)}
    found = smollm.read(ids, model, parts=wrong).logits
    assert np.abs(found - logits).max() > 1


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        ({"layer_norm": len}, "parts may replace softmax, .*: unknown layer_norm"),
        ({"attention": len, "softmax": len}, "attention or softmax, not both"),
        ({"merge_heads": lambda Y: Y}, r"your merge_heads must return \(7, 576\) here: got \(9, 7"),
        ({"rms_norm": lambda X, gain, *, eps: X * np.nan}, "finite numbers: got nan"),
        ({"causal_mask": lambda n, m: np.zeros((n, m))}, "of bool here: got .* of float64"),
        ({"rotate": lambda X, positions, *, base: "?"}, "your rotate must return an array"),
    ],
)
def test_a_part_that_cannot_be_used_is_refused_by_name(parts, rule, model, ids):
    with pytest.raises(ValueError, match=rule):
        smollm.read(ids, model, parts=parts)


def test_nothing_and_too_much_are_refused(model):
    with pytest.raises(ValueError, match="there must be a token to read"):
        smollm.read([], model)
    with pytest.raises(ValueError, match="8,192 tokens at most: this makes 8,193"):
        smollm.read([5] * 8193, model)
