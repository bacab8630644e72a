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


# Classes that answer any question with an exception. They are made in functions, out of sight of
# what collects tests: it would ask them.


def _evil_things():
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

    class EvilSignature:
        __signature__ = property(raiser(SystemExit("signature")))

        def __call__(self, *args, **kwargs):
            return Evil()

    return locals()


def _evil_types():
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

    class SilentError(BaseException):
        def __str__(self):
            raise SystemExit("silent")

    return locals()


def _evil_sequences():
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

    return locals()


def _evil_numbers():
    class LyingFloat(float):
        def __float__(self):
            raise GeneratorExit

        __eq__ = __array__ = raiser(MemoryError())
        __hash__ = None

    class EvilArray(np.ndarray):
        __eq__ = __array_ufunc__ = __array_function__ = __repr__ = __len__ = raiser(SystemExit(3))

    return locals()


def _evil():
    return types.SimpleNamespace(
        **_evil_things(), **_evil_types(), **_evil_sequences(), **_evil_numbers()
    )


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
    return [*_odd_objects(evil), *_odd_arrays(evil), *_odd_numbers(), *_odd_containers(evil)]


def _odd_objects(evil):
    yield from (evil.Evil(), evil.Endless(), evil.EvilType(), evil.EvilType, evil.LyingFloat(1))
    yield from (evil.SilentError(), object(), types.SimpleNamespace(), sys, slice(3), len)
    yield from (NotImplemented, Ellipsis.__class__, lambda: 1, functools.partial(int))


def _odd_arrays(evil):
    huge = np.broadcast_to(np.float32(0.5), (100_000, 100_000))
    record = np.zeros(3, dtype=[("a", float), ("b", int)])
    yield from (huge, record, _objects(evil.Evil(), 1))
    yield from map(evil.ArrayOf, (1, "x", None, huge, _objects(1)))
    yield from (np.zeros(3).view(evil.EvilArray), np.ones((1, 2)).view(np.matrix))
    yield from (np.ma.masked, np.ma.array([1.0, 2.0, 3.0], mask=True))
    yield from (np.array(["a", "b"]), np.array(["2020-01-01"], dtype="M8[D]"), np.array(1 + 2j))
    yield from (np.zeros((0,)), np.zeros((3, 0)), np.zeros((1,) * 20))


def _odd_numbers():
    yield from (np.float16(1), np.longdouble(1), np.nan, np.inf, -np.inf, 0, 1, -1, True, False, 1j)
    yield from (10**400, -(10**30), decimal.Decimal(1), fractions.Fraction(1, 3))


def _odd_containers(evil):
    yield from ("", "0.5", b"x", bytearray(3), memoryview(b"abc"), range(3), iter([1.0]))
    yield from ({}, {"a": 1}, set(), frozenset([1]), [], (), [[]], [[1], [1, 2]], [None], [...])
    yield from ([evil.Evil()], [evil.Endless()], (1.0, "x"), [np.zeros(2), 1.0])
    yield from (_self_containing(), [0.0] * 200_000)


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


def _errors(evil):
    yield from (ValueError("x" * 10**6), SystemExit(1), GeneratorExit(), StopIteration(1))
    yield from (MemoryError(), AssertionError(), KeyError(), NameError("name 'x' is not defined"))
    yield from (evil.Evil, evil.SilentError(), asyncio.CancelledError(), UserWarning("w"))
    yield from (ExceptionGroup("many", [ValueError("one")]), "not an exception")


def _functions(evil):
    yield from map(raiser, _errors(evil))
    yield from (forever, coroutine, _async_generator, generator, spoil, _reshape, _resize)
    yield from (change_settings, evil.EvilSignature(), evil.EvilType, evil.Evil, evil.SilentError)
    yield from (type, object, dict)
    yield from (lambda: 1, lambda a: a, lambda *, a: a, lambda a, b, c, d, e, f: a, np.exp, np.sum)
    yield from (len, int, str, np.zeros, np.ndarray, [].append, functools.partial(pow, 2))
    yield from (lambda *a, **k: a, lambda *a, **k: a[0], lambda *a, **k: a[-1], lambda *a, **k: k)
    yield from (lambda *a, **k: 1 / 0, lambda *a, **k: a[99])


@functools.cache
def every_odd_answer():
    """Some 500 answers: odd things, odd functions, functions that return odd things."""
    evil = _evil()
    values = _odd_values(evil)
    answers = [*values, *_functions(evil)]
    returned = [*values, *_arrays(np.random.default_rng(1)), *([v, v] for v in values)]
    return answers + [_returning(value) for value in returned]


@functools.cache
def a_handful():
    """One answer of each sort: a thing, a crash, a lie, a flood, a spoilt input."""
    evil = _evil()
    odd = [evil.Evil(), evil.Endless(), np.zeros((3, 0)), _self_containing()]
    functions = [raiser(SystemExit(1)), raiser(evil.SilentError()), generator, spoil, _reshape]
    return [*odd, *functions, lambda: 1, evil.EvilSignature(), *map(_returning, odd)]


def _returning(value):
    return lambda *args, **kwargs: value
