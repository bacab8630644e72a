"""Chapter 4, Scaling: the variance of scores, a scale by search, heads, a slope, a temperature."""

from attn.exercises.ch04 import find_scale, head_scale, jacobian, score_variance, temperature

EXERCISES = (
    score_variance.EXERCISE,
    find_scale.EXERCISE,
    head_scale.EXERCISE,
    jacobian.EXERCISE,
    temperature.EXERCISE,
)
