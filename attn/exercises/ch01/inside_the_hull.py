"""A test of whether an output can be a blend of the values."""

from functools import cache

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task, truth

_TRIANGLE = [[0.0, 0.0], [4.0, 0.0], [1.0, 3.0]]
_FIVE = [[-2.0, 1.0], [0.0, 4.0], [3.0, 2.0], [1.0, -3.0], [0.5, 0.5]]


@cache
def _directions(start, end, count):
    angles = np.linspace(start, end, count, endpoint=False)
    return np.stack([np.cos(angles), np.sin(angles)])


def _along(points, directions):
    """Dot products entry by entry: `@` rounds a point and the same row of a table apart."""
    return points[..., :1] * directions[0] + points[..., 1:] * directions[1]


def _reach_test(values, output, *, start=0.0, end=2 * np.pi, count=360, slack=1e-9):
    """Whether no direction separates the output from every value."""
    directions = _directions(start, end, count)
    return bool(
        np.all(_along(output, directions) <= _along(values, directions).max(axis=0) + slack)
    )


def _least_reach(values, output):
    directions = _directions(0.0, 2 * np.pi, 360)
    return bool(np.all(_along(output, directions) <= _along(values, directions).min(axis=0) + 1e-9))


def _point(label, values, output, advice):
    return Probe(label, {"values": np.array(values), "output": np.array(output)}, advice)


def _unit(degrees):
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def _blend(values, weights):
    return np.array(weights) @ np.array(values)


_HEXAGON = np.round([3 * _unit(angle) for angle in range(7, 360, 60)], 3)

PROBES = (
    _point(
        "the plain average of three values",
        _TRIANGLE,
        _blend(_TRIANGLE, [1 / 3, 1 / 3, 1 / 3]),
        "Weights of 1/3 are positive and sum to 1, so this output is inside.",
    ),
    _point(
        "a point far to the right of every value",
        _TRIANGLE,
        [9.0, 1.0],
        "Compare how far the output and the furthest value lie along the direction (1, 0).",
    ),
    _point(
        "a point below every value",
        _TRIANGLE,
        [1.5, -1.0],
        "Test the direction (0, -1) too: outside means outside on any side.",
    ),
    _point(
        "a point above every value",
        _TRIANGLE,
        [1.0, 3.8],
        "Each coordinate has its own range: 3.8 is a possible first entry, not a second one.",
    ),
    _point(
        "a blend whose weights sum to 1.5",
        _FIVE,
        _blend(_FIVE, [0.0, 0.75, 0.75, 0.0, 0.0]),
        "Forgetting to normalise pushes the output out along a slanted direction.",
    ),
    _point(
        "a point within both coordinates' ranges, yet outside the triangle",
        _TRIANGLE,
        [3.8, 2.5],
        "Draw the triangle. Only a slanted direction, such as (1, 1), separates this point.",
    ),
    _point(
        "a point a little outside a slanted edge",
        _TRIANGLE,
        [0.4, 1.6],
        "Use many directions: this edge faces up and to the left, at 162 degrees.",
    ),
    *(
        _point(
            f"a point 0.15 outside one side of a hexagon, at {angle} degrees",
            _HEXAGON,
            (3 * np.cos(np.pi / 6) + 0.15) * _unit(angle),
            "Its side faces that way. Let directions go all the way round, and close together.",
        )
        for angle in range(37, 360, 60)
    ),
    _point(
        "a blend with one negative weight",
        _TRIANGLE,
        _blend(_TRIANGLE, [-0.1, 0.55, 0.55]),
        "Weights that sum to 1 are not enough: a negative one leads outside. Try more directions.",
    ),
    _point(
        "a soft look-up of five values",
        _FIVE,
        _blend(_FIVE, [0.1, 0.6, 0.05, 0.05, 0.2]),
        "This output comes from a softmax, so a correct test lets it through.",
    ),
    _point(
        "a very sharp look-up, equal to one of the values",
        _FIVE,
        _FIVE[2],
        "The values themselves belong to the hull: compare with <=, not <.",
    ),
    _point(
        "the average of three equal values, rounded",
        [[0.1, 0.7], [0.1, 0.7], [0.1, 0.7]],
        [(0.1 + 0.1 + 0.1) / 3, 0.7],
        "(0.1 + 0.1 + 0.1) / 3 is 0.10000000000000002 in floating point: allow 1e-9 of slack.",
    ),
    _point(
        "two values and a point beside the segment between them",
        [[0.0, 0.0], [2.0, 1.0]],
        [1.0, 0.8],
        "With two values the hull is the segment between them. Try directions across it.",
    ),
)

