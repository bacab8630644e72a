"""Answers that no check expects: evil objects, crashes, floods of numbers, spoilt inputs."""

import asyncio
import decimal
import fractions
import functools
import sys
import types

import numpy as np


def raiser(error):
    def raise_it(*args, **kwargs):
        raise error

    return raise_it


def _evil():
    """Classes that no collector should meet: they answer any question with an exception."""

    class Evil:
        """Every question it is asked ends in an exception."""

        __eq__ = __ne__ = __lt__ = __bool__ = __len__ = __iter__ = __float__ = __int__ = (
            __index__
        ) = __array__ = __repr__ = __str__ = __getitem__ = __hash__ = __format__ = raiser(
            SystemExit("evil")
        )

        @property
        def __class__(self):
            raise SystemExit("evil class")

        def __getattr__(self, name):
            raise SystemExit(name)

    class Endless:
        """A sequence that says it is long and never ends."""

        def __len__(self):
            return 10**9

        def __getitem__(self, index):
            return 0.0

    class ArrayOf:
        def __init__(self, value):
            self.value = value

        def __array__(self, dtype=None, copy=None):
            return self.value

    class EvilMeta(type):
        @property
        def __name__(cls):
            raise SystemExit("no name")

        def __getattr__(cls, name):
            raise SystemExit(name)

        def __instancecheck__(cls, thing):
            raise SystemExit("instance")

    class EvilType(metaclass=EvilMeta):
        pass

    class LyingFloat(float):
        def __float__(self):
            raise GeneratorExit

        __eq__ = __array__ = raiser(MemoryError())
        __hash__ = None

    class EvilArray(np.ndarray):
        __eq__ = __array_ufunc__ = __array_function__ = __repr__ = __len__ = raiser(SystemExit(3))

    class SilentError(BaseException):
        def __str__(self):
            raise SystemExit("silent")

    class EvilSignature:
        __signature__ = property(raiser(SystemExit("signature")))

        def __call__(self, *args, **kwargs):
            return Evil()

    return types.SimpleNamespace(**locals())


def _self_containing():
    endless = [1.0]
    endless.append(endless)
    return endless


def _objects(*items):
    array = np.empty(len(items), dtype=object)
    for index, item in enumerate(items):
        array[index] = item
    return array


def _odd_values(evil):
    huge = np.broadcast_to(np.float32(0.5), (100_000, 100_000))
    record = np.zeros(3, dtype=[("a", float), ("b", int)])
    values = [
        evil.Evil(),
        evil.Endless(),
        evil.EvilType(),
        evil.EvilType,
        evil.LyingFloat(1),
        evil.SilentError(),
        object(),
    ]
    values += [
        evil.ArrayOf(1),
        evil.ArrayOf("x"),
        evil.ArrayOf(None),
        evil.ArrayOf(huge),
        evil.ArrayOf(_objects(1)),
    ]
    values += [
        np.zeros(3).view(evil.EvilArray),
        np.ones((1, 2)).view(np.matrix),
        np.ma.masked,
        record,
        huge,
    ]
    values += [np.ma.array([1.0, 2.0, 3.0], mask=True), _objects(evil.Evil(), 1)]
    values += [np.array(["a", "b"]), np.array(["2020-01-01"], dtype="M8[D]"), np.array(1 + 2j)]
    values += [np.float16(1), np.longdouble(1), np.nan, np.inf, -np.inf, 0, 1, -1, True, False, 1j]
    values += [10**400, -(10**30), "", "0.5", b"x", bytearray(3), memoryview(b"abc"), range(3)]
    values += [
        {},
        {"a": 1},
        set(),
        frozenset([1]),
        iter([1.0]),
        [],
        (),
        [[]],
        [[1], [1, 2]],
        [None],
    ]
    values += [
        [...],
        [evil.Evil()],
        [evil.Endless()],
        (1.0, "x"),
        [np.zeros(2), 1.0],
        _self_containing(),
    ]
    values += [decimal.Decimal(1), fractions.Fraction(1, 3), NotImplemented, Ellipsis.__class__]
    values += [
        len,
        sys,
        types.SimpleNamespace(),
        lambda: 1,
        functools.partial(int),
        slice(3),
    ]
    values += [np.zeros((0,)), np.zeros((3, 0)), np.zeros((1,) * 20), [0.0] * 200_000]
    return values


def _arrays(rng):
    """Arrays of random shapes, types and contents, with nan and inf among them."""
    types_ = [np.float64, np.float32, np.float16, np.int32, np.int8, np.uint8, bool, complex]
    for _ in range(300):
        shape = tuple(rng.integers(0, 5, size=rng.integers(0, 4)))
        array = rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4)
        if array.size and rng.random() < 0.3:
            array.flat[0] = rng.choice([np.nan, np.inf, -np.inf])
        with np.errstate(all="ignore"):
            yield array.astype(types_[rng.integers(len(types_))])


def forever(*args, **kwargs):
    return forever(*args, **kwargs)


async def coroutine(*args, **kwargs):
    return args[0]


async def _async_generator(*args, **kwargs):
    yield args[0]


def generator(*args, **kwargs):
    while True:
        yield 1.0


def spoil(*args, **kwargs):
    args[0][...] = np.nan
    return args[0]


def _reshape(*args, **kwargs):
    args[0].shape = (1, *args[0].shape)
    return args[0]


def _resize(*args, **kwargs):
    args[0].resize(7, refcheck=False)
    return args[0]


def change_settings(*args, **kwargs):
    np.seterr(all="raise")
    return np.exp(args[0] * 1e6)


def _functions(evil):
    errors = [ValueError("x" * 10**6), SystemExit(1), GeneratorExit(), StopIteration(1), evil.Evil]
    errors += [
        MemoryError(),
        evil.SilentError(),
        asyncio.CancelledError(),
        AssertionError(),
        KeyError(),
    ]
    errors += [ExceptionGroup("many", [ValueError("one")]), UserWarning("w"), "not an exception"]
    yield from map(raiser, errors)
    yield from (forever, coroutine, _async_generator, generator, spoil, _reshape, _resize)
    yield from (
        change_settings,
        evil.EvilSignature(),
        evil.EvilType,
        evil.Evil,
        evil.SilentError,
        type,
        object,
        dict,
    )
    yield from (lambda: 1, lambda a: a, lambda *, a: a, lambda a, b, c, d, e, f: a, np.exp, np.sum)
    yield from (len, int, str, np.zeros, np.ndarray, [].append, functools.partial(pow, 2))
    yield from (lambda *a, **k: a, lambda *a, **k: a[0], lambda *a, **k: a[-1], lambda *a, **k: k)
    yield from (lambda *a, **k: 1 / 0, lambda *a, **k: a[99], lambda *a, **k: undefined)  # noqa: F821


@functools.cache
def every_odd_answer():
    """Some 500 answers: odd things, odd functions, functions that return odd things."""
    evil = _evil()
    values = _odd_values(evil)
    found = [*values, *_functions(evil)]
    returned = [*values, *_arrays(np.random.default_rng(1)), *([v, v] for v in values)]
    return found + [_returning(value) for value in returned]


@functools.cache
def a_handful():
    """One answer of each sort: a thing, a crash, a lie, a flood, a spoilt input."""
    evil = _evil()
    odd = [evil.Evil(), evil.Endless(), np.zeros((3, 0)), _self_containing()]
    functions = [raiser(SystemExit(1)), raiser(evil.SilentError()), generator, spoil, _reshape]
    return [*odd, *functions, lambda: 1, evil.EvilSignature(), *map(_returning, odd)]


def _returning(value):
    return lambda *args, **kwargs: value
