"""The forward pass, against `transformers`, against `attn.encoder_block`, and with own parts."""

import json
import re

import numpy as np
import pytest
from minilm.make_golden import reduced

import attn
from attn.minilm import encode
from attn.minilm.weights import HEADS
from web.builder.paths import TOP

GOLDEN = json.loads((TOP / "tests/minilm/golden.json").read_text(encoding="utf-8"))
TEXT = "She bought a new monitor."


@pytest.fixture(scope="module")
def found(model):
    return encode(TEXT, weights=model)


@pytest.mark.parametrize("case", GOLDEN["sentences"], ids=lambda c: c["text"])
def test_it_equals_the_reference(case, model):
    result = encode(case["text"], weights=model)
    assert list(result.tokens) == case["tokens"]
    for name, numbers in reduced(result.hidden, result.attention).items():
        np.testing.assert_allclose(numbers, case[name], rtol=0, atol=1e-5, err_msg=name)
    np.testing.assert_allclose(result.embedding, case["embedding"], rtol=0, atol=1e-6)


def test_a_layer_is_an_encoder_block_with_its_norms_after_the_sums(found, model):
    X = found.hidden[0]
    for level, layer in enumerate(model.layers, 1):
        X = attn.encoder_block(X, layer, heads=HEADS, norm="post", activation="gelu", eps=1e-12)
        np.testing.assert_allclose(X, found.hidden[level], rtol=0, atol=1e-5)


def test_shapes_are_those_of_the_contract(found):
    n = len(found.tokens)
    assert found.hidden.shape == (7, n, 384)
    assert found.attention.shape == found.norm_weighted.shape == (6, 12, n, n)
    assert found.value_norms.shape == (6, 12, n)
    assert found.embedding.shape == (384,)
    assert {a.dtype for a in (found.hidden, found.attention)} == {np.dtype(np.float32)}


def test_weights_sum_to_1_and_so_do_norm_weighted_ones(found):
    for A in (found.attention, found.norm_weighted):
        np.testing.assert_allclose(A.sum(axis=-1), 1, rtol=0, atol=1e-5)
        assert (A >= 0).all()


def test_value_norms_are_the_sizes_of_what_a_head_adds(found, model):
    X, layer = found.hidden[2], model.layers[2]
    V = X @ layer["W_v"][:, 32:64] + layer["b_v"][32:64]  # the second head
    added = np.linalg.norm(V @ layer["W_o"][32:64], axis=-1)
    np.testing.assert_allclose(found.value_norms[2, 1], added, rtol=1e-5)


def one_row_softmax(x):
    assert x.ndim == 1
    e = [float(np.exp(s - max(x))) for s in x]
    return [s / sum(e) for s in e]


def one_head_attention(Q, K, V):
    assert Q.ndim == K.ndim == V.ndim == 2
    return np.stack([one_row_softmax(K @ q / np.sqrt(len(q))) for q in Q]) @ V


def own_norm(X, gain, shift, *, eps):
    return np.stack([(x - x.mean()) / np.sqrt(x.var() + eps) for x in X]) * gain + shift


def own_multi_head(X, W_q, W_k, W_v, W_o, heads):
    cut = (np.split(X @ W, heads, axis=1) for W in (W_q, W_k, W_v))
    return np.hstack([one_head_attention(*head) for head in zip(*cut, strict=True)]) @ W_o


PARTS = {
    "multi_head_attention": own_multi_head,
    "softmax": one_row_softmax,
    "attention": one_head_attention,
    "split_heads": lambda X, heads: np.stack(np.split(X, heads, axis=1)),
    "merge_heads": lambda Y: np.concatenate(list(Y), axis=1),
    "layer_norm": own_norm,
    "feed_forward": lambda X, *W, activation: np.stack(
        [attn.feed_forward(x, *W, activation=activation) for x in X]
    ),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_readers_own_part_runs_the_model(name, found, model):
    own = encode(TEXT, parts={name: PARTS[name]}, weights=model)
    np.testing.assert_allclose(own.hidden, found.hidden, rtol=0, atol=2e-5)
    np.testing.assert_allclose(own.attention, found.attention, rtol=0, atol=1e-5)


def test_all_parts_together_run_it_too(found, model):
    every = {n: part for n, part in PARTS.items() if n not in ("softmax", "multi_head_attention")}
    own = encode(TEXT, parts=every, weights=model)
    np.testing.assert_allclose(own.hidden, found.hidden, rtol=0, atol=5e-5)


def test_another_softmax_is_seen_in_the_maps_and_in_what_follows(found, model):
    hard = encode(TEXT, parts={"softmax": lambda x: np.eye(len(x))[x.argmax()]}, weights=model)
    assert set(np.unique(hard.attention)) == {0.0, 1.0}
    assert np.abs(hard.hidden[1] - found.hidden[1]).max() > 0.1


def test_attention_that_returns_the_values_looks_at_itself_only(model):
    own = encode(TEXT, parts={"attention": lambda Q, K, V: V}, weights=model)
    assert (own.attention == np.eye(len(own.tokens))).all()


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"sofmax": max}, "parts may replace softmax, attention, .*: unknown sofmax"),
        ({"softmax": max, "attention": max}, "attention or softmax, not both"),
        ({"multi_head_attention": max, "merge_heads": max}, "or merge_heads, not both"),
        ({"softmax": lambda x: x.sum()}, r"your softmax must return \(12, 8, 8\).*got \(12, 8\)"),
        ({"attention": lambda Q, K, V: Q @ K.T}, "your attention must return .*here: got"),
        ({"layer_norm": lambda X, *_, eps: X * np.nan}, "your layer_norm must return finite"),
        ({"merge_heads": lambda Y: ...}, "your merge_heads must return an array of numbers"),
    ],
)
def test_a_part_that_does_not_fit_is_named_with_what_it_gave(parts, says, model):
    with pytest.raises(ValueError, match=re.compile(says)):
        encode(TEXT, parts=parts, weights=model)


def test_a_text_longer_than_its_positions_is_refused(model):
    with pytest.raises(ValueError, match="512 positions: this text has 602 tokens"):
        encode("word " * 600, weights=model)


def test_an_empty_text_is_two_tokens(model):
    assert encode("", weights=model).tokens == ("[CLS]", "[SEP]")
