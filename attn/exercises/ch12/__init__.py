"""Chapter 12, Reading a real model: a fair baseline, two measures, a look-alike, a whole model."""

EXERCISES = ("offset", "norm-weighted", "average", "same-output", "embed")
