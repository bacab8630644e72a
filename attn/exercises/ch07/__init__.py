"""Chapter 7, Position: sinusoids, the step between them, rotations, slopes, two layouts."""

EXERCISES = ("sinusoids", "shift", "rotate", "alibi", "half-split")
