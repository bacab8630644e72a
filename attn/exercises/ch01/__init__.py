"""Chapter 1, Lookup: softmax, the soft lookup, sharpness, a general score, a slope."""

IDS = (
    "01-softmax",
    "01-soft-lookup",
    "01-sharpness",
    "01-general-score",
    "01-slope",
)