MISTAKES = (
    Mistake(
        "accepts-everything",
        "Your test accepts every output, and a test that cannot fail proves nothing. One "
        "direction that shows a point outside is enough: if you use np.any, use np.all.",
        lambda values, output: True,
    ),
    Mistake(
        "rejects-everything",
        "Your test rejects every output, even the plain average of the values. Feed it that "
        "average and see which comparison fails.",
        lambda values, output: False,
    ),
    Mistake(
        "one-range-for-both-coordinates",
        "You compare with the smallest and the largest entry of the whole array; the two "
        "coordinates have different ranges. Take min and max along axis 0, then go further: "
        "even that is only a box.",
        lambda values, output: bool(
            np.all((output >= values.min() - 1e-9) & (output <= values.max() + 1e-9))
        ),
    ),
    Mistake(
        "tests-the-box",
        "You test each coordinate against its own range. That is a box round the values, and "
        "its corners are not blends of them. Test slanted directions too.",
        lambda values, output: bool(
            np.all((output >= values.min(axis=0) - 1e-9) & (output <= values.max(axis=0) + 1e-9))
        ),
    ),
    Mistake(
        "tests-a-circle",
        "You test the distance from the mean. The circle through the furthest value also "
        "holds points that no blend reaches. Compare along directions instead.",
        lambda values, output: bool(
            np.linalg.norm(output - values.mean(axis=0))
            <= np.linalg.norm(values - values.mean(axis=0), axis=-1).max() + 1e-9
        ),
    ),
    Mistake(
        "looks-half-way-round",
        "Your directions cover half the circle, so a point that leaves through the other half "
        "gets in. Let the angle run from 0 to 2π.",
        lambda values, output: _reach_test(values, output, end=np.pi),
    ),
    Mistake(
        "accepts-only-the-values",
        "You accept an output only if it equals one of the values: that is the exact "
        "look-up. A blend of them is inside too. Compare along directions.",
        lambda values, output: bool(np.any(np.all(np.isclose(values, output), axis=-1))),
    ),
    Mistake(
        "uses-the-nearest-reach",
        "You compare with the smallest value along each direction, and only a single point "
        "could pass. The furthest value is the limit: use max over the values.",
        _least_reach,
    ),
    Mistake(
        "rejects-the-boundary",
        "You use < where <= is needed: an output equal to one of the values lies on the "
        "boundary, and the boundary belongs to the hull. Use <= with a little slack.",
        lambda values, output: _reach_test(values, output, slack=-1e-9),
    ),
    Mistake(
        "no-room-for-rounding",
        "Your test is right on paper, but 0.1 averaged with itself is 0.10000000000000002 in "
        "floating point, and it rejects that. Add 1e-9 to the limit.",
        lambda values, output: _reach_test(values, output, slack=0.0),
    ),
)

EXERCISE = Exercise(
    "01-inside-the-hull",
    "Never outside the values",
    1,
    difficulty=3,
    minutes=15,
    hints=(
        "Along one direction u the output is a weighted average of the numbers values @ u, so it "
        "cannot exceed their maximum.",
        "A point is outside exactly if some direction shows it: output @ u > max(values @ u). "
        "Take a few hundred directions round the circle, (cos a, sin a).",
        "Stack the directions as a (2, 360) array: one product gives every value along every "
        "direction. Leave 1e-9 of slack for rounding, and return one bool.",
    ),
    mistakes=MISTAKES,
    section="sec-01-hull",
    task=Task("stays_inside", _reach_test, PROBES, read=truth),
)
