"""What a user's type checker is told. mypy reads this file too, in `make lint`.

A wrong call bears the mark of the error that mypy must find in it: mypy refuses a mark without one.
"""

import numpy as np
import pytest

import attn

Q, K, V = np.eye(2), np.eye(2), [[1, 2], [3, 4]]


def test_arrays_and_lists_of_numbers_give_arrays() -> None:
    y: np.ndarray = attn.attention(Q, K, V, mask=attn.causal_mask(2), scale=None)
    pooled, weights = attn.attention_pool(V, [1.0], [[1], [0]])
    shapes: list[tuple[int, ...]] = [y.shape, pooled.shape, weights.shape]
    assert shapes == [(2, 2), (2,), (2,)]


def test_a_cache_has_no_keys_before_its_first_step() -> None:
    cache = attn.KeyValueCache()
    with pytest.raises(AttributeError):
        cache.keys.shape  # type: ignore[union-attr]  # noqa: B018
    cache.step(Q, K, V)
    assert cache.keys is not None
    assert cache.keys.shape == (2, 2)


def test_a_wrong_call_is_an_error() -> None:
    with pytest.raises(TypeError):
        attn.attention(Q, K)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        attn.attention(Q, K, V, attn.causal_mask(2))  # type: ignore[call-arg, arg-type]
    with pytest.raises(TypeError):
        attn.split_heads(Q, "2")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        attn.softmax(None)  # type: ignore[arg-type]
