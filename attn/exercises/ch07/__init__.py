"""Chapter 7, Position: sinusoids, the step between them, rotations, slopes, two layouts."""

IDS = (
    "07-sinusoids",
    "07-shift",
    "07-rotate",
    "07-alibi",
    "07-half-split",
)
