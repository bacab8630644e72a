"""The norm at which another token ties with a token's own score."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _rival(x, direction):
    along = x @ direction
    return (x @ x) * np.linalg.norm(direction) / along if along > 0 else np.inf


PROBES = (
    Probe.of(
        "a direction that is not a unit vector", x=[2.0, -1.0, 0.5], direction=[1.0, 1.0, 2.0]
    ).advise("Divide the direction by its norm first: the answer must not depend on that norm."),
    Probe.of("a unit direction", x=[3.0, 0.0], direction=[0.8, 0.6]).advise(
        "x scores x·x = 9 with itself, and r * 0.8 * 3 with a token of norm r."
    ),
    Probe.of("another unit direction", x=[1.0, 2.0], direction=[0.6, 0.8]).advise(
        "x scores x·x = 5 with itself, and r * 2.2 with a token of norm r."
    ),
    Probe.of("the token's own direction", x=[2.0, 1.0], direction=[4.0, 2.0]).advise(
        "A token that points the same way ties when it has the norm of x."
    ),
    Probe.of("a direction at a right angle", x=[1.0, 0.0], direction=[0.0, 2.0]).advise(
        "The score stays 0 whatever the token's norm: none is large enough, so np.inf."
    ),
    Probe.of("a direction that points away", x=[1.0, 2.0], direction=[-1.0, -0.5]).advise(
        "A larger norm scores lower here: none is large enough, so np.inf."
    ),
)

MISTAKES = (
    Mistake(
        "returns-the-own-norm",
        "You return the norm of x. That ties only if the rival points the same way; at an angle, "
        "only part of its norm counts.",
        lambda x, direction: np.linalg.norm(x),
        variants=(lambda x, direction: np.linalg.norm(x) if x @ direction > 0 else np.inf,),
        hint="Solve r (x·u) = x·x for r, with u the unit vector along the direction.",
    ),
    Mistake(
        "multiplies-by-the-cosine",
        "You return the part of x along the direction, but a rival of that norm scores less than x"
        " itself.",
        lambda x, direction: x @ direction / np.linalg.norm(direction),
        variants=(
            lambda x, direction: (
                x @ direction / np.linalg.norm(direction) if x @ direction > 0 else np.inf
            ),
        ),
        hint="Divide the norm of x by the cosine instead.",
    ),
    Mistake(
        "forgets-the-norm-of-x",
        "You return 1 / cosine, which is right only if x has norm 1.",
        lambda x, direction: (
            np.linalg.norm(x) * np.linalg.norm(direction) / (x @ direction)
            if x @ direction > 0
            else np.inf
        ),
        hint="x scores x·x with itself, the square of its norm.",
    ),
    Mistake(
        "returns-a-factor",
        "You return how many times the direction must be taken, so the result depends on the "
        "direction's own norm.",
        lambda x, direction: x @ x / (x @ direction) if x @ direction > 0 else np.inf,
        hint="Make it a unit vector first, or multiply by its norm.",
    ),
    Mistake(
        "returns-a-negative-norm",
        "You return a negative norm for a direction that points away from x.",
        lambda x, direction: (
            (x @ x) * np.linalg.norm(direction) / (x @ direction) if x @ direction != 0 else np.inf
        ),
        hint="No norm is large enough there: np.inf.",
    ),
    Mistake(
        "ignores-the-sign",
        "You take the absolute value of the dot product, but a rival that points away scores below"
        " 0 and never wins.",
        lambda x, direction: (
            (x @ x) * np.linalg.norm(direction) / abs(x @ direction)
            if x @ direction != 0
            else np.inf
        ),
        hint="Keep the sign, and return np.inf there.",
    ),
    Mistake(
        "says-zero-where-none-wins",
        "You return 0 where no norm is large enough, and 0 would mean that every rival wins.",
        lambda x, direction: (
            (x @ x) * np.linalg.norm(direction) / (x @ direction) if x @ direction > 0 else 0.0
        ),
        hint="np.inf is a norm that no token has.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="A token that outshines you",
    difficulty=2,
    minutes=10,
    hints=(
        "Equal weights mean equal scores: compare x·x with the dot product of x and the rival.",
        "A rival of norm r along the unit vector u scores r (x·u). Solve r (x·u) = x·x.",
        "If x·u is 0 or negative, no norm is large enough: return np.inf.",
    ),
    mistakes=MISTAKES,
    section="sec-02-diagonal",
    passed=(
        "A long token in roughly your direction beats you at your own score: raw dot products "
        "reward length. Test one: give attn.self_attention x and a rival of twice your norm."
    ),
    task=Task("rival_norm", _rival, PROBES),
)
