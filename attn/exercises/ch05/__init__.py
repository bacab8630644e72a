"""Chapter 5, Many heads: cut, attend, count, read another layout, switch off."""

EXERCISES = ("split-heads", "multi-head", "parameters", "torch-layout", "ablate")
