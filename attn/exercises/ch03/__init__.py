"""Chapter 3, Queries, keys, values: shapes, indices, design, cross-attention, gated pooling."""

EXERCISES = ("shapes", "swapped-index", "design", "cross-attention", "gated-pool")
