"""Chapter 5, Many heads: cut, attend, count, read another layout, switch off."""

IDS = (
    "05-split-heads",
    "05-multi-head",
    "05-parameters",
    "05-torch-layout",
    "05-ablate",
)
