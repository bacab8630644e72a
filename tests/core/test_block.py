import math

import numpy as np
import pytest
import torch

from attn import (
    causal_mask,
    encoder_block,
    feed_forward,
    gated_feed_forward,
    layer_norm,
    multi_head_attention,
    rms_norm,
)


def zeros(d=2, d_ff=3):
    shapes = dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), (d, d))
    shapes |= {"W_1": (d, d_ff), "b_1": d_ff, "W_2": (d_ff, d), "b_2": d}
    shapes |= dict.fromkeys(("gain_1", "shift_1", "gain_2", "shift_2"), d)
    return {name: np.zeros(shape) for name, shape in shapes.items()}


def test_a_silent_pre_norm_block_returns_its_input_and_a_post_norm_one_its_shift():
    X, params = np.array([[1.0, 2.0], [3.0, 5.0]]), zeros() | {"shift_2": np.array([7.0, 8.0])}
    np.testing.assert_array_equal(encoder_block(X, params, heads=1), X)
    np.testing.assert_array_equal(encoder_block(X, params, heads=1, norm="post"), [[7, 8], [7, 8]])


def test_normed_tokens_have_mean_0_and_variance_1():
    Y = layer_norm(np.random.default_rng(0).standard_normal((5, 64)) * 1e4 + 3e4)
    np.testing.assert_allclose(Y.mean(-1), 0, atol=1e-12)
    np.testing.assert_allclose(Y.var(-1), 1, rtol=1e-9)


def test_a_constant_token_is_normed_to_0():
    np.testing.assert_array_equal(layer_norm(np.full((2, 4), 1e4, np.float32)), np.zeros((2, 4)))


def test_norm_ignores_shift_and_positive_stretch_of_a_token():
    X = np.random.default_rng(1).standard_normal((3, 8))
    np.testing.assert_allclose(layer_norm(5 * X + 2, eps=0), layer_norm(X, eps=0), atol=1e-12)


def test_a_block_is_two_sums_of_normed_sublayers():
    rng = np.random.default_rng(5)
    p = {name: rng.standard_normal(a.shape) for name, a in zeros(4, 6).items()}
    p |= {name: rng.standard_normal(4) for name in ("b_q", "b_k", "b_v", "b_o")}
    X, mask = rng.standard_normal((2, 3, 4)), causal_mask(3)
    heads = {k: p[k] for k in p if k[2] in "qkvo"} | {"heads": 2, "mask": mask}
    thought = {k: p[k] for k in ("W_1", "b_1", "W_2", "b_2")}
    norm_1, norm_2 = ((p[f"gain_{i}"], p[f"shift_{i}"]) for i in (1, 2))

    Y = X + multi_head_attention(layer_norm(X, *norm_1), **heads)
    Y = Y + feed_forward(layer_norm(Y, *norm_2), **thought)
    np.testing.assert_allclose(encoder_block(X, p, heads=2, mask=mask), Y, atol=1e-12)

    Y = layer_norm(X + multi_head_attention(X, **heads), *norm_1)
    Y = layer_norm(Y + feed_forward(Y, **thought), *norm_2)
    post = encoder_block(X, p, heads=2, mask=mask, norm="post")
    np.testing.assert_allclose(post, Y, atol=1e-12)


def test_gelu_is_x_times_the_normal_distribution_function():
    one = np.ones((1, 1))
    for x in (-3.0, -0.5, 0.0, 1.0, 4.0):
        ours = feed_forward([[x]], one, [0], one, [0], activation="gelu")[0, 0]
        assert ours == pytest.approx(x * 0.5 * math.erfc(-x / math.sqrt(2)), abs=1e-15)


def test_the_feed_forward_layer_sees_one_position_at_a_time():
    rng = np.random.default_rng(2)
    arrays = [rng.standard_normal(s) for s in ((3, 5), (5,), (5, 2), (2,))]
    X = rng.standard_normal((4, 3))
    changed = X.copy()
    changed[2] += 1
    same = feed_forward(X, *arrays) == feed_forward(changed, *arrays)
    assert same.all(-1).tolist() == [True, True, False, True]


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_causal_block_ignores_the_future(norm):
    rng = np.random.default_rng(3)
    params = {name: rng.standard_normal(p.shape) for name, p in zeros(4, 8).items()}
    X = rng.standard_normal((5, 4))
    changed = X.copy()
    changed[3:] = 100.0
    options = {"heads": 2, "mask": causal_mask(5), "norm": norm}
    before, after = (encoder_block(x, params, **options) for x in (X, changed))
    np.testing.assert_array_equal(before[:3], after[:3])
    assert (before[3:] != after[3:]).all()


