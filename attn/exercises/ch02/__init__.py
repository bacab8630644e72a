"""Chapter 2, Self-attention: one token, all tokens, a rival, a test of order, a tag each."""

from attn.exercises.ch02 import equivariance, matrix_form, one_token, rival, tag

EXERCISES = (
    one_token.EXERCISE,
    matrix_form.EXERCISE,
    rival.EXERCISE,
    equivariance.EXERCISE,
    tag.EXERCISE,
)
