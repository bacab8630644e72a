"""Chapter 1, Lookup: softmax, sharpness, the soft look-up, its hull, a general score."""

from attn.exercises.ch01 import choose_beta, general_score, inside_the_hull, soft_lookup, softmax

EXERCISES = (
    softmax.EXERCISE,
    choose_beta.EXERCISE,
    soft_lookup.EXERCISE,
    inside_the_hull.EXERCISE,
    general_score.EXERCISE,
)
