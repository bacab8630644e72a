"""The page prints a value as IPython prints it, which is what the built pages show."""

import math
from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.lib.pretty import pretty as ipython
from page_tasks.pretty import pretty

Point = namedtuple("Point", "x y")


class Plain:
    pass


class Poem:
    def __repr__(self):
        return "two\nlines"


LEAVES = (
    st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.booleans()
    | st.none()
    | st.builds(Poem)
    | st.sampled_from([np.eye(2), np.arange(60.0), np.float64(0.5), Point(1, 2), int, np.ndarray])
)
HASHED = st.integers() | st.text(max_size=20)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(HASHED, inner, max_size=5)
        | st.sets(HASHED, max_size=6)
        | st.frozensets(HASHED, max_size=6)
    ),
    max_leaves=25,
)


@given(VALUES)
def test_a_value_is_printed_as_ipython_prints_it(value):
    assert pretty(value) == ipython(value)


CIRCLE = [1]
CIRCLE.append(CIRCLE)


@pytest.mark.parametrize(
    "value",
    [
        (np.eye(3), [np.eye(2), 1], {"a": np.eye(2)}),
        {"weights": np.arange(6.0).reshape(2, 3), "sum": 1.0},
        list(range(2000)),
        set(),
        (1,),
        CIRCLE,
        {"self": CIRCLE},
        Plain(),
        [Plain, Plain()],
        math.sqrt,
        len,
        pretty,
        print,
        ValueError("no"),
        np.random.default_rng,
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_cells_end_with_is_printed_as_ipython_prints_it(value):
    assert pretty(value) == ipython(value)
