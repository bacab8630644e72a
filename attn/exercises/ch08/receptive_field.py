"""How far a stack of convolutions sees."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "one layer of size 3",
        sizes=[3],
        steps=[1],
        advice="One layer sees as much as its kernel: 3.",
    ),
    Probe.of(
        "three layers of size 3",
        sizes=[3, 3, 3],
        steps=[1, 1, 1],
        advice="Each further layer sees one more on either side: 3, 5, 7.",
    ),
    Probe.of(
        "layers of size 5, 1 and 7",
        sizes=[5, 1, 7],
        steps=[1, 1, 1],
        advice="A kernel of size s adds s - 1, and a kernel of one cell adds nothing.",
    ),
    Probe.of(
        "layers of size 3, 5, 3 and 7 with steps 1, 2, 6 and 3",
        sizes=[3, 5, 3, 7],
        steps=[1, 2, 6, 3],
        advice=(
            "With steps of 2 between its cells a kernel of size 5 spans 4 × 2 + 1 = 9 positions, "
            "so it adds 8."
        ),
    ),
    Probe.of(
        "one layer of size 3 with steps of 2",
        sizes=[3],
        steps=[2],
        advice="It reads three positions, but from the first to the last it spans five.",
    ),
    Probe.of(
        "no layer at all",
        sizes=[],
        steps=[],
        advice="Without a layer an output is its own input: 1.",
    ),
)


def _field(sizes, steps):
    return 1 + ((sizes - 1) * steps).sum()


MISTAKES = (
    Mistake(
        "multiplies-the-sizes",
        "You multiply the sizes. Each layer moves the edge of the field by a few positions more, "
        "so the layers add up.",
        lambda sizes, steps: np.prod(sizes),
        variants=(lambda sizes, steps: np.prod(sizes * steps),),
    ),
    Mistake(
        "adds-the-sizes",
        "You add the sizes. The middle of a kernel is no new position: a layer adds s - 1.",
        lambda sizes, steps: sizes.sum(),
        variants=(lambda sizes, steps: (sizes * steps).sum(),),
    ),
    Mistake(
        "forgets-the-position-itself",
        "Your field misses one position, the output's own place. Start from 1.",
        lambda sizes, steps: _field(sizes, steps) - 1,
    ),
    Mistake(
        "looks-one-way",
        "You count one side only. A centred kernel reaches (s - 1) / 2 to the left and as far to "
        "the right.",
        lambda sizes, steps: 1 + ((sizes - 1) // 2 * steps).sum(),
    ),
    Mistake(
        "ignores-the-steps",
        "Your field does not depend on the steps between a kernel's cells. A layer with step d "
        "adds (s - 1) · d.",
        lambda sizes, steps: 1 + (sizes - 1).sum(),
    ),
    Mistake(
        "multiplies-the-steps-up",
        "You multiply each step by those before it. That is right for strides, which thin the "
        "positions out for all later layers; a step inside a kernel concerns its own layer only.",
        lambda sizes, steps: 1 + ((sizes - 1) * np.cumprod(steps)).sum(),
    ),
    Mistake(
        "spreads-the-whole-kernel",
        "You multiply s by the step and then take 1 away. There are s - 1 gaps between s cells: "
        "a layer adds (s - 1) · d.",
        lambda sizes, steps: 1 + (sizes * steps - 1).sum(),
    ),
    Mistake(
        "takes-the-widest-layer",
        "You take the widest layer alone. Each layer looks through the one below, so their "
        "reaches add up.",
        lambda sizes, steps: 1 + max((sizes - 1) * steps, default=0),
    ),
)

EXERCISE = Exercise(
    "08-receptive-field",
    title="The receptive field of a stack",
    chapter=8,
    difficulty=1,
    minutes=6,
    hints=(
        "Start from one output and go down: count the positions of the layer below that it reads, "
        "then those that they read in turn.",
        "A kernel with s cells has s - 1 gaps, each of d positions. That is what a layer adds.",
    ),
    mistakes=MISTAKES,
    section="sec-08-field",
    task=Task("receptive_field", _field, PROBES),
)
