"""How long another token must be to tie with a token's own score."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _rival(x, direction):
    along = x @ direction
    return (x @ x) * np.linalg.norm(direction) / along if along > 0 else np.inf


def _pair(label, x, direction, advice):
    return Probe(label, {"x": np.array(x), "direction": np.array(direction)}, advice)


PROBES = (
    _pair(
        "a unit direction at 45 degrees",
        [1.0, 0.0],
        [np.sqrt(0.5), np.sqrt(0.5)],
        "Of the length t, only t cos 45° counts for the score. When is that 1?",
    ),
    _pair(
        "a longer token, a unit direction",
        [3.0, 0.0],
        [0.8, 0.6],
        "x scores x·x = 9 with itself, and t * 0.8 * 3 with the other token.",
    ),
    _pair(
        "the token's own direction",
        [2.0, 1.0],
        [4.0, 2.0],
        "A token that points the same way ties when it is as long as x.",
    ),
    _pair(
        "a direction that is not a unit vector",
        [2.0, -1.0, 0.5],
        [1.0, 1.0, 2.0],
        "Divide the direction by its length first: the answer must not depend on that length.",
    ),
    _pair(
        "a direction at a right angle",
        [1.0, 0.0],
        [0.0, 2.0],
        "The score stays 0 however long the token is: no length is enough, so np.inf.",
    ),
    _pair(
        "a direction that points away",
        [1.0, 2.0],
        [-1.0, -0.5],
        "A longer token scores lower and lower here: no length is enough, so np.inf.",
    ),
)

MISTAKES = (
    Mistake(
        "returns-the-own-length",
        "You return the length of x. That ties only if the rival points the same way; at an "
        "angle, only part of its length counts, so it must be longer. Solve t (x·u) = x·x.",
        lambda x, direction: np.linalg.norm(x),
        also=(lambda x, direction: np.linalg.norm(x) if x @ direction > 0 else np.inf,),
    ),
    Mistake(
        "multiplies-by-the-cosine",
        "You return the part of x along the direction. A rival that short scores less than x "
        "itself; divide the length of x by the cosine instead.",
        lambda x, direction: x @ direction / np.linalg.norm(direction),
        also=(
            lambda x, direction: (
                x @ direction / np.linalg.norm(direction) if x @ direction > 0 else np.inf
            ),
        ),
    ),
    Mistake(
        "forgets-how-long-x-is",
        "You return 1 / cosine, which is right only for a token of length 1: x scores x·x "
        "with itself, the square of its length. Multiply by the length of x.",
        lambda x, direction: (
            np.linalg.norm(x) * np.linalg.norm(direction) / (x @ direction)
            if x @ direction > 0
            else np.inf
        ),
    ),
    Mistake(
        "returns-a-factor",
        "You return how many times the direction must be taken; its own length counts too. "
        "Make it a unit vector first, or multiply by its length.",
        lambda x, direction: x @ x / (x @ direction) if x @ direction > 0 else np.inf,
    ),
    Mistake(
        "returns-a-negative-length",
        "You return a negative length for a direction that points away from x. No length is "
        "enough there: return np.inf when the dot product is not positive.",
        lambda x, direction: (
            (x @ x) * np.linalg.norm(direction) / (x @ direction) if x @ direction != 0 else np.inf
        ),
    ),
    Mistake(
        "ignores-the-sign",
        "You take the size of the dot product and lose its sign: a rival that points away "
        "scores below 0 and never wins. Return np.inf there.",
        lambda x, direction: (
            (x @ x) * np.linalg.norm(direction) / abs(x @ direction)
            if x @ direction != 0
            else np.inf
        ),
    ),
    Mistake(
        "says-zero-where-none-wins",
        "You return 0 where no length is enough; 0 would mean that every rival wins. Return "
        "np.inf, a length that no token has.",
        lambda x, direction: (
            (x @ x) * np.linalg.norm(direction) / (x @ direction) if x @ direction > 0 else 0.0
        ),
    ),
)

EXERCISE = Exercise(
    "02-rival",
    "A token that outshines you",
    2,
    difficulty=2,
    minutes=10,
    hints=(
        "Equal weights mean equal scores: compare x·x with the dot product of x and the rival.",
        "A rival of length t along the unit vector u scores t (x·u). Solve t (x·u) = x·x.",
        "If x·u is 0 or negative, no length is enough: return np.inf.",
    ),
    mistakes=MISTAKES,
    section="sec-02-diagonal",
    task=Task("rival_length", _rival, PROBES),
)
