"""Chapter 4, Scaling: the variance of scores, their scale, heads, a slope, a temperature."""

EXERCISES = ("score-variance", "predict-scale", "head-scale", "jacobian", "temperature")
