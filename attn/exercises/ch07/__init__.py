"""Chapter 7, Position: sinusoids, the step between them, rotations, slopes, two layouts."""

from attn.exercises.ch07 import alibi, half_split, rotate, shift, sinusoids

EXERCISES = (
    sinusoids.EXERCISE,
    shift.EXERCISE,
    rotate.EXERCISE,
    alibi.EXERCISE,
    half_split.EXERCISE,
)
