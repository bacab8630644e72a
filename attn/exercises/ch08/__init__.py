"""Chapter 8, Against convolution: a band, nine heads, borders, a receptive field, a curve."""

IDS = (
    "08-band",
    "08-heads",
    "08-borders",
    "08-receptive-field",
    "08-curve",
)
