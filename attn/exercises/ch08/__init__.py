"""Chapter 8, Against convolution: a band, nine heads, borders, a receptive field, a curve."""

from attn.exercises.ch08 import band, borders, curve, heads, receptive_field

EXERCISES = (
    band.EXERCISE,
    heads.EXERCISE,
    borders.EXERCISE,
    receptive_field.EXERCISE,
    curve.EXERCISE,
)
