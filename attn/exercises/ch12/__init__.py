"""Chapter 12, Reading a real model: a fair baseline, two measures, a look-alike, a whole model."""

IDS = (
    "12-offset",
    "12-norm-weighted",
    "12-average",
    "12-same-output",
    "12-embed",
)
