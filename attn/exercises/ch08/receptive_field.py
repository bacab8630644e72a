"""How far a stack of convolutions sees."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of("one layer of size 3", sizes=[3], steps=[1]).advise(
        "One layer sees as much as its kernel: 3."
    ),
    Probe.of("layers of size 3, 5 and 3", sizes=[3, 5, 3], steps=[1, 1, 1]).advise(
        "Size 3 adds one position on either side and size 5 adds two: 3, 7, 9."
    ),
    Probe.of("layers of size 5, 7 and 1", sizes=[5, 7, 1], steps=[1, 1, 1]).advise(
        "A kernel of size s adds s - 1, and a kernel of one cell adds nothing."
    ),
    Probe.of(
        "layers of size 3, 7, 3 and 5 with steps 1, 3, 6 and 2",
        sizes=[3, 7, 3, 5],
        steps=[1, 3, 6, 2],
    ).advise(
        "With steps of 2 between its cells a kernel of size 5 spans 4 × 2 + 1 = 9 positions, "
        "so it adds 8."
    ),
    Probe.of("one layer of size 3 with steps of 2", sizes=[3], steps=[2]).advise(
        "It reads three positions, but from the first to the last it spans five."
    ),
    Probe.of("no layer at all", sizes=[], steps=[]).advise(
        "Without a layer an output is its own input: 1."
    ),
)


def _field(sizes, steps):
    return 1 + ((sizes - 1) * steps).sum()


MISTAKES = (
    Mistake(
        "multiplies-the-sizes",
        "You multiply the sizes, but each layer only moves the edge of the field by a few "
        "positions.",
        lambda sizes, steps: np.prod(sizes),
        variants=(lambda sizes, steps: np.prod(sizes * steps),),
        hint="The layers add up.",
    ),
    Mistake(
        "adds-the-sizes",
        "You add the sizes, but the middle of a kernel is no new position.",
        lambda sizes, steps: sizes.sum(),
        variants=(lambda sizes, steps: (sizes * steps).sum(),),
        hint="A layer adds s - 1.",
    ),
    Mistake(
        "forgets-the-position-itself",
        "Your field misses one position, the output's own place.",
        lambda sizes, steps: _field(sizes, steps) - 1,
        hint="Start from 1.",
    ),
    Mistake(
        "looks-one-way",
        "You count one side only, but a centred kernel reaches equally far on both.",
        lambda sizes, steps: 1 + ((sizes - 1) // 2 * steps).sum(),
        hint="It reaches (s - 1) / 2 cells either way.",
    ),
    Mistake(
        "ignores-the-steps",
        "Your field does not depend on the steps between a kernel's cells.",
        lambda sizes, steps: 1 + (sizes - 1).sum(),
        hint="A layer with step d adds (s - 1) · d.",
    ),
    Mistake(
        "multiplies-the-steps-up",
        "You multiply each step by those before it. That is right for strides, which thin out the "
        "positions for all later layers.",
        lambda sizes, steps: 1 + ((sizes - 1) * np.cumprod(steps)).sum(),
        hint="A step inside a kernel concerns its own layer only.",
    ),
    Mistake(
        "spreads-the-whole-kernel",
        "You multiply s by the step and then take 1 away, but there are only s - 1 gaps between s "
        "cells.",
        lambda sizes, steps: 1 + (sizes * steps - 1).sum(),
        hint="A layer adds (s - 1) · d.",
    ),
    Mistake(
        "counts-one-layer",
        "You count a single layer, the first or the last, and the others add nothing.",
        lambda sizes, steps: 1 + sum((sizes - 1)[-1:] * steps[-1:]),
        variants=(lambda sizes, steps: 1 + sum((sizes - 1)[:1] * steps[:1]),),
        hint="Each layer looks through the one below, so their reaches add up.",
    ),
    Mistake(
        "takes-the-widest-layer",
        "You take the widest layer alone, and the others add nothing.",
        lambda sizes, steps: 1 + max((sizes - 1) * steps, default=0),
        hint="Each layer looks through the one below, so their reaches add up.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="The receptive field of a stack",
    difficulty=1,
    minutes=6,
    hints=(
        "Start from one output and go down: count the positions of the layer below that it reads, "
        "then those that they read in turn.",
        "A kernel with s cells has s - 1 gaps, each of d positions. That is what a layer adds.",
    ),
    mistakes=MISTAKES,
    section="sec-08-field",
    passed=(
        "A stack of small kernels sees far only if it is deep, or if its cells are spread out. How "
        "many layers of size 3 reach across 28 pixels? One layer of attention does."
    ),
    task=Task("receptive_field", _field, PROBES),
)
