"""Chapter 4, Scaling: the variance of scores, their scale, heads, a slope, a temperature."""

from attn.exercises.ch04 import head_scale, jacobian, predict_scale, score_variance, temperature

EXERCISES = (
    score_variance.EXERCISE,
    predict_scale.EXERCISE,
    head_scale.EXERCISE,
    jacobian.EXERCISE,
    temperature.EXERCISE,
)
