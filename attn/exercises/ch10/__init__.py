"""Chapter 10, The block: its norm, its small network, the whole, the norm's place, the count."""

EXERCISES = ("layer-norm", "feed-forward", "block", "pre-norm", "parameters")