X = np.ones((3, 2))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: layer_norm(X, np.ones(3)), r"gain must be \(2,\): X is \(3, 2\), gain is \(3,\)"),
        (lambda: layer_norm(X, shift=np.ones(1)), r"\(2,\): X is \(3, 2\), shift is \(1,\)"),
        (lambda: layer_norm(np.ones((3, 0))), r"layer_norm needs d >= 1: X is \(3, 0\)"),
        (lambda: layer_norm(1.0), r"X must be \(..., d\): X is \(\)"),
        (lambda: layer_norm(X, eps=-1.0), "eps must be at least 0 and finite, got -1.0"),
        (
            lambda: feed_forward(X, np.eye(3), np.ones(3), np.eye(3), np.ones(3)),
            r"W_1 must be \(2, d_ff\): X is \(3, 2\), W_1 is \(3, 3\)",
        ),
        (
            lambda: feed_forward(X, np.ones((2, 3)), np.ones(3), np.eye(2), np.ones(2)),
            r"W_2 must be \(3, d_out\): W_1 is \(2, 3\), W_2 is \(2, 2\)",
        ),
        (
            lambda: feed_forward(
                X, np.eye(2), np.ones(2), np.eye(2), np.ones(2), activation="tanh"
            ),
            'activation must be "relu" or "gelu", got \'tanh\'',
        ),
        (
            lambda: feed_forward(X, np.eye(2), np.ones(2), np.eye(2), np.ones(2), activation=[]),
            r'activation must be "relu" or "gelu", got \[\]',
        ),
        (
            lambda: encoder_block(X, zeros(), heads=1, norm="both"),
            'norm must be "pre" or "post", got \'both\'',
        ),
        (
            lambda: encoder_block(X, zeros() | {"W_q": None}, heads=1),
            "missing W_q; unknown none",
        ),
        (
            lambda: encoder_block(X, zeros() | {"b_Q": np.ones(2)}, heads=1),
            "missing none; unknown b_Q",
        ),
        (lambda: encoder_block(X, zeros(), heads=3), r"3 heads, W_q is \(2, 2\)"),
        (
            lambda: encoder_block(X, zeros() | {"gain_2": np.ones(1)}, heads=1),
            r"gain_2 must be \(2,\): X is \(3, 2\), gain_2 is \(1,\)",
        ),
        (
            lambda: encoder_block(X, zeros() | {"W_o": np.ones((2, 1))}, heads=1),
            r"W_o must be \(h\*d_v, 2\): X is \(3, 2\), W_o is \(2, 1\)",
        ),
        (
            lambda: encoder_block(X, zeros() | {"W_2": np.ones((3, 1))}, heads=1),
            r"W_2 must be \(d_ff, 2\): X is \(3, 2\), W_2 is \(3, 1\)",
        ),
    ],
)
def test_a_bad_argument_is_refused_with_what_was_received(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_rms_norm_divides_by_the_root_of_the_mean_square_and_keeps_the_mean():
    Y = rms_norm([[3.0, 4.0]], [2.0, 1.0], eps=0.0)
    np.testing.assert_allclose(Y, [[6 / math.sqrt(12.5), 4 / math.sqrt(12.5)]], rtol=1e-15)
    X = np.random.default_rng(2).standard_normal((5, 64)) * 1e4 + 3e4
    np.testing.assert_allclose((rms_norm(X) ** 2).mean(-1), 1, rtol=1e-9)
    assert rms_norm(X).mean() > 0.5


def test_rms_norm_of_centred_entries_is_layer_norm():
    X = np.random.default_rng(3).standard_normal((4, 8))
    X -= X.mean(-1, keepdims=True)
    np.testing.assert_allclose(rms_norm(X), layer_norm(X), atol=1e-12)


def test_rms_norm_and_the_gated_layer_are_torch_s():
    rng = np.random.default_rng(4)
    X, gain = rng.standard_normal((2, 3, 8)), rng.standard_normal(8)
    theirs = torch.nn.functional.rms_norm(torch.tensor(X), (8,), torch.tensor(gain), eps=1e-3)
    np.testing.assert_allclose(rms_norm(X, gain, eps=1e-3), theirs, atol=1e-12)
    W_gate, W_up, W_down = (rng.standard_normal(s) for s in ((8, 5), (8, 5), (5, 3)))
    t = [torch.tensor(a) for a in (X, W_gate, W_up, W_down)]
    theirs = (torch.nn.functional.silu(t[0] @ t[1]) * (t[0] @ t[2])) @ t[3]
    np.testing.assert_allclose(gated_feed_forward(X, W_gate, W_up, W_down), theirs, atol=1e-12)


def test_a_gate_of_huge_scores_overflows_nothing():
    one = [[1.0]]
    with np.errstate(all="raise"):
        Y = gated_feed_forward([[-1e4], [1e4]], one, one, one)
    np.testing.assert_array_equal(Y, [[0.0], [1e8]])


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda: rms_norm(np.zeros((2, 0))), r"rms_norm needs d >= 1: X is \(2, 0\)"),
        (lambda: rms_norm(np.zeros((2, 3)), np.ones(2)), r"gain must be \(3,\)"),
        (lambda: rms_norm(np.zeros((2, 3)), eps=-1), "eps must be at least 0"),
        (
            lambda: gated_feed_forward(
                np.zeros((2, 3)), np.ones((3, 4)), np.ones((3, 5)), np.ones((4, 3))
            ),
            r"W_up must be \(3, 4\): W_gate is \(3, 4\), W_up is \(3, 5\)",
        ),
    ],
)
def test_what_does_not_fit_a_norm_or_a_gated_layer_is_refused(call, rule):
    with pytest.raises(ValueError, match=rule):
        call()
