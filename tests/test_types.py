"""What a user's type checker is told. mypy reads this file too, in `make lint`.

A wrong call bears the mark of the error that mypy must find in it: mypy refuses a mark without one.
"""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module

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


def public_functions(module: str) -> Iterator[Callable]:
    """What a module offers, the methods of its classes among it."""
    content = vars(import_module(module))
    for name in content.get("__all__", [name for name in content if is_public(name)]):
        one = content[name]
        if inspect.isclass(one) and one.__module__.startswith(module):
            methods = (getattr(m, "__func__", m) for n, m in vars(one).items() if is_public(n))
            yield from filter(inspect.isfunction, (getattr(m, "fget", m) for m in methods))
        elif inspect.isfunction(one) and one.__module__.startswith(module):
            yield one


def is_public(name: str) -> bool:
    return name in ("__init__", "__len__") or not name.startswith("_")


@pytest.mark.parametrize(
    "module", ["", ".data", ".exercises", ".minilm", ".nn", ".plot", ".pretrained.files", ".smollm"]
)
def test_each_public_function_has_types(module: str) -> None:
    functions = list(public_functions(f"attn{module}"))
    assert functions
    missing = []
    for function in functions:
        signature = inspect.signature(function)
        parts = {p.name: p.annotation for p in signature.parameters.values() if p.name != "self"}
        parts |= {"return": signature.return_annotation}
        lacking = [name for name, type_ in parts.items() if type_ is inspect.Parameter.empty]
        missing += [f"{function.__qualname__}: {name}" for name in lacking if name != "cls"]
    assert missing == []
