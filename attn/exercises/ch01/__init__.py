"""Chapter 1, Lookup: softmax, sharpness, the soft look-up, its slope, a general score."""

from attn.exercises.ch01 import general_score, sharpness, slope, soft_lookup, softmax

EXERCISES = (
    softmax.EXERCISE,
    sharpness.EXERCISE,
    soft_lookup.EXERCISE,
    slope.EXERCISE,
    general_score.EXERCISE,
)
