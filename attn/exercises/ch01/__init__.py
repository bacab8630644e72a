"""Chapter 1, Lookup: softmax, the soft lookup, sharpness, a general score, a slope."""

EXERCISES = ("softmax", "soft-lookup", "sharpness", "general-score", "slope")
