"""Heads in groups are heads whose keys and values repeat."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attn import attention, causal_mask, grouped_attention


def draw(h=6, g=2, n=4, m=5, d_k=3, d_v=2, lead=()):
    rng = np.random.default_rng(7)
    shapes = ((*lead, h, n, d_k), (*lead, g, m, d_k), (*lead, g, m, d_v))
    return [rng.standard_normal(shape) for shape in shapes]


@pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
@pytest.mark.parametrize("masked", [False, True])
def test_groups_are_repeated_keys_and_values(lead, masked):
    Q, K, V = draw(lead=lead)
    mask = causal_mask(4, 5) if masked else None
    repeated = [a.repeat(3, axis=-3) for a in (K, V)]
    expected = attention(Q, *repeated, mask=mask)
    np.testing.assert_allclose(grouped_attention(Q, K, V, mask=mask), expected, atol=1e-12)


def test_torch_agrees():
    Q, K, V = (torch.tensor(a) for a in draw(lead=(2,)))
    theirs = F.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
    np.testing.assert_allclose(
        grouped_attention(Q.numpy(), K.numpy(), V.numpy()), theirs, atol=1e-12
    )


def test_one_head_of_keys_each_is_multi_head_attention_and_one_for_all_is_multi_query():
    Q, K, V = draw(h=4, g=4)
    np.testing.assert_allclose(grouped_attention(Q, K, V), attention(Q, K, V), atol=1e-12)
    one = grouped_attention(Q, K[:1], V[:1])
    np.testing.assert_allclose(one, attention(Q, K[:1], V[:1]), atol=1e-12)


def test_a_mask_for_each_sequence_holds_in_all_its_heads():
    Q, K, V = draw(lead=(2,))
    mask = np.ones((2, 4, 5), bool)
    mask[1, :, 3:] = False
    Y = grouped_attention(Q, K, V, mask=mask)
    short = grouped_attention(Q[1], K[1, :, :3], V[1, :, :3])
    np.testing.assert_allclose(Y[1], short, atol=1e-12)


@pytest.mark.parametrize(
    ("shapes", "rule"),
    [
        (((4, 2, 3), (3, 5, 3), (3, 5, 2)), r"a multiple of the key heads: Q is \(4, 2, 3\)"),
        (((4, 2, 3), (2, 5, 4), (2, 5, 2)), r"share d_k: Q is \(4, 2, 3\), K is \(2, 5, 4\)"),
        (((4, 2, 3), (2, 5, 3), (1, 5, 2)), r"needs one value: K is \(2, 5, 3\), V is \(1, 5, 2\)"),
        (((2, 3), (2, 5, 3), (2, 5, 2)), r"Q must be \(..., h, n, d\)"),
        (((3, 4, 2, 3), (2, 2, 5, 3), (2, 2, 5, 2)), "leading axes must broadcast"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_shapes(shapes, rule):
    with pytest.raises(ValueError, match=rule):
        grouped_attention(*(np.zeros(shape) for shape in shapes))


def test_a_mask_that_hides_every_key_names_the_query():
    mask = np.ones((4, 5), bool)
    mask[2] = False
    with pytest.raises(ValueError, match="every key from query 2"):
        grouped_attention(*draw(), mask=mask)
