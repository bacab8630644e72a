"""Chapter 6, Masks: the past, padding, polarity, attention that obeys, and a cache."""

IDS = (
    "06-causal",
    "06-padding",
    "06-polarity",
    "06-masked-attention",
    "06-cached",
)
