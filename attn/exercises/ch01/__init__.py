"""Chapter 1, Lookup: softmax, sharpness, the soft look-up, its slope, a general score."""

IDS = (
    "01-softmax",
    "01-sharpness",
    "01-soft-lookup",
    "01-slope",
    "01-general-score",
)
