"""Chapter 10, The block: its norm, its small network, the whole, the norm's place, the count."""

IDS = (
    "10-layer-norm",
    "10-feed-forward",
    "10-block",
    "10-pre-norm",
    "10-parameters",
)
