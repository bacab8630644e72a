import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import alibi_bias, attention, merge_heads, multi_head_attention, rotate, split_heads

seeds = st.integers(0, 2**32 - 1)
sides = st.integers(1, 5)
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)


def draw_weights(rng, d, heads, d_k, d_v, d_out):
    shapes = (d, heads * d_k), (d, heads * d_k), (d, heads * d_v), (heads * d_v, d_out)
    return [rng.standard_normal(s) / np.sqrt(s[0]) for s in shapes]


@given(seeds, leads, sides, sides, sides)
def test_merging_undoes_splitting(seed, lead, n, heads, d_k):
    X = np.random.default_rng(seed).standard_normal((*lead, n, heads * d_k))
    Y = split_heads(X, heads)
    assert Y.shape == (*lead, heads, n, d_k)
    np.testing.assert_array_equal(merge_heads(Y), X)


def test_a_head_holds_neighbouring_entries_of_every_token():
    X = np.arange(12.0).reshape(2, 6)
    np.testing.assert_array_equal(split_heads(X, 3)[1], [[2, 3], [8, 9]])


@given(seeds, leads, sides, sides, sides, sides)
def test_heads_are_separate_attentions_added_through_slices_of_W_o(seed, lead, n, heads, d_k, d_v):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((*lead, n, 3))
    W_q, W_k, W_v, W_o = draw_weights(rng, 3, heads, d_k, d_v, 7)
    total = 0
    for h in range(heads):
        k, v = slice(h * d_k, (h + 1) * d_k), slice(h * d_v, (h + 1) * d_v)
        total += attention(X @ W_q[:, k], X @ W_k[:, k], X @ W_v[:, v]) @ W_o[v]
    ours = multi_head_attention(X, W_q, W_k, W_v, W_o, heads=heads)
    np.testing.assert_allclose(ours, total, atol=1e-12)


@given(seeds, sides, sides)
def test_rotary_rotates_queries_and_keys_by_their_own_index(seed, n, m):
    rng = np.random.default_rng(seed)
    X, memory = rng.standard_normal((n, 3)), rng.standard_normal((m, 3))
    W_q, W_k, W_v, W_o = draw_weights(rng, 3, 2, 4, 2, 5)
    Q, K, V = (split_heads(a, 2) for a in (X @ W_q, memory @ W_k, memory @ W_v))
    expected = merge_heads(attention(rotate(Q), rotate(K), V)) @ W_o
    ours = multi_head_attention(X, W_q, W_k, W_v, W_o, heads=2, memory=memory, rotary=True)
    np.testing.assert_allclose(ours, expected, atol=1e-13)


@given(seeds, st.integers(2, 6))
def test_a_bias_reaches_each_head_with_its_own_slope(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((2, n, 3))
    W_q, W_k, W_v, _ = draw_weights(rng, 3, 2, 2, 2, 4)
    bias = alibi_bias(n, 2)
    ours = multi_head_attention(X, W_q, W_k, W_v, np.eye(4), heads=2, bias=bias)
    for h, part in enumerate((slice(0, 2), slice(2, 4))):
        alone = attention(X @ W_q[:, part], X @ W_k[:, part], X @ W_v[:, part], bias=bias[h])
        np.testing.assert_allclose(ours[..., part], alone, atol=1e-13)


def test_one_sequence_may_look_at_a_batch_of_memories():
    rng = np.random.default_rng(1)
    X, memory = rng.standard_normal((3, 4)), rng.standard_normal((2, 5, 4))
    W = draw_weights(rng, 4, 2, 2, 2, 4)
    out = multi_head_attention(X, *W, heads=2, memory=memory)
    for b in range(2):
        alone = multi_head_attention(X, *W, heads=2, memory=memory[b])
        np.testing.assert_allclose(out[b], alone, atol=1e-13)


def test_permuting_the_tokens_permutes_the_output():
    rng = np.random.default_rng(2)
    X, order, W = rng.standard_normal((6, 4)), rng.permutation(6), draw_weights(rng, 4, 2, 2, 2, 4)
    out = multi_head_attention(X, *W, heads=2)
    np.testing.assert_allclose(multi_head_attention(X[order], *W, heads=2), out[order], atol=1e-13)


X, SQUARE = np.ones((3, 4)), np.eye(4)
GOOD = {"W_q": SQUARE, "W_k": SQUARE, "W_v": SQUARE, "W_o": SQUARE, "heads": 2}
BLIND = np.array([[True] * 3, [False] * 3, [True] * 3])


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"heads": 3}, ValueError, r"divide the columns of W_q: 3 heads, W_q is \(4, 4\)"),
        ({"heads": 0}, ValueError, "heads must be at least 1, got 0"),
        ({"heads": 2.0}, TypeError, "heads must be a whole number, got 2.0"),
        ({"W_v": np.ones((4, 3))}, ValueError, r"columns of W_v: 2 heads, W_v is \(4, 3\)"),
        (
            {"W_q": np.ones((8, 8))},
            ValueError,
            r"W_q must be \(4, columns\): X is \(3, 4\), W_q is \(8, 8\)",
        ),
        (
            {"W_k": np.ones((4, 6))},
            ValueError,
            r"W_q and W_k must have the same .*: W_q is \(4, 4\), W_k is \(4, 6\)",
        ),
        (
            {"W_o": np.ones((3, 4))},
            ValueError,
            r"W_o must be \(4, columns\): W_v is \(4, 4\), W_o is \(3, 4\)",
        ),
        ({"b_v": np.ones(3)}, ValueError, r"b_v must be \(4,\): W_v is \(4, 4\), b_v is \(3,\)"),
        (
            {"memory": np.ones((2, 5))},
            ValueError,
            r"W_k must be \(5, columns\): memory is \(2, 5\), W_k is \(4, 4\)",
        ),
        (
            {"X": np.ones((2, 3, 4)), "memory": np.ones((3, 3, 4))},
            ValueError,
            r"leading axes must broadcast: X is \(2, 3, 4\), memory is \(3, 3, 4\)",
        ),
        ({"mask": np.ones((3, 3))}, TypeError, "a mask must be boolean .*, got dtype float64"),
        ({"mask": np.ones((4, 3), bool)}, ValueError, r"\(..., 3, 3\): mask is \(4, 3\)"),
        ({"mask": BLIND}, ValueError, "hides every key from query 1$"),
        ({"bias": np.ones((3, 3, 3))}, ValueError, r"bias must broadcast .* bias is \(3, 3, 3\)"),
        ({"bias": np.ones((3, 3), bool)}, TypeError, "added to the scores, got dtype bool"),
        (
            {"rotary": True, "heads": 4},
            ValueError,
            r"rotary needs an even d_k, .*: 4 heads, W_q is \(4, 4\), W_k is \(4, 4\)",
        ),
    ],
)
def test_a_bad_argument_is_refused_with_what_was_received(change, error, message):
    with pytest.raises(error, match=message):
        multi_head_attention(**({"X": X} | GOOD | change))


def test_splitting_and_merging_say_what_they_need():
    with pytest.raises(ValueError, match=r"5 heads, X is \(3, 4\)"):
        split_heads(X, 5)
    with pytest.raises(ValueError, match=r"Y must be \(..., h, n, d\): Y is \(3, 4\)"):
        merge_heads(X)
