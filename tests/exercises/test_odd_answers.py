"""Whatever a reader passes, a check answers with a verdict."""

import asyncio
import decimal
import fractions
import functools
import json
import sys
import types

import numpy as np
import pytest

from attn.exercises import Verdict, catalog, check

IDS = [exercise.id for exercise in catalog()]


def _raiser(error):
    def raise_it(*args, **kwargs):
        raise error

    return raise_it


def _evil():
    """Classes that no collector should meet: they answer any question with an exception."""

    class Evil:
        """Every question it is asked ends in an exception."""

        __eq__ = __ne__ = __lt__ = __bool__ = __len__ = __iter__ = __float__ = __int__ = (
            __index__
        ) = __array__ = __repr__ = __str__ = __getitem__ = __hash__ = __format__ = _raiser(
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

        __eq__ = __array__ = _raiser(MemoryError())
        __hash__ = None

    class EvilArray(np.ndarray):
        __eq__ = __array_ufunc__ = __array_function__ = __repr__ = __len__ = _raiser(SystemExit(3))

    class SilentError(BaseException):
        def __str__(self):
            raise SystemExit("silent")

    class EvilSignature:
        __signature__ = property(_raiser(SystemExit("signature")))

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


def _forever(*args, **kwargs):
    return _forever(*args, **kwargs)


async def _coroutine(*args, **kwargs):
    return args[0]


async def _async_generator(*args, **kwargs):
    yield args[0]


def _generator(*args, **kwargs):
    while True:
        yield 1.0


def _spoil(*args, **kwargs):
    args[0][...] = np.nan
    return args[0]


def _reshape(*args, **kwargs):
    args[0].shape = (1, *args[0].shape)
    return args[0]


def _resize(*args, **kwargs):
    args[0].resize(7, refcheck=False)
    return args[0]


def _change_settings(*args, **kwargs):
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
    yield from map(_raiser, errors)
    yield from (_forever, _coroutine, _async_generator, _generator, _spoil, _reshape, _resize)
    yield from (
        _change_settings,
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


def _odd_answers():
    evil = _evil()
    values = _odd_values(evil)
    yield from (value for value in values if value is not ...)
    yield from _functions(evil)
    for value in [*values, *_arrays(np.random.default_rng(1))]:
        yield lambda *args, value=value, **kwargs: value
    for value in values:
        yield lambda *args, value=value, **kwargs: [value, value]


@functools.cache
def _all_odd():
    return list(_odd_answers())


def _unsound(verdict):
    """What is wrong with a verdict on an odd answer, or None."""
    if type(verdict) is not Verdict or verdict.passed is True:
        return "passed"
    if not 0 < len(verdict.message) < 1500:
        return f"a message of {len(verdict.message)} characters"
    if json.loads(json.dumps(verdict.as_dict()))["message"] != verdict.message:
        return "not JSON"
    if "0x7" in str(verdict) or not verdict._repr_html_().endswith("</div>"):
        return f"shown as {verdict}"
    return None


def _problems(exercise_id):
    """One line per odd answer that crashes the check or gets past it.

    Answers stay in here: a failing assertion would call their __repr__.
    """
    found = []
    for index, answer in enumerate(_all_odd()):
        try:
            problem = _unsound(check(exercise_id, answer))
        except BaseException as error:
            problem = f"crash {type(error)}"
        if problem:
            found.append(f"answer {index}: {problem}")
    return found


def _changing_verdicts(exercise_id):
    pairs = ((check(exercise_id, a), check(exercise_id, a)) for a in _all_odd()[::3])
    return [str(one) for one, two in pairs if one != two]


def test_there_are_at_least_500_odd_answers():
    count = len(_all_odd())
    assert count >= 500


@pytest.mark.parametrize("exercise_id", IDS)
def test_no_odd_answer_passes_or_crashes_the_check(exercise_id, capfd):
    assert _problems(exercise_id) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("exercise_id", IDS)
def test_an_odd_answer_gets_the_same_verdict_twice(exercise_id):
    assert _changing_verdicts(exercise_id) == []


@pytest.mark.parametrize("exercise_id", IDS)
def test_stop_goes_through(exercise_id):
    with pytest.raises(KeyboardInterrupt):
        check(exercise_id, _raiser(KeyboardInterrupt()))


def test_torch_tensors_are_read_or_refused():
    torch = pytest.importorskip("torch")

    def right(x):
        return torch.softmax(torch.tensor(x, dtype=torch.float64), dim=-1)

    assert check("01-softmax", right).passed is True
    tensors = [torch.zeros(3, requires_grad=True), torch.zeros(3, device="meta")]
    tensors += [torch.zeros(3).to_sparse(), torch.zeros(3, dtype=torch.bfloat16)]
    for exercise_id in IDS:
        for tensor in tensors:
            assert not _unsound(check(exercise_id, lambda *a, tensor=tensor, **k: tensor))
        assert not _unsound(check(exercise_id, tensors[0]))


def test_an_exception_is_shown_with_its_type_text_input_and_line():
    def softmax(x):
        raise ZeroDivisionError("by hand")

    line = softmax.__code__.co_firstlineno + 1
    message = check("01-softmax", softmax).message
    assert f"softmax raised ZeroDivisionError: by hand (line {line})" in message
    assert "one row of scores, x = [0.5, -1, 2]" in message


def test_endless_recursion_is_named():
    assert "raised RecursionError" in check("01-softmax", _forever).message


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (_generator, "a generator: write return, not yield"),
        (_coroutine, "a coroutine: write def, not async def"),
        (lambda x: lambda: x, "a function: call it"),
        (lambda x: "0.5", "an object of type str: return numbers"),
        (lambda x: {}, "an object of type dict: return numbers"),
        (lambda x: x + 0j, "complex128: return real numbers"),
        (lambda x, y: x, "cannot be called as softmax(x): missing a required argument: 'y'"),
        (np.zeros(3), "Pass the function itself, softmax, without calling it"),
        (lambda x: x * np.nan, "returned nan (not a number)"),
    ],
)
def test_an_odd_answer_is_described(answer, words):
    assert words in check("01-softmax", answer).message


def test_a_changed_input_is_named_even_when_the_result_is_wrong():
    verdict = check("01-softmax", _spoil)
    assert verdict.mistake == "changes-its-input"
    assert "changes its input x" in verdict.message


def test_a_changed_input_is_named_when_the_result_is_right():
    def general_score(query, keys, W):
        scores = keys @ (query @ W)
        keys *= 0
        return scores

    verdict = check("01-general-score", general_score)
    assert verdict.mistake == "changes-its-input"
    assert "The result is right, but your function changes its input keys" in verdict.message


def test_a_hull_test_must_return_one_decision():
    verdict = check("01-inside-the-hull", lambda values, output: output <= values.max(axis=0))
    assert "an array of shape (2,): return one True or False" in verdict.message


def test_an_answer_cannot_leave_its_numpy_settings_behind():
    before = np.geterr()
    check("01-softmax", _change_settings)
    assert np.geterr() == before
