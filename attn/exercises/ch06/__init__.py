"""Chapter 6, Masks: the past, padding, polarity, attention that obeys, and a cache."""

EXERCISES = ("causal", "padding", "polarity", "masked-attention", "cached")
