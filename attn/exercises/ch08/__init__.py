"""Chapter 8, Against convolution: a band, nine heads, borders, a receptive field, a curve."""

EXERCISES = ("band", "heads", "borders", "receptive-field", "curve")
