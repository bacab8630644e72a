"""Chapter 4, Scaling: the variance of scores, their scale, heads, a slope, a temperature."""

IDS = (
    "04-score-variance",
    "04-predict-scale",
    "04-head-scale",
    "04-jacobian",
    "04-temperature",
)
